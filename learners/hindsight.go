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
	if support == nil {
		return fit(loss, p, row, y) // of all features, which may be too many for a copy
	}
	d := len(support)
	x := make([]float64, 0, len(y)*d)
	for i := range y {
		r := row(i)
		for _, j := range support {
			x = append(x, r[j])
		}
	}
	return fit(loss, d, func(i int) []float64 { return x[i*d : (i+1)*d] }, y)
}

// fit returns the least loss of the rows, of d values each, over all models: d weights and,
// after them, an intercept.
func fit(loss Loss, d int, row func(i int) []float64, y []float64) (float64, error) {
	const (
		perSample  = 1e-8 // of the gradient, where the search stops
		iterations = 2000
	)
	n := float64(len(y))
	problem := optimize.Problem{
		Func: func(w []float64) (sum float64) {
			for i, target := range y {
				l, _ := loss.Eval(floats.Dot(w[:d], row(i))+w[d], target)
				sum += l
			}
			return sum
		},
		Grad: func(grad, w []float64) {
			clear(grad)
			for i, target := range y {
				r := row(i)
				_, dz := loss.Eval(floats.Dot(w[:d], r)+w[d], target)
				floats.AddScaled(grad[:d], dz, r)
				grad[d] += dz
			}
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
		return 0, fmt.Errorf("learners: the best fixed model: %w", err)
	}
	if math.IsNaN(result.F) || math.IsInf(result.F, 0) {
		return 0, errors.New("learners: the best fixed model: its loss is not finite")
	}
	return result.F, nil
}
