package learners

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A Model is a linear predictor: p weights and an intercept.
type Model struct {
	W         []float64
	Intercept float64
	// If Sparse is set, W is 0 outside Support. Support ascends. W may also be 0 inside Support.
	Support []int32
	Sparse  bool
	// Beside holds the weights of any covariates (see RidgeBeside).
	Beside []float64
}

// ScoreBeside returns the score of a sample with the features x and the covariates in beside.
func (m *Model) ScoreBeside(x, beside []float64) float64 {
	return m.Score(x) + floats.Dot(m.Beside, beside)
}

func newModel(p int) *Model { return &Model{W: make([]float64, p), Sparse: true} }

// Score returns ⟨x,w⟩ + b. For a sparse model, it reads x only in the support.
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

// Norm returns ‖(w, b)‖, the Euclidean norm of the weights and the intercept.
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

// Nonzeros returns the number of nonzero weights.
func (m *Model) Nonzeros() int {
	n := 0
	for _, w := range m.W {
		if w != 0 {
			n++
		}
	}
	return n
}

func (m *Model) finite() bool {
	return finite(m.Intercept) && !slices.ContainsFunc(m.W, func(w float64) bool { return !finite(w) })
}

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

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

// A Gradient is ∇f_t of a linear model. The gradient by the weights is Scale·X. For one sample, X holds the sample's
// features, and Scale and Intercept are ∂ℓ/∂z. For a loss on all samples together, Scale is 1.
type Gradient struct {
	X         []float64
	Scale     float64
	Intercept float64
	Target    float64 // label or target of the sample
	Labels    bool    // whether targets are the labels −1 and +1
}

// A Rule turns the gradient of round t into the next iterate. It holds the state of one pass, and is not safe for
// concurrent use.
type Rule interface {
	// Step replaces the iterate w_{t−1} in m by w_t. The gradient g is ∇f_t(w_{t−1}), and t counts from 1. Step neither
	// modifies nor retains g.X.
	Step(m *Model, g Gradient, t int) error

	// Remember adds the rule's own state, without settings, to m.
	Remember(m *Memory)
}

// A searcher is a Rule that computes Steiner forests.
type searcher interface {
	// Searches returns the counts of the projections' work so far.
	Searches() SearchStats
}

// SearchStats counts the work of the head and tail projections.
type SearchStats struct {
	Solves      int // Steiner forests solved
	Unbracketed int // projections to a size outside the window
	KeptHeads   int // head projections that reused a support (see projection.Kept)

	// HeadBound is a constant c_H proven for all head projections so far: the projection of v on H has ‖v_H‖ ≥ c_H·‖v_S‖
	// for every S of at most |H| entries. Without lazy heads, it is 0.
	HeadBound float64
}
