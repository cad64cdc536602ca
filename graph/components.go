package graph

import "fmt"

// Components labels every node with its connected component. Components are
// numbered from 0 by their lowest node; count is their number.
func (g *Graph) Components() (label []int32, count int) {
	label = make([]int32, g.NumNodes())
	for u := range label {
		label[u] = -1
	}
	var stack []int32
	for root := range int32(len(label)) {
		if label[root] >= 0 {
			continue
		}
		label[root] = int32(count)
		stack = append(stack[:0], root)
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, a := range g.Arcs(u) {
				if label[a.Node] < 0 {
					label[a.Node] = int32(count)
					stack = append(stack, a.Node)
				}
			}
		}
		count++
	}
	return label, count
}

// Induced returns the subgraph on the given nodes with every edge between them.
// Its node i is nodes[i]; edges keep their order, and edge i was edge kept[i] of g.
// A node outside g or given twice is an error.
func (g *Graph) Induced(nodes []int32) (sub *Graph, kept []int32, err error) {
	index := make([]int32, g.NumNodes()) // new index + 1
	for i, u := range nodes {
		if u < 0 || int(u) >= len(index) {
			return nil, nil, fmt.Errorf("graph: node %d is outside the graph's 0 to %d", u, len(index)-1)
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
