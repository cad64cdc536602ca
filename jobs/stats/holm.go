package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm corrects the p-values of a family of tests by Holm's step-down method. It multiplies the k-th smallest of m
// p-values by m − k + 1. Each result is at least the result for k − 1, and at most 1. If the tests with results of at
// most α are rejected, the probability of any false rejection is at most α. The tests may depend on each other. Results
// have the order of p. NaN stays NaN and does not count in m.
func Holm(p []float64) []float64 {
	corrected := make([]float64, len(p))
	var order []int
	for i, v := range p {
		corrected[i] = v
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	least := 0.0
	for k, i := range order {
		least = max(least, min(1, p[i]*float64(len(order)-k)))
		corrected[i] = least
	}
	return corrected
}
