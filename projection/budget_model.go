package projection

import (
	"errors"
	"fmt"
	"math"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Model is the (G, s, g, B)-weighted graph model. It allows a support if some forest within three limits spans it.
type Model struct {
	Sparsity int     // s ≥ 1: largest number of nodes
	Clusters int     // g ≥ 1: largest number of trees
	Budget   float64 // B ≥ 0: largest sum of edge costs; +Inf means no limit
}

// Validate returns an error that names every field out of range.
func (m Model) Validate() error {
	var errs []error
	if m.Sparsity < 1 || m.Sparsity > math.MaxInt32 {
		errs = append(errs, fmt.Errorf("projection: sparsity is %d, want 1 to %d", m.Sparsity, math.MaxInt32))
	}
	if m.Clusters < 1 || m.Clusters > math.MaxInt32 {
		errs = append(errs, fmt.Errorf("projection: %d clusters, want 1 to %d", m.Clusters, math.MaxInt32))
	}
	if !(m.Budget >= 0) {
		errs = append(errs, fmt.Errorf("projection: budget is %v, want at least 0", m.Budget))
	}
	return errors.Join(errs...)
}

// binds reports whether the budget limits sums of costs. A budget of 0 does not limit sums, because it already rules
// out all edges with a cost.
func (m Model) binds() bool { return m.Budget > 0 && !math.IsInf(m.Budget, 1) }

// price returns the price of an edge with the given cost (see Budget), and whether the model allows the edge.
func (m Model) price(cost float64) (price float64, usable bool) {
	if !m.binds() {
		return 1, cost <= m.Budget
	}
	return 1 + float64(m.Sparsity)*(cost/m.Budget), cost <= m.Budget
}

// capacity returns C, the largest total price that the edges of a support's forest may have.
func (m Model) capacity() float64 {
	if m.binds() {
		return 2 * float64(m.Sparsity)
	}
	return float64(m.Sparsity)
}

// A Budget projects vectors onto one weighted graph model on one graph, by Algorithms 1
// (tail) and 2 (head) of Hegde, Indyk and Schmidt (ICML 2015).
//
// A price combines the limits s and B of the model: edge e has the price c(e) = 1 + s·cost(e)/B. The forest of a
// support in the model has at most s − 1 edges, so its price is at most C = 2s. Conversely, a forest of price k·C has
// at most 2ks edges, hence 2ks + g nodes, and its edges cost at most 2kB. (In the paper's units, c(e) = w(e) + B/s and
// C = 2B.) If the budget is 0 or infinite, all usable edges have price 1 and C is s, and the bounds 2s and 2B in Head
// and Tail become s and B. A Budget leaves out edges that cost more than B.
//
// A Budget is not safe for concurrent use: give each goroutine its own Budget.
type Budget struct {
	model  Model
	edges  []int32 // index in the caller's graph of each edge that the model allows
	solver *pcst.Solver
	prizes []float64 // squares of the vector's entries, scaled by a power of 2
	forest pcst.Forest
	pruner forestPruner
	search budgetSearch
}

// NewBudget returns a Budget for the model m on the graph g. Vectors have one entry for each node of g.
func NewBudget(g *graph.Graph, m Model) (*Budget, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	b := &Budget{model: m, prizes: make([]float64, g.NumNodes())}
	ends, prices := []graph.Edge{}, []float64{}
	for e, cost := range g.Costs() {
		if price, usable := m.price(cost); usable {
			b.edges = append(b.edges, int32(e))
			prices = append(prices, price)
			ends = append(ends, g.Edges()[e])
		}
	}
	priced, err := graph.New(g.NumNodes(), ends, prices)
	if err != nil {
		return nil, fmt.Errorf("projection: pricing the edges: %w", err)
	}
	b.solver = pcst.NewSolver(priced)
	b.pruner.init(priced)
	return b, nil
}
