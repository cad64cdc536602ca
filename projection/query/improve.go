package query

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// improve looks for a better answer that has the same nodes with prizes: they are joined one by one along shortest
// paths, from each of them in turn (Takahashi and Matsuyama 1980), and the cheapest tree of these nodes is pruned.
// The answer is never worse.
func (in *instance) improve(ctx context.Context, best part) part {
	var ends []int32
	for _, u := range best.nodes {
		if in.worth[u] > in.toll(u) || in.must[u] {
			ends = append(ends, u)
		}
	}
	for _, start := range ends {
		nodes := in.join(ctx, start, ends)
		if nodes == nil {
			break
		}
		if p := in.part(&pcst.Forest{Nodes: nodes, Edges: in.cheapest(nodes)}); p.value > best.value {
			best = p
		}
	}
	return best
}

// join returns the nodes of paths that join the ends, each to those before it; nil if the context ends before.
func (in *instance) join(ctx context.Context, start int32, ends []int32) []int32 {
	wanted := setOf(ends)
	delete(wanted, start)
	joined := map[int32]bool{start: true}
	dist, by := map[int32]float64{}, map[int32]int32{} // by is the edge that reaches a node
	var queue frontier
	reach := func(u, edge int32, d float64) {
		if old, ok := dist[u]; (!ok || d < old) && !in.without[u] {
			dist[u], by[u] = d, edge
			queue.push(reached{d, u})
		}
	}
	reach(start, -1, 0)
	for len(wanted) > 0 {
		if len(queue) == 0 || ctx.Err() != nil {
			return nil
		}
		x := queue.pop()
		if x.dist > dist[x.node] {
			continue
		}
		if wanted[x.node] {
			delete(wanted, x.node)
			for v := x.node; !joined[v]; {
				joined[v] = true
				ends := in.g.Edges()[by[v]]
				reach(v, -1, 0)
				v ^= ends.U ^ ends.V
			}
			x.dist = 0
		}
		for _, arc := range in.g.Arcs(x.node) {
			reach(arc.Node, arc.Edge, x.dist+in.cost(arc.Edge)+in.nodeCost(arc.Node))
		}
	}
	return slices.Sorted(maps.Keys(joined))
}

// cheapest returns the edges of the cheapest tree that spans some nodes, ascending (Kruskal).
func (in *instance) cheapest(nodes []int32) []int32 {
	place := make(map[int32]int32, len(nodes))
	for i, u := range nodes {
		place[u] = int32(i)
	}
	var edges []int32
	for _, u := range nodes {
		for _, arc := range in.g.Arcs(u) {
			if _, ok := place[arc.Node]; ok && u < arc.Node {
				edges = append(edges, arc.Edge)
			}
		}
	}
	slices.SortFunc(edges, func(a, b int32) int { return cmp.Or(cmp.Compare(in.cost(a), in.cost(b)), cmp.Compare(a, b)) })
	sets := graph.NewSets(len(nodes))
	kept := edges[:0]
	for _, e := range edges {
		if ends := in.g.Edges()[e]; sets.Join(place[ends.U], place[ends.V]) {
			kept = append(kept, e)
		}
	}
	slices.Sort(kept)
	return kept
}
