package projection

import (
	"errors"
	"fmt"
	"math"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Model is the (G, s, g, B)-weighted graph model: it allows a support if some forest
// spans it with at most Sparsity nodes, at most Clusters trees and edges that cost at most
// Budget together.
type Model struct {
	Sparsity int     // s ≥ 1, the number of nodes
	Clusters int     // g ≥ 1, the number of trees
	Budget   float64 // B ≥ 0 on the costs of edges; +Inf for none
}

// Validate reports everything that is out of range.
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

// binds tells whether the budget limits more than which edges may be used.
func (m Model) binds() bool { return m.Budget > 0 && !math.IsInf(m.Budget, 1) }

// price returns what an edge of the given cost takes of the capacity, and whether a
// support of the model can use it at all.
func (m Model) price(cost float64) (price float64, usable bool) {
	if !m.binds() {
		return 1, cost <= m.Budget
	}
	return 1 + float64(m.Sparsity)*(cost/m.Budget), cost <= m.Budget
}

// capacity returns C, the most that the edges of a support's forest can be worth in prices.
func (m Model) capacity() float64 {
	if m.binds() {
		return 2 * float64(m.Sparsity)
	}
	return float64(m.Sparsity)
}

// A Budget projects vectors onto one weighted graph model on one graph, by Algorithms 1
// (tail) and 2 (head) of Hegde, Indyk and Schmidt (ICML 2015).
//
// Both limits of the model become one: the price of an edge is c(e) = 1 + s·cost(e)/B, and
// the forest of a support of the model, having at most s − 1 edges, is worth at most
// C = 2s. Conversely, a forest worth k·C has at most 2ks edges, that is 2ks + g nodes, and
// edges of cost 2kB. (This is the paper's c(e) = w(e) + B/s with C = 2B, in other units.)
// Where the budget is 0 or infinite all usable edges have price 1, C is s, and "2s" and
// "2B" may be read as s and B below. Edges dearer than B serve no support of the model and
// are left out.
//
// A Budget is not safe for concurrent use; a worker owns one. After the first calls a
// projection allocates nothing.
type Budget struct {
	model  Model
	edges  []int32 // of the caller's graph, by edge of the priced one
	solver *pcst.Solver
	prizes []float64 // squares of the vector, scaled
	forest pcst.Forest
	pruner forestPruner
	search budgetSearch
}

// NewBudget returns the projections onto m of vectors with an entry for each node of g.
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
