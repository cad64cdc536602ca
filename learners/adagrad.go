package learners

import (
	"math"

	"graphda/projection"
)

var adagrad = Method{
	Name: "adagrad", Label: "AdaGrad", Source: "Duchi 2011, primal-dual update with ℓ1",
	Update: "H_i = δ + √Σ g_i²;  w_i = −sign(ḡ_i)·(ηt/H_i)·[|ḡ_i| − λ]₊",
	Params: []Param{lambdaParam, etaParam, required("delta", "δ",
		"constant added to the root of the squared gradients").above(0).or(1e-8)},
	New: func(ws *Workspace, s Settings) Rule {
		return &adagradRule{dual: newDual(ws.problem.P), squares: make([]float64, ws.problem.P),
			lambda: s.Get("lambda"), eta: s.Get("eta"), delta: s.Get("delta")}
	},
}

// adagradRule is the adaptive subgradient method, with the primal-dual update and an ℓ1 regulariser: Duchi, Hazan and
// Singer, Adaptive subgradient methods for online learning and stochastic optimization, JMLR 2011. A round takes O(p)
// time.
type adagradRule struct {
	dual
	squares            []float64 // Σ g_i²
	squaresIntercept   float64
	lambda, eta, delta float64
}

var _ Rule = (*adagradRule)(nil)

func (r *adagradRule) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	threshold := float64(t) * r.lambda
	m.Sparse = false
	for i, x := range g.X {
		v := g.Scale * x
		r.squares[i] += v * v
		m.W[i] = -r.eta * projection.SoftThreshold(r.sum[i], threshold) / (r.delta + math.Sqrt(r.squares[i]))
	}
	r.squaresIntercept += g.Intercept * g.Intercept
	m.Intercept = -r.eta * r.intercept / (r.delta + math.Sqrt(r.squaresIntercept))
	return nil
}

func (r *adagradRule) Remember(m *Memory) {
	r.dual.Remember(m)
	m.Vector("squares", r.squares)
	m.Number("squares_intercept", &r.squaresIntercept)
}
