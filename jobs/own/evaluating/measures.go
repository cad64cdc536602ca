package evaluating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/metrics"
	"graphda/jobs/own/predicting"
	"graphda/jobs/stats"
)

// names returns the measures, without values, in the order of Result.values.
func (r *Result) names() []Measure {
	if r.times() {
		return []Measure{{ID: "c_index", Name: "C-index", Guess: 0.5, Ideal: 1}}
	}
	if !r.classes() {
		return []Measure{
			{ID: "r2", Name: "R²", Guess: 0, Ideal: 1},
			{ID: "rmse", Name: "Root of the mean squared error", Guess: stat.PopStdDev(r.labels, nil)},
			{ID: largeID, Name: "Mean of label less prediction", Guess: math.NaN()},
			{ID: "calibration_slope", Name: "Slope of the label over the prediction", Guess: math.NaN(), Ideal: 1},
		}
	}
	share := float64(r.Positives) / float64(r.Samples)
	nan := math.NaN()
	all := []Measure{
		{ID: "auc", Name: "AUC", Guess: 0.5, Ideal: 1},
		{ID: "sensitivity", Name: fmt.Sprintf("Sensitivity: %q that are found", r.Model.Positive), Guess: nan, Ideal: 1},
		{ID: "specificity", Name: fmt.Sprintf("Specificity: %q that are found", r.Model.Negative), Guess: nan, Ideal: 1},
		{ID: "balanced_accuracy", Name: "Balanced accuracy", Guess: 0.5, Ideal: 1},
		{ID: "accuracy", Name: "Accuracy", Guess: max(share, 1-share), Ideal: 1},
	}
	if r.probable() {
		all = append(all,
			Measure{ID: "log_loss", Name: "Log-loss", Guess: metrics.Entropy(share)},
			Measure{ID: "brier", Name: "Brier score", Guess: share * (1 - share)},
			Measure{ID: largeID, Name: "Calibration in the large", Guess: nan},
			Measure{ID: "calibration_slope", Name: "Calibration slope", Guess: nan, Ideal: 1})
	}
	return all
}

// probable reports whether the scores are calibrated log-odds.
func (r *Result) probable() bool { return predicting.Calibrated(r.Model, r.Weights.Name) }

// values returns the values of the measures for scores z and labels y. With strata, times are compared within strata.
func (r *Result) values(z, y []float64, strata []string, e *metrics.Evaluator) []float64 {
	if r.times() {
		c, _ := metrics.Concordance(z, y, strata)
		return []float64{c}
	}
	if !r.classes() {
		_, slope := stat.LinearRegression(z, y, nil, false)
		error, total, mean := metrics.MSE(z, y), stat.PopVariance(y, nil), stat.Mean(y, nil)
		if total == 0 {
			total = math.NaN() // equal labels have no R²
		}
		return []float64{1 - error/total, math.Sqrt(error), mean - stat.Mean(z, nil), unlessFlat(z, y, slope)}
	}
	above, found, of := make([]float64, len(z)), [2]float64{}, [2]float64{}
	for i := range z {
		above[i] = z[i] - r.Weights.Threshold
		class := int((1 + y[i]) / 2)
		of[class]++
		if above[i] >= 0 == (y[i] > 0) {
			found[class]++
		}
	}
	c := e.Classify(above, y)
	all := []float64{c.AUC, found[1] / of[1], found[0] / of[0], c.BalancedAccuracy, c.Accuracy}
	if r.probable() {
		c := metrics.Calibrate(z, y)
		all = append(all, c.LogLoss, c.Brier, c.Large, unlessFlat(z, y, c.Slope))
	}
	return all
}

// unlessFlat returns slope, or NaN if the scores z hardly vary. Then the slope only says how far the model was shrunk.
func unlessFlat(z, y []float64, slope float64) float64 {
	if stat.PopStdDev(z, nil) < 1e-4*stat.PopStdDev(y, nil) {
		return math.NaN()
	}
	return slope
}

func (r *Result) resamples() int { return max(200, min(2000, 10_000_000/r.Samples)) }

