package project

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/jobs/userinput"
	"graphda/projection"
	"graphda/projection/pcst"
)

// A Result is a subgraph, with details of the search.
type Result struct {
	Problem *Problem
	Request Request
	Nodes   []int32 // ascending
	Edges   []int32 // ascending
	Status  string
	Solves  int
	Scale   float64 // factor on the costs that gave this subgraph

	NumTrees int     // number of trees; 0 if the kind has no trees
	tree     []int32 // by node of the graph: number of its tree, from 1; 0 if no tree has the node

	Cost      float64 // total cost of the subgraph's edges
	Kept      float64 // total prize of the subgraph's nodes
	Total     float64 // total prize of all nodes of the graph
	Objective float64 // for pcsf: Scale·Cost plus the total prize of all other nodes; otherwise NaN
	Bound     float64 // no subgraph within the limits has a larger Kept; NaN if unknown
}

// Project finds the subgraph that r asks for. An error about the request is a userinput.Error.
func (p *Problem) Project(r Request) (*Result, error) {
	err := r.validate(p.numNodes())
	if err != nil {
		return nil, &userinput.Error{Err: err}
	}
	res := &Result{Problem: p, Request: r, Objective: math.NaN(), Bound: math.NaN(), tree: make([]int32, len(p.Prizes))}
	switch {
	case r.Kind == Top:
		res.Nodes, res.Status = new(projection.Selector).Top(nil, p.Weights, r.Sparsity), "exact"
	case r.Kind == PCSF:
		err = res.pcsf()
	case r.budgeted():
		err = res.budget()
	default:
		err = res.search()
	}
	if err != nil {
		return nil, err
	}
	res.sum()
	return res, nil
}

func (res *Result) pcsf() error {
	p, r := res.Problem, res.Request
	opt := pcst.Options{Clusters: r.Components, Root: -1, Pruning: r.Pruning}
	if r.Root != "" {
		u, err := p.node(r.Root)
		if err != nil {
			return &userinput.Error{Err: err}
		}
		opt.Clusters, opt.Root = 0, u
	}
	prizes, scale := p.Prizes, r.Scale
	if floats.Sum(prizes) >= 0x1p900 { // the solver's sums would overflow
		prizes, scale = slices.Clone(prizes), 0x1p-100*scale
		floats.Scale(0x1p-100, prizes)
	}
	var f pcst.Forest
	err := pcst.NewSolver(p.Graph).Solve(&f, prizes, scale, opt)
	res.Nodes, res.Edges, res.Scale, res.Solves, res.Status = f.Nodes, f.Edges, r.Scale, 1, "solved"
	return err
}

func (res *Result) budget() error {
	p, r := res.Problem, res.Request
	b, err := projection.NewBudget(p.Graph,
		projection.Model{Sparsity: r.Sparsity, Clusters: r.Components, Budget: r.Budget})
	if err != nil {
		return err
	}
	var got projection.BudgetResult
	if r.Kind == Head {
		err = b.Head(&got, p.Weights)
	} else {
		err = b.Tail(&got, p.Weights, r.Nu)
	}
	res.Nodes, res.Edges, res.Solves, res.Bound, res.Scale = got.Nodes, got.Edges, got.Solves, got.Bound, got.Scale
	res.Status = "within limits"
	if len(got.Nodes) > r.Sparsity || res.cost() > r.Budget {
		res.Status = "beyond limits"
	}
	return err
}

func (res *Result) search() error {
	p, r := res.Problem, res.Request
	opt := projection.Options{Clusters: r.Components, MaxIter: r.MaxIter}
	if r.Warm {
		opt.Warm = new(projection.Warm)
	}
	var got projection.Result
	s := projection.NewSearch(p.Graph)
	err := s.Project(&got, p.Weights, r.window(p.numNodes()), opt)
	res.Nodes, res.Edges, res.Status, res.Solves, res.Scale = got.Nodes, s.Edges(), got.Status.String(), got.Solves,
		got.Scale
	return err
}

func (res *Result) cost() float64 {
	total := 0.0
	for _, e := range res.Edges {
		total += res.Problem.Graph.Costs()[e]
	}
	return total
}

func (res *Result) sum() {
	res.Cost = res.cost()
	rest, outside := res.Nodes, 0.0
	for u, prize := range res.Problem.Prizes {
		res.Total += prize
		if len(rest) > 0 && int(rest[0]) == u {
			res.Kept += prize
			rest = rest[1:]
		} else {
			outside += prize
		}
	}
	if res.Request.Kind == PCSF {
		res.Objective = res.Scale*res.Cost + outside
	}
	if res.Request.Kind != Top {
		res.label()
	}
}

// label numbers the trees in the order of their lowest nodes.
func (res *Result) label() {
	trees := graph.NewSets(len(res.tree))
	for _, e := range res.Edges {
		ends := res.Problem.Graph.Edges()[e]
		trees.Join(ends.U, ends.V)
	}
	for _, u := range res.Nodes {
		lowest := trees.Lowest(u)
		if u == lowest {
			res.NumTrees++
			res.tree[u] = int32(res.NumTrees)
		}
		res.tree[u] = res.tree[lowest]
	}
}
