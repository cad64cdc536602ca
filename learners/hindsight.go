package learners

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// Hindsight returns the least loss that one fixed model could have suffered in all samples,
//
//	min over w, b of  Σ_i ℓ(⟨w, x_i⟩ + b, y_i),   w zero outside the support.
//
// A nil support is that of all p features. The loss that a learner suffered less this one
// is its regret. Where the samples can be separated or interpolated the least loss is 0,
// or is approached without being reached; the value is then a small number above it.
//
// row returns the p features of sample i.
func Hindsight(loss Loss, p int, row func(i int) []float64, y []float64, support []int32) (float64, error) {
	if support != nil { // all features may be too many for a copy
		p, row = len(support), restricted(row, len(y), support, nil)
	}
	_, least, err := fit(loss, p, 0, row, y, nil, 0)
	return least, err
}

// RidgeBeside returns the model on the support, of p features, that minimises the mean loss of all samples plus
// ridge/2·‖w‖², with ridge above 0. The intercept is not shrunk, nor are the weights of the numbers beside the features
// of each sample, such as its covariates; nil: there are none. The loss of sample i counts weight[i] times; nil: once.
// An empty support is the model of the numbers beside alone.
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

// restricted returns the rows of n samples with the features of the support alone, and what stands beside them.
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

// fit returns the model with the least loss of the rows, of d values each, that of row i weight[i] times (nil: once),
// plus penalty/2 times the square of its weights: d weights and, after them, an intercept; and that least value. The
// last weights are free: of them only what the loss leaves open is decided, by a slight penalty, as of indicators that
// sum up to a constant.
func fit(loss Loss, d, free int, row func(i int) []float64, y, weight []float64, penalty float64) (model []float64,
	least float64, err error) {
	const (
		perSample  = 1e-8 // of the gradient, where the search stops
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
	// A line search that finds nothing better has arrived as near as rounding lets it:
	// its error is not one.
	result, err := optimize.Minimize(problem, make([]float64, d+1), settings, &optimize.LBFGS{})
	if result == nil {
		return nil, 0, fmt.Errorf("learners: the best fixed model: %w", err)
	}
	if math.IsNaN(result.F) || math.IsInf(result.F, 0) {
		return nil, 0, errors.New("learners: the best fixed model: its loss is not finite")
	}
	return result.X, result.F, nil
}
