package query

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// A Solver answers queries one after the other. It is not safe for concurrent use: a worker owns one.
type Solver struct {
	*Graph
	few   *fewprize.Solver
	dense *pcst.Solver // made when it is needed
}

// NewSolver returns a solver. It takes 32 bytes a node, and more once a query has prizes on many nodes.
func NewSolver(g *Graph) *Solver {
	return &Solver{Graph: g, few: fewprize.NewSolver(g.index)}
}

// Solve answers a query. An error is a *QueryError or that of the context. The same query has the same answer, unless
// the context ends an improvement or a bound, which then is what was reached.
func (s *Solver) Solve(ctx context.Context, q Query) (*Answer, error) {
	if q.Published != nil {
		if q.Components = q.Published.Clusters; q.Published.Root >= 0 {
			q.Must = []int32{int32(q.Published.Root)}
		}
	}
	q.Components = max(1, q.Components)
	if err := s.check(&q); err != nil {
		return nil, err
	}
	a := &Answer{Bound: math.NaN()}
	in := s.prepare(&q)
	var err error
	switch {
	case q.Published != nil:
		err = s.published(a, &q)
	case len(in.prizes) == 0:
		a.Why = "no node that may be in the answer has a prize above 0, and no edge has one above its cost"
	default:
		err = s.answer(ctx, a, in)
	}
	if err != nil {
		return nil, err
	}
	s.sum(a, &q)
	if q.Certify && q.Components == 1 {
		a.Bound = in.bound(ctx)
		a.Unfinished = in.ended(ctx)
	}
	return a, nil
}

// published answers with the forest of package pcst.
func (s *Solver) published(a *Answer, q *Query) error {
	grow := fewprize.Query{Scale: 1, Trees: q.Published.Clusters}
	for _, u := range sortedKeys(q.Prizes) {
		grow.Prizes = append(grow.Prizes, fewprize.Prize{Node: u, Prize: q.Prizes[u]})
	}
	solve := s.few.Solve
	if !fewprize.Suits(len(grow.Prizes), s.g.NumNodes(), 1, *q.Published) {
		solve = func(dst *pcst.Forest, grow fewprize.Query) error { return s.solveDense(dst, grow, *q.Published) }
	}
	var f pcst.Forest
	if err := solve(&f, grow); err != nil {
		return &QueryError{nil, err.Error()}
	}
	a.Nodes, a.Edges = f.Nodes, f.Edges
	return nil
}

// solveDense solves as package pcst does, in time and memory of all nodes.
func (s *Solver) solveDense(dst *pcst.Forest, q fewprize.Query, opt pcst.Options) error {
	if s.dense == nil {
		s.dense = pcst.NewSolver(s.grown)
	}
	prizes := make([]float64, s.g.NumNodes())
	for _, p := range q.Prizes {
		prizes[p.Node] = p.Prize
	}
	return s.dense.Solve(dst, prizes, q.Scale, opt)
}

// check refuses what no answer can have.
func (s *Solver) check(q *Query) error {
	n, m := int32(s.g.NumNodes()), int32(s.g.NumEdges())
	total := s.index.LargestCost * float64(n) // see prepare
	for _, u := range sortedKeys(q.Prizes) {
		p := q.Prizes[u]
		if u < 0 || u >= n || math.IsNaN(p) || math.IsInf(p, 0) {
			return &QueryError{[]int32{u}, fmt.Sprintf("node %d has the prize %v, want a node from 0 to %d and a finite prize",
				u, p, n-1)}
		}
		if p < 0 && q.Published != nil {
			return &QueryError{[]int32{u}, fmt.Sprintf("a prize is %v, and the published algorithm takes none below 0", p)}
		}
		total += math.Abs(p) * float64(1+s.g.Degree(u))
	}
	for _, e := range sortedKeys(q.EdgePrizes) {
		p := q.EdgePrizes[e]
		if e < 0 || e >= m {
			return &QueryError{nil, fmt.Sprintf("edge %d has a prize, want an edge from 0 to %d", e, m-1)}
		}
		if !(p >= 0 && p <= math.MaxFloat64) {
			ends := s.g.Edges()[e]
			return &QueryError{[]int32{ends.U, ends.V}, fmt.Sprintf("an edge has the prize %v, want a number of at least 0", p)}
		}
		total += p
	}
	if math.IsInf(total, 1) {
		return &QueryError{nil, "the sum of all prizes, or of all costs of the graph, is out of range"}
	}
	parts := map[int32]int32{}
	for _, u := range slices.Concat(q.Must, q.Without) {
		if u < 0 || u >= n {
			return &QueryError{nil, fmt.Sprintf("node %d is outside the graph's 0 to %d", u, n-1)}
		}
	}
	for _, u := range q.Must {
		if slices.Contains(q.Without, u) {
			return &QueryError{[]int32{u}, "a node must be in the answer, but is excluded"}
		}
		if len(q.Must) > 1 {
			parts[s.component()[u]] = u
		}
	}
	if len(parts) > q.Components {
		var nodes []int32
		for _, u := range parts {
			nodes = append(nodes, u)
		}
		slices.Sort(nodes)
		return &QueryError{nodes, fmt.Sprintf("nodes that must be in the answer lie in %d connected components of the "+
			"graph, want at most %d", len(parts), q.Components)}
	}
	if q.MaxNodes > 0 && q.MaxWeight > 0 {
		return &QueryError{nil, "want max_nodes or max_weight, not both"}
	}
	return nil
}

