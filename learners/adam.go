package learners

import "math"

var adam = Method{
	Name: "adam", Label: "Adam", Source: "Kingma 2014, Algorithm 1",
	Update: "m = β₁m + (1−β₁)g;  v = β₂v + (1−β₂)g²;  w_i −= α·(m_i/(1−β₁ᵗ)) / (√(v_i/(1−β₂ᵗ)) + ε)",
	Params: []Param{
		required("alpha", "α", "step size").above(0),
		required("beta1", "β₁", "decay rate of the mean of the gradients").atLeast(0).below(1).or(0.9),
		required("beta2", "β₂", "decay rate of the mean of the squared gradients").atLeast(0).below(1).or(0.999),
		required("epsilon", "ε", "constant added to the root of the squared gradients").above(0).or(1e-8),
	},
	New: func(ws *Workspace, s Settings) Rule {
		return &adamRule{mean: make([]float64, ws.problem.P+1), square: make([]float64, ws.problem.P+1),
			alpha: s.Get("alpha"), beta1: s.Get("beta1"), beta2: s.Get("beta2"), epsilon: s.Get("epsilon")}
	},
}

// adamRule is Adam as an online method: Kingma and Ba, Adam: a method for stochastic optimization, 2014, Algorithm 1.
type adamRule struct {
	mean, square                 []float64 // moments of the gradient for each weight and, last, for the intercept
	alpha, beta1, beta2, epsilon float64
}

var _ Rule = (*adamRule)(nil)

func (r *adamRule) Step(m *Model, g Gradient, t int) error {
	n := float64(t)
	correct1, correct2 := 1-math.Pow(r.beta1, n), 1-math.Pow(r.beta2, n)
	m.Sparse = false
	p := len(g.X)
	mean, square, w := r.mean[:p], r.square[:p], m.W[:p]
	for i, x := range g.X {
		w[i] -= r.update(&mean[i], &square[i], g.Scale*x, correct1, correct2)
	}
	m.Intercept -= r.update(&r.mean[p], &r.square[p], g.Intercept, correct1, correct2)
	return nil
}

// update adds the gradient g to the moments mean and square, and returns the number to subtract from the weight.
func (r *adamRule) update(mean, square *float64, g, correct1, correct2 float64) float64 {
	*mean = r.beta1*(*mean) + (1-r.beta1)*g
	*square = r.beta2*(*square) + (1-r.beta2)*g*g
	return r.alpha * (*mean / correct1) / (math.Sqrt(*square/correct2) + r.epsilon)
}

func (r *adamRule) Remember(m *Memory) {
	p := len(r.mean) - 1
	m.Vector("mean", r.mean[:p])
	m.Vector("square", r.square[:p])
	m.Number("mean_intercept", &r.mean[p])
	m.Number("square_intercept", &r.square[p])
}
