package fewprize

import (
	"cmp"
	"slices"

	"graphda/projection/pcst"
	"graphda/projection/units"
)

// Marks of the places of the merge tree.
const (
	kept    = 1
	entered = 2 // of a terminal: an edge that is kept ends in its ball
)

// prune writes to dst what GWPruning leaves of the trees of the clusters that die last.
func (s *Solver) prune(dst *pcst.Forest) {
	k := len(s.terms)
	s.marks = slices.Grow(s.marks[:0], k+len(s.log))[:k+len(s.log)]
	clear(s.marks)
	for _, c := range s.good() {
		s.marks[s.clusters[c].place] = kept
	}
	for i := len(s.log) - 1; i >= 0; i-- {
		m := s.log[i]
		if s.marks[k+i]&kept == 0 {
			continue
		}
		s.marks[m.a] |= kept
		if m.b < 0 && !s.unpruned && !s.isEntered(^m.b) {
			continue
		}
		s.marks[m.b^m.b>>31] |= kept
		dst.Edges = append(dst.Edges, m.edge)
		ends := s.g.Edges()[m.edge]
		for _, u := range [2]int32{ends.U, ends.V} {
			s.marks[s.nodes[u].term] |= entered
			s.climb(dst, u)
		}
	}
	for i := range k {
		if s.marks[i]&kept != 0 {
			s.climb(dst, s.terms[i].node)
		}
	}
	slices.Sort(dst.Nodes)
	slices.Sort(dst.Edges)
}

// isEntered reports whether an edge kept so far ends in a ball below a place.
func (s *Solver) isEntered(place int32) bool {
	for int(place) >= len(s.terms) {
		m := s.log[int(place)-len(s.terms)]
		if s.isEntered(m.a) {
			return true
		}
		place = m.b ^ m.b>>31
	}
	return s.marks[place]&entered != 0
}

// climb takes the way from a node to its terminal into the forest, up to where it is already.
func (s *Solver) climb(dst *pcst.Forest, u int32) {
	for x := &s.nodes[u]; x.at != taken; x = &s.nodes[u] {
		x.at = taken
		dst.Nodes = append(dst.Nodes, u)
		if x.arc < 0 {
			return
		}
		e := s.arcs[x.arc].edge
		dst.Edges = append(dst.Edges, e)
		u = s.otherEnd(e, u)
	}
}

// good returns the clusters that die last, as many as there may be trees; for clusters that die at the same
// time see pcst.
func (s *Solver) good() []int32 {
	var good []int32
	forever := 0
	for c := range s.clusters {
		if d := s.clusters[c].dies; d >= 0 {
			good = append(good, int32(c))
			if d == units.MaxTime {
				forever++
			}
		}
	}
	if len(good) <= s.trees {
		return good
	}
	if forever > 1 {
		s.setLifetimes()
	}
	slices.SortFunc(good, func(a, b int32) int {
		ca, cb := &s.clusters[b], &s.clusters[a]
		order := cmp.Compare(ca.dies, cb.dies)
		if order == 0 && ca.dies == units.MaxTime {
			order = cmp.Compare(s.lifetime[ca.place], s.lifetime[cb.place])
		}
		if order != 0 {
			return order
		}
		p, q := s.dearest(b), s.dearest(a)
		return cmp.Or(cmp.Compare(p.Prize, q.Prize), cmp.Compare(p.Node, q.Node))
	})
	return good[:s.trees]
}

// dearest returns the largest prize of a cluster, of equal ones that of the last node.
func (s *Solver) dearest(c int32) Prize {
	best := s.prizes[c]
	for i := s.terms[c].next; i != c; i = s.terms[i].next {
		if p := s.prizes[i]; p.Prize > best.Prize || p.Prize == best.Prize && p.Node > best.Node {
			best = p
		}
	}
	return best
}

// setLifetimes finds when every cluster that ever was would die, without the limit of MaxTime, as
// prizes and divided by 2^32 so that sums do not overflow.
func (s *Solver) setLifetimes() {
	life := s.lifetime[:0]
	for _, p := range s.prizes {
		life = append(life, p.Prize*0x1p-32)
	}
	for _, m := range s.log {
		sum := life[m.a]
		if m.b >= 0 {
			sum += life[m.b] - s.rate.Prize(m.time)
		}
		life = append(life, sum)
	}
	s.lifetime = life
}
