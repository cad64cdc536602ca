package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// ExactPairs is the largest number of pairs for which the test counts the distribution exactly. The counts add up to
// 2ⁿ, which a float64 holds exactly.
const ExactPairs = 50

// A SignedRank is the result of Wilcoxon's signed-rank test.
type SignedRank struct {
	Pairs int     // number of pairs whose two values differ
	Zeros int     // number of pairs whose two values are equal; the test ignores them
	Plus  float64 // W⁺: sum of the ranks of the pairs with a > b
	Minus float64 // W⁻: sum of the ranks of the pairs with a < b
	P     float64 // two-sided p-value, in (0, 1]; 1 if no pair differs, and NaN if a value is NaN
	Exact bool    // whether P is exact, and not a normal approximation
}

// Wilcoxon tests whether the paired values a[i] and b[i] differ by a shift. The slices must have the same length.
//
// Differences that are equal up to rounding are ties, such as 0.8 − 0.7 and 0.4 − 0.3. A difference no larger than a
// rounding error counts as zero.
func Wilcoxon(a, b []float64) (s SignedRank) {
	mustPair(a, b)
	differences := make([]difference, 0, len(a))
	for i := range a {
		d := difference{size: math.Abs(a[i] - b[i]), positive: a[i] > b[i],
			rounding: rounding * (math.Abs(a[i]) + math.Abs(b[i]))}
		switch {
		case math.IsNaN(d.size):
			return SignedRank{P: math.NaN()}
		case d.size == 0 || d.size <= d.rounding && !math.IsInf(d.size, 0):
			s.Zeros++
		default:
			differences = append(differences, d)
		}
	}
	s.Pairs = len(differences)
	ranks := doubledRanks(differences)
	for i, d := range differences {
		if d.positive {
			s.Plus += float64(ranks[i]) / 2
		} else {
			s.Minus += float64(ranks[i]) / 2
		}
	}
	w := min(s.Plus, s.Minus)
	if s.Exact = s.Pairs <= ExactPairs; s.Exact {
		s.P = countedP(ranks, int(2*w))
	} else {
		s.P = normalP(ranks, w)
	}
	return s
}

func mustPair(a, b []float64) {
	if len(a) != len(b) {
		panic("stats: the values are no pairs")
	}
}

// rounding is the largest rounding error of a difference, relative to the sizes of its two values. It allows for
// rounding errors of a few operations in the values.
const rounding = 0x1p-50

type difference struct {
	size     float64 // absolute value, above 0
	positive bool
	rounding float64 // largest rounding error that size may have
}

// doubledRanks sorts the differences by size and returns twice their ranks, which are whole numbers even for ties.
func doubledRanks(differences []difference) []int {
	slices.SortFunc(differences, func(a, b difference) int { return cmp.Compare(a.size, b.size) })
	ranks := make([]int, len(differences))
	for from := 0; from < len(ranks); {
		to := from + 1
		for to < len(ranks) && tied(differences[to-1], differences[to]) {
			to++
		}
		for i := from; i < to; i++ {
			ranks[i] = from + 1 + to // first plus last rank
		}
		from = to
	}
	return ranks
}

// tied tells whether two differences are equal up to rounding. b must be at least a.
func tied(a, b difference) bool {
	return a.size == b.size || b.size-a.size <= a.rounding+b.rounding && !math.IsInf(b.size, 0)
}

// countedP returns the exact two-sided p-value, at most 1. It is twice the share of the combinations of signs in which
// the positive ranks add up to at most w. The ranks and w are doubled.
func countedP(ranks []int, w int) float64 {
	count := make([]float64, w+1) // count[s] combinations of signs have the sum s of positive ranks
	count[0] = 1
	for _, r := range ranks {
		for sum := w; sum >= r; sum-- {
			count[sum] += count[sum-r]
		}
	}
	total := 0.0
	for _, c := range count {
		total += c
	}
	return min(1, math.Ldexp(total, 1-len(ranks)))
}

// normalP approximates countedP by a normal distribution. The ranks are doubled, but w is not.
func normalP(ranks []int, w float64) float64 {
	var sum, squares float64
	for _, r := range ranks {
		sum += float64(r) / 2
		squares += float64(r) * float64(r) / 4
	}
	// A rank r adds r or 0 to the sum with equal probability, so it adds r/2 to the mean and r²/4 to the variance. The
	// total variance is the usual n(n+1)(2n+1)/24 − Σ(t³−t)/48 for ties.
	z := (sum/2 - w - 0.5) / math.Sqrt(squares/4)
	return min(1, 2*distuv.UnitNormal.Survival(z))
}

// LeastP returns the smallest two-sided p-value that is possible with n pairs.
func LeastP(n int) float64 { return min(1, math.Ldexp(1, 1-n)) }
