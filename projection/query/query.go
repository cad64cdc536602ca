package query

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"graphda/graph"
	"graphda/projection/fewprize"
	"graphda/projection/pcst"
)

// A Query is what to look for. Nodes and edges go by their numbers in the graph.
type Query struct {
	Prizes     map[int32]float64 // by node, finite; below 0: what it costs to have the node
	EdgePrizes map[int32]float64 // by edge, finite and at least 0
	Must       []int32           // nodes that the answer has
	Without    []int32           // nodes that it has not
	Components int               // connected parts, at most; 0: one
	MaxNodes   int               // at most; 0: any number
	MaxWeight  float64           // of all nodes, at most; 0: any. Rounded up to a thousandth of it, node by node
	Certify    bool              // find a bound
	Improve    time.Duration     // look for a better answer along shortest paths, for so long at most

	// Published asks for the forest of package pcst with these options instead, as it is. Then only prizes of nodes count,
	// and none is below 0.
	Published *pcst.Options
}

// An Answer is a subgraph.
type Answer struct {
	Nodes, Edges []int32 // ascending
	Prize        float64 // of nodes and edges in it
	Cost         float64 // of its edges and nodes
	Weight       float64 // of its nodes
	Lost         float64 // prizes above 0 that are not in it

	// Bound is what costs and lost prizes of any answer to the query without limits add up to at least; NaN if it is not
	// asked for, or not known: of several connected parts.
	Bound      float64
	Unfinished bool   // the search for the bound was ended before it was done: a higher one may hold
	Why        string // why there are no nodes
}

// Gap returns how far the answer's costs and lost prizes may be from the least, as a share of them rounded to 1e-9; NaN
// if unknown.
func (a *Answer) Gap() float64 {
	value := a.Cost + a.Lost
	if value == 0 {
		value = 1
	}
	return math.Round(1e9*max(0, a.Cost+a.Lost-a.Bound)/value) / 1e9
}

// A QueryError says what is wrong with a query.
type QueryError struct {
	Nodes []int32 // that it is about; nil for none
	Text  string
}

func (e *QueryError) Error() string { return e.Text }

// A Graph is what queries are asked about. It is safe for concurrent use.
type Graph struct {
	g         *graph.Graph
	nodeCosts []float64 // nil for none
	weights   []float64 // of nodes, for limits; nil for 1 each
	grown     *graph.Graph
	index     *fewprize.Index
	component func() []int32 // by node, found when it is asked for
	mean      func() float64 // cost of an edge in the growth, found when it is asked for
}

// NewGraph prepares a graph. The costs of nodes and their weights are finite, at least 0 and by node; nil stands for
// costs of 0 and weights of 1.
func NewGraph(g *graph.Graph, nodeCosts, weights []float64) (*Graph, error) {
	q := &Graph{g: g, nodeCosts: nodeCosts, weights: weights, grown: g}
	n := g.NumNodes()
	if nodeCosts != nil && len(nodeCosts) != n || weights != nil && len(weights) != n {
		return nil, fmt.Errorf("query: %d costs and %d weights for %d nodes", len(nodeCosts), len(weights), n)
	}
	var err error
	if nodeCosts != nil {
		costs := make([]float64, g.NumEdges())
		for e, ends := range g.Edges() {
			costs[e] = g.Costs()[e] + (nodeCosts[ends.U]+nodeCosts[ends.V])/2
		}
		if q.grown, err = graph.New(n, g.Edges(), costs); err != nil {
			return nil, err
		}
	}
	if q.index, err = fewprize.NewIndex(q.grown); err != nil {
		return nil, err
	}
	q.component = sync.OnceValue(func() []int32 {
		label, _ := g.Components()
		return label
	})
	q.mean = sync.OnceValue(func() (mean float64) {
		for _, c := range q.grown.Costs() {
			mean += c / float64(g.NumEdges())
		}
		return mean
	})
	return q, nil
}

// check refuses what no answer can have.
func (g *Graph) check(q *Query) error {
	n, m := int32(g.g.NumNodes()), int32(g.g.NumEdges())
	total := g.index.LargestCost * float64(n) // see prepare
	for _, u := range slices.Sorted(maps.Keys(q.Prizes)) {
		p := q.Prizes[u]
		if u < 0 || u >= n || math.IsNaN(p) || math.IsInf(p, 0) {
			return &QueryError{[]int32{u}, fmt.Sprintf("node %d has the prize %v, want a node from 0 to %d and a finite prize",
				u, p, n-1)}
		}
		if p < 0 && q.Published != nil {
			return &QueryError{[]int32{u}, fmt.Sprintf("a prize is %v, and the published algorithm takes none below 0", p)}
		}
		total += math.Abs(p) * float64(1+g.g.Degree(u))
	}
	for _, e := range slices.Sorted(maps.Keys(q.EdgePrizes)) {
		p := q.EdgePrizes[e]
		if e < 0 || e >= m {
			return &QueryError{nil, fmt.Sprintf("edge %d has a prize, want an edge from 0 to %d", e, m-1)}
		}
		if !(p >= 0 && p <= math.MaxFloat64) {
			ends := g.g.Edges()[e]
			return &QueryError{[]int32{ends.U, ends.V}, fmt.Sprintf("an edge has the prize %v, want a number of at least 0", p)}
		}
		total += p
	}
	if math.IsInf(total, 1) {
		return &QueryError{nil, "the sum of all prizes, or of all costs of the graph, is out of range"}
	}
	for _, u := range slices.Concat(q.Must, q.Without) {
		if u < 0 || u >= n {
			return &QueryError{nil, fmt.Sprintf("node %d is outside the graph's 0 to %d", u, n-1)}
		}
	}
	for _, u := range q.Must {
		if slices.Contains(q.Without, u) {
			return &QueryError{[]int32{u}, "a node must be in the answer, but is excluded"}
		}
	}
	if len(q.Must) > 1 {
		parts := map[int32]int32{}
		for _, u := range q.Must {
			parts[g.component()[u]] = u
		}
		if len(parts) > q.Components {
			return &QueryError{slices.Sorted(maps.Values(parts)), fmt.Sprintf("nodes that must be in the answer lie in %d "+
				"connected components of the graph, want at most %d", len(parts), q.Components)}
		}
	}
	if q.MaxNodes > 0 && q.MaxWeight > 0 {
		return &QueryError{nil, "want max_nodes or max_weight, not both"}
	}
	return nil
}

// valueOf returns the value of a node, or that of all nodes where there are no values.
func valueOf(values []float64, u int32, all float64) float64 {
	if values == nil {
		return all
	}
	return values[u]
}

func setOf(nodes []int32) map[int32]bool {
	set := make(map[int32]bool, len(nodes))
	for _, u := range nodes {
		set[u] = true
	}
	return set
}
