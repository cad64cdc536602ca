package project

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/projection"
	"graphda/projection/pcst"
)

// A Result is a subgraph and how it came about.
type Result struct {
	Problem *Problem
	Request Request
	Nodes   []int32 // ascending
	Edges   []int32 // ascending
	Trees   []int32 // the tree of each of Nodes, counting from 1; nil if the kind has none
	Status  string
	Solves  int
	Scale   float64 // factor on the costs of the forest that was taken

	Cost      float64 // of the edges
	Kept      float64 // prizes of the nodes
	Total     float64 // prizes of all nodes
	Objective float64 // Scale·Cost + Total − Kept; NaN unless the kind is pcsf
	Bound     float64 // no support with the same limits keeps more; NaN if none is known
}

// Project solves the problem. The request must be valid.
func (p *Problem) Project(r Request) (*Result, error) {
	if err := r.Validate(len(p.Prizes)); err != nil {
		return nil, fmt.Errorf("project: %w", err)
	}
	res := &Result{Problem: p, Request: r, Objective: math.NaN(), Bound: math.NaN()}
	solve := res.search
	switch {
	case r.Kind == Top:
		solve = res.top
	case r.Kind == PCSF:
		solve = res.pcsf
	case r.budgeted():
		solve = res.budget
	}
	if err := solve(); err != nil {
		return nil, err
	}
	res.sum()
	return res, nil
}

func (res *Result) top() error {
	var sel projection.Selector
	res.Nodes, res.Status = sel.Top(nil, res.Problem.Weights, res.Request.Sparsity), "exact"
	return nil
}

func (res *Result) pcsf() error {
	p, r := res.Problem, res.Request
	opt := pcst.Options{Clusters: r.Components, Root: r.Root, Pruning: r.Pruning}
	if r.Root >= 0 {
		opt.Clusters = 0
	}
	res.Scale, res.Solves, res.Status = r.Scale, 1, "solved"
	if floats.Sum(p.Prizes) < math.Ldexp(1, 900) {
		return res.forest(p.Prizes, r.Scale, opt)
	}
	prizes := make([]float64, len(p.Prizes)) // the solver adds up more than the prizes
	for u, prize := range p.Prizes {
		prizes[u] = math.Ldexp(prize, -100)
	}
	return res.forest(prizes, math.Ldexp(r.Scale, -100), opt)
}

// forest takes the solver's forest.
func (res *Result) forest(prizes []float64, scale float64, opt pcst.Options) error {
	var f pcst.Forest
	err := pcst.NewSolver(res.Problem.Graph).Solve(&f, prizes, scale, opt)
	res.Nodes, res.Edges = f.Nodes, f.Edges
	return err
}

func (res *Result) budget() error {
	p, r := res.Problem, res.Request
	m := projection.Model{Sparsity: r.Sparsity, Clusters: r.Components, Budget: r.Budget}
	b, err := projection.NewBudget(p.Graph, m)
	if err != nil {
		return err
	}
	var got projection.BudgetResult
	if r.Kind == Head {
		err = b.Head(&got, p.Weights)
	} else {
		err = b.Tail(&got, p.Weights, r.Nu)
	}
	if err != nil {
		return err
	}
	res.Nodes, res.Edges, res.Solves, res.Bound, res.Scale = got.Nodes, got.Edges, got.Solves, got.Bound, got.Scale
	res.Status = "within limits"
	if cost := res.cost(); len(got.Nodes) > r.Sparsity || cost > r.Budget {
		res.Status = "beyond limits"
	}
	return nil
}

func (res *Result) search() error {
	p, r := res.Problem, res.Request
	var got projection.Result
	w := p.Weights
	opt := projection.Options{Clusters: r.Components, MaxIter: r.MaxIter}
	if r.Warm {
		opt.Warm = new(projection.Warm)
	}
	if err := projection.NewSearch(p.Graph).Project(&got, w, r.window(len(w)), opt); err != nil {
		return err
	}
	res.Status, res.Solves, res.Scale = got.Status.String(), got.Solves, got.Scale
	if got.Status == projection.Zero {
		return nil
	}
	return res.again(w, &got)
}

// again solves for the forest of a search, which tells only its nodes.
func (res *Result) again(w []float64, got *projection.Result) error {
	prizes := make([]float64, len(w))
	_, exp := math.Frexp(floats.Norm(w, math.Inf(1)))
	for u, x := range w { // neither prizes nor the scale may run out of range
		x = math.Ldexp(x, -exp)
		prizes[u] = x * x
	}
	opt := pcst.Options{Clusters: res.Request.Components, Root: -1, Pruning: pcst.GWPruning}
	if err := res.forest(prizes, math.Ldexp(got.Scale, -2*exp), opt); err != nil {
		return err
	}
	if !slices.Equal(res.Nodes, got.Nodes) {
		return fmt.Errorf("project: the forest of scale %v has %d nodes, but the search had %d", got.Scale, len(res.Nodes),
			len(got.Nodes))
	}
	return nil
}

func (res *Result) cost() float64 {
	total := 0.0
	for _, e := range res.Edges {
		total += res.Problem.Graph.Costs()[e]
	}
	return total
}

// sum fills in the figures that follow from nodes and edges.
func (res *Result) sum() {
	p := res.Problem
	res.Cost = res.cost()
	rest, outside := res.Nodes, 0.0
	for u, prize := range p.Prizes {
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

// label numbers the trees by their lowest nodes.
func (res *Result) label() {
	p := res.Problem
	trees := graph.NewSets(len(p.Prizes))
	for _, e := range res.Edges {
		trees.Join(p.Graph.Edges()[e].U, p.Graph.Edges()[e].V)
	}
	number := map[int32]int32{}
	res.Trees = make([]int32, len(res.Nodes))
	for i, u := range res.Nodes {
		root := trees.Lowest(u)
		if number[root] == 0 {
			number[root] = int32(len(number)) + 1
		}
		res.Trees[i] = number[root]
	}
}

// numTrees returns the number of trees.
func (res *Result) numTrees() int {
	if len(res.Trees) == 0 {
		return 0
	}
	return int(slices.Max(res.Trees))
}
