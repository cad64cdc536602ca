package project

import (
	"math"
)

// A row is a node or an edge of a result as tables have it.
type row struct {
	Kind   string // node or edge
	Index  int32  // in the graph, counting from 0
	Tree   int32  // counting from 1; 0 if the result has no trees
	Name   string // of a node
	Weight float64
	Prize  float64
	Source string // of an edge
	Target string
	Cost   float64
}

// nodeRows returns the nodes by index.
func (res *Result) nodeRows() []row {
	p := res.Problem
	rows := make([]row, len(res.Nodes))
	for i, u := range res.Nodes {
		rows[i] = row{Kind: "node", Index: u, Name: p.nodeName(u), Weight: p.Weights[u], Prize: p.Prizes[u]}
		if res.Trees != nil {
			rows[i].Tree = res.Trees[i]
		}
	}
	return rows
}

// edgeRows returns the edges by index.
func (res *Result) edgeRows() []row {
	p := res.Problem
	tree := map[int32]int32{}
	for i, u := range res.Nodes {
		if res.Trees != nil {
			tree[u] = res.Trees[i]
		}
	}
	rows := make([]row, len(res.Edges))
	for i, e := range res.Edges {
		ends := p.Graph.Edges()[e]
		rows[i] = row{Kind: "edge", Index: e, Tree: tree[ends.U], Source: p.nodeName(ends.U), Target: p.nodeName(ends.V),
			Cost: p.Graph.Costs()[e]}
	}
	return rows
}

// A fact is a figure of a result.
type fact struct {
	Key   string // in JSON, GraphML and the metadata of Arrow
	Value any    // string, int, float64 or bool
}

// facts returns the figures of a result that are defined, in the order of summaries.
func (res *Result) facts() []fact {
	p, r := res.Problem, res.Request
	facts := []fact{
		{"kind", string(r.Kind)}, {"graph", p.Name}, {"graph_nodes", p.Graph.NumNodes()}, {"graph_edges", p.Graph.NumEdges()},
		{"num_nodes", len(res.Nodes)}, {"num_edges", len(res.Edges)},
	}
	add := func(defined bool, key string, value any) {
		if x, ok := value.(float64); defined && !(ok && math.IsNaN(x)) {
			facts = append(facts, fact{key, value})
		}
	}
	searches := r.Kind == Head || r.Kind == Tail
	add(r.Kind != Top, "num_trees", res.numTrees())
	add(true, "status", res.Status)
	add(r.Kind != Top, "solves", res.Solves)
	add(r.Kind != Top, "scale", res.Scale)
	add(r.Kind != Top, "cost", res.Cost)
	add(true, "prize", res.Kept)
	add(true, "prize_total", res.Total)
	add(true, "objective", res.Objective)
	add(true, "prize_bound", res.Bound)
	add(true, "node_weight", res.Weight)
	add(p.First == 0, "unmatched", p.Unmatched)
	add(r.Sparsity > 0, "sparsity", r.Sparsity)
	add(r.Kind != Top && r.Root < 0, "components", r.Components)
	add(searches && r.budgeted(), "budget", r.Budget)
	add(r.Kind == Tail && r.budgeted(), "nu", r.Nu)
	add(r.Kind == PCSF, "pruning", r.Pruning.String())
	if r.Kind == PCSF && r.Root >= 0 {
		add(true, "root", p.nodeName(int32(r.Root)))
	}
	return facts
}
