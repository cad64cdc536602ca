package fewprize

// examine looks at an arc a that starts from u, which has been reached: it may label the node that it
// leads to, or be queued for when its ends may meet.
func (s *Solver) examine(u, a int32) {
	from, arc := &s.nodes[u], &s.arcs[a]
	x := &s.nodes[arc.to]
	if x.epoch != s.epoch {
		x.term, x.epoch, x.pos, x.at = -1, s.epoch, noList, nowhere
	}
	if x.term == excluded {
		return
	}
	same := x.term >= 0 && s.terms[x.term].cluster == s.terms[from.term].cluster
	if x.term >= 0 && s.reached(x) {
		if !same {
			s.meet(from, x, a)
		}
		return
	}
	t := s.reachedAt(from) + s.cost(arc)
	dies := s.clusterOf(from).dies
	first := x.term < 0 || s.firstAt(t, arc.edge, x)
	switch {
	case t < dies && first && t > s.now:
		s.label(from, a, !same)
	case t < dies && first: // it is reached at once, in its turn
		s.queue.heap.Push(Event{s.now, arc.edge, ^a})
	case !same:
		s.register(x, a)
		if t >= dies && (x.term < 0 || s.active(from)) {
			s.sleep(from.term, ^a)
		}
		if x.term >= 0 {
			s.meet(from, x, a)
		}
	}
}

// firstAt reports whether an edge that is filled at time t comes before the label of x.
func (s *Solver) firstAt(t int64, edge int32, x *node) bool {
	old := s.reachedAt(x)
	return t < old || t == old && edge < s.edgeOf(x)
}

// label labels the node that arc a leads to. The arc of another cluster that would have reached it
// is registered there, and so are others that must be examined again.
func (s *Solver) label(from *node, a int32, other bool) {
	u := s.arcs[a].to
	x := &s.nodes[u]
	if x.term >= 0 && other {
		s.register(x, x.arc)
	}
	x.w, x.term, x.arc = from.w+s.cost(&s.arcs[a]), from.term, a
	for h := listOf(x.pos); h >= 0; h = s.links[h].next {
		b := s.links[h].what
		if y := &s.nodes[s.start(b)]; s.terms[y.term].cluster != s.terms[x.term].cluster {
			s.meet(y, x, b)
		}
	}
	s.requeue(u)
}

// meet queues arc a, which leads from u, reached, to x, labelled by another cluster, for the earliest
// time at which they can meet.
func (s *Solver) meet(u, x *node, a int32) {
	r := max(0, s.rest(u, x, a))
	liveU, liveX := s.active(u), s.active(x)
	if !liveU {
		s.sleep(u.term, ^a)
	}
	if !liveX {
		s.sleep(x.term, ^a)
	}
	if liveU && liveX {
		r /= 2
	}
	if liveU || liveX {
		s.queue.put(^a, s.now+r, s.arcs[a].edge)
	}
}

// rest returns what is left of the cost of an arc between two balls; the moat of a node that is still to
// be reached is negative.
func (s *Solver) rest(u, x *node, a int32) int64 {
	return s.cost(&s.arcs[a]) - s.moat(u) - s.moat(x)
}

func (s *Solver) moat(x *node) int64 { return min(s.now, s.clusterOf(x).dies) - s.reachedAt(x) }

// requeue queues a labelled node for its next arc, or lays it to sleep if its cluster dies before.
func (s *Solver) requeue(u int32) {
	x := &s.nodes[u]
	t := s.deadline(x)
	if t >= s.clusterOf(x).dies {
		x.at = nowhere
		s.sleep(x.term, u)
		return
	}
	key := int32(-1)
	if t == s.reachedAt(x) {
		key = s.edgeOf(x) // it must have been reached
	}
	x.at = s.queue.put(u, t, key)
}

// deadline returns the time at which the next arc of a labelled node is due, or one before it: while
// no arc has been examined, the node's least costs tell, without a look at its arcs.
func (s *Solver) deadline(x *node) int64 {
	cost := int64(0)
	switch {
	case x.pos >= 0:
		cost = s.arcs[x.pos].cost
	case x.arc >= 0 && newRough(s.arcs[x.arc].cost) == x.least:
		cost = x.second.cost()
	default:
		cost = x.least.cost()
	}
	return s.reachedAt(x) + cost/2
}

// noList is the place of a node without arcs registered; pos and listOf turn a list into a place and back.
const noList = -1

func listOf(pos int32) int32 { return -2 - pos }

// register puts an arc on the list of the node x, which has not been reached.
func (s *Solver) register(x *node, a int32) {
	s.links = append(s.links, link{a, listOf(x.pos)})
	x.pos = -2 - int32(len(s.links)-1)
}

// sleep puts something on the list of a terminal.
func (s *Solver) sleep(term, what int32) {
	t := &s.terms[term]
	s.links = append(s.links, link{what, t.asleep})
	t.asleep = int32(len(s.links) - 1)
}

// start returns the node that an arc starts from.
func (s *Solver) start(a int32) int32 { return s.otherEnd(s.arcs[a].edge, s.arcs[a].to) }

// reachedAt returns the time at which a labelled node is reached, if its cluster lives so long.
func (s *Solver) reachedAt(x *node) int64 { return x.w + s.terms[x.term].off }

// reached reports whether a labelled node has been reached: at this very time, the edges up to mark have
// done their work.
func (s *Solver) reached(x *node) bool {
	t := s.reachedAt(x)
	return t < s.now || t == s.now && s.edgeOf(x) <= s.mark
}

// edgeOf returns the edge that reaches a node, −1 of a terminal.
func (s *Solver) edgeOf(x *node) int32 {
	if x.arc < 0 {
		return -1
	}
	return s.arcs[x.arc].edge
}

func (s *Solver) clusterOf(x *node) *cluster { return &s.clusters[s.terms[x.term].cluster] }

// active reports whether the cluster of a labelled node is active.
func (s *Solver) active(x *node) bool { return s.now < s.clusterOf(x).dies }

// cost returns the cost of an arc in this solve.
func (s *Solver) cost(a *arc) int64 {
	if s.costs != nil {
		if c, ok := s.costs[a.edge]; ok {
			return c
		}
	}
	return a.cost
}
