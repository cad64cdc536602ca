package project

import "math"

// A node is the row of a node in CSV, JSON, GraphML and Arrow.
type node struct {
	Index  int32   `json:"index"` // index of the node in the graph, from 0
	Name   string  `json:"name"`
	Tree   int32   `json:"tree,omitempty"` // number of the node's tree, from 1; 0 if the result has no trees
	Weight float64 `json:"weight"`
	Prize  float64 `json:"prize"`
}

type edge struct {
	Index  int32   `json:"index"`
	Source string  `json:"source"`
	Target string  `json:"target"`
	Tree   int32   `json:"tree"`
	Cost   float64 `json:"cost"`
}

func (res *Result) nodes() []node {
	p := res.Problem
	nodes := make([]node, len(res.Nodes))
	for i, u := range res.Nodes {
		nodes[i] = node{Index: u, Name: p.nodeName(u), Tree: res.tree[u], Weight: p.Weights[u], Prize: p.Prizes[u]}
	}
	return nodes
}

func (res *Result) edges() []edge {
	p := res.Problem
	edges := make([]edge, len(res.Edges))
	for i, e := range res.Edges {
		ends := p.Graph.Edges()[e]
		edges[i] = edge{Index: e, Tree: res.tree[ends.U], Source: p.nodeName(ends.U), Target: p.nodeName(ends.V),
			Cost: p.Graph.Costs()[e]}
	}
	return edges
}

// rows yields first the nodes and then the edges, as rows of one table. A cell is nil if it does not apply to a row.
func (res *Result) rows(yield func(row []any) bool) {
	for _, n := range res.nodes() {
		tree := any(n.Tree)
		if n.Tree == 0 {
			tree = nil
		}
		if !yield([]any{"node", n.Index, tree, n.Name, n.Weight, n.Prize, nil, nil, nil}) {
			return
		}
	}
	for _, e := range res.edges() {
		if !yield([]any{"edge", e.Index, e.Tree, nil, nil, nil, e.Source, e.Target, e.Cost}) {
			return
		}
	}
}

// A fact is a named value that describes a result, such as its cost.
type fact struct {
	Key   string // name in JSON, GraphML and Arrow's metadata
	Value any    // a string, int, float64 or bool
}

// facts returns the facts that apply to the result's kind, in the order in which files list them.
func (res *Result) facts() []fact {
	p, r := res.Problem, res.Request
	facts := []fact{
		{"kind", string(r.Kind)}, {"graph", p.Name}, {"graph_nodes", p.numNodes()}, {"graph_edges", p.Graph.NumEdges()},
		{"num_nodes", len(res.Nodes)}, {"num_edges", len(res.Edges)},
	}
	add := func(defined bool, key string, value any) {
		if x, ok := value.(float64); defined && !(ok && math.IsNaN(x)) {
			facts = append(facts, fact{key, value})
		}
	}
	searches := r.Kind == Head || r.Kind == Tail
	add(r.Kind != Top, "num_trees", res.NumTrees)
	add(true, "status", res.Status)
	add(r.Kind != Top, "solves", res.Solves)
	add(r.Kind != Top, "scale", res.Scale)
	add(r.Kind != Top, "cost", res.Cost)
	add(true, "prize", res.Kept)
	add(true, "prize_total", res.Total)
	add(true, "objective", res.Objective)
	add(true, "prize_bound", res.Bound)
	add(true, "unmatched", p.Unmatched)
	add(r.Sparsity > 0, "sparsity", r.Sparsity)
	add(r.Kind != Top && r.Root == "", "components", r.Components)
	add(searches && r.budgeted(), "budget", r.Budget)
	add(r.Kind == Tail && r.budgeted(), "nu", r.Nu)
	add(r.Kind == PCSF, "pruning", string(r.Pruning))
	add(r.Root != "", "root", r.Root)
	return facts
}
