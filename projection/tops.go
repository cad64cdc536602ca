package projection

import (
	"math"
	"slices"
)

// A Selector finds the largest entries of vectors. Its zero value is ready to use. It is not safe for concurrent use.
type Selector struct {
	candidates []candidate
	magnitude  []float64
}

type candidate struct {
	magnitude float64
	index     int32
}

// Top appends to dst the ascending indices of the s entries of v that are largest in absolute value, and returns dst.
// Ties go to lower indices. If v has at most s entries, Top selects all. If entries are NaN, it may select more than s.
// Top takes linear time, except for specially constructed vectors.
func (sel *Selector) Top(dst []int32, v []float64, s int) []int32 {
	if s >= len(v) {
		for i := range v {
			dst = append(dst, int32(i))
		}
		return dst
	}
	if s <= 0 {
		return dst
	}
	candidates := sel.above(sel.guess(v, s), v)
	if len(candidates) < s { // the guess was too large
		candidates = sel.above(0, v)
	}
	sel.magnitude = sel.magnitude[:0]
	for _, c := range candidates {
		sel.magnitude = append(sel.magnitude, c.magnitude)
	}
	least := selectLargest(sel.magnitude, s)
	ties := s
	for _, c := range candidates {
		if c.magnitude > least {
			ties--
		}
	}
	for _, c := range candidates {
		if c.magnitude < least {
			continue
		}
		if c.magnitude == least {
			if ties == 0 {
				continue
			}
			ties--
		}
		dst = append(dst, c.index)
	}
	return dst
}

// guess estimates, from a sample, the magnitude above which v has slightly more than s entries (Floyd and Rivest,
// Expected time bounds for selection, CACM 1975).
func (sel *Selector) guess(v []float64, s int) float64 {
	const size = 64
	stride := len(v) / size
	if stride < 4 {
		return 0
	}
	sel.magnitude = sel.magnitude[:0]
	for i := stride / 2; i < len(v); i += stride {
		sel.magnitude = append(sel.magnitude, math.Abs(v[i]))
	}
	n := float64(len(sel.magnitude))
	mean := float64(s) / float64(len(v)) * n
	rank := int(mean + 2.5*math.Sqrt(mean*(1-mean/n)) + 1)
	if rank >= len(sel.magnitude) {
		return 0
	}
	return selectLargest(sel.magnitude, rank)
}

// above lists the entries of v that are NaN or have at least the given magnitude.
func (sel *Selector) above(least float64, v []float64) []candidate {
	sel.candidates = slices.Grow(sel.candidates[:0], len(v))[:len(v)]
	n := 0
	for i, x := range v { // compiles without a jump
		x = math.Abs(x)
		sel.candidates[n] = candidate{x, int32(i)}
		if !(x < least) {
			n++
		}
	}
	return sel.candidates[:n]
}

// selectLargest returns the k-th largest value of a, 1 ≤ k ≤ len(a), and reorders a. It is quickselect with the median
// of three as pivot. If the range shrinks too slowly, it sorts the rest, in O(n log n).
func selectLargest(a []float64, k int) float64 {
	lo, hi := 0, len(a)-1
	k-- // ranks count from 0
	for budget := 4 * len(a); hi-lo > 16 && budget > 0; {
		budget -= hi - lo
		x, y, z := a[lo], a[(lo+hi)/2], a[hi]
		pivot := max(min(x, y), min(max(x, y), z)) // median of x, y and z
		i, j := lo, hi
		for i <= j {
			for a[i] > pivot {
				i++
			}
			for a[j] < pivot {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return a[k]
		}
	}
	slices.Sort(a[lo : hi+1])
	return a[lo+hi-k]
}

// SoftThreshold returns sign(x)·max(|x| − t, 0), the minimiser of ½(z − x)² + t|z| over z, for a threshold t ≥ 0.
func SoftThreshold(x, t float64) float64 { return x - max(-t, min(t, x)) }

// GroupFactor returns max(1 − t/norm, 0), or 0 for a norm of 0. By this factor, the threshold t ≥ 0 shrinks a group
// with the given Euclidean norm.
func GroupFactor(norm, t float64) float64 {
	if norm > t {
		return 1 - t/norm
	}
	return 0
}
