package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// Overlap is the probability that at least k of n things drawn without replacement are among the m marked ones of all
// `of` things: the upper tail of the hypergeometric distribution, by which sets are tested for over-representation.
// 0 ≤ n, m ≤ of.
func Overlap(k, n, m, of int) float64 {
	choose := func(n, k int) float64 { return combin.LogGeneralizedBinomial(float64(n), float64(k)) }
	sum := 0.0
	for i := max(k, n+m-of); i <= min(n, m); i++ {
		sum += math.Exp(choose(m, i) + choose(of-m, n-i) - choose(of, n))
	}
	return min(sum, 1)
}

// FalseShares are the q-values of Benjamini and Hochberg (Journal of the Royal Statistical Society B 57, 1995), in the
// order of p. Taking those of at most α keeps the expected share of false ones among them at α, if the tests are
// independent or positively dependent.
func FalseShares(p []float64) []float64 {
	sorted, order, q := slices.Clone(p), make([]int, len(p)), make([]float64, len(p))
	floats.Argsort(sorted, order)
	least := 1.0
	for k, v := range slices.Backward(sorted) {
		least = min(least, v*float64(len(p))/float64(k+1))
		q[order[k]] = least
	}
	return q
}
