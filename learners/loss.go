package learners

import (
	"fmt"
	"math"
	"strings"
)

// A Loss is convex and continuously differentiable in the score z = ⟨x,w⟩ + b of a sample with label or target y.
type Loss interface {
	// Name returns the loss's name in files and flags.
	Name() string
	// Eval returns ℓ(z, y) and ∂ℓ/∂z. No step of the computation overflows unless a result overflows.
	Eval(z, y float64) (loss, dz float64)
	// Classifies reports whether the loss is for labels −1 and +1, which the sign of the score predicts. Only then can a
	// prediction be a mistake.
	Classifies() bool
}

// Losses lists the known losses. A new loss needs a file with its type, and one line here.
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

// LookupLoss returns the loss with the given name. The error suggests the nearest name and lists the known names.
func LookupLoss(name string) (Loss, error) {
	for _, l := range Losses {
		if l.Name() == name {
			return l, nil
		}
	}
	known := LossNames()
	return nil, fmt.Errorf("unknown loss %q%s; known: %s", name, DidYouMean(name, known), strings.Join(known, ", "))
}

// Logistic is log(1 + exp(−yz)) for labels y ∈ {−1, +1}.
type Logistic struct{}

var _ Loss = Logistic{}

// Name returns "logistic".
func (Logistic) Name() string { return "logistic" }

// Classifies returns true.
func (Logistic) Classifies() bool { return true }

// Eval returns log(1 + exp(−yz)) and −y/(1 + exp(yz)). It computes exp(yz) or exp(−yz), whichever is at most 1.
func (Logistic) Eval(z, y float64) (loss, dz float64) {
	margin := y * z
	if margin > 0 {
		e := math.Exp(-margin)
		return math.Log1p(e), -y * e / (1 + e)
	}
	e := math.Exp(margin)
	return math.Log1p(e) - margin, -y / (1 + e)
}

// LeastSquares is ½(z − y)² for real targets y.
type LeastSquares struct{}

var _ Loss = LeastSquares{}

// Name returns "least_squares".
func (LeastSquares) Name() string { return "least_squares" }

// Classifies returns false.
func (LeastSquares) Classifies() bool { return false }

// Eval returns ½(z − y)² and z − y. It halves first, because the square may overflow although half of it does not.
func (LeastSquares) Eval(z, y float64) (loss, dz float64) {
	r := z - y
	return r / 2 * r, r
}
