package pcst

import (
	"slices"

	"graphda/graph"
)

// plain implements the growth and the prunings as the papers describe them. At every event it examines everything
// and moves every moat, which takes O((n+m)·events). It shares no code with the solver. Over int64 it is exact,
// also for ties, if costs are even.
type plain[T int64 | float64] struct {
	g        *graph.Graph
	costs    []T
	root     int
	clusters int // stop when this many clusters are active
	pruning  Pruning

	now      T
	moat     []T   // by node: how far its moats reach
	of       []int // by node: the index of its cluster
	all      []plainCluster[T]
	active   int
	mergings []plainMerging
}

type plainCluster[T int64 | float64] struct {
	nodes  []int32
	budget T     // prize left to pay for growth
	top    T     // the largest prize of a node …
	at     int32 // … and the last node that has it
	active bool
	gone   bool // merged into a later cluster
}

type plainMerging struct {
	edge int32
	dead []int32 // the nodes of the dead side, nil if both were active
}

func newPlain[T int64 | float64](g *graph.Graph, prizes, costs []T, opt Options) *plain[T] {
	n := g.NumNodes()
	p := &plain[T]{g: g, costs: costs, root: opt.Root, clusters: opt.Clusters, pruning: opt.Pruning,
		moat: make([]T, n), of: make([]int, n), all: make([]plainCluster[T], n)}
	for u := range n {
		p.of[u] = u
		p.all[u] = plainCluster[T]{nodes: []int32{int32(u)}, budget: prizes[u], active: u != opt.Root,
			top: prizes[u], at: int32(u)}
		if u != opt.Root {
			p.active++
		}
	}
	return p
}

func (p *plain[T]) grow() {
	for p.active > p.clusters {
		c, deathIn := p.nextDeath()
		e, tightIn := p.nextTight()
		if c < 0 && e < 0 {
			return
		}
		if c >= 0 && (e < 0 || deathIn <= tightIn) {
			p.advance(deathIn)
			p.all[c].active = false
			p.active--
		} else {
			p.advance(tightIn)
			p.merge(e)
		}
	}
}

func (p *plain[T]) nextDeath() (first int, in T) {
	first = -1
	for c := range p.all {
		if k := &p.all[c]; k.active && (first < 0 || k.budget < in || k.budget == in && k.before(&p.all[first])) {
			first, in = c, k.budget
		}
	}
	return first, in
}

// before reports whether c dies before o, when both have spent their prizes.
func (c *plainCluster[T]) before(o *plainCluster[T]) bool {
	return c.top < o.top || c.top == o.top && c.at < o.at
}

func (p *plain[T]) nextTight() (first int, in T) {
	first = -1
	for e, ends := range p.g.Edges() {
		a, b := p.of[ends.U], p.of[ends.V]
		sides := T(0)
		for _, c := range [2]int{a, b} {
			if p.all[c].active {
				sides++
			}
		}
		if a == b || sides == 0 {
			continue
		}
		if d := max(0, p.costs[e]-p.moat[ends.U]-p.moat[ends.V]) / sides; first < 0 || d < in {
			first, in = e, d
		}
	}
	return first, in
}

func (p *plain[T]) advance(by T) {
	p.now += by
	for c := range p.all {
		if k := &p.all[c]; k.active {
			k.budget = max(0, k.budget-by)
			for _, u := range k.nodes {
				p.moat[u] += by
			}
		}
	}
}

func (p *plain[T]) merge(e int) {
	ends := p.g.Edges()[e]
	a, b := &p.all[p.of[ends.U]], &p.all[p.of[ends.V]]
	if !a.active {
		a, b = b, a
	}
	m := plainMerging{edge: int32(e)}
	whole := plainCluster[T]{nodes: slices.Concat(a.nodes, b.nodes), budget: a.budget + b.budget, active: true,
		top: b.top, at: b.at}
	if b.before(a) {
		whole.top, whole.at = a.top, a.at
	}
	switch {
	case p.holdsRoot(b): // the root's cluster is frozen, and a cluster that joins it freezes
		whole.active = false
		p.active--
	case b.active:
		p.active--
	default:
		m.dead = b.nodes
	}
	a.active, b.active, a.gone, b.gone = false, false, true, true
	for _, u := range whole.nodes {
		p.of[u] = len(p.all)
	}
	p.all = append(p.all, whole)
	p.mergings = append(p.mergings, m)
}

