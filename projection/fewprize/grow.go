package fewprize

import (
	"slices"

	"graphda/projection/units"
)

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
			e := q.heap.Pop()
			if e.Time >= s.stop {
				return
			}
			if e.Time > s.now {
				s.now, s.mark = e.Time, -1
			}
			s.mark = max(s.mark, e.Key)
			if e.What < 0 {
				s.arcDue(^e.What, e.Key)
			} else if s.nodes[e.What].at == place(q.open) {
				s.scan(e.What)
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

// arcDue does what is due on arc a at this time, in the turn of the edge key.
func (s *Solver) arcDue(a, key int32) {
	arc := &s.arcs[a]
	start := s.start(a)
	u, x := &s.nodes[start], &s.nodes[arc.to]
	if key != arc.edge { // it has waited until x was reached
		s.queue.heap.Push(Event{s.now, arc.edge, ^a})
		return
	}
	same := x.term >= 0 && s.terms[x.term].cluster == s.terms[u.term].cluster
	if x.term < 0 || !s.reached(x) {
		t := s.reachedAt(u) + s.cost(arc)
		switch {
		case t == s.now && s.active(u) && (x.term < 0 || s.firstAt(t, arc.edge, x)):
			s.label(u, a, !same)
		case x.term >= 0 && !same && s.reachedAt(x) == s.now:
			s.queue.heap.Push(Event{s.now, s.edgeOf(x), ^a})
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

// merge joins the clusters of u and x, of which at least one is active, along an edge.
func (s *Solver) merge(u, x *node, edge int32) {
	a, b := s.terms[u.term].cluster, s.terms[x.term].cluster
	if s.now >= s.clusters[a].dies {
		a, b = b, a
	}
	ca, cb := &s.clusters[a], &s.clusters[b]
	m := merging{edge, ca.place, cb.place, s.now}
	slept := cb.dies // from here on b's time stood still
	dead := s.now >= slept
	if dead {
		m.b = ^m.b
		for i, first := b, true; first || i != b; i, first = s.terms[i].next, false {
			s.terms[i].off += s.now - slept
		}
	}
	dies := min(ca.dies+max(0, slept-s.now), units.MaxTime)
	into, from := a, b
	if ca.size < cb.size {
		into, from = b, a
	}
	for i := s.terms[from].next; ; i = s.terms[i].next {
		s.terms[i].cluster = into
		if i == from {
			break
		}
	}
	s.terms[into].next, s.terms[from].next = s.terms[from].next, s.terms[into].next
	size := ca.size + cb.size
	s.clusters[from] = cluster{dies: -1}
	s.clusters[into] = cluster{dies, size, int32(len(s.terms) + len(s.log))}
	s.log = append(s.log, m)
	if !dead {
		s.findStop()
	}
	if s.now < s.stop {
		s.wakeAll(into)
	}
}

// findStop finds the time at which at most g clusters are active.
func (s *Solver) findStop() {
	s.last = s.last[:0] // the g + 1 that die last, the last first
	for c := range s.clusters {
		d := s.clusters[c].dies
		if full := len(s.last) > s.trees; d < 0 || full && d <= s.last[s.trees] {
			continue
		} else if full {
			s.last = s.last[:s.trees]
		}
		i, _ := slices.BinarySearchFunc(s.last, d, func(x, d int64) int { return int(min(1, max(-1, d-x))) })
		s.last = slices.Insert(s.last, i, d)
	}
	s.stop = 0
	if len(s.last) > s.trees {
		s.stop = s.last[s.trees]
	}
}

// wakeAll looks at all that sleeps in a cluster, which has gained time or is active again. What would
// still come too late goes back to sleep.
func (s *Solver) wakeAll(c int32) {
	for i, first := c, true; first || i != c; i, first = s.terms[i].next, false {
		h := s.terms[i].asleep
		s.terms[i].asleep = -1
		for h >= 0 {
			l := s.links[h]
			h = l.next
			if l.what < 0 {
				s.examine(s.start(^l.what), ^l.what)
			} else if x := &s.nodes[l.what]; x.term == i && x.at == nowhere {
				s.requeue(l.what)
			}
		}
	}
}
