package learners

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A Model is a linear predictor: p weights and an intercept, which no method shrinks or
// projects.
type Model struct {
	W         []float64
	Intercept float64
	// Support holds, if Sparse, the ascending indices outside which W is zero. W may be
	// zero on it as well.
	Support []int32
	Sparse  bool
	// Beside are weights of what stands beside the features: see RidgeBeside.
	Beside []float64
}

// ScoreBeside returns ⟨x, w⟩ + b and what stands beside the features times its weights.
func (m *Model) ScoreBeside(x, beside []float64) float64 {
	return m.Score(x) + floats.Dot(m.Beside, beside)
}

// newModel returns the zero model of p weights.
func newModel(p int) *Model { return &Model{W: make([]float64, p), Sparse: true} }

// Score returns ⟨x, w⟩ + b. Only the support is visited where it is known.
func (m *Model) Score(x []float64) float64 {
	if !m.Sparse {
		return floats.Dot(m.W, x) + m.Intercept
	}
	z := m.Intercept
	for _, i := range m.Support {
		z += m.W[i] * x[i]
	}
	return z
}

// Norm returns the Euclidean norm ‖(w, b)‖ of the weights and the intercept.
func (m *Model) Norm() float64 {
	if !m.Sparse {
		return math.Hypot(floats.Norm(m.W, 2), m.Intercept)
	}
	square := m.Intercept * m.Intercept
	for _, i := range m.Support {
		square += m.W[i] * m.W[i]
	}
	return math.Sqrt(square)
}

// Nonzeros returns the number of weights that are not zero.
func (m *Model) Nonzeros() int {
	n := 0
	for _, w := range m.W {
		if w != 0 {
			n++
		}
	}
	return n
}

// finite tells whether neither a weight nor the intercept is NaN or infinite.
func (m *Model) finite() bool {
	return finite(m.Intercept) && !slices.ContainsFunc(m.W, func(w float64) bool { return !finite(w) })
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// clear sets all weights to zero and leaves the model sparse, with an empty support.
func (m *Model) clear() {
	if m.Sparse {
		for _, i := range m.Support {
			m.W[i] = 0
		}
	} else {
		clear(m.W)
	}
	m.Support, m.Sparse = m.Support[:0], true
}

// A Gradient is ∇f_t of a linear model: Scale·X for the weights and Intercept for the intercept. At one sample X are
// its features and both numbers are ∂ℓ/∂z. Of all samples at once X is the gradient itself and Scale is 1.
type Gradient struct {
	X         []float64
	Scale     float64
	Intercept float64
	Target    float64 // of the sample
	Labels    bool    // targets are −1 and +1: the loss classifies
}

// A Rule turns the gradient of round t into the next iterate. It is stateful, not safe
// for concurrent use, and made for one pass over the samples.
type Rule interface {
	// Step overwrites m, which holds the iterate w_{t−1}, with w_t. The gradient is
	// ∇f_t(w_{t−1}) and t counts from 1. Step neither modifies nor retains g.X.
	Step(m *Model, g Gradient, t int) error

	// Remember enters all that the rule itself carries from one round to the next; m is remembered
	// elsewhere, and settings are told again.
	Remember(m *Memory)
}

// A searcher is a Rule that solves Steiner forests.
type searcher interface {
	// Searches returns what the rule's projections have cost so far.
	Searches() SearchStats
}

// SearchStats counts the work of head and tail projections.
type SearchStats struct {
	Solves      int // Steiner forests solved
	Unbracketed int // projections that ended outside their window
	KeptHeads   int // head projections that were not computed: the last support was certified

	// HeadBound is the least c_H that is proven for every head projection so far: its support H
	// has ‖v_H‖ ≥ c_H·‖v_S‖ for every S of at most as many entries. 0 unless heads are lazy.
	HeadBound float64
}
