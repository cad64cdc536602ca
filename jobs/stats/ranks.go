package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Ranks returns the ranks of values: 1 of the smallest, n of the largest; those that are equal but
// for rounding share the mean of their ranks. The values must not be NaN.
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

// Cliques returns the largest runs of n things in order no two of which differ, as their first and
// last places, ascending: the bars of a critical-difference diagram. A run has two things at least
// and is no part of another one.
func Cliques(n int, differ func(i, j int) bool) [][2]int {
	var cliques [][2]int
	reached := 0 // the last place of the run before
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
