package learning

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/stats"
	"graphda/learners"
)

// Measures holds the measures of predictions. A measure is NaN if it does not apply to the kind of outcome.
type Measures struct {
	Accuracy, BalancedAccuracy, AUC, LogLoss float64 // for classes
	R2                                       float64 // for numbers; 0 if every prediction is the training mean
	C                                        float64 // for times; see metrics.Concordance

	Chance float64 // variance that the AUC or C has for random scores; see stats.AreaInterval
}

// Chance returns the mean of the field Chance.
func Chance(found []Measures) (mean float64) {
	for i := range found {
		mean += found[i].Chance / float64(len(found))
	}
	return mean
}

// Score returns the measure by which settings are chosen.
func (m *Measures) Score(loss learners.Loss) float64 { return OutcomeOf(loss).Score(m) }

// Predict measures a model's predictions on a block. A prediction is a score plus the sample's offset.
func (sp *Split) Predict(score func(x []float64) float64, b *samples.Block, e *metrics.Evaluator) Measures {
	scores := make([]float64, b.Rows())
	for i := range scores {
		scores[i] = score(b.Row(i)) + b.OffsetOf(i)
	}
	return Measured(sp.Loss, scores, b, 0, e)
}

// Effective returns the effective sample size for the given weights, (Σw)²/Σw² (Kish, Survey Sampling, 1965).
func Effective(weights []float64) float64 {
	sum := floats.Sum(weights)
	if sum == 0 {
		return 0
	}
	return sum * sum / floats.Dot(weights, weights)
}

// Measured compares scores with the labels in b. A score of at least threshold predicts the label +1.
func Measured(loss learners.Loss, scores []float64, b *samples.Block, threshold float64,
	e *metrics.Evaluator) Measures {
	targets, weights, weight := b.Y, b.Weight, b.WeightOf
	nan := math.NaN()
	m := Measures{nan, nan, nan, nan, nan, nan, 0}
	switch OutcomeOf(loss) {
	case Times:
		m.C, m.Chance = metrics.Concordance(scores, targets, b.Strata)
		return m
	case Numbers: // the mean of the training targets is 0
		error, total := 0.0, 0.0
		for i, y := range targets {
			error += weight(i) * (scores[i] - y) * (scores[i] - y)
			total += weight(i) * y * y
		}
		m.R2 = 1 - error/total
		return m
	}
	m.LogLoss = 0
	above, total := make([]float64, len(scores)), float64(len(scores))
	if weights != nil {
		total = floats.Sum(weights)
	}
	var of [2][]float64 // weights by class
	for i, y := range targets {
		l, _ := loss.Eval(scores[i], y)
		m.LogLoss += weight(i) * l / total
		above[i] = scores[i] - threshold
		of[int(1+y)/2] = append(of[int(1+y)/2], weight(i))
	}
	positive := Effective(of[1])
	m.Chance = stats.AreaVariance(Effective(of[0])+positive, positive)
	c := e.ClassifyWeighted(above, targets, weights)
	m.Accuracy, m.BalancedAccuracy, m.AUC = c.Accuracy, c.BalancedAccuracy, c.AUC
	return m
}
