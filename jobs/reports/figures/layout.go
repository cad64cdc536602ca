package figures

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"
)

// arrange returns a place for each of n nodes, in units of about the length of an edge:
// each component by itself as springs would have it, the components side by side, the
// largest first, and nodes without edges in rows below.
func arrange(n int, edges [][2]int, seed uint64) []r2.Vec {
	g := newNeighbours(n, edges)
	at := make([]r2.Vec, n)
	var blocks [][]int // nodes of a component
	var alone []int
	for _, component := range g.components() {
		if len(component) == 1 {
			alone = append(alone, component...)
			continue
		}
		g.spread(component, at, seed)
		blocks = append(blocks, component)
	}
	slices.SortStableFunc(blocks, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	bottom, width := pack(blocks, at)
	line := max(1, int(math.Ceil(max(width, math.Sqrt(float64(len(alone)))*looseness)/looseness)))
	for i, v := range alone {
		at[v] = r2.Vec{X: (float64(i%line) + 0.5) * looseness, Y: bottom - (float64(i/line)+0.5)*looseness}
	}
	return at
}

// looseness is the distance of nodes without edges from each other.
const looseness = 0.8

// pack moves blocks of nodes into rows from left to right, whose upper left corner is the
// origin, and returns where the last row ends and how wide the widest is.
func pack(blocks [][]int, at []r2.Vec) (bottom, width float64) {
	boxes := make([]r2.Box, len(blocks))
	area, widest := 0.0, 0.0
	for i, block := range blocks {
		boxes[i] = around(block, at)
		size := boxes[i].Size()
		area, widest = area+size.X*size.Y, max(widest, size.X)
	}
	limit := max(widest, 1.2*math.Sqrt(area))
	x, lowest := 0.0, 0.0
	for i, block := range blocks {
		size := boxes[i].Size()
		if x > 0 && x+size.X > limit {
			x, bottom = 0, lowest
		}
		move := r2.Vec{X: x - boxes[i].Min.X, Y: bottom - boxes[i].Max.Y}
		for _, v := range block {
			at[v] = r2.Add(at[v], move)
		}
		x += size.X
		lowest, width = min(lowest, bottom-size.Y), max(width, x)
	}
	return lowest, width
}

// around is the box of some nodes and half of the space between them and others.
func around(nodes []int, at []r2.Vec) r2.Box {
	b := r2.Box{Min: at[nodes[0]], Max: at[nodes[0]]}
	for _, v := range nodes {
		b.Min = r2.Vec{X: min(b.Min.X, at[v].X), Y: min(b.Min.Y, at[v].Y)}
		b.Max = r2.Vec{X: max(b.Max.X, at[v].X), Y: max(b.Max.Y, at[v].Y)}
	}
	half := r2.Vec{X: looseness / 2, Y: looseness / 2}
	return r2.Box{Min: r2.Sub(b.Min, half), Max: r2.Add(b.Max, half)}
}

// neighbours is an undirected graph whose nodes and neighbours come in one order; those of
// gonum's graphs come in another each time, and a layout would with them.
type neighbours [][]graph.Node

var _ graph.Graph = neighbours(nil)

func newNeighbours(n int, edges [][2]int) neighbours {
	g := make(neighbours, n)
	for _, e := range simplified(edges) {
		g[e[0]] = append(g[e[0]], simple.Node(e[1]))
		g[e[1]] = append(g[e[1]], simple.Node(e[0]))
	}
	return g
}

// simplified drops loops, and edges that are there already.
func simplified(edges [][2]int) [][2]int {
	seen := make(map[[2]int]bool, len(edges))
	var out [][2]int
	for _, e := range edges {
		if key := [2]int{min(e[0], e[1]), max(e[0], e[1])}; e[0] != e[1] && !seen[key] {
			seen[key] = true
			out = append(out, e)
		}
	}
	return out
}

func (g neighbours) Node(id int64) graph.Node  { return simple.Node(id) }
func (g neighbours) From(id int64) graph.Nodes { return iterator.NewOrderedNodes(g[id]) }
func (g neighbours) HasEdgeBetween(u, v int64) bool {
	return slices.Contains(g[u], graph.Node(simple.Node(v)))
}

func (g neighbours) Nodes() graph.Nodes {
	all := make([]graph.Node, len(g))
	for i := range all {
		all[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(all)
}

func (g neighbours) Edge(u, v int64) graph.Edge {
	if !g.HasEdgeBetween(u, v) {
		return nil
	}
	return simple.Edge{F: simple.Node(u), T: simple.Node(v)}
}

// components returns the nodes of each connected component, by their numbers.
func (g neighbours) components() [][]int {
	var out [][]int
	seen := make([]bool, len(g))
	for start := range g {
		if seen[start] {
			continue
		}
		component := []int{start}
		seen[start] = true
		for i := 0; i < len(component); i++ {
			for _, v := range g[component[i]] {
				if !seen[v.ID()] {
					seen[v.ID()] = true
					component = append(component, int(v.ID()))
				}
			}
		}
		slices.Sort(component)
		out = append(out, component)
	}
	return out
}

// The springs' parameters: steps, and the force between any two nodes in relation to that
// of the edges.
const (
	updates   = 400
	repulsion = 1.5
)

// onCircle is a layout that cannot fail.
func onCircle(n int) []r2.Vec {
	out := make([]r2.Vec, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = r2.Scale(float64(n)/(2*math.Pi), r2.Vec{X: cos, Y: sin})
	}
	return out
}

// spread places the nodes of a component by Eades' springs, lies it down, its longest
// extent across, and scales it such that an edge has length 1 on average.
func (g neighbours) spread(component []int, at []r2.Vec, seed uint64) {
	number := make(map[int]int64, len(component))
	for i, v := range component {
		number[v] = int64(i)
	}
	part := make(neighbours, len(component))
	degree := 0
	for i, v := range component {
		for _, u := range g[v] {
			part[i] = append(part[i], simple.Node(number[int(u.ID())]))
		}
		degree = max(degree, len(part[i]))
	}
	springs := layout.EadesR2{
		Updates:   updates,
		Repulsion: repulsion,
		Theta:     0.5,
		Src:       rand.NewPCG(seed, uint64(len(component))),
	}
	// The first places are random points of a square, some of them so close that their
	// repulsion throws them out of the picture: steps grow from small ones. Those of a node
	// of many springs must stay small, or it swings ever further.
	last := 0.3 / float64(2+degree)
	springs.Rate = 1e-6
	o := layout.NewOptimizerR2(part, springs.Update)
	for o.Update() {
		springs.Rate = min(last, springs.Rate*1.12)
	}
	places := make([]r2.Vec, len(component))
	for i := range places {
		places[i] = o.Coord2(int64(i))
		if !(r2.Norm(places[i]) < 1e6) {
			places = onCircle(len(component))
			break
		}
	}
	lieDown(places)
	sum, edges := 0.0, 0
	for u := range part {
		for _, v := range part[u] {
			sum, edges = sum+r2.Norm(r2.Sub(places[u], places[v.ID()])), edges+1
		}
	}
	for i, v := range component {
		at[v] = r2.Scale(float64(edges)/max(sum, 1e-9), places[i])
	}
}

// lieDown turns points around their centre such that they vary most along the x axis.
func lieDown(p []r2.Vec) {
	var centre r2.Vec
	for _, v := range p {
		centre = r2.Add(centre, r2.Scale(1/float64(len(p)), v))
	}
	var xx, xy, yy float64
	for _, v := range p {
		d := r2.Sub(v, centre)
		xx, xy, yy = xx+d.X*d.X, xy+d.X*d.Y, yy+d.Y*d.Y
	}
	turn := -0.5 * math.Atan2(2*xy, xx-yy)
	for i, v := range p {
		p[i] = r2.Rotate(r2.Sub(v, centre), turn, r2.Vec{})
	}
}
