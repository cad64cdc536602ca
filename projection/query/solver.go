package query

import (
	"context"
	"maps"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/fewprize"
	"graphda/projection/pcst"
)

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
	for _, u := range slices.Sorted(maps.Keys(q.Prizes)) {
		grow.Prizes = append(grow.Prizes, fewprize.Prize{Node: u, Prize: q.Prizes[u]})
	}
	var f pcst.Forest
	if err := s.grow(&f, grow, *q.Published); err != nil {
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

// answer grows forests and takes the best part of them.
func (s *Solver) answer(ctx context.Context, a *Answer, in *instance) error {
	best := part{value: math.Inf(-1)}
	grow := fewprize.Query{Prizes: in.prizes, Trees: in.Components, Without: in.Without, Costs: in.grown, Unpruned: true}
	opt := pcst.Options{Clusters: in.Components, Root: -1, Pruning: pcst.SimplePruning}
	for grow.Scale = 1; grow.Scale <= 4; grow.Scale *= 2 {
		var f pcst.Forest
		if err := s.grow(&f, grow, opt); err != nil {
			return err
		}
		if p := in.part(&f); p.value > best.value {
			best = p
		}
		if math.IsInf(in.limit, 1) {
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
	if within := map[bool]string{true: "within the limit "}[!math.IsInf(in.limit, 1)]; len(a.Nodes) == 0 {
		a.Why = "no connected subgraph " + within + "was found that is worth what it costs"
	}
	return nil
}

// grow takes the solver that suits the number of prizes, or options that fewprize does not have.
func (s *Solver) grow(dst *pcst.Forest, q fewprize.Query, opt pcst.Options) error {
	n, k := s.g.NumNodes(), len(q.Prizes)
	few := fewprize.Suits(k, n, q.Scale, opt) || q.Unpruned && fewprize.Few(k, n)
	for _, c := range q.Costs {
		few = few && c < s.index.MaxCost()
	}
	if few {
		return s.few.Solve(dst, q)
	}
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

// sum adds the edges with prizes above their costs that join nodes of the answer, and fills in the figures.
func (s *Solver) sum(a *Answer, q *Query) {
	in := setOf(a.Nodes)
	for _, u := range a.Nodes {
		a.Prize += max(0, q.Prizes[u])
		a.Cost += max(0, -q.Prizes[u])
		a.Weight += valueOf(s.weights, u, 1)
		a.Cost += valueOf(s.nodeCosts, u, 0)
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
		for _, k := range slices.Sorted(maps.Keys(prizes)) {
			total += max(0, prizes[k])
		}
	}
	a.Lost = max(0, total-a.Prize)
}
