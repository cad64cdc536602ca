package pcst

import "graphda/graph"

// arcs holds the arcs of each node, in the front's order of edges.
type arcs struct {
	from []int32 // index in all of each node's first arc
	all  []graph.Arc
}

func (a *arcs) of(u int32) []graph.Arc { return a.all[a.from[u]:a.from[u+1]] }

func (s *Solver) setArcs() {
	sum := int32(0)
	for u := range s.nodes {
		sum += int32(len(s.g.Arcs(int32(u))))
		s.arcs.from[u] = sum
	}
	s.arcs.from[len(s.nodes)] = sum
	for i := len(s.order) - 1; i >= 0; i-- {
		e, ends := s.order[i], s.ends[i]
		for side, u := range ends {
			s.arcs.from[u]--
			s.arcs.all[s.arcs.from[u]] = graph.Arc{Node: ends[side^1], Edge: e}
		}
	}
}
