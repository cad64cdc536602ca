// Package graph stores undirected graphs with edge costs, and finds their connected components and induced subgraphs.
// New makes a Graph from a list of edges, and Grid makes a grid. Package network reads a user's graph from a file.
//
// A Graph stores its edges as a list, in which an edge has an index, and as arcs in compressed sparse rows. Each edge
// has two arcs, one at each of its nodes. Sets holds disjoint sets of numbers, for algorithms that grow spanning trees.
//
// In a learning problem, node i is feature i. A graph may have isolated nodes and several components.
//
// Before version 1.0, exported names may change. Later they change only with the major version: see docs/stability.md.
package graph

import (
	"fmt"
	"math"
	"slices"
)

// An Edge joins the nodes U and V of an undirected graph.
type Edge struct{ U, V int32 }

// An Arc is an edge as seen from one of its nodes: the node at the other end and the index of the edge.
type Arc struct{ Node, Edge int32 }

// A Graph is an immutable undirected graph with edge costs. It is safe for concurrent use.
type Graph struct {
	edges   []Edge
	costs   []float64
	offsets []int32 // the arcs of node u are arcs[offsets[u]:offsets[u+1]]
	arcs    []Arc
}

// An EdgeError names the edge that New refused.
type EdgeError struct {
	Edge int // index into the edges given to New
	Err  error
}

func (e *EdgeError) Error() string { return fmt.Sprintf("graph: edge %d: %v", e.Edge, e.Err) }

// Unwrap returns what is wrong with the edge.
func (e *EdgeError) Unwrap() error { return e.Err }

// New returns the graph with n nodes and the given edges. Edge i of the list has index i. Costs must be finite and not
// negative. If costs is nil, every edge costs 1. Self-loops, repeated edges and endpoints outside [0, n) are errors,
// and the *EdgeError names the first bad edge. New copies both slices.
func New(n int, edges []Edge, costs []float64) (*Graph, error) {
	if n < 0 || n > math.MaxInt32 {
		return nil, fmt.Errorf("graph: %d nodes, want 0 to %d", n, math.MaxInt32)
	}
	if len(edges) > math.MaxInt32/2 {
		return nil, fmt.Errorf("graph: %d edges, want at most %d", len(edges), math.MaxInt32/2)
	}
	if costs != nil && len(costs) != len(edges) {
		return nil, fmt.Errorf("graph: %d costs for %d edges", len(costs), len(edges))
	}
	if costs == nil {
		costs = slices.Repeat([]float64{1}, len(edges))
	}
	g := &Graph{edges: MakeLarge[Edge](len(edges)), costs: MakeLarge[float64](len(edges))}
	copy(g.edges, edges)
	copy(g.costs, costs)
	bad, fault := len(edges), error(nil) // index of the first bad edge, and its error
	for i, e := range edges {
		if fault = checkEdge(e, n, costs[i]); fault != nil {
			bad = i
			break
		}
	}
	g.edges = g.edges[:bad] // look for duplicates only before the first bad edge
	g.link(n)
	if !g.ascends() {
		if e, first := g.duplicate(); e >= 0 {
			bad = e
			fault = fmt.Errorf("repeats edge %[3]d: both join nodes %[1]d and %[2]d", edges[e].U, edges[e].V, first)
		}
	}
	if fault != nil {
		return nil, &EdgeError{Edge: bad, Err: fault}
	}
	return g, nil
}

func checkEdge(e Edge, n int, cost float64) error {
	for _, u := range [2]int32{e.U, e.V} {
		if u < 0 || int(u) >= n {
			return fmt.Errorf("node %d does not exist; the graph has nodes 0 to %d", u, n-1)
		}
	}
	if e.U == e.V {
		return fmt.Errorf("is a self-loop at node %d", e.U)
	}
	if !(cost >= 0) || math.IsInf(cost, 1) {
		return fmt.Errorf("has cost %v, want a finite cost of at least 0", cost)
	}
	return nil
}

// link builds the arcs by counting sort, so each node's arcs are in the order of their edges.
func (g *Graph) link(n int) {
	g.offsets = make([]int32, n+1)
	for _, e := range g.edges {
		g.offsets[e.U+1]++
		g.offsets[e.V+1]++
	}
	for u := range n {
		g.offsets[u+1] += g.offsets[u]
	}
	g.arcs = MakeLarge[Arc](2 * len(g.edges))
	next := slices.Clone(g.offsets[:n])
	for i, e := range g.edges {
		for _, a := range [2]Edge{e, {e.V, e.U}} {
			g.arcs[next[a.U]] = Arc{Node: a.V, Edge: int32(i)}
			next[a.U]++
		}
	}
}

// ascends reports whether the edges are strictly ascending with U < V, so that there are no duplicates.
func (g *Graph) ascends() bool {
	var last Edge
	for _, e := range g.edges {
		if e.U >= e.V || e.U < last.U || e.U == last.U && e.V <= last.V {
			return false
		}
		last = e
	}
	return true
}