// answer grows forests and takes the best part of them.
func (s *Solver) answer(ctx context.Context, a *Answer, in *instance) error {
	best := part{value: math.Inf(-1)}
	grow := fewprize.Query{Prizes: in.prizes, Trees: in.Components, Without: in.Without, Costs: in.grown, Unpruned: true}
	for grow.Scale = 1; grow.Scale <= 4; grow.Scale *= 2 {
		var f pcst.Forest
		if err := s.grow(&f, grow); err != nil {
			return err
		}
		if p := in.part(&f); p.value > best.value {
			best = p
		}
		if math.IsInf(in.limit(), 1) {
			break
		}
	}
	for _, u := range in.Must {
		if _, ok := slices.BinarySearch(best.nodes, u); !ok {
			var err error
			if best, err = in.joinMust(ctx); err != nil {
				return err
			}
			break
		}
	}
	if in.Improve > 0 && in.Components == 1 {
		ctx, stop := context.WithTimeout(ctx, in.Improve)
		defer stop()
		best = in.improve(ctx, best)
	}
	a.Nodes, a.Edges = best.nodes, best.edges
	if len(a.Nodes) == 0 {
		a.Why = "no connected subgraph was found that is worth what it costs"
		if !math.IsInf(in.limit(), 1) {
			a.Why = "no connected subgraph within the limit was found that is worth what it costs"
		}
	}
	return nil
}

// grow takes the solver that suits the number of prizes.
func (s *Solver) grow(dst *pcst.Forest, q fewprize.Query) error {
	n := s.g.NumNodes()
	few := fewprize.Few(len(q.Prizes), n)
	for _, c := range q.Costs {
		few = few && c < s.index.MaxCost()
	}
	if few {
		return s.few.Solve(dst, q)
	}
	opt := pcst.Options{Clusters: q.Trees, Root: -1, Pruning: pcst.SimplePruning}
	if len(q.Costs) == 0 && len(q.Without) == 0 {
		return s.solveDense(dst, q, opt)
	}
	without := make([]bool, n)
	for _, u := range q.Without {
		without[u] = true
	}
	var edges []graph.Edge
	var numbers []int32
	costs := []float64{}
	for e, ends := range s.grown.Edges() {
		if without[ends.U] || without[ends.V] {
			continue
		}
		c, ok := q.Costs[int32(e)]
		if !ok {
			c = s.grown.Costs()[e]
		}
		edges, costs, numbers = append(edges, ends), append(costs, c), append(numbers, int32(e))
	}
	g, err := graph.New(n, edges, costs)
	if err != nil {
		return err
	}
	err = (&Solver{Graph: &Graph{g: g, grown: g}}).solveDense(dst, q, opt)
	for i, e := range dst.Edges {
		dst.Edges[i] = numbers[e]
	}
	return err
}

func (s *Graph) weight(u int32) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[u]
}

func (s *Graph) nodeCost(u int32) float64 {
	if s.nodeCosts == nil {
		return 0
	}
	return s.nodeCosts[u]
}

// sum adds the edges with prizes above their costs that join nodes of the answer, and fills in the figures.
func (s *Solver) sum(a *Answer, q *Query) {
	in := make(map[int32]bool, len(a.Nodes))
	for _, u := range a.Nodes {
		in[u] = true
		a.Prize += max(0, q.Prizes[u])
		a.Cost += max(0, -q.Prizes[u])
		a.Weight += s.weight(u)
		a.Cost += s.nodeCost(u)
	}
	for e, p := range q.EdgePrizes {
		ends := s.g.Edges()[e]
		if p > s.g.Costs()[e] && in[ends.U] && in[ends.V] && !slices.Contains(a.Edges, e) {
			a.Edges = append(a.Edges, e)
		}
	}
	slices.Sort(a.Edges)
	for _, e := range a.Edges {
		a.Cost += s.g.Costs()[e]
		a.Prize += q.EdgePrizes[e]
	}
	total := 0.0
	for _, prizes := range []map[int32]float64{q.Prizes, q.EdgePrizes} {
		for _, k := range sortedKeys(prizes) {
			total += max(0, prizes[k])
		}
	}
	a.Lost = max(0, total-a.Prize)
}

func sortedKeys(m map[int32]float64) []int32 {
	keys := make([]int32, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
