package projection

import (
	"cmp"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// slack is the relative amount by which a sum of prices may exceed a limit, because of rounding.
const slack = 1e-9

// A forestPruner cuts forests until the total price of their edges is within a limit.
//
// The pruner walks along a tree's Euler tour, a depth-first walk that passes every edge twice and returns to its start.
// Any stretch of the tour is a connected part of the tree. For each step of the tour, two pointers find the longest
// stretch that ends there and fits the limit. The pruner keeps the stretch with the largest prize.
//
// Lemma. A tree of prize π and price c, pruned to a limit L < c, keeps a prize of at least π·L/(3c). Proof: cut the
// tour into stretches, each as long as the limit allows. A stretch and the step to the next stretch pass edges of total
// price above L, and the whole tour passes a price of 2c. So there are fewer than 2c/L + 1 < 3c/L stretches. Together
// the stretches cover all nodes, so some stretch has a prize of at least π·L/(3c). (The paper's algorithm PruneTree
// stops at the first stretch of prize π·L/(6c).)
//
// Lemma. The same holds for a forest. Proof: the pruner takes trees in descending order of prize per price. Let tree j
// be the first that does not fit, and let L_j be the limit that the earlier trees leave. Tree j keeps a prize of at
// least π_j·L_j/(3c_j). Taking a share L/c of every tree would keep π·L/c. By the order of the trees, the prizes of the
// earlier trees plus π_j·L_j/c_j are at least as much.
type forestPruner struct {
	ends   []graph.Edge
	prices []float64

	// Edge i of the forest has the half-edges 2i and 2i+1, one at each end.
	first  []int32 // a node's first half-edge that the walk has not used, or −1
	next   []int32 // the next half-edge at the same node
	via    []int32 // edge by which the walk first reached a node; −1 at the root
	nodeIn []int32 // number of times that a node occurs in the current stretch
	edgeIn []int32 // number of times that an edge of the forest occurs in the current stretch
	tour   []step
	trees  []prunedTree
}

// A step of a tour is a node and the edge that led to it. At a tour's first node, edge is −1.
type step struct{ node, edge int32 }

// A prunedTree is the part of the tour around one tree.
type prunedTree struct {
	from, to int     // the part is tour[from:to]
	density  float64 // prize divided by price; +Inf for a price of 0
}

func (p *forestPruner) init(g *graph.Graph) {
	p.ends, p.prices = g.Edges(), g.Costs()
	n := g.NumNodes()
	p.first, p.via, p.nodeIn = make([]int32, n), make([]int32, n), make([]int32, n)
	for u := range p.first {
		p.first[u] = -1
	}
}

func (p *forestPruner) price(f *pcst.Forest) float64 {
	total := 0.0
	for _, e := range f.Edges {
		total += p.prices[e]
	}
	return total
}

// prune cuts f to a total price of at most limit, up to slack, without more trees.
func (p *forestPruner) prune(f *pcst.Forest, prizes []float64, limit float64) {
	p.walk(f, prizes)
	slices.SortFunc(p.trees, func(a, b prunedTree) int {
		return cmp.Or(cmp.Compare(b.density, a.density), cmp.Compare(a.from, b.from))
	})
	nodes, edges, left := f.Nodes[:0], 0, limit
	for _, t := range p.trees {
		from, to := p.best(f, prizes, t, left)
		for i := from; i < to; i++ {
			s := p.tour[i]
			if p.nodeIn[s.node] == 0 {
				p.nodeIn[s.node] = 1
				nodes = append(nodes, s.node)
			}
			if i > from && p.edgeIn[s.edge] == 0 {
				p.edgeIn[s.edge] = 1
				left -= p.prices[f.Edges[s.edge]]
			}
		}
		left = max(left, 0)
	}
	for i, e := range f.Edges {
		if p.edgeIn[i] != 0 {
			f.Edges[edges] = e
			edges++
		}
	}
	f.Nodes, f.Edges = nodes, f.Edges[:edges]
	slices.Sort(f.Nodes)
	for _, u := range f.Nodes {
		p.nodeIn[u] = 0
	}
}

// walk records a tour around each tree of f.
func (p *forestPruner) walk(f *pcst.Forest, prizes []float64) {
	m := len(f.Edges)
	p.next = slices.Grow(p.next[:0], 2*m)[:2*m]
	p.edgeIn = slices.Grow(p.edgeIn[:0], m)[:m]
	clear(p.edgeIn)
	for i := m - 1; i >= 0; i-- { // backwards, so that the edges in each node's list ascend
		for k, u := range [2]int32{p.ends[f.Edges[i]].U, p.ends[f.Edges[i]].V} {
			h := int32(2*i + k)
			p.next[h], p.first[u] = p.first[u], h
		}
	}
	for _, u := range f.Nodes {
		p.via[u] = -2 // not yet reached
	}
	p.tour, p.trees = p.tour[:0], p.trees[:0]
	for _, u := range f.Nodes {
		if p.via[u] == -2 {
			p.walkTree(f, prizes, u)
		}
	}
}

func (p *forestPruner) walkTree(f *pcst.Forest, prizes []float64, root int32) {
	t := prunedTree{from: len(p.tour)}
	prize, price := prizes[root], 0.0
	p.via[root] = -1
	p.tour = append(p.tour, step{root, -1})
	for u := root; ; {
		h := p.first[u]
		i := p.via[u] // back to the parent, if u has no unused half-edge
		if h >= 0 {
			p.first[u] = p.next[h]
			if h>>1 == i {
				continue
			}
			i = h >> 1
		}
		if i < 0 {
			break
		}
		e := f.Edges[i]
		v := p.ends[e].U ^ p.ends[e].V ^ u
		if h >= 0 {
			p.via[v] = i
			prize += prizes[v]
			price += p.prices[e]
		}
		p.tour = append(p.tour, step{v, i})
		u = v
	}
	t.to, t.density = len(p.tour), math.Inf(1)
	if price > 0 {
		t.density = prize / price
	}
	p.trees = append(p.trees, t)
}

// best returns the stretch of a tree's tour that has the largest prize within the limit. Ties go to the first stretch.
// If no node has a prize, the stretch is empty.
func (p *forestPruner) best(f *pcst.Forest, prizes []float64, t prunedTree, limit float64) (from, to int) {
	limit *= 1 + slack
	most, prize, price := 0.0, 0.0, 0.0
	low := t.from
	for high := t.from; high < t.to; high++ {
		s := p.tour[high]
		if p.nodeIn[s.node]++; p.nodeIn[s.node] == 1 {
			prize += prizes[s.node]
		}
		if high > low {
			if p.edgeIn[s.edge]++; p.edgeIn[s.edge] == 1 {
				price += p.prices[f.Edges[s.edge]]
			}
		}
		for ; price > limit && low < high; low++ {
			if u := p.tour[low].node; p.leave(p.nodeIn, u) {
				prize -= prizes[u]
			}
			if i := p.tour[low+1].edge; p.leave(p.edgeIn, i) {
				price -= p.prices[f.Edges[i]]
			}
		}
		if low == high { // only one node is left: remove rounding errors from the sums
			prize, price = prizes[s.node], 0
		}
		if prize > most {
			most, from, to = prize, low, high+1
		}
	}
	for i := low; i < t.to; i++ {
		p.nodeIn[p.tour[i].node] = 0
		if i > low {
			p.edgeIn[p.tour[i].edge] = 0
		}
	}
	return from, to
}

func (p *forestPruner) leave(count []int32, i int32) bool {
	count[i]--
	return count[i] == 0
}
