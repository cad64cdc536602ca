package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Concordance returns Harrell's C of scores: the share of the comparable pairs of samples in which the one with the
// earlier event scores higher, ties counting ½. Outcomes y are those of package cox: times, below 0 of censored
// samples. A pair is comparable if the earlier time is an event's, or the times are equal and one of them is an
// event's, and if both are of one stratum; nil: all are. Chance is the variance of C where scores say nothing. Both are
// NaN where no pair is comparable or a score is NaN. Harrell, Lee and Mark, Multivariable prognostic models, Statistics
// in Medicine 15 (1996).
func Concordance(scores, y []float64, strata []string) (c, chance float64) {
	of := func(i int) string {
		if strata == nil {
			return ""
		}
		return strata[i]
	}
	order, ranks := make([]int, len(y)), slices.Clone(scores)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { // in each stratum the latest first, censored ones before events
		return cmp.Or(cmp.Compare(of(a), of(b)), cmp.Compare(math.Abs(y[b]), math.Abs(y[a])), cmp.Compare(y[a], y[b]))
	})
	slices.Sort(ranks)
	if ranks = slices.Compact(ranks); len(ranks) > 0 && math.IsNaN(ranks[0]) {
		return math.NaN(), math.NaN()
	}
	right, pairs, squares := 0.0, 0.0, 0.0
	for len(order) > 0 {
		size := 1
		for size < len(order) && of(order[size]) == of(order[0]) {
			size++
		}
		later := newCounts(len(ranks))
		won := make([]float64, size) // comparable pairs in which a sample is the earlier
		for from := 0; from < size; {
			to := from + 1 // samples from here on are events at another time
			for to < size && y[order[to]] == y[order[from]] {
				to++
			}
			for k := from; k < to && y[order[k]] > 0; k++ {
				at, _ := slices.BinarySearch(ranks, scores[order[k]])
				below, upTo := later.below(at), later.below(at+1)
				right += below + (upTo-below)/2
				won[k] = later.total
				pairs += later.total
			}
			for k := from; k < to; k++ {
				at, _ := slices.BinarySearch(ranks, scores[order[k]])
				later.add(at)
			}
			from = to
		}
		squares += lost(won, y, order[:size])
		order = order[size:]
	}
	return right / pairs, (pairs + squares) / (12 * pairs * pairs)
}

// lost takes from the pairs in which a sample is the earlier those in which it is the later, and returns the sum of the
// squares of what is left. The order is that of Concordance.
func lost(won, y []float64, order []int) (squares float64) {
	events := 0.0
	for to := len(order); to > 0; {
		from, seen := to-1, 0.0
		for from > 0 && y[order[from-1]] == y[order[from]] {
			from--
		}
		for k := from; k < to; k++ {
			if won[k] -= events; y[order[k]] > 0 {
				seen++
			}
			squares += won[k] * won[k]
		}
		events += seen
		to = from
	}
	return squares
}

// Counts are how many numbers of each rank there are: a tree of sums (P. M. Fenwick, Software: Practice and Experience
// 24, 1994).
type counts struct {
	sums  []float64
	total float64
}

func newCounts(ranks int) *counts { return &counts{sums: make([]float64, ranks+1)} }

func (c *counts) add(rank int) {
	c.total++
	for k := rank + 1; k < len(c.sums); k += k & -k {
		c.sums[k]++
	}
}

// below counts the numbers of lower rank.
func (c *counts) below(rank int) (n float64) {
	for k := rank; k > 0; k -= k & -k {
		n += c.sums[k]
	}
	return n
}
