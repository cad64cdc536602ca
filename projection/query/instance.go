package query

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"graphda/projection/fewprize"
	"graphda/projection/pcst"
)

// An instance is a query as prizes of nodes and costs of edges: what forests grow by, and what they are judged by.
type instance struct {
	*Graph
	*Query
	worth   map[int32]float64 // by node: prizes above 0, its own and its share of those of edges
	must    map[int32]bool
	without map[int32]bool
	other   map[int32]float64 // costs of edges that the query has changed …
	grown   map[int32]float64 // … and those that forests grow by
	lost    float64           // prizes that no answer gets, and the costs that prizes of edges make up for
	limit   float64           // what the nodes of an answer may take, +Inf for any
	sizes   []float64         // what a node takes of it; nil for 1 each

	prizes []fewprize.Prize // of the growth, by node
	looked int              // nodes that ascents have looked at
}

// prepare turns a query into an instance.
func (g *Graph) prepare(q *Query) *instance {
	in := &instance{Graph: g, Query: q, worth: map[int32]float64{}, must: setOf(q.Must), without: setOf(q.Without),
		other: map[int32]float64{}, grown: map[int32]float64{}, limit: math.Inf(1)}
	switch {
	case q.MaxNodes > 0:
		in.limit = float64(q.MaxNodes)
	case q.MaxWeight > 0:
		in.limit, in.sizes = q.MaxWeight, g.weights
	}
	for _, u := range slices.Sorted(maps.Keys(q.Prizes)) {
		if p := q.Prizes[u]; p > 0 && in.without[u] {
			in.lost += p
		} else if p > 0 {
			in.worth[u] = p
		}
	}
	for _, e := range slices.Sorted(maps.Keys(q.EdgePrizes)) {
		c, p, ends := g.g.Costs()[e], q.EdgePrizes[e], g.g.Edges()[e]
		if in.without[ends.U] || in.without[ends.V] {
			in.lost += p
			continue
		}
		in.lost += min(c, p)
		in.other[e] = max(0, c-p)
		in.grown[e] = g.grown.Costs()[e] - min(c, p)
		if p > c {
			in.worth[ends.U] += (p - c) / 2
			in.worth[ends.V] += (p - c) / 2
		}
	}
	enough := g.index.LargestCost * float64(g.g.NumNodes()) // with all prizes, above the cost of any tree
	for _, u := range slices.Sorted(maps.Keys(in.worth)) {
		if p := in.worth[u] - in.toll(u); p > 0 {
			enough += p
			if !in.must[u] {
				in.prizes = append(in.prizes, fewprize.Prize{Node: u, Prize: p})
			}
		}
	}
	for _, u := range slices.Sorted(maps.Keys(q.Prizes)) {
		if net := in.worth[u] - in.toll(u); net < 0 && !in.without[u] {
			for _, a := range g.g.Arcs(u) {
				if _, ok := in.grown[a.Edge]; !ok {
					in.grown[a.Edge] = g.grown.Costs()[a.Edge]
				}
				in.grown[a.Edge] -= net / 2
			}
			enough -= net * float64(g.g.Degree(u))
		}
	}
	if enough == 0 { // all is free
		enough = 1
	}
	for u := range in.must {
		in.prizes = append(in.prizes, fewprize.Prize{Node: u, Prize: enough})
	}
	slices.SortFunc(in.prizes, func(a, b fewprize.Prize) int { return cmp.Compare(a.Node, b.Node) })
	return in
}

// toll is what a query makes a node cost: its prize, where that is below 0.
func (in *instance) toll(u int32) float64 { return max(0, -in.Prizes[u]) }

// pays returns what a node costs.
func (in *instance) pays(u int32) float64 { return in.toll(u) + valueOf(in.nodeCosts, u, 0) }

func (in *instance) worthOf(u int32) float64 { return in.worth[u] - in.pays(u) }

