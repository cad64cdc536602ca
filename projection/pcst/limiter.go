package pcst

import "math"

// Limits let Size end the growth once the forest is certain to have more nodes than Nodes, or
// once a cluster is formed that dies later than Life. The zero Limits set none.
type Limits struct {
	Nodes int
	Life  float64 // a time, as the prize that lasts so long
}

// A limiter ends the growth at the limits.
type limiter struct {
	nodes  int32
	life   int64
	lookAt int // mergings before the next check
	over   bool
	size   int // if over: what Size returns
}

// setLimits prepares for limits.
func (s *Solver) setLimits(l Limits) {
	s.limiter = limiter{nodes: math.MaxInt32, life: math.MaxInt64}
	// The root's tree stays, however soon it dies, and times beyond maxTime are not told apart.
	if s.opt.Pruning != GWPruning || s.opt.Root >= 0 || s.wide || s.free {
		return
	}
	if l.Nodes > 0 {
		s.limiter.nodes = int32(min(l.Nodes, math.MaxInt32))
	}
	if l.Life > 0 {
		roundings := 2 * int64(len(s.nodes)) // of prizes and costs
		s.limiter.life = wholePrize(l.Life, s.rate.times(l.Life)) + roundings
	}
}

// limited reports whether a limit is reached after two active clusters have merged at time t
// into one that dies at the given time, and of which pruning leaves the given number of nodes.
func (s *Solver) limited(left int32, dies, t int64) bool {
	switch {
	case dies > s.limiter.life:
		s.limiter.over, s.limiter.size = true, 0
	case left > s.limiter.nodes && s.sureToExceed(t):
		s.limiter.over, s.limiter.size = true, int(s.limiter.nodes)+1
	}
	return s.limiter.over
}

// sureToExceed reports whether the forest will have more nodes than the limit, after a cluster
// was formed at time t of which pruning leaves more. The last active cluster is in the forest.
// The clusters below the limit may merge with each other, but then die at the latest when all
// the time that they have left is spent. If a cluster above the limit has more time left than
// that, it is active after them, or the cluster that it has merged into is.
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
