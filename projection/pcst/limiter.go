package pcst

import "math"

// A limiter stops the growth when the forest is certain to be too large.
type limiter struct {
	high   int32 // the most nodes that are of interest
	lookAt int   // mergings before the next look
	over   bool  // more are certain
}

// setLimit lets the growth stop once GWPruning is certain to leave more than most nodes.
func (s *Solver) setLimit(most int) {
	// The root's tree stays, however soon it dies, and times beyond maxTime are not told apart.
	if s.opt.Pruning != GWPruning || s.opt.Root >= 0 || s.wide {
		most = math.MaxInt32
	}
	s.limiter = limiter{high: int32(min(most, math.MaxInt32))}
}

// sureToExceed reports whether the forest will have more nodes than the limit, now that at
// time t a cluster was formed of which pruning leaves more. A forest's last tree is of the
// cluster that lives longest. The clusters below the limit may join each other, but live no
// longer than what time they have left together. If a cluster above it has more left, it
// outlives them, or whatever it joins does.
func (s *Solver) sureToExceed(t int64) bool {
	if len(s.trees.log) < s.limiter.lookAt {
		return false
	}
	above, below := int64(0), int64(0)
	for _, c := range s.stop.alive {
		rest := max(0, s.clusters[c].dies-t)
		if s.left[c] > s.limiter.high {
			above = max(above, rest)
		} else {
			below += rest
		}
	}
	s.limiter.over = above > below
	s.limiter.lookAt = len(s.trees.log) + len(s.stop.alive)/4
	return s.limiter.over
}
