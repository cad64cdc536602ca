package projection

import (
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A hull cuts forests that are too large. A part of a forest has one connected piece of every tree. Each part is a
// point (cost, prize). A vertex of the upper convex hull is a part with the largest prize − μ·cost, for some price μ >
// 0 per unit of cost. So no part of at most the same cost has a larger prize. For a given μ, strong pruning (Johnson,
// Minkoff and Phillips, SODA 2000) finds the best piece of each tree in time O(|F|). To find a vertex between two
// vertices, take the slope of the line through them as μ.
type hull struct {
	root  int32 // node that every part must contain; −1 if there is none
	ends  []graph.Edge
	costs []float64

	links, xor []int32 // of a node's edges that lay has not removed: number, and exclusive or of the indices
	place      []int32 // index in branches of a node's branch

	branches []branch // parents before children
	tops     []int32  // for each tree: index in branches of the top of its best piece
}

// A branch is a node of the forest, together with its descendants in its tree.
type branch struct {
	node   int32
	parent int32 // index of the parent's branch; −1 at a root
	tree   int32
	kept   bool
	prize  float64
	cost   float64 // cost of the edge to the parent
	worth  float64 // prize of the node, plus worth − price·cost of each child if positive
}

type part struct {
	price       float64 // a price μ at which this part is best
	size        int     // number of nodes
	cost, prize float64
}

func (h *hull) init(g *graph.Graph) {
	h.ends, h.costs = g.Edges(), g.Costs()
	n := g.NumNodes()
	h.links, h.xor, h.place = make([]int32, n), make([]int32, n), make([]int32, n)
}

// cut reduces f.Nodes to a hull vertex in the window. If it finds none, it reduces f.Nodes to the largest vertex below
// the window. It leaves f.Edges unchanged. The result contains the node root, unless root is −1.
func (h *hull) cut(f *pcst.Forest, prizes []float64, window Window, root int) {
	h.root = int32(root)
	h.lay(f, prizes)
	above := part{} // the whole forest
	dearest := 0.0  // largest 1/cost; at the price above.prize·dearest, no edge with a cost stays
	for i := range h.branches {
		b := &h.branches[i]
		above.prize += b.prize
		above.cost += b.cost
		if b.cost > 0 {
			dearest = max(dearest, 1/b.cost)
		}
	}
	below := h.best(above.prize * dearest)
	for below.size < window.Low && above.cost > below.cost {
		slope := (above.prize - below.prize) / (above.cost - below.cost)
		middle := h.best(slope)
		const rounding = 1e-12
		if !(middle.prize-below.prize > slope*(middle.cost-below.cost)+rounding*above.prize) {
			break
		}
		if middle.size > window.High {
			above = middle
		} else {
			below = middle
		}
	}
	h.best(below.price)
	f.Nodes = f.Nodes[:0]
	for i := range h.branches {
		if h.branches[i].kept {
			f.Nodes = append(f.Nodes, h.branches[i].node)
		}
	}
	slices.Sort(f.Nodes)
}

// lay lists the branches of the forest f by removing leaf after leaf, but not the root.
func (h *hull) lay(f *pcst.Forest, prizes []float64) {
	for _, u := range f.Nodes {
		h.links[u], h.xor[u] = 0, 0
	}
	for _, e := range f.Edges {
		for _, u := range [2]int32{h.ends[e].U, h.ends[e].V} {
			h.links[u]++
			h.xor[u] ^= e
		}
	}
	h.branches = h.branches[:0]
	for _, u := range f.Nodes {
		for h.links[u] == 1 && u != h.root {
			e := h.xor[u]
			up := h.ends[e].U ^ h.ends[e].V ^ u
			h.branches = append(h.branches, branch{node: u, parent: up, prize: prizes[u], cost: h.costs[e]})
			h.links[u] = -1
			h.links[up]--
			h.xor[up] ^= e
			u = up
		}
	}
	h.tops = h.tops[:0]
	for _, u := range f.Nodes {
		if h.links[u] == 0 {
			h.branches = append(h.branches, branch{node: u, parent: -1, tree: int32(len(h.tops)), prize: prizes[u]})
			h.tops = append(h.tops, 0)
		}
	}
	slices.Reverse(h.branches)
	for i := range h.branches {
		b := &h.branches[i]
		h.place[b.node] = int32(i)
		if b.parent >= 0 {
			b.parent = h.place[b.parent]
			b.tree = h.branches[b.parent].tree
		}
	}
}

// best returns the part with the largest prize − price·cost and marks its branches.
func (h *hull) best(price float64) part {
	for i := range h.branches {
		h.branches[i].worth = h.branches[i].prize
	}
	for i := len(h.branches) - 1; i >= 0; i-- {
		b := &h.branches[i]
		if gain := b.worth - price*b.cost; gain > 0 && b.parent >= 0 {
			h.branches[b.parent].worth += gain
		}
	}
	for i := range h.tops {
		h.tops[i] = -1
	}
	for i := range h.branches {
		b := &h.branches[i]
		if top := h.tops[b.tree]; top < 0 || b.worth > h.branches[top].worth && h.branches[top].node != h.root {
			h.tops[b.tree] = int32(i)
		}
	}
	found := part{price: price}
	for i := range h.branches {
		b := &h.branches[i]
		top := h.tops[b.tree] == int32(i)
		b.kept = top || b.parent >= 0 && h.branches[b.parent].kept && b.worth-price*b.cost > 0
		if !b.kept {
			continue
		}
		found.size++
		found.prize += b.prize
		if !top {
			found.cost += b.cost
		}
	}
	return found
}