func (p *plain[T]) holdsRoot(c *plainCluster[T]) bool {
	return p.root >= 0 && slices.Contains(c.nodes, int32(p.root))
}

// forest prunes the grown trees. Only StrongPruning uses prizes and costs.
func (p *plain[T]) forest(prizes, costs []float64) Forest {
	in := make([]bool, p.g.NumNodes())
	for c := range p.all {
		if k := &p.all[c]; !k.gone && (k.active || p.holdsRoot(k)) {
			for _, u := range k.nodes {
				in[u] = true
			}
		}
	}
	var edges []int32
	for i := len(p.mergings) - 1; i >= 0; i-- {
		m := p.mergings[i]
		ends := p.g.Edges()[m.edge]
		if p.pruning == NoPruning {
			in[ends.U], in[ends.V] = true, true
		}
		if !in[ends.U] || !in[ends.V] {
			continue
		}
		if p.pruning == GWPruning && m.dead != nil && !p.touched(m.dead, edges) {
			for _, u := range m.dead {
				in[u] = false
			}
			continue
		}
		edges = append(edges, m.edge)
	}
	if p.pruning == StrongPruning {
		edges = p.strong(in, edges, prizes, costs)
	}
	f := Forest{Edges: edges}
	for u, yes := range in {
		if yes {
			f.Nodes = append(f.Nodes, int32(u))
		}
	}
	slices.Sort(f.Edges)
	return f
}

func (p *plain[T]) touched(nodes, edges []int32) bool {
	for _, e := range edges {
		ends := p.g.Edges()[e]
		if slices.Contains(nodes, ends.U) || slices.Contains(nodes, ends.V) {
			return true
		}
	}
	return false
}

// strong keeps the connected part of every tree with the largest prizes minus costs. It tries every node as the
// part's top.
func (p *plain[T]) strong(in []bool, edges []int32, prizes, costs []float64) []int32 {
	near := make([][]graph.Arc, len(in))
	for _, e := range edges {
		ends := p.g.Edges()[e]
		near[ends.U] = append(near[ends.U], graph.Arc{Node: ends.V, Edge: e})
		near[ends.V] = append(near[ends.V], graph.Arc{Node: ends.U, Edge: e})
	}
	var part func(u, from int32, take func(e int32)) float64
	part = func(u, from int32, take func(e int32)) float64 {
		worth := prizes[u]
		for _, a := range near[u] {
			if a.Node == from {
				continue
			}
			var below []int32
			w := part(a.Node, u, func(e int32) { below = append(below, e) }) - costs[a.Edge]
			if w > 0 {
				worth += w
				take(a.Edge)
				for _, e := range below {
					take(e)
				}
			}
		}
		return worth
	}
	var kept []int32
	for _, tree := range p.trees(in, near) {
		best, bestWorth := int32(-1), 0.0
		for _, u := range tree {
			in[u] = false
			if best >= 0 && int(best) == p.root {
				continue
			}
			w := part(u, -1, func(int32) {})
			if best < 0 || w > bestWorth || int(u) == p.root {
				best, bestWorth = u, w
			}
		}
		in[best] = true
		part(best, -1, func(e int32) {
			kept = append(kept, e)
			in[p.g.Edges()[e].U], in[p.g.Edges()[e].V] = true, true
		})
	}
	return kept
}

func (p *plain[T]) trees(in []bool, near [][]graph.Arc) (trees [][]int32) {
	seen := make([]bool, len(in))
	for r := range in {
		if seen[r] || !in[r] {
			continue
		}
		tree := []int32{int32(r)}
		seen[r] = true
		for i := 0; i < len(tree); i++ {
			for _, a := range near[tree[i]] {
				if !seen[a.Node] {
					seen[a.Node] = true
					tree = append(tree, a.Node)
				}
			}
		}
		trees = append(trees, tree)
	}
	return trees
}