// duplicate returns the index of the first edge that repeats an earlier edge, or −1, and the earlier edge's index.
func (g *Graph) duplicate() (edge, first int) {
	edge = -1
	seen := make([]int32, g.NumNodes()) // for each neighbour: 1 + the index of the last edge to it
	for u := range int32(g.NumNodes()) {
		for _, a := range g.Arcs(u) {
			f := seen[a.Node] - 1
			if f < 0 || g.edges[f].U != u && g.edges[f].V != u {
				seen[a.Node] = a.Edge + 1
			} else if edge < 0 || int(a.Edge) < edge {
				edge, first = int(a.Edge), int(f)
			}
		}
	}
	return edge, first
}

// NumNodes returns the number of nodes, n.
func (g *Graph) NumNodes() int { return len(g.offsets) - 1 }

// NumEdges returns the number of edges, m.
func (g *Graph) NumEdges() int { return len(g.edges) }

// Edges returns the edges. Do not modify the slice: it belongs to the graph.
func (g *Graph) Edges() []Edge { return g.edges }

// Costs returns the cost of each edge. Do not modify the slice: it belongs to the graph.
func (g *Graph) Costs() []float64 { return g.costs }

// Arcs returns the arcs of node u in the order of their edges. Do not modify the slice: it belongs to the graph.
func (g *Graph) Arcs(u int32) []Arc { return g.arcs[g.offsets[u]:g.offsets[u+1]] }

// Degree returns the number of edges at node u.
func (g *Graph) Degree(u int32) int { return int(g.offsets[u+1] - g.offsets[u]) }

// Grid returns the width × height grid with unit costs. Node row·width+col is joined to its right and its lower
// neighbour. Edges are numbered node by node, the edge to the right neighbour first. Grid panics unless both sides
// are positive and there are fewer than 2^29 nodes.
func Grid(width, height int) *Graph {
	if width < 1 || height < 1 || width > math.MaxInt32/4/height {
		panic("graph: a grid's sides must be positive, with fewer than 2^29 nodes between them")
	}
	var edges []Edge
	for u := range int32(width * height) {
		if int(u)%width < width-1 {
			edges = append(edges, Edge{U: u, V: u + 1})
		}
		if int(u)/width < height-1 {
			edges = append(edges, Edge{U: u, V: u + int32(width)})
		}
	}
	g, err := New(width*height, edges, nil)
	if err != nil {
		panic(err)
	}
	return g
}

// Components labels every node with its connected component. Components are numbered from 0, in the order of their
// lowest nodes.
func (g *Graph) Components() (label []int32, count int) {
	sets := NewSets(g.NumNodes())
	for _, e := range g.edges {
		sets.Join(e.U, e.V)
	}
	label = make([]int32, g.NumNodes())
	for u := range int32(len(label)) {
		lowest := sets.Lowest(u)
		if lowest == u {
			label[u] = int32(count)
			count++
		}
		label[u] = label[lowest]
	}
	return label, count
}

// Parts returns the number of nodes in each connected component, in descending order. It counts only nodes whose index
// is below first, so it omits connectors.
func (g *Graph) Parts(first int) []int {
	label, count := g.Components()
	sizes := make([]int, count)
	for _, part := range label[:first] {
		sizes[part]++
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	return sizes
}

// Largest finds the connected component with the most nodes whose index is below first. It returns the number of these
// nodes, and the number of the component's other nodes.
func (g *Graph) Largest(first int) (nodes, others int) {
	label, count := g.Components()
	in := make([][2]int, count)
	for u, part := range label {
		if u < first {
			in[part][0]++
		} else {
			in[part][1]++
		}
	}
	for _, n := range in {
		if n[0] > nodes {
			nodes, others = n[0], n[1]
		}
	}
	return nodes, others
}

// Induced returns the subgraph on the given nodes with all edges of g between these nodes. Node i of the subgraph is
// node nodes[i] of g, and edge i of the subgraph is edge kept[i] of g. Edges keep their order. Unknown and repeated
// nodes are errors.
func (g *Graph) Induced(nodes []int32) (sub *Graph, kept []int32, err error) {
	index := make([]int32, g.NumNodes()) // for each node of g: 1 + its index in the subgraph, or 0
	for i, u := range nodes {
		if u < 0 || int(u) >= len(index) {
			return nil, nil, fmt.Errorf("graph: node %d does not exist; the graph has nodes 0 to %d", u, len(index)-1)
		}
		if index[u] != 0 {
			return nil, nil, fmt.Errorf("graph: node %d is given twice", u)
		}
		index[u] = int32(i) + 1
	}
	var edges []Edge
	costs := []float64{}
	for i, e := range g.edges {
		if u, v := index[e.U], index[e.V]; u > 0 && v > 0 {
			edges = append(edges, Edge{U: u - 1, V: v - 1})
			costs = append(costs, g.costs[i])
			kept = append(kept, int32(i))
		}
	}
	sub, err = New(len(nodes), edges, costs)
	return sub, kept, err
}
