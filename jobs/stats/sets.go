package stats

import (
	"cmp"
	"math"
	"slices"
)

// Overlap is the probability that at least k of n things drawn without replacement are among the m marked ones of all
// `of` things: the upper tail of the hypergeometric distribution, by which sets are tested for over-representation.
// 0 ≤ n, m ≤ of.
func Overlap(k, n, m, of int) float64 {
	choose := func(n, k int) float64 {
		var lg [3]float64
		for i, v := range []int{n, k, n - k} {
			lg[i], _ = math.Lgamma(float64(v) + 1)
		}
		return lg[0] - lg[1] - lg[2]
	}
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
	order, q := make([]int, len(p)), make([]float64, len(p))
	for i := range p {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[j], p[i]) })
	least := 1.0
	for k, i := range order {
		least = min(least, p[i]*float64(len(p))/float64(len(p)-k))
		q[i] = least
	}
	return q
}
