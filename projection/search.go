package projection

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Status says how a search ended. Only the size of a Bracketed forest is sure to lie in the window.
type Status uint8

const (
	Bracketed   Status = iota // the forest's size lies in the window
	Exhausted                 // the search missed the window; the result is a cut forest or the upper scale's forest
	Unreachable               // at every scale the forest is larger than the window allows
	Zero                      // the vector is zero, and so is its projection
	Certified                 // the support in Options.Kept was reused; nothing was solved
)

var statusNames = [...]string{"bracketed", "exhausted", "unreachable", "zero", "certified"}

func (s Status) String() string { return statusNames[s] }

// ErrNotFinite is the error for a vector that has a NaN or infinite entry.
var ErrNotFinite = errors.New("want a finite number")

// Options configures a search.
type Options struct {
	Clusters int     // g ≥ 1, the number of trees
	Root     int     // a node, counted from 1, that is in every projection of a nonzero vector; needs g = 1; 0 for none
	MaxIter  int     // at most MaxIter + 1 halvings of the interval; at least 0
	Warm     *Warm   // carries the start scale from search to search; if nil, the paper's search
	Kept     *Kept   // the last support, which is reused while it is certified; if nil, every vector needs a search
	Cut      float64 // ≥ 1: a forest of up to Cut·High nodes is cut to the window, see hull; 0 if no forest is cut
}

// A Result is the outcome of a search. The next search into the same Result reuses its slice.
type Result struct {
	Nodes  []int32 // ascending
	Scale  float64 // the λ of the forest, which may overflow or underflow; 0 if there is no forest
	Share  float64 // with Kept: the sum of squares on Nodes is at least Share times the sum on any support of this size
	Solves int     // the number of forests solved
	Status Status
}

// A Search projects vectors onto connected subgraphs of one graph. It is not safe for concurrent use: give each
// goroutine its own. After the first calls a projection allocates nothing.
type Search struct {
	solver   *pcst.Solver
	costs    []float64
	minCost  float64
	prizes   []float64
	total    float64  // sum of the prizes
	largest  float64  // largest prize
	excesses []excess // sums of the prizes above floors

	hull    hull
	squares []float64 // scratch

	window     Window
	options    Options
	forest     pcst.Forest // the forest of the last solved scale, if extracted
	upper      pcst.Trees  // the trees at upperScale
	upperSize  int         // number of nodes of the forest at upperScale
	upperScale float64     // the upper end of the interval if that scale has been solved, else -1
	dear       float64     // the last scale at which the forest was found too small, or -1
}

// NewSearch returns a search on g.
func NewSearch(g *graph.Graph) *Search {
	s := &Search{solver: pcst.NewSolver(g), costs: g.Costs(), prizes: make([]float64, g.NumNodes())}
	if len(s.costs) > 0 {
		s.minCost = slices.Min(s.costs)
	}
	s.hull.init(g)
	return s
}

// Project overwrites dst with the support of w's projection onto the window. It halves the interval from 0 to the
// largest prize at most MaxIter + 1 times. If the forest at the upper end is too large because its edges are cheap,
// Project doubles that end until the forest fits, and bisects again. Options Warm, Kept and Cut shorten the search
// and may change its result. Project returns ErrNotFinite if an entry of w is not finite. The graph must have at
// least one node, and w must have one entry per node.
func (s *Search) Project(dst *Result, w []float64, window Window, opt Options) error {
	*dst = Result{Nodes: dst.Nodes[:0], Status: Zero}
	if len(w) != len(s.prizes) || len(w) == 0 {
		panic("projection: the vector's length is not the graph's number of nodes, or zero")
	}
	if opt.Clusters < 1 || opt.MaxIter < 0 {
		return fmt.Errorf("projection: %d clusters and max_iter %d, want at least 1 and 0", opt.Clusters, opt.MaxIter)
	}
	if opt.Root < 0 || opt.Root > len(w) || opt.Root > 0 && opt.Clusters != 1 {
		return fmt.Errorf("projection: root %d with %d clusters, want at most node %d with 1, or 0 for none", opt.Root,
			opt.Clusters, len(w))
	}
	if opt.Cut != 0 && !(opt.Cut >= 1) {
		return fmt.Errorf("projection: cut %v, want at least 1, or 0 for none", opt.Cut)
	}
	var exp int
	var err error
	if exp, s.total, s.largest, err = squares(s.prizes, w); err != nil {
		return err
	}
	if s.largest == 0 {
		s.forest.Edges = s.forest.Edges[:0]
		return nil
	}
	if opt.Kept != nil && s.keep(dst, opt.Kept) {
		return nil
	}
	s.setExcesses(opt.Warm != nil)
	s.window, s.options, s.upperScale, s.dear = window, opt, -1, -1
	if opt.Warm != nil {
		err = s.warm(dst, opt.Warm)
	} else {
		err = s.bisect(dst, 0, s.largest, 0)
	}
	dst.Scale = math.Ldexp(dst.Scale, 2*exp)
	if opt.Kept != nil && err == nil {
		s.replace(opt.Kept, dst)
	}
	return err
}

// Edges returns the edges of the forest from which the last Project took its nodes, ascending. These edges span the
// result, unless the result was cut or is Certified. The next call of Project overwrites the slice.
func (s *Search) Edges() []int32 { return s.forest.Edges }

// solverOptions returns the solver's options for all forests of a search.
func (o *Options) solverOptions() pcst.Options {
	if o.Root > 0 {
		return pcst.Options{Root: o.Root - 1, Pruning: pcst.GWPruning}
	}
	return pcst.Options{Clusters: o.Clusters, Root: -1, Pruning: pcst.GWPruning}
}

// squares fills dst with the squares of w/2^exp, where 2^exp is about the largest entry. Scaling by a power of two
// changes no comparison and prevents overflow. A square underflows only if it is negligible beside the largest
// square. The function also returns the sum of the squares and the largest square.
func squares(dst, w []float64) (exp int, total, largest float64, err error) {
	most := 0.0
	for i, x := range w {
		a := math.Abs(x)
		if !(a <= math.MaxFloat64) {
			return 0, 0, 0, fmt.Errorf("projection: entry %d is %v, %w", i, x, ErrNotFinite)
		}
		if a > most { // the function max takes twice as long, because it looks for NaN too
			most = a
		}
	}
	_, exp = math.Frexp(most)
	exp = max(-1000, min(exp, 1000)) // now 2^±exp is a float64
	shrink := math.Ldexp(1, -exp)
	for i, x := range w {
		x *= shrink
		x *= x
		dst[i] = x
		total += x
		if x > largest {
			largest = x
		}
	}
	return exp, total, largest, nil
}

// A Window is the range of forest sizes that a search accepts, both ends included.
type Window struct{ Low, High int }

// HeadWindow returns the window of the head projection for p nodes: about half of them.
func HeadWindow(p int, omega float64) Window { return TailWindow(p/2, omega) }

// TailWindow returns the window of the tail projection to sparsity s with tolerance omega ≥ 0.
func TailWindow(s int, omega float64) Window {
	// Without slack the product of, say, 30 and 1.1 could round to less than 33.
	const slack = 1e-9
	high := math.Floor(float64(s)*(1+omega) + slack)
	return Window{Low: s, High: int(min(high, math.MaxInt32))} // no graph has more than math.MaxInt32 nodes
}

// Contains reports whether a forest of the given size is acceptable.
func (w Window) Contains(size int) bool { return w.Low <= size && size <= w.High }
