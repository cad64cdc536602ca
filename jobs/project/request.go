package project

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/projection"
	"graphda/projection/pcst"
)

// A Kind is what to look for.
type Kind string

// The kinds; the package comment tells what they are.
const (
	Head Kind = "head"
	Tail Kind = "tail"
	PCSF Kind = "pcsf"
	Top  Kind = "top"
)

// Kinds are all kinds, in the order of lists.
var Kinds = []Kind{Tail, Head, PCSF, Top}

// A Request is what to look for and how. Settings that the kind does not use are ignored.
type Request struct {
	Kind       Kind
	Sparsity   int          // number of nodes; 0 if not given, which head and pcsf allow
	Components int          // trees
	MaxIter    int          // halvings of the search
	Warm       bool         // stop the search at a relative width of 1e-3, as a learner's warm search does
	Omega      float64      // tolerance of the size
	Budget     float64      // on the costs of edges, of head and tail; +Inf for none
	Nu         float64      // of the tail with a budget
	Scale      float64      // factor on all costs, of pcsf
	Pruning    pcst.Pruning // of pcsf
	Root       string       // of pcsf: the name of a node that must be in the tree; "" for none
}

// DefaultRequest returns the settings of a kind that need not be given.
func DefaultRequest(k Kind) Request {
	return Request{Kind: k, Components: 1, MaxIter: 20, Omega: 0.1, Budget: math.Inf(1),
		Nu: projection.DefaultNu, Scale: 1, Pruning: pcst.GWPruning}
}

// validate reports every setting that is out of range for a graph of n nodes.
func (r *Request) validate(n int) error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(!slices.Contains(Kinds, r.Kind), "kind = %q, want one of %v", r.Kind, Kinds)
	searches := r.Kind == Head || r.Kind == Tail
	optional := r.Kind == PCSF || r.Kind == Head && !r.budgeted()
	refuse(r.Sparsity == 0 && !optional, "sparsity is missing, the number of nodes that a projection of kind %s looks for",
		r.Kind)
	refuse(r.Sparsity < 0 || r.Sparsity > n, "sparsity = %d, want 1 to the graph's %d nodes", r.Sparsity, n)
	refuse(r.Components < 1 || r.Components > n, "components = %d, want 1 to the graph's %d nodes", r.Components, n)
	refuse(searches && (r.MaxIter < 0 || r.MaxIter > 1000), "max-iter = %d, want 0 to 1000", r.MaxIter)
	refuse(searches && !(r.Omega >= 0 && r.Omega <= math.MaxFloat64), "omega = %v, want a finite number of at least 0",
		r.Omega)
	refuse(searches && !(r.Budget >= 0), "budget = %v, want at least 0", r.Budget)
	refuse(r.Kind == Tail && !(r.Nu > 2 && r.Nu <= math.MaxFloat64), "nu = %v, want a finite number above 2", r.Nu)
	refuse(r.Kind == PCSF && !(r.Scale >= 0 && r.Scale <= math.MaxFloat64),
		"scale = %v, want a finite number of at least 0", r.Scale)
	return errors.Join(errs...)
}

// budgeted tells whether the costs of edges are limited.
func (r *Request) budgeted() bool { return !math.IsInf(r.Budget, 1) }

// window returns the sizes that a search without a budget accepts.
func (r *Request) window(n int) projection.Window {
	if r.Sparsity > 0 {
		return projection.TailWindow(r.Sparsity, r.Omega)
	}
	return projection.HeadWindow(n, r.Omega)
}
