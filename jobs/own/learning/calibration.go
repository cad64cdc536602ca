package learning

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/learners"
	"graphda/learners/cox"
)

// A Scored is a held-out sample with its scores.
type Scored struct {
	Z      []float64 // one score for each of Penalties
	Y      float64
	Weight float64
	ID     string // "" if the sample has no ID

	Stratum string // "" unless the labels are times
}

// Under returns each sample's score for the given penalty. The block holds labels or targets, weights and strata.
func Under(penalty int, held []Scored) (z []float64, of *samples.Block) {
	of = &samples.Block{}
	for _, s := range held {
		z = append(z, s.Z[penalty])
		of.Y, of.Weight, of.Strata = append(of.Y, s.Y), append(of.Weight, s.Weight), append(of.Strata, s.Stratum)
	}
	return z, of
}

// A Calibration turns a score z of the refits with one penalty into slope·z + intercept (Platt, Probabilistic outputs
// for support vector machines, 1999). For classes, the result is the log-odds of the positive class, provided that the
// class is as frequent as in the samples used here. For times, it is the log hazard ratio, and the intercept is 0.
type Calibration struct {
	Penalty   int // index in Penalties
	Slope     float64
	Intercept float64
	Threshold float64 // log-odds of the share of positives; a larger score predicts the positive class
}

// leastSlope is the slope if held-out scores do not rise with the labels. The scores then keep their order.
const leastSlope = 1e-6

// Calibrate returns the calibration, over all penalties, with the smallest loss on the held-out samples. It then
// shrinks the slope by the factor 1 − k/χ² (van Houwelingen and le Cessie, Predictive value of statistical models,
// 1990). χ² is twice the difference in loss between slope 0 and the best slope. k = 2 counts the slope and the penalty.
// If 1 − doubt is smaller, it is the factor; doubt is the share of the slope that may be chance.
func Calibrate(loss learners.Loss, held []Scored, doubt float64) (best Calibration, err error) {
	const slight = 1e-3 // penalty on the slope, which would be infinite if the scores separate the classes
	const chosen = 2
	z, of := Under(0, held)
	l := line{loss: loss, Block: of}
	if (loss == cox.Loss{}) {
		l.risks = cox.New(of.Y, of.Strata)
	}
	constant := Calibration{Intercept: l.middle(0, z)}
	none, least := l.value(constant, z), math.Inf(1)
	for k := range held[0].Z {
		z, _ := Under(k, held)
		mean, deviation := stat.PopMeanStdDev(z, of.Weight) // with a large penalty, scores hardly vary
		if deviation == 0 {
			deviation = 1
		}
		unit := slices.Clone(z)
		for i := range unit {
			unit[i] = (z[i] - mean) / deviation
		}
		c := Calibration{Penalty: k, Threshold: constant.Intercept}
		if c.Slope, c.Intercept, err = l.fit(unit, slight); err != nil {
			return best, err
		}
		c.Slope /= deviation
		if c.Intercept -= c.Slope * mean; l.risks != nil {
			c.Intercept = 0
		}
		if with := l.value(c, z); with < least {
			least, best = with, c
		}
	}
	share := 1.0
	if gain := 2 * (none - least); gain > chosen {
		share = max(chosen/gain, doubt)
	}
	best.Slope = max(best.Slope*(1-share), leastSlope)
	z, _ = Under(best.Penalty, held)
	best.Intercept = l.middle(best.Slope, z)
	return best, nil
}

// A line fits a straight line, slope·z + intercept, to the samples of a block.
type line struct {
	loss learners.Loss
	*samples.Block
	risks *cox.Risks // nil unless the labels are times
}

// fit returns the penalised slope and the intercept with the smallest loss. If labels are times, the intercept is 0.
func (l *line) fit(z []float64, penalty float64) (slope, intercept float64, err error) {
	row := func(i int) []float64 { return z[i : i+1] }
	if l.risks != nil {
		w, err := l.risks.Ridge(1, 0, row, penalty)
		if err != nil {
			return 0, 0, err
		}
		return w[0], 0, nil
	}
	m, err := learners.RidgeBeside(l.loss, 1, row, nil, l.Y, l.Weight, []int32{0}, penalty)
	if err != nil {
		return 0, 0, err
	}
	return m.W[0], m.Intercept, nil
}

func (l *line) value(c Calibration, z []float64) (sum float64) {
	scores := make([]float64, len(z))
	for i := range z {
		scores[i] = c.Slope*z[i] + c.Intercept
	}
	if l.risks != nil {
		return l.risks.Residuals(make([]float64, len(z)), scores)
	}
	for i, y := range l.Y {
		loss, _ := l.loss.Eval(scores[i], y)
		sum += l.Weight[i] * loss
	}
	return sum
}

// middle returns the intercept with the smallest loss for the given slope, or 0 for times.
func (l *line) middle(slope float64, z []float64) float64 {
	const end = 40 // log-odds above it round to probability 1, and standardised targets are smaller
	if l.risks != nil {
		return 0
	}
	low, high := -end-slope*slices.Max(z), end-slope*slices.Min(z)
	for range 100 {
		at, gradient := (low+high)/2, 0.0
		for i, y := range l.Y {
			_, dz := l.loss.Eval(slope*z[i]+at, y)
			gradient += l.Weight[i] * dz
		}
		switch {
		case gradient == 0:
			return at
		case gradient > 0:
			high = at
		default:
			low = at
		}
	}
	return (low + high) / 2
}

// Baselines returns the cumulative hazards of each stratum. With these hazards, the mean predicted survival of held-out
// samples equals the observed survival exp(−h), where h is Nelson and Aalen's estimate. The survival that Breslow's
// estimate predicted was 0.01 too low.
func (c *Calibration) Baselines(held []Scored) (all []model.Baseline) {
	z, of := Under(c.Penalty, held)
	for _, b := range cox.New(of.Y, of.Strata).Baselines(make([]float64, len(z))) {
		h := 0.0
		for k, observed := range b.Hazard {
			for step := math.Inf(1); step > 1e-12*h; h += step { // Newton's method; the mean survival is convex in h
				above, slope := 0.0, 0.0
				for i := range z {
					if of.Strata[i] == b.Stratum {
						ratio := math.Exp(c.Slope * z[i])
						above += math.Exp(-h*ratio) - math.Exp(-observed)
						slope += ratio * math.Exp(-h*ratio)
					}
				}
				step = max(0, above/slope)
			}
			b.Hazard[k] = h
		}
		all = append(all, model.Baseline(b))
	}
	return all
}

// Constant tells whether all predictions are nearly the same.
func (c *Calibration) Constant() bool { return c.Slope <= leastSlope }

// Apply returns m with calibrated scores.
func (c *Calibration) Apply(m *learners.Model) *learners.Model {
	calibrated := &learners.Model{W: slices.Clone(m.W), Support: m.Support, Sparse: m.Sparse,
		Intercept: c.Slope*m.Intercept + c.Intercept, Beside: slices.Clone(m.Beside)}
	floats.Scale(c.Slope, calibrated.W)
	floats.Scale(c.Slope, calibrated.Beside)
	return calibrated
}
