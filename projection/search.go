package projection

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Status says how a search ended.
type Status uint8

const (
	Bracketed   Status = iota // the size of the forest is in the window
	Exhausted                 // the search missed the window
	Unreachable               // at every scale, the forest is too large
	Zero                      // the vector is zero
	Certified                 // the support in Options.Kept was reused without a search
)

var statusNames = [...]string{"bracketed", "exhausted", "unreachable", "zero", "certified"}

func (s Status) String() string { return statusNames[s] }

// ErrNotFinite means that a vector has an entry that is NaN or infinite.
var ErrNotFinite = errors.New("want a finite number")

// Options configures a search.
type Options struct {
	Clusters int     // g ≥ 1: number of trees
	Root     int     // number (from 1) of a node that every projection contains; needs g = 1; 0 means none
	MaxIter  int     // largest number of halvings, minus 1; at least 0
	Warm     *Warm   // the last search's scale; nil means the paper's search
	Kept     *Kept   // support to reuse; nil means a search for every vector
	Cut      float64 // ≥ 1: forests of up to Cut·Window.High nodes are cut to the window (see hull); 0 means never
}

// A Result is the result of a search. The next search into the same Result reuses its slice.
type Result struct {
	Nodes  []int32 // ascending
	Scale  float64 // scale λ of the forest; 0 if there is no forest
	Share  float64 // with Options.Kept: lower bound on ‖w_H‖²/top (see Kept); else 0
	Solves int     // number of forests computed
	Status Status
}

// A Search projects vectors onto connected subgraphs of one graph. It is not safe for concurrent use: give each
// goroutine its own Search.
type Search struct {
	solver   *pcst.Solver
	costs    []float64
	minCost  float64
	prizes   []float64
	total    float64 // sum of the prizes
	largest  float64 // largest prize
	excesses []excess

	hull    hull
	squares []float64 // scratch

	window     Window
	options    Options
	forest     pcst.Forest // last extracted forest
	upper      pcst.Trees  // trees of the forest at upperScale
	upperSize  int         // number of nodes of the forest at upperScale
	upperScale float64     // last scale with its forest in upper; −1 if there is none
	dear       float64     // last scale at which the forest was too small; −1 if there is none
	started    start
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

// Project overwrites dst with the support of the projection of w (see the package comment). If an entry of w is not
// finite, the error wraps ErrNotFinite. The graph must have at least one node, and w must have one entry per node.
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

// Edges returns the edges of the last Project's forest, ascending. They span the result, unless the result was cut or
// Options.Kept is set. The next call of Project overwrites the slice.
func (s *Search) Edges() []int32 { return s.forest.Edges }

func (o *Options) solverOptions() pcst.Options {
	if o.Root > 0 {
		return pcst.Options{Root: o.Root - 1, Pruning: pcst.GWPruning}
	}
	return pcst.Options{Clusters: o.Clusters, Root: -1, Pruning: pcst.GWPruning}
}

// squares fills dst with the squares of w/2^exp, and returns their sum and the largest square. 2^exp is about the
// largest entry, so squares do not overflow, and only negligible squares underflow.
func squares(dst, w []float64) (exp int, total, largest float64, err error) {
	most := 0.0
	for i, x := range w {
		a := math.Abs(x)
		if !(a <= math.MaxFloat64) {
			return 0, 0, 0, fmt.Errorf("projection: entry %d is %v, %w", i, x, ErrNotFinite)
		}
		if a > most { // max() would take twice as long
			most = a
		}
	}
	_, exp = math.Frexp(most)
	exp = max(-1000, min(exp, 1000)) // 2^exp and 2^−exp must be finite
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

// TailWindow returns the window of the tail projection: s to ⌊s·(1 + omega)⌋ nodes. omega must be at least 0.
func TailWindow(s int, omega float64) Window {
	// slack allows for rounding errors in s·(1 + omega).
	const slack = 1e-9
	high := math.Floor(float64(s)*(1+omega) + slack)
	return Window{Low: s, High: int(min(high, math.MaxInt32))} // a graph has at most math.MaxInt32 nodes
}

// Contains tells whether the given size is in the window.
func (w Window) Contains(size int) bool { return w.Low <= size && size <= w.High }
