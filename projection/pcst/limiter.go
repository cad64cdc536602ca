package pcst

import "math"

// Limits tell Size that the growth need not go on once the forest is certain to have more
// nodes, or once a cluster is formed whose prizes last longer. The zero Limits set none.
type Limits struct {
	Nodes int
	Life  float64 // a time, as the prize that lasts so long
}

// A limiter ends the growth at the limits.
type limiter struct {
	nodes  int32
	life   int64
	lookAt int // mergings before the next look
	over   bool
	size   int // if over: what Size says
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
		s.limiter.life = whole(l.Life, s.rate.times(l.Life)) + 2*int64(len(s.nodes)) // the roundings of prizes and costs
	}
}

// limited reports whether a limit is reached now that at time t two active clusters have
// become one which dies at the given time, and of which pruning leaves so many nodes.
func (s *Solver) limited(left int32, dies, t int64) bool {
	switch {
	case dies > s.limiter.life:
		s.limiter.over, s.limiter.size = true, 0
	case left > s.limiter.nodes && s.sureToExceed(t):
		s.limiter.over, s.limiter.size = true, int(s.limiter.nodes)+1
	}
	return s.limiter.over
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
