package pcst

import "math"

// Limits let Size end the growth early: once the forest is certain to have more than Nodes nodes, or once a
// cluster forms that dies later than Life. The zero Limits never end it.
type Limits struct {
	Nodes int
	Life  float64 // a time, in units of prize
}

// A limiter ends the growth at the limits.
type limiter struct {
	nodes  int32
	life   int64
	lookAt int // mergings before the next check
	over   bool
	size   int // what Size returns, if over
}

// setLimits prepares for limits.
func (s *Solver) setLimits(l Limits) {
	s.limiter = limiter{nodes: math.MaxInt32, life: math.MaxInt64}
	// The root's tree is in the forest however soon it dies, and times beyond maxTime cannot be compared.
	if s.opt.Pruning != GWPruning || s.opt.Root >= 0 || s.wide || s.free {
		return
	}
	if l.Nodes > 0 {
		s.limiter.nodes = int32(min(l.Nodes, math.MaxInt32))
	}
	if l.Life > 0 {
		roundings := 2 * int64(len(s.nodes)) // prizes and costs are rounded
		s.limiter.life = wholePrize(l.Life, s.rate.times(l.Life)) + roundings
	}
}

// limited reports whether a limit is reached when two active clusters have merged at time t. The new cluster dies
// at time dies, and pruning leaves left of its nodes.
func (s *Solver) limited(left int32, dies, t int64) bool {
	switch {
	case dies > s.limiter.life:
		s.limiter.over, s.limiter.size = true, 0
	case left > s.limiter.nodes && s.sureToExceed(t):
		s.limiter.over, s.limiter.size = true, int(s.limiter.nodes)+1
	}
	return s.limiter.over
}

// sureToExceed reports whether the forest will have more nodes than the limit. It is called when a cluster has
// formed at time t that keeps more nodes than that after pruning. The last active cluster is in the forest. The
// clusters below the limit may still merge with each other, but together they live only as long as the sum of
// their remaining times. If a cluster above the limit has more time left than that sum, it outlives them, or the
// cluster into which it merges does.
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
