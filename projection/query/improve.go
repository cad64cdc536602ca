package query

import (
	"cmp"
	"context"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// improve looks for a better answer that has the same nodes with prizes: they are joined one by one along shortest
// paths, from each of them in turn (Takahashi and Matsuyama 1980), and the cheapest tree of these nodes is pruned.
// The answer is never worse.
func (s *Solver) improve(ctx context.Context, a *Answer, q *Query, in *instance, best float64) {
	if q.Components > 1 {
		return
	}
	var ends []int32
	for _, u := range a.Nodes {
		if in.worth[u] > 0 || in.must[u] {
			ends = append(ends, u)
		}
	}
	gone := map[int32]bool{}
	for _, u := range q.Without {
		gone[u] = true
	}
	for _, start := range ends {
		nodes := s.join(ctx, start, ends, in, gone)
		if nodes == nil {
			return
		}
		slices.Sort(nodes)
		f := pcst.Forest{Nodes: nodes, Edges: s.cheapest(nodes, in)}
		if nodes, edges, value, err := s.part(&f, q, in); err == nil && value > best {
			best, a.Nodes, a.Edges = value, nodes, edges
		}
	}
}

// join returns the nodes of paths that join the ends, each to those before it; nil if the context ends before.
func (s *Solver) join(ctx context.Context, start int32, ends []int32, in *instance, gone map[int32]bool) []int32 {
	wanted := map[int32]bool{}
	for _, u := range ends {
		wanted[u] = u != start
	}
	joined := map[int32]bool{start: true}
	p := newPaths(func(u int32) bool { return gone[u] })
	p.reach(start, -1, 0)
	edges := s.g.Edges()
	for left := len(ends) - 1; left > 0; {
		u, d := p.next()
		if u < 0 || ctx.Err() != nil {
			return nil
		}
		if wanted[u] {
			wanted[u] = false
			left--
			for v := u; !joined[v]; {
				joined[v] = true
				e := p.by[v]
				next := edges[e].U ^ edges[e].V ^ v
				p.reach(v, -1, 0)
				v = next
			}
			d = 0
		}
		for _, arc := range s.g.Arcs(u) {
			p.reach(arc.Node, arc.Edge, d+in.cost(arc.Edge)+in.base(arc.Node))
		}
	}
	nodes := make([]int32, 0, len(joined))
	for u := range joined {
		nodes = append(nodes, u)
	}
	return nodes
}

// cheapest returns the edges of the cheapest tree that spans some nodes, ascending (Kruskal).
func (s *Solver) cheapest(nodes []int32, in *instance) []int32 {
	place := make(map[int32]int32, len(nodes))
	for i, u := range nodes {
		place[u] = int32(i)
	}
	var edges []int32
	for _, u := range nodes {
		for _, arc := range s.g.Arcs(u) {
			if _, ok := place[arc.Node]; ok && u < arc.Node {
				edges = append(edges, arc.Edge)
			}
		}
	}
	slices.SortFunc(edges, func(a, b int32) int { return cmp.Or(cmp.Compare(in.cost(a), in.cost(b)), cmp.Compare(a, b)) })
	sets := graph.NewSets(len(nodes))
	kept := edges[:0]
	for _, e := range edges {
		if sets.Join(place[s.g.Edges()[e].U], place[s.g.Edges()[e].V]) {
			kept = append(kept, e)
		}
	}
	slices.Sort(kept)
	return kept
}