// cost returns what an edge costs.
func (in *instance) cost(e int32) float64 {
	if c, ok := in.other[e]; ok {
		return c
	}
	return in.g.Costs()[e]
}

// A part is the best that a forest has.
type part struct {
	nodes, edges []int32 // ascending
	value        float64 // prizes less costs
}

// part returns the best parts of a forest within the limits.
func (in *instance) part(f *pcst.Forest) part {
	t := in.lay(f)
	p := in.partOf(t, t.strong())
	// What the nodes take is rounded down first: what then keeps to the limit is the best. Rounded up all keeps to it.
	for _, round := range []func(float64) float64{math.Floor, math.Round, math.Ceil} {
		if in.takes(p.nodes) <= in.limit {
			break
		}
		taken := t.within(in.setSteps(t, round))
		if taken == nil {
			return part{value: math.Inf(-1)}
		}
		p = in.partOf(t, taken)
	}
	slices.Sort(p.nodes)
	slices.Sort(p.edges)
	return p
}

func (in *instance) partOf(t *trees, taken []bool) (p part) {
	for i, u := range t.nodes {
		if !taken[i] {
			continue
		}
		p.nodes = append(p.nodes, u)
		p.value += t.worth[i]
		if up := t.parent[i]; up >= 0 && taken[up] {
			p.edges = append(p.edges, t.edge[i])
			p.value -= t.cost[i]
		}
	}
	return p
}

// lay numbers the nodes of a forest, which are ascending, and judges them.
func (in *instance) lay(f *pcst.Forest) *trees {
	at := make(map[int32][]int32, len(f.Nodes)) // edges by node
	ends := in.g.Edges()
	for _, e := range f.Edges {
		at[ends[e].U], at[ends[e].V] = append(at[ends[e].U], e), append(at[ends[e].V], e)
	}
	t := &trees{}
	placed := make(map[int32]bool, len(f.Nodes))
	add := func(u, parent, edge int32, cost float64) {
		placed[u] = true
		t.nodes, t.parent, t.edge = append(t.nodes, u), append(t.parent, parent), append(t.edge, edge)
		t.worth, t.cost = append(t.worth, in.worthOf(u)), append(t.cost, cost)
		t.must, t.child, t.root = append(t.must, 0), append(t.child, 0), append(t.root, int32(len(t.root)))
		i := len(t.nodes) - 1
		if in.must[u] {
			t.must[i] = 1
		}
		if parent < 0 {
			return
		}
		if t.root[i] = t.root[parent]; t.child[parent] == 0 {
			t.child[parent] = int32(i)
		}
	}
	for _, root := range f.Nodes {
		if placed[root] {
			continue
		}
		add(root, -1, -1, 0)
		for i := len(t.nodes) - 1; i < len(t.nodes); i++ {
			u := t.nodes[i]
			for _, e := range at[u] {
				if v := ends[e].U ^ ends[e].V ^ u; !placed[v] {
					add(v, int32(i), e, in.cost(e))
				}
			}
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		if p := t.parent[i]; p >= 0 {
			t.must[p] += t.must[i]
		}
	}
	return t
}

// takes returns what nodes take of the limit.
func (in *instance) takes(nodes []int32) (sum float64) {
	for _, u := range nodes {
		sum += valueOf(in.sizes, u, 1)
	}
	return sum
}

// weightSteps are the steps in which weights are counted.
const weightSteps = 1000

// setSteps sets what nodes take of the limit in steps, and returns the limit in steps.
func (in *instance) setSteps(t *trees, round func(float64) float64) int {
	limit := in.MaxNodes
	if limit == 0 {
		limit = weightSteps
	}
	t.steps = make([]int32, len(t.nodes))
	for i, u := range t.nodes {
		t.steps[i] = int32(min(2*weightSteps, round(valueOf(in.sizes, u, 1)*float64(limit)/in.limit)))
	}
	return limit
}
