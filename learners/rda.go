package learners

import (
	"math"

	"graphda/projection"
)

var l1RDA = Method{
	Name: "l1-rda", Label: "ℓ1-RDA", Source: "Xiao 2010, Algorithm 2 (enhanced)",
	Update: "λ_t = λ + γρ/√t;  w_i = −(√t/γ)·sign(ḡ_i)·[|ḡ_i| − λ_t]₊",
	Params: []Param{lambdaParam, gammaParam, required("rho", "ρ", "makes early rounds sparser").atLeast(0)},
	New: func(ws *Workspace, s Settings) Rule {
		return &rda{dual: newDual(ws.problem.P), lambda: s.Get("lambda"), gamma: s.Get("gamma"), rho: s.Get("rho")}
	},
}

// rda is ℓ1-regularised dual averaging: Xiao, Dual averaging methods for regularized stochastic learning and online
// optimization, JMLR 2010, Algorithm 2. A round takes O(p) time.
type rda struct {
	dual
	lambda, gamma, rho float64
}

var _ Rule = (*rda)(nil)

func (r *rda) Step(m *Model, g Gradient, t int) error {
	r.add(g)
	n := float64(t)
	threshold := n * (r.lambda + r.gamma*r.rho/math.Sqrt(n))
	a := step(r.gamma, t)
	m.Sparse = false
	for i, v := range r.sum {
		m.W[i] = a * projection.SoftThreshold(v, threshold)
	}
	m.Intercept = a * r.intercept
	return nil
}
