package fewprize

import (
	"slices"

	"graphda/projection/units"
)

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
