package fewprize

// grow runs the growth until at most g clusters are active.
func (s *Solver) grow() {
	q := &s.queue
	for q.next() || s.emptyBag() {
		if base := q.open << q.shift; base > s.now {
			s.now, s.mark = base, -1
		}
		if s.now >= s.stop {
			return
		}
		for i, what := range q.due {
			if i%touchPart == 0 {
				s.touch(q.due[i:min(i+touchPart, len(q.due))])
			}
			if what >= 0 {
				s.nodeDue(what)
			} else {
				s.examine(s.start(^what), ^what)
			}
		}
		for len(q.heap) > 0 {
			e := q.pop()
			if e.time >= s.stop {
				return
			}
			if e.time > s.now {
				s.now, s.mark = e.time, -1
			}
			s.mark = max(s.mark, e.key)
			if e.what < 0 {
				s.arcDue(^e.what, e.key)
			} else if s.nodes[e.what].at == place(q.open) {
				s.scan(e.what)
			}
		}
	}
}

const (
	touchPart = 64 // events or arcs touched together
	touchFrom = 4  // arcs of one node from which on it pays
)

// touch reads what the due events are about to need: one kind of data after the other, so that the
// processor waits for many reads at once.
func (s *Solver) touch(due []int32) {
	var next [touchPart]int32
	sum := int64(0)
	for i, what := range due {
		if what >= 0 {
			next[i] = max(s.nodes[what].pos, s.from[what])
		} else {
			next[i] = ^what
		}
	}
	for i := range due {
		next[i] = s.arcs[next[i]].to
	}
	for i := range due {
		sum += s.nodes[next[i]].w
	}
	s.touched += sum
}

// touchArcs reads the nodes that the next arcs of a node lead to.
func (s *Solver) touchArcs(from int32) {
	sum := int64(0)
	for i := from; i < from+touchPart && s.arcs[i].cost < sentinel; i++ {
		sum += s.nodes[s.arcs[i].to].w
	}
	s.touched += sum
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

// nodeDue examines the arcs of a node of the bucket just opened. A node whose label may still change
// waits in the heap until it has been reached.
func (s *Solver) nodeDue(u int32) {
	x := &s.nodes[u]
	if x.at != place(s.queue.open) {
		return // it has been queued elsewhere since
	}
	if s.reachedAt(x) < s.now {
		s.scan(u)
	} else {
		s.requeue(u)
	}
}

// scan examines the arcs of a node that has been reached, as far as they are due in the open bucket.
func (s *Solver) scan(u int32) {
	x := &s.nodes[u]
	if x.pos < 0 {
		x.pos = s.from[u]
		for _, a := range s.lowered[u] {
			s.examine(u, a)
		}
	}
	limit := min(2*(s.queue.end-s.reachedAt(x)), sentinel)
	for i := int32(0); s.arcs[x.pos].cost < limit; i++ {
		if i%touchPart == touchFrom {
			s.touchArcs(x.pos)
		}
		s.examine(u, x.pos)
		x.pos++
	}
	s.requeue(u)
}

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
		s.queue.push(event{s.now, arc.edge, ^a})
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

// arcDue does what is due on arc a at this time, in the turn of the edge key.
func (s *Solver) arcDue(a, key int32) {
	arc := &s.arcs[a]
	start := s.start(a)
	u, x := &s.nodes[start], &s.nodes[arc.to]
	if key != arc.edge { // it has waited until x was reached
		s.queue.push(event{s.now, arc.edge, ^a})
		return
	}
	same := x.term >= 0 && s.terms[x.term].cluster == s.terms[u.term].cluster
	if x.term < 0 || !s.reached(x) {
		t := s.reachedAt(u) + s.cost(arc)
		switch {
		case t == s.now && s.active(u) && (x.term < 0 || s.firstAt(t, arc.edge, x)):
			s.label(u, a, !same)
		case x.term >= 0 && !same && s.reachedAt(x) == s.now:
			s.queue.push(event{s.now, s.edgeOf(x), ^a})
		default:
			s.examine(start, a)
		}
		return
	}
	if same {
		return
	}
	r := s.rest(u, x, a)
	liveU, liveX := s.active(u), s.active(x)
	if (liveU || liveX) && r <= 0 || liveU && liveX && r == 1 { // one unit left is none: the rest is halved
		s.merge(u, x, arc.edge)
		return
	}
	s.meet(u, x, a)
}

// emptyBag makes wider buckets and deals out what lies in the bag. It reports whether there is any.
func (s *Solver) emptyBag() bool {
	q := &s.queue
	if len(q.bag) == 0 {
		return false
	}
	bag := append(q.due[:0], q.bag...)
	q.bag = q.bag[:0]
	q.due = nil
	q.shift++
	q.first = s.now >> q.shift
	q.openBucket(q.first - 1)
	for _, what := range bag {
		if what < 0 {
			s.examine(s.start(^what), ^what)
		} else if s.nodes[what].at == inBag {
			s.nodes[what].at = nowhere
			s.requeue(what)
		}
	}
	q.due = bag[:0]
	if !q.next() {
		return s.emptyBag()
	}
	return true
}
