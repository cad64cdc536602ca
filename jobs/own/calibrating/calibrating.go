// Package calibrating makes log-odds, or predicted numbers, of scores: by a line through the scores of samples that
// took no part in what scores them.
package calibrating

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/learners"
)

// A Scored is a sample that took no part in the refits, nor in the selection, with its scores.
type Scored struct {
	Z      []float64 // by penalty
	Y      float64
	Weight float64
	ID     string // "" if it has none
}

// Under returns the scores under a penalty, the labels or targets, and the samples' weights.
func Under(penalty int, held []Scored) (z, y, weights []float64) {
	for _, s := range held {
		z, y, weights = append(z, s.Z[penalty]), append(y, s.Y), append(weights, s.Weight)
	}
	return z, y, weights
}

// A Calibration turns scores z of refits with a penalty into slope·z + intercept: of labels, the log-odds of the
// positive class at its share among the samples. Platt, Probabilistic outputs for support vector machines, 1999.
type Calibration struct {
	Penalty   int // its place among the penalties of the scores
	Slope     float64
	Intercept float64
	Threshold float64 // log-odds of the share of positives: samples that are likelier positive than that are labelled so
}

// leastSlope keeps the order of the scores where held-out samples show none, or the reverse; what is predicted then
// is the share of the class, or the mean target.
const leastSlope = 1e-6

// Calibrate returns the calibration of the penalty under which the held-out samples have the least loss. The slope of
// the least loss is shrunk by the factor 1 − k/χ². χ² is twice what the slope takes off the loss; k = 2 counts the
// slope and the penalty. A clear signal loses next to nothing, and noise keeps hardly any slope (van Houwelingen and
// le Cessie, Predictive value of statistical models, 1990). Where the doubt is above k/χ², the factor is 1 − doubt; 0:
// there is none.
func Calibrate(loss learners.Loss, held []Scored, doubt float64) (best Calibration, err error) {
	const slight = 1e-3 // penalty of the slope on scores of deviation 1, which separate classes would raise without end
	const chosen = 2
	z, y, weights := Under(0, held)
	constant := Calibration{Intercept: middle(loss, 0, z, y, weights)}
	none, least := constant.loss(loss, z, y, weights), math.Inf(1)
	for k := range held[0].Z {
		z, _, _ := Under(k, held)
		mean, deviation := stat.PopMeanStdDev(z, nil) // a large penalty leaves scores that hardly differ
		if deviation == 0 {
			deviation = 1
		}
		unit := slices.Clone(z)
		for i := range unit {
			unit[i] = (z[i] - mean) / deviation
		}
		line, err := learners.RidgeBeside(loss, 1, func(i int) []float64 { return unit[i : i+1] }, nil, y, weights,
			[]int32{0}, slight)
		if err != nil {
			return best, err
		}
		slope := line.W[0] / deviation
		c := Calibration{k, slope, line.Intercept - slope*mean, constant.Intercept}
		if with := c.loss(loss, z, y, weights); with < least {
			least, best = with, c
		}
	}
	share := 1.0
	if gain := 2 * (none - least); gain > chosen {
		share = max(chosen/gain, doubt)
	}
	best.Slope = max(best.Slope*(1-share), leastSlope)
	z, _, _ = Under(best.Penalty, held)
	best.Intercept = middle(loss, best.Slope, z, y, weights)
	return best, nil
}

// loss returns the sum of the losses of calibrated scores z of samples of these weights.
func (c Calibration) loss(loss learners.Loss, z, y, weights []float64) (sum float64) {
	for i := range y {
		l, _ := loss.Eval(c.Slope*z[i]+c.Intercept, y[i])
		sum += weights[i] * l
	}
	return sum
}

// middle returns the intercept of the least loss for a given slope, by halving.
func middle(loss learners.Loss, slope float64, z, y, weights []float64) float64 {
	const end = 40 // log-odds beyond which probabilities are 0 and 1; targets are standardised
	low, high := -end-slope*slices.Max(z), end-slope*slices.Min(z)
	for range 100 {
		at, gradient := (low+high)/2, 0.0
		for i := range y {
			_, dz := loss.Eval(slope*z[i]+at, y[i])
			gradient += weights[i] * dz
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

// Apply returns the calibrated model.
func (c *Calibration) Apply(m *learners.Model) *learners.Model {
	calibrated := &learners.Model{W: slices.Clone(m.W), Support: m.Support, Sparse: m.Sparse,
		Intercept: c.Slope*m.Intercept + c.Intercept, Beside: slices.Clone(m.Beside)}
	floats.Scale(c.Slope, calibrated.W)
	floats.Scale(c.Slope, calibrated.Beside)
	return calibrated
}
