package query

import (
	"fmt"
	"sync"

	"graphda/graph"
	"graphda/projection/fewprize"
)

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
