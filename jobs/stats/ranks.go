package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Ranks returns the ranks of values, from 1 for the smallest. Values that are equal up to rounding share the mean of
// their ranks. No value may be NaN.
func Ranks(values []float64) []float64 {
	sorted, order := slices.Clone(values), make([]int, len(values))
	floats.Argsort(sorted, order)
	sized := make([]difference, len(values))
	for k, v := range sorted {
		sized[k] = difference{size: v, rounding: rounding * math.Abs(v)}
	}
	ranks := make([]float64, len(values))
	for k, doubled := range doubledRanks(sized) {
		ranks[order[k]] = float64(doubled) / 2
	}
	return ranks
}

// Cliques returns the bars of a critical-difference diagram of n methods, sorted by rank. A bar, given by its first and
// last index, joins consecutive methods that do not differ. No bar lies inside another bar.
func Cliques(n int, differ func(i, j int) bool) [][2]int {
	var cliques [][2]int
	reached := 0 // last index of the previous bar
	for first := range n {
		last := first
	run:
		for ; last+1 < n; last++ {
			for i := first; i <= last; i++ {
				if differ(i, last+1) {
					break run
				}
			}
		}
		if last > max(first, reached) {
			cliques, reached = append(cliques, [2]int{first, last}), last
		}
	}
	return cliques
}
