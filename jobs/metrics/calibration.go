package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"graphda/learners"
)

// A Calibration measures how well log-odds z_i of the positive class agree with labels y_i ∈ {−1,+1}. The
// probabilities are p_i = 1/(1 + e^−z_i).
type Calibration struct {
	LogLoss float64 // mean of −ln q, in nats, where q is the predicted probability of the true label
	Brier   float64 // mean of (p_i − [y_i = +1])²
	Large   float64 // best a in logit p = a + z; ideally 0; positive if the log-odds are too low overall
	Slope   float64 // best b in logit p = a + b·z; ideally 1; below 1 if the log-odds are too extreme
}

// Calibrate compares log-odds z with labels y. Large and Slope are NaN if one class is missing, because then the best
// fit is infinite. Slope is also NaN if z is constant or separates the classes. Sources: Cox, Two further
// applications of a model for binary regression, Biometrika 45 (1958); Van Calster et al., Calibration: the Achilles
// heel of predictive analytics, BMC Medicine 17 (2019).
func Calibrate(z, y []float64) Calibration {
	n := float64(len(z))
	c := Calibration{}
	for i := range z {
		loss, _ := learners.Logistic{}.Eval(z[i], y[i])
		c.LogLoss += loss / n
		d := Probability(z[i]) - (1+y[i])/2
		c.Brier += d * d / n
	}
	if n == 0 {
		c.LogLoss, c.Brier = math.NaN(), math.NaN()
	}
	c.Large, _ = fitLine(z, y, 1, false)
	mean, deviation := stat.PopMeanStdDev(z, nil)
	unit := make([]float64, len(z)) // standardised z, so that Newton's method reaches a large slope
	for i := range z {
		unit[i] = (z[i] - mean) / deviation
	}
	_, c.Slope = fitLine(unit, y, 0, true)
	c.Slope /= deviation
	return c
}

// Probability returns the probability 1/(1 + e^−z) for log-odds z.
func Probability(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// Entropy returns the mean log-loss, in nats, of a model that always predicts the share of the positive class. It is 0
// if one class is missing.
func Entropy(share float64) float64 {
	if share == 0 || share == 1 {
		return 0
	}
	return -share*math.Log(share) - (1-share)*math.Log(1-share)
}

// fitLine fits logit p = a + b·z by Newton's method. If `free` is false, b is fixed. It returns NaN if the best fit is
// infinite.
func fitLine(z, y []float64, b float64, free bool) (float64, float64) {
	const steps, close = 100, 1e-10
	a := 0.0
	for range steps {
		var ga, gb, haa, hab, hbb float64 // gradient and Hessian of the log-likelihood
		for i := range z {
			p := Probability(a + b*z[i])
			r, v := (1+y[i])/2-p, p*(1-p)
			ga, gb = ga+r, gb+r*z[i]
			haa, hab, hbb = haa+v, hab+v*z[i], hbb+v*z[i]*z[i]
		}
		da, db := ga/haa, 0.0
		if free {
			det := haa*hbb - hab*hab
			da, db = (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		}
		const most = 2.0 // on longer steps the quadratic approximation fails
		da, db = max(-most, min(most, da)), max(-most, min(most, db))
		a, b = a+da, b+db
		switch {
		case math.IsNaN(a + b):
			return math.NaN(), math.NaN()
		case math.Abs(da)+math.Abs(db) < close:
			return a, b
		}
	}
	return math.NaN(), math.NaN()
}
