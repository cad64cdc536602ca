package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm corrects the p-values of a family of tests by Holm's step-down method: the k-th
// smallest of m is multiplied by m − k + 1, and none is less than the one before it, nor
// more than 1. Rejecting those of at most α keeps the probability of any false rejection at
// α, whatever the tests have to do with each other. The result is in the order of p; NaN,
// a test that could not be made, stays NaN and is no part of the family.
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
