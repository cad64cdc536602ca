package learners

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// Hindsight returns the least total loss of any fixed model on all samples,
//
//	min over w, b of  Σ_i ℓ(⟨w, x_i⟩ + b, y_i),   w zero outside the support.
//
// A nil support means all p features. A learner's regret is its total loss minus this least loss. If a model can
// separate or interpolate the samples, Hindsight returns a small number above 0.
//
// row returns the p features of sample i.
func Hindsight(loss Loss, p int, row func(i int) []float64, y []float64, support []int32) (float64, error) {
	if support != nil { // without a support, a copy of all features would be too large
		p, row = len(support), restricted(row, len(y), support, nil)
	}
	_, least, err := fit(loss, p, 0, row, y, nil, 0)
	return least, err
}

// RidgeBeside returns the model that minimises the mean loss of all samples plus ridge/2·‖w‖². The ridge must be above
// 0. Only the features in support have weights. The slice beside holds each sample's covariates, and may be nil. The
// intercept and the covariates' weights are not shrunk. The loss of sample i counts weight[i] times, or once if weight
// is nil.
func RidgeBeside(loss Loss, p int, row func(i int) []float64, beside [][]float64, y, weight []float64,
	support []int32, ridge float64) (*Model, error) {
	width := 0
	if beside != nil {
		width = len(beside[0])
	}
	d := len(support) + width
	at, _, err := fit(loss, d, width, restricted(row, len(y), support, beside), y, weight, ridge*float64(len(y)))
	if err != nil {
		return nil, err
	}
	m := newModel(p)
	m.Support, m.Beside, m.Intercept = append(m.Support, support...), at[len(support):d], at[d]
	for k, j := range support {
		m.W[j] = at[k]
	}
	return m, nil
}

// restricted returns n rows. A row has the sample's features in support, followed by its covariates (beside).
func restricted(row func(i int) []float64, n int, support []int32, beside [][]float64) func(i int) []float64 {
	d := len(support)
	if beside != nil {
		d += len(beside[0])
	}
	x := make([]float64, 0, n*d)
	for i := range n {
		r := row(i)
		for _, j := range support {
			x = append(x, r[j])
		}
		if beside != nil {
			x = append(x, beside[i]...)
		}
	}
	return func(i int) []float64 { return x[i*d : (i+1)*d] }
}

// fit minimises the loss over n rows of d values each, plus penalty/2 times the sum of squared weights. It
// returns d weights followed by an intercept, and the minimum. The loss of row i counts weight[i] times, or once
// if weight is nil. The last `free` weights are not shrunk, except for a slight penalty that decides between
// solutions of equal loss.
func fit(loss Loss, d, free int, row func(i int) []float64, y, weight []float64, penalty float64) (model []float64,
	least float64, err error) {
	const (
		perSample  = 1e-8 // times the number of samples: gradient norm at which the search stops
		iterations = 2000
		slight     = 1e-6
	)
	k := d - free
	eval := func(i int, z float64) (l, dz float64) {
		l, dz = loss.Eval(z, y[i])
		if weight != nil {
			l, dz = weight[i]*l, weight[i]*dz
		}
		return l, dz
	}
	n := float64(len(y))
	problem := optimize.Problem{
		Func: func(w []float64) (sum float64) {
			for i := range y {
				l, _ := eval(i, floats.Dot(w[:d], row(i))+w[d])
				sum += l
			}
			return sum + penalty/2*floats.Dot(w[:k], w[:k]) + slight/2*floats.Dot(w[k:d], w[k:d])
		},
		Grad: func(grad, w []float64) {
			clear(grad)
			for i := range y {
				r := row(i)
				_, dz := eval(i, floats.Dot(w[:d], r)+w[d])
				floats.AddScaled(grad[:d], dz, r)
				grad[d] += dz
			}
			floats.AddScaled(grad[:k], penalty, w[:k])
			floats.AddScaled(grad[k:d], slight, w[k:d])
		},
	}
	settings := &optimize.Settings{
		GradientThreshold: perSample * n,
		MajorIterations:   iterations,
		Converger:         &optimize.FunctionConverge{Absolute: 1e-10 * n, Relative: 1e-10, Iterations: 20},
	}
	// An error of the line search means only that rounding errors hide all better points.
	result, err := optimize.Minimize(problem, make([]float64, d+1), settings, &optimize.LBFGS{})
	if result == nil {
		return nil, 0, fmt.Errorf("learners: the best fixed model: %w", err)
	}
	if math.IsNaN(result.F) || math.IsInf(result.F, 0) {
		return nil, 0, errors.New("learners: the best fixed model: its loss is not finite")
	}
	return result.X, result.F, nil
}
