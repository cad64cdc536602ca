package projection

import "math"

// A bound tells searches that a forest is too small. Let a forest F have k nodes and g trees, and let d be the time at
// which some cluster of the solver dies or would die. Then F costs at most 2·(π(F) − d). By the proof of Goemans and
// Williamson, a tree that is complete at time t and has used the prize r costs at most 2·(r − t). The rest of its prize
// lasts until its cluster dies, and the final clusters die last. So if no edge costs less than c,
//
//	d ≤ π(F) − (k − g)·λc/2 ≤ Σ max(π − τ, 0) + k·τ − (k − g)·λc/2
//
// for every τ. If τ ≤ λc/2, the right side decreases as k grows. So if a cluster lives longer than the right side for
// k = Low, the forest has fewer than Low nodes.

// An excess holds a floor τ and the sum of max(π − τ, 0) over all prizes π.
type excess struct{ floor, sum float64 }

// setExcesses sets s.excesses for several floors around the mean prize. A warm search needs only the floor 0, because
// its forests are seldom much too small.
func (s *Search) setExcesses(warm bool) {
	s.excesses = append(s.excesses[:0], excess{0, s.total})
	if warm {
		return
	}
	floor := s.total / float64(len(s.prizes)) / 4
	var a, b, c, d float64
	for _, p := range s.prizes {
		a += max(0, p-floor)
		b += max(0, p-2*floor)
		c += max(0, p-4*floor)
		d += max(0, p-8*floor)
	}
	s.excesses = append(s.excesses, excess{floor, a}, excess{2 * floor, b}, excess{4 * floor, c}, excess{8 * floor, d})
}

// longest returns an upper bound, in units of prize, on the time at which any cluster dies. The bound holds if the
// forest has at least window.Low nodes.
func (s *Search) longest(scale float64) float64 {
	half, low := scale*s.minCost/2, float64(s.window.Low)
	edges := low - float64(s.options.Clusters)
	if edges <= 0 || s.options.Root > 0 { // with a root, the bound does not hold
		return math.Inf(1)
	}
	bound := math.Inf(1)
	for _, e := range s.excesses {
		if e.floor <= half {
			bound = min(bound, e.sum+low*e.floor)
		}
	}
	const rounding = 1e-6 // bounds the relative error of sums here, and of prizes and costs in the solver
	return bound*(1+rounding) - edges*half*(1-rounding)
}
