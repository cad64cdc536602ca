package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// improve looks for a better answer that has the same nodes with prizes: they are joined along shortest paths, from
// each of them in turn. The answer is never worse.
func (in *instance) improve(ctx context.Context, best part) part {
	var ends []int32
	for _, u := range best.nodes {
		if in.worth[u] > in.toll(u) || in.must[u] {
			ends = append(ends, u)
		}
	}
	for _, start := range ends {
		p, err := in.join(ctx, start, ends, in.costOf)
		if err != nil {
			break
		}
		if p.value > best.value {
			best = p
		}
	}
	return best
}

// joinMust joins the nodes that must be in the answer, which no forest has done within the limit: along the cheapest
// paths, or those that take least of the limit, from the first few nodes.
func (in *instance) joinMust(ctx context.Context) (part, error) {
	best := part{value: math.Inf(-1)}
	ways := []func(graph.Arc) float64{in.costOf}
	if !math.IsInf(in.limit, 1) {
		ways = append(ways, in.stepsOf)
	}
	for _, way := range ways {
		for _, start := range in.Must[:min(len(in.Must), 8)] {
			p, err := in.join(ctx, start, in.Must, way)
			if err != nil {
				return best, err
			}
			less := math.IsInf(best.value, -1) && in.takes(p.nodes) < in.takes(best.nodes)
			if best.nodes == nil || p.value > best.value || less {
				best = p
			}
		}
	}
	if math.IsInf(best.value, -1) {
		return best, &QueryError{nil, fmt.Sprintf("the nodes that must be in the answer exceed the limit of %v: the "+
			"smallest tree found that joins them takes %v", in.limit, in.takes(best.nodes))}
	}
	return best, nil
}

// costOf returns what an arc costs with the node that it leads to.
func (in *instance) costOf(a graph.Arc) float64 { return in.cost(a.Edge) + in.pays(a.Node) }

// stepsOf returns what the node that an arc leads to takes of the limit, and a little for its cost.
func (in *instance) stepsOf(a graph.Arc) float64 {
	cost := in.costOf(a)
	return valueOf(in.sizes, a.Node, 1) + 1e-6*(in.MaxWeight+1)*cost/(1+cost)
}

// join joins the ends along shortest paths, each to those before it, and returns the best part of the cheapest tree of
// the paths' nodes (Takahashi and Matsuyama 1980), or these nodes if what must be in the answer takes more than the
// limit. It fails if no path joins them, or if the context ends before.
func (in *instance) join(ctx context.Context, start int32, ends []int32, length func(graph.Arc) float64) (part, error) {
	wanted := setOf(ends)
	delete(wanted, start)
	joined := map[int32]bool{start: true}
	dist, by := map[int32]float64{}, map[int32]int32{} // by is the edge that reaches a node
	var queue frontier
	reach := func(u, edge int32, d float64) {
		if old, ok := dist[u]; (!ok || d < old) && !in.without[u] {
			dist[u], by[u] = d, edge
			queue.push(u, d)
		}
	}
	reach(start, -1, 0)
	for len(wanted) > 0 {
		if len(queue.Events) == 0 {
			return part{}, &QueryError{slices.Sorted(maps.Keys(wanted)), "the excluded nodes cut off some nodes that must " +
				"be in the answer; not reached"}
		}
		if err := ctx.Err(); err != nil {
			return part{}, err
		}
		u, d := queue.pop()
		if d > dist[u] {
			continue
		}
		if wanted[u] {
			delete(wanted, u)
			for v := u; !joined[v]; {
				joined[v] = true
				ends := in.g.Edges()[by[v]]
				reach(v, -1, 0)
				v ^= ends.U ^ ends.V
			}
			d = 0
		}
		for _, arc := range in.g.Arcs(u) {
			reach(arc.Node, arc.Edge, d+length(arc))
		}
	}
	nodes := slices.Sorted(maps.Keys(joined))
	p := in.part(&pcst.Forest{Nodes: nodes, Edges: in.cheapest(nodes)})
	if math.IsInf(p.value, -1) {
		p.nodes = nodes
	}
	return p, nil
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