// defined is the smallest share of resampled cohorts in which a measure must have a value to get an interval.
const defined = 0.95

const (
	// gain is the id of the features' gain over the covariates alone.
	gain = "gain"
	// largeID is the id of a measure that is positive if log-odds or numbers are too low overall.
	largeID = "calibration_in_the_large"
)

func (r *Result) measured(rows []int, e *metrics.Evaluator) []float64 {
	var z, alone, y []float64
	var strata []string
	for _, i := range rows {
		z, y = append(z, r.scores[i]), append(y, r.labels[i])
		if r.alone != nil {
			alone = append(alone, r.alone[i])
		}
		if r.strata != nil {
			strata = append(strata, r.strata[i])
		}
	}
	all := r.values(z, y, strata, e)
	if r.alone != nil {
		all = slices.Insert(all, 0, all[0]-r.values(alone, y, strata, e)[0])
	}
	return all
}

func (r *Result) measure() {
	var e metrics.Evaluator
	nan := math.NaN()
	r.Measures = r.names()
	if r.alone != nil {
		for k, v := range r.values(r.alone, r.labels, r.strata, &e) {
			r.Measures[k].Alone = v
		}
		r.Measures = slices.Insert(r.Measures, 0, Measure{ID: gain, Ideal: nan, Alone: nan,
			Name: "Gain in " + r.Measures[0].Name + " over the covariates alone"})
	}
	for k, v := range r.measured(slices.Concat(r.units...), &e) {
		m := &r.Measures[k]
		if m.Value, m.Low, m.High = v, nan, nan; r.settled(m) {
			m.Value = nan
		}
	}
	if !r.Decided() {
		return
	}
	drawn := make([][]float64, len(r.Measures))
	random := rand.New(rand.NewPCG(r.Seed, uint64(r.Samples)))
	for range r.resamples() {
		var rows []int
		for range r.units {
			rows = append(rows, r.units[random.IntN(len(r.units))]...)
		}
		for k, v := range r.measured(rows, &e) {
			if !math.IsNaN(v) {
				drawn[k] = append(drawn[k], v)
			}
		}
	}
	for k := range r.Measures {
		m, all := &r.Measures[k], drawn[k]
		if float64(len(all)) < defined*float64(r.resamples()) || r.settled(m) {
			continue
		}
		slices.Sort(all)
		m.Low, m.High = stat.Quantile(0.025, stat.Empirical, all, nil), stat.Quantile(0.975, stat.Empirical, all, nil)
		if m.ID == "auc" || m.ID == "c_index" {
			m.Low, m.High = r.area(m.Value, stat.StdDev(all, nil))
		} else if r.classes() && m.Ideal == 1 && m.Low == m.High && (m.Value == 0 || m.Value == 1) {
			doubt := 1 - math.Pow(0.025, 1/float64(r.Least))
			m.Low, m.High = max(0, m.Value-doubt), min(1, m.Value+doubt)
		}
	}
}

// settled reports whether recentring fixes a measure's value, so that it says nothing about the model.
func (r *Result) settled(m *Measure) bool { return r.Recentre && m.ID == largeID }

// area returns the interval of the AUC or C-index a, whose resampled values have the given standard deviation. The
// interval is symmetric in log-odds, so it stays between 0 and 1. Resampling small cohorts gives too small a variance,
// so it is at least 4a(1−a) times the variance for random scores, as in stats.AreaInterval.
func (r *Result) area(a, deviation float64) (low, high float64) {
	n, positive := float64(r.Samples), float64(r.Positives)
	chance := stats.AreaVariance(n, positive)
	if r.times() {
		_, chance = metrics.Concordance(r.scores, r.labels, r.strata)
	}
	half := 0.5 / n // keeps areas half a sample away from 0 and 1
	a = max(half, min(1-half, a))
	deviation = max(deviation, math.Sqrt(4*a*(1-a)*chance))
	const z = 1.959964
	middle, wide := math.Log(a/(1-a)), z*deviation/(a*(1-a))
	return metrics.Probability(middle - wide), metrics.Probability(middle + wide)
}
