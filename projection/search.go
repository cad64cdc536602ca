package projection

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Status says how a search ended. Only the size of a Bracketed forest is certainly in the window.
type Status uint8

const (
	Bracketed   Status = iota // the size of the forest is in the window
	Exhausted                 // the search missed the window; the result is a cut forest, or the forest at the upper scale
	Unreachable               // at every scale, the forest is larger than the window allows
	Zero                      // the vector is zero, so its projection is zero
	Certified                 // Options.Kept was good enough to be reused, so nothing was solved
)

var statusNames = [...]string{"bracketed", "exhausted", "unreachable", "zero", "certified"}

func (s Status) String() string { return statusNames[s] }

// ErrNotFinite is wrapped if a vector has an entry that is NaN or infinite.
var ErrNotFinite = errors.New("want a finite number")

// Options configures a search.
type Options struct {
	Clusters int     // g ≥ 1: number of trees
	Root     int     // number (from 1) of a node in each projection of a nonzero vector; needs g = 1; 0 means none
	MaxIter  int     // the search halves its interval at most MaxIter + 1 times; at least 0
	Warm     *Warm   // carries the start scale from search to search; nil means the paper's search
	Kept     *Kept   // carries a support to reuse from search to search; nil means that every vector needs a search
	Cut      float64 // ≥ 1: forests of up to Cut·Window.High nodes are cut to the window (see hull); 0 means never
}

// A Result is the result of a search. The next search into the same Result reuses its slice.
type Result struct {
	Nodes  []int32 // ascending
	Scale  float64 // scale λ of the forest, which may overflow or underflow; 0 if there is no forest
	Share  float64 // with Kept: the sum of squares on Nodes is at least Share times the sum on any support of this size
	Solves int     // number of forests that the solver computed
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
	excesses []excess // sums of the prizes above several floors

	hull    hull
	squares []float64 // scratch

	window     Window
	options    Options
	forest     pcst.Forest // the forest of the last solve, if it was extracted
	upper      pcst.Trees  // trees of the forest at upperScale
	upperSize  int         // number of nodes of the forest at upperScale
	upperScale float64     // upper end of the interval, if the forest there was solved; else −1
	dear       float64     // the last scale at which the forest was too small; −1 if there is none
}

// NewSearch returns a Search on the graph g.
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
		panic("projection: the length of the vector differs from the graph's number of nodes, or zero")
	}
	if opt.Clusters < 1 || opt.MaxIter < 0 {
		return fmt.Errorf("projection: %d clusters and max_iter %d, want at least 1 and 0", opt.Clusters, opt.MaxIter)
	}
	if opt.Root < 0 || opt.Root > len(w) || opt.Root > 0 && opt.Clusters != 1 {
		return fmt.Errorf("projection: root %d with %d clusters; want a root of at most %d with 1 cluster, or 0 for no "+
			"root", opt.Root,
			opt.Clusters, len(w))
	}
	if opt.Cut != 0 && !(opt.Cut >= 1) {
		return fmt.Errorf("projection: cut %v, want at least 1, or 0 for no cut", opt.Cut)
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

// solverOptions returns the options with which the solver computes all forests of a search.
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
		if a > most { // max() would take twice as long, because it also looks for NaN
			most = a
		}
	}
	_, exp = math.Frexp(most)
	exp = max(-1000, min(exp, 1000)) // so that 2^±exp is a float64
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

// A Window is the range of forest sizes (numbers of nodes) that a search accepts, from Low to High inclusive.
type Window struct{ Low, High int }

// HeadWindow returns the window of the head projection on p nodes: about p/2 nodes.
func HeadWindow(p int, omega float64) Window { return TailWindow(p/2, omega) }

// TailWindow returns the window of the tail projection: s to s·(1 + omega) nodes, for omega ≥ 0.
func TailWindow(s int, omega float64) Window {
	// slack is for rounding: for example, 30 times 1.1 might be less than 33.
	const slack = 1e-9
	high := math.Floor(float64(s)*(1+omega) + slack)
	return Window{Low: s, High: int(min(high, math.MaxInt32))} // a graph has at most math.MaxInt32 nodes
}

// Contains tells whether a forest of the given size is in the window.
func (w Window) Contains(size int) bool { return w.Low <= size && size <= w.High }
