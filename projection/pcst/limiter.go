package pcst

import "math"

// Limits let Size end the growth when the forest is certain to have more than Nodes nodes, or when a cluster forms that
// dies later than Life. A limit of 0 has no effect.
type Limits struct {
	Nodes int
	Life  float64 // a time, in the unit of prizes
}

// A limiter holds the limits in the growth's units.
type limiter struct {
	nodes  int32
	life   int64
	lookAt int  // number of mergings after which sureToExceed looks again
	over   bool // whether the growth has reached a limit
	size   int  // result of Size if over is set
}

func (s *Solver) setLimits(l Limits) {
	s.limiter = limiter{nodes: math.MaxInt32, life: math.MaxInt64}
	// The limits work only for GWPruning without a root, because a root's tree is always kept. They also need times
	// below maxTime, because later times cannot be compared.
	if s.opt.Pruning != GWPruning || s.opt.Root >= 0 || s.wide || s.free {
		return
	}
	if l.Nodes > 0 {
		s.limiter.nodes = int32(min(l.Nodes, math.MaxInt32))
	}
	if l.Life > 0 {
		roundings := 2 * int64(len(s.nodes)) // allows for rounding errors of prizes and costs
		s.limiter.life = wholePrize(l.Life, s.rate.times(l.Life)) + roundings
	}
}

// limited reports whether a limit is reached after two active clusters have merged at time t. `left` is the new
// cluster's number of nodes after pruning, and `dies` is its time of death.
func (s *Solver) limited(left int32, dies, t int64) bool {
	switch {
	case dies > s.limiter.life:
		s.limiter.over, s.limiter.size = true, 0
	case left > s.limiter.nodes && s.sureToExceed(t):
		s.limiter.over, s.limiter.size = true, int(s.limiter.nodes)+1
	}
	return s.limiter.over
}

// sureToExceed reports at time t whether the forest will certainly exceed the limit. The forest contains the cluster
// that is active last. Clusters below the limit may merge with each other, but cannot live longer than the sum of their
// remaining times. If a cluster above the limit has more time left than this sum, it will be part of the cluster that
// is active last.
func (s *Solver) sureToExceed(t int64) bool {
	if len(s.trees.log) < s.limiter.lookAt {
		return false
	}
	s.limiter.lookAt = len(s.trees.log) + len(s.stop.alive)/16
	above, below := int64(0), int64(0)
	for _, c := range s.stop.alive {
		rest := max(0, s.clusters[c].dies-t)
		if s.left[c] > s.limiter.nodes {
			above = max(above, rest)
		} else {
			below += rest
		}
	}
	return above > below
}
