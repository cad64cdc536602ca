package query

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// An ascent finds a bound by dual ascent (Wong, Mathematical Programming 28, 1984). Every node with a prize sends one
// unit of flow away, towards the root, or its prize is lost. For a set of nodes without the root, the arcs that leave
// it can be charged what is left of their costs, and what is charged adds up to a bound. Nodes are raised by steps,
// in turn: the next charge of a node is along all arcs that are nearer to it than the step.
type ascent struct {
	s     *Solver
	in    *instance
	root  int32
	pays  func(u int32) float64 // cost of a node, which is that of the one arc by which the tree comes to it
	left  map[int32]float64     // by arc, twice its edge's number, and 1 more against its direction: what is left of it
	gone  map[int32]bool        // nodes that are not in the answer
	bound float64
}

// A charge may look at this many nodes. Where it ends early the bound is lower, and holds.
const chargedNodes = 1 << 15

// bound returns what costs and lost prizes of an answer without limits add up to at least. Either the dearest node is
// in the answer, or its prize is lost and the second is in it, and so on: the least of these cases.
func (s *Solver) bound(ctx context.Context, q *Query) float64 {
	positive := *q
	positive.Prizes = map[int32]float64{}
	constant := 0.0
	for _, u := range sortedKeys(q.Prizes) {
		if p := q.Prizes[u]; p > 0 {
			positive.Prizes[u] = p
			if slices.Contains(q.Without, u) {
				constant += p
			}
		}
	}
	in, _ := s.prepare(&positive)
	pays := func(u int32) float64 { return max(0, -q.Prizes[u]) + s.nodeCost(u) }
	for _, e := range sortedKeys(q.EdgePrizes) {
		ends := s.g.Edges()[e]
		if slices.Contains(q.Without, ends.U) || slices.Contains(q.Without, ends.V) {
			constant += q.EdgePrizes[e]
		} else {
			constant += min(q.EdgePrizes[e], s.g.Costs()[e])
		}
	}
	gone := map[int32]bool{}
	for _, u := range q.Without {
		gone[u] = true
	}
	if len(q.Must) > 0 {
		return constant + s.ascend(ctx, in, pays, slices.Min(q.Must), gone)
	}
	nodes := sortedKeys(in.worth)
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(in.worth[b], in.worth[a]) })
	least, lost, all := math.Inf(1), 0.0, 0.0
	for _, u := range nodes {
		all += in.worth[u]
	}
	for _, u := range nodes {
		if lost >= least || ctx.Err() != nil {
			break
		}
		least = min(least, lost+s.ascend(ctx, in, pays, u, gone))
		lost += in.worth[u]
		gone[u] = true
	}
	if ctx.Err() != nil {
		least = min(least, lost) // the cases not looked at lose at least these
	}
	return constant + min(least, all)
}

// ascend returns a bound for the answers that have the root.
func (s *Solver) ascend(ctx context.Context, in *instance, pays func(u int32) float64, root int32,
	gone map[int32]bool) float64 {
	a := &ascent{s: s, in: in, pays: pays, root: root, left: map[int32]float64{}, gone: gone, bound: pays(root)}
	rest := map[int32]float64{}
	for u, p := range in.worth {
		if !gone[u] && u != root && p > 0 {
			rest[u] = p
		}
	}
	for u := range in.must {
		if u != root {
			rest[u] = math.Inf(1)
		}
	}
	turn := sortedKeys(rest)
	step := s.mean / 3
	if step == 0 {
		return a.bound
	}
	for len(turn) > 0 && ctx.Err() == nil {
		waiting := turn[:0]
		for _, u := range turn {
			got, ends := a.raise(u, min(step, rest[u]))
			a.bound += got
			if rest[u] -= got; !ends && rest[u] > 0 {
				waiting = append(waiting, u)
			}
		}
		turn = waiting
	}
	return a.bound
}

// raise charges the arcs around a node up to a distance, and returns how far it came and whether it can be raised no
// further.
func (a *ascent) raise(t int32, step float64) (charge float64, ends bool) {
	p := newPaths(func(u int32) bool { return a.gone[u] })
	p.reach(t, -1, 0)
	edges := a.s.g.Edges()
	charge = step
	for {
		u, d := p.next()
		if u < 0 || d >= step {
			break
		}
		if u == a.root || len(p.order) > chargedNodes {
			charge, ends = d, true
			break
		}
		for _, arc := range a.s.g.Arcs(u) {
			p.reach(arc.Node, arc.Edge, d+a.rest(arcInto(edges[arc.Edge].U == u, arc.Edge), arc.Edge, u))
		}
	}
	for _, u := range p.order {
		d := p.dist[u]
		if d >= charge {
			break
		}
		for _, arc := range a.s.g.Arcs(u) {
			far, ok := p.dist[arc.Node]
			if !ok || far > charge {
				far = charge
			}
			if far > d {
				id := arcInto(edges[arc.Edge].U == u, arc.Edge)
				a.left[id] = max(0, a.rest(id, arc.Edge, u)-(far-d))
			}
		}
	}
	return charge, ends
}

// arcInto returns the arc along an edge that ends in its first node, or in its second.
func arcInto(first bool, edge int32) int32 {
	if first {
		return 2*edge + 1
	}
	return 2 * edge
}

// rest returns what is left of the cost of an arc along an edge into node u.
func (a *ascent) rest(arc, edge, u int32) float64 {
	if r, ok := a.left[arc]; ok {
		return r
	}
	return a.in.cost(edge) + a.pays(u)
}
