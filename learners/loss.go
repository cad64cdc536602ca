package learners

import (
	"fmt"
	"math"
	"strings"
)

// A Loss is a function ℓ(z, y), convex in z, with a continuous derivative ∂ℓ/∂z. Here z = ⟨x,w⟩ + b is a sample's
// score, and y is its label or target.
type Loss interface {
	// Name returns the name of the loss in files and flags.
	Name() string
	// Eval returns ℓ(z, y) and its derivative ∂ℓ/∂z. It overflows only if a result is too large for float64.
	Eval(z, y float64) (loss, dz float64)
	// Classifies reports whether labels are −1 and +1.
	Classifies() bool
}

var Losses = []Loss{
	Logistic{},
	LeastSquares{},
}

// LossNames returns the names of the known losses.
func LossNames() (names []string) {
	for _, l := range Losses {
		names = append(names, l.Name())
	}
	return names
}

// LookupLoss returns the loss with the given name.
func LookupLoss(name string) (Loss, error) {
	for _, l := range Losses {
		if l.Name() == name {
			return l, nil
		}
	}
	known := LossNames()
	return nil, fmt.Errorf("unknown loss %q%s; known: %s", name, DidYouMean(name, known), strings.Join(known, ", "))
}

// Logistic is the loss log(1 + exp(−yz)) for labels y ∈ {−1, +1}.
type Logistic struct{}

var _ Loss = Logistic{}

// Name returns "logistic".
func (Logistic) Name() string { return "logistic" }

// Classifies returns true.
func (Logistic) Classifies() bool { return true }

// Eval returns log(1 + exp(−yz)) and −y/(1 + exp(yz)), computed from exp(−|yz|) to avoid overflow.
func (Logistic) Eval(z, y float64) (loss, dz float64) {
	margin := y * z
	if margin > 0 {
		e := math.Exp(-margin)
		return math.Log1p(e), -y * e / (1 + e)
	}
	e := math.Exp(margin)
	return math.Log1p(e) - margin, -y / (1 + e)
}

// LeastSquares is the loss ½(z − y)² for numbers y.
type LeastSquares struct{}

var _ Loss = LeastSquares{}

// Name returns "least_squares".
func (LeastSquares) Name() string { return "least_squares" }

// Classifies returns false.
func (LeastSquares) Classifies() bool { return false }

// Eval returns ½(z − y)² and z − y.
func (LeastSquares) Eval(z, y float64) (loss, dz float64) {
	r := z - y
	return r / 2 * r, r
}
