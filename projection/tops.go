package projection

import (
	"math"
	"slices"
)

// A Selector finds the largest entries of vectors. It is not safe for concurrent use;
// the zero value is ready.
type Selector struct{ magnitude []float64 }

// Top appends to dst the ascending indices of the s entries of v that are largest in
// absolute value and returns it; of equal entries the lower index is taken first. If v
// has at most s entries all are taken; more than s may be if entries of v are NaN. It
// takes linear time on all but contrived vectors and, with room in dst, allocates nothing
// after the first call.
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
	sel.magnitude = slices.Grow(sel.magnitude[:0], len(v))[:len(v)]
	for i, x := range v {
		sel.magnitude[i] = math.Abs(x)
	}
	least := selectLargest(sel.magnitude, s)
	ties := s
	for _, x := range v {
		if math.Abs(x) > least {
			ties--
		}
	}
	for i, x := range v {
		a := math.Abs(x)
		if a < least {
			continue
		}
		if a == least {
			if ties == 0 {
				continue
			}
			ties--
		}
		dst = append(dst, int32(i))
	}
	return dst
}

// selectLargest returns the k-th largest value of a, 1 ≤ k ≤ len(a), and reorders a.
// It is quickselect with the median of three as pivot; should the ranges shrink too
// slowly, it sorts what is left, so that the worst case is O(n log n).
func selectLargest(a []float64, k int) float64 {
	lo, hi := 0, len(a)-1
	k-- // the rank from 0 in descending order
	for budget := 4 * len(a); hi-lo > 16 && budget > 0; {
		budget -= hi - lo
		pivot := median(a[lo], a[(lo+hi)/2], a[hi])
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

func median(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
