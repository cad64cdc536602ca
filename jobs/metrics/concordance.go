package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Concordance returns Harrell's C of scores. C is the share of comparable pairs in which the sample with the earlier
// event has the higher score. Tied scores count ½. The times are in y. As in package cox, a censored sample has a
// negative time. Two samples of a stratum are comparable if the earlier time is an event. Two equal times are
// comparable if exactly one is an event. If strata is nil, all samples are in one stratum. `chance` is the variance of
// C for random scores. Both results are NaN if no pair is comparable or a score is NaN. Source: Harrell, Lee and Mark,
// Multivariable prognostic models, Statistics in Medicine 15 (1996).
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
	slices.SortFunc(order, func(a, b int) int { // by stratum, then latest time first, then censored samples before events
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
		won := make([]float64, size) // for each sample: number of comparable pairs in which it is the earlier sample
		for from := 0; from < size; {
			to := from + 1 // next index with a different y
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

// lost returns the sum of (e − l)² over the samples, where a sample is the earlier one in e comparable pairs and the
// later one in l pairs. The slice won has e for each sample, and lost replaces it by e − l. `order` is as in
// Concordance.
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

// A counts is a Fenwick tree that counts numbers by rank (P. M. Fenwick, Software: Practice and Experience 24, 1994).
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

// below returns how many numbers have a rank below rank.
func (c *counts) below(rank int) (n float64) {
	for k := rank; k > 0; k -= k & -k {
		n += c.sums[k]
	}
	return n
}
