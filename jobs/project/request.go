package project

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/io/message"
	"graphda/projection"
	"graphda/projection/pcst"
)

// A Kind is a kind of subgraph.
type Kind string

// The kinds of subgraphs. The package comment describes them.
const (
	Head Kind = "head"
	Tail Kind = "tail"
	PCSF Kind = "pcsf"
	Top  Kind = "top"
)

var Kinds = []Kind{Tail, Head, PCSF, Top}

// A Request says which subgraph to look for, and how. Project ignores settings that do not apply to the kind.
type Request struct {
	Kind       Kind
	Sparsity   int          // number of nodes; 0 means any (for pcsf, and for head without a budget)
	Components int          // number of trees
	MaxIter    int          // the search halves its interval at most this many times
	Warm       bool         // stop the search when its interval has a relative width of 1e-3
	Omega      float64      // relative tolerance of the number of nodes
	Budget     float64      // for head and tail: limit on the total cost of the edges; +Inf means no limit
	Nu         float64      // for tail with a budget; see projection.Budget
	Scale      float64      // for pcsf: factor by which all costs are multiplied
	Pruning    pcst.Pruning // for pcsf
	Root       string       // for pcsf: name of a node that must be in the tree; may be ""
}

// DefaultRequest returns the default settings for the given kind.
func DefaultRequest(k Kind) Request {
	return Request{Kind: k, Components: 1, MaxIter: 20, Omega: 0.1, Budget: math.Inf(1),
		Nu: projection.DefaultNu, Scale: 1, Pruning: pcst.GWPruning}
}

func (r *Request) validate(n int) error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(!slices.Contains(Kinds, r.Kind), "kind = %q, want one of %s", r.Kind, message.List(Kinds))
	searches := r.Kind == Head || r.Kind == Tail
	optional := r.Kind == PCSF || r.Kind == Head && !r.budgeted()
	refuse(r.Sparsity == 0 && !optional, "--sparsity N is missing, the number of nodes for --kind %s", r.Kind)
	nodes := message.Count(n, "node")
	refuse(r.Sparsity < 0 || r.Sparsity > n, "sparsity = %d, want 1 to the graph's %s", r.Sparsity, nodes)
	refuse(r.Components < 1 || r.Components > n, "components = %d, want 1 to the graph's %s", r.Components, nodes)
	refuse(searches && (r.MaxIter < 0 || r.MaxIter > 1000), "max-iter = %d, want 0 to 1000", r.MaxIter)
	refuse(searches && !(r.Omega >= 0 && r.Omega <= math.MaxFloat64), "omega = %v, want a finite number of at least 0",
		r.Omega)
	refuse(searches && !(r.Budget >= 0), "budget = %v, want at least 0", r.Budget)
	refuse(r.Kind == Tail && !(r.Nu > 2 && r.Nu <= math.MaxFloat64), "nu = %v, want a finite number above 2", r.Nu)
	refuse(r.Kind == PCSF && !(r.Scale >= 0 && r.Scale <= math.MaxFloat64),
		"scale = %v, want a finite number of at least 0", r.Scale)
	return errors.Join(errs...)
}

func (r *Request) budgeted() bool { return !math.IsInf(r.Budget, 1) }

// window returns the numbers of nodes that a search without a budget accepts.
func (r *Request) window(n int) projection.Window {
	if r.Sparsity > 0 {
		return projection.TailWindow(r.Sparsity, r.Omega)
	}
	return projection.HeadWindow(n, r.Omega)
}
