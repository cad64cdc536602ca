package projection

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"graphda/graph"
	"graphda/projection/pcst"
)

// A Status says how a search ended; only Bracketed met the window.
type Status uint8

const (
	Bracketed   Status = iota // the forest's size lies in the window
	Exhausted                 // all solves were spent; the forest is that of the upper scale
	Unreachable               // no scale brings the forest below the window's upper end
	Zero                      // the vector is zero and so is its projection
)

var statusNames = [...]string{"bracketed", "exhausted", "unreachable", "zero"}

func (s Status) String() string { return statusNames[s] }

// ErrNotFinite is the cause of the error of a projection of a vector with an entry that is
// NaN or infinite.
var ErrNotFinite = errors.New("want a finite number")

// Options configures a search.
type Options struct {
	Clusters int // g ≥ 1, the number of trees
	MaxIter  int // max_iter ≥ 0; the bisection makes at most MaxIter + 1 solves
}

// A Result is the outcome of a search. Its slice is reused by the next search into it.
type Result struct {
	Nodes  []int32 // ascending
	Scale  float64 // the λ of the forest, which may over- or underflow; 0 with Status Zero
	Solves int     // forests solved
	Status Status
}

// A Search projects vectors onto connected subgraphs of one graph. It is not safe for
// concurrent use; a worker owns one. After the first calls a projection allocates nothing.
type Search struct {
	solver     *pcst.Solver
	costs      []float64
	prizes     []float64
	forest     pcst.Forest // of the last scale solved
	upper      []int32     // nodes of the forest of upperScale
	upperScale float64     // the interval's upper end, or -1 until that is solved
}

// NewSearch returns a search on g.
func NewSearch(g *graph.Graph) *Search {
	return &Search{solver: pcst.NewSolver(g), costs: g.Costs(), prizes: make([]float64, g.NumNodes())}
}

// maxDoublings bounds the hunt for an upper scale when costs are small beside the prizes.
const maxDoublings = 60

// Project overwrites dst with the support of w's projection onto the window: at most
// MaxIter + 1 halvings of the interval from 0 to the largest prize. If the forest of the
// upper end is too large because its edges are cheap, that end is doubled until it is not
// and the halving starts again; see the package comment. An entry of w that is not finite
// is refused with ErrNotFinite; w must have one entry per node, and the graph a node.
func (s *Search) Project(dst *Result, w []float64, window Window, opt Options) error {
	*dst = Result{Nodes: dst.Nodes[:0], Status: Zero}
	if len(w) != len(s.prizes) || len(w) == 0 {
		panic("projection: the vector's length is not the graph's number of nodes, or zero")
	}
	if opt.Clusters < 1 || opt.MaxIter < 0 {
		return fmt.Errorf("projection: %d clusters and max_iter %d, want at least 1 and 0", opt.Clusters, opt.MaxIter)
	}
	exp, err := squares(s.prizes, w)
	if err != nil {
		return err
	}
	largest := slices.Max(s.prizes)
	if largest == 0 {
		return nil
	}
	s.upperScale = -1
	err = s.bisect(dst, window, opt, 0, largest)
	dst.Scale = math.Ldexp(dst.Scale, 2*exp)
	return err
}

// squares fills dst with the squares of w/2^exp, where 2^exp is about the largest entry:
// a power of two changes no comparison, nothing overflows, and only squares that are
// nothing beside the largest underflow.
func squares(dst, w []float64) (exp int, err error) {
	largest := 0.0
	for i, x := range w {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return 0, fmt.Errorf("projection: entry %d is %v, %w", i, x, ErrNotFinite)
		}
		largest = max(largest, math.Abs(x))
	}
	_, exp = math.Frexp(largest)
	exp = max(-1000, min(exp, 1000)) // 2^±exp is a float64
	shrink := math.Ldexp(1, -exp)
	for i, x := range w {
		x *= shrink
		dst[i] = x * x
	}
	return exp, nil
}

// bisect halves [low, high], where the forest at low is taken to be too large. The forest
// of the upper end is kept, so that it is solved for only if that was not yet done.
func (s *Search) bisect(dst *Result, window Window, opt Options, low, high float64) error {
	for range opt.MaxIter + 1 {
		scale := (low + high) / 2
		size, err := s.solve(dst, scale, opt)
		if err != nil {
			return err
		}
		if window.Contains(size) {
			dst.take(s.forest.Nodes, scale, Bracketed)
			return nil
		}
		if size > window.High {
			low = scale
		} else {
			high = scale
			s.keepUpper(high)
		}
	}
	if s.upperScale != high {
		size, err := s.solve(dst, high, opt)
		if err != nil {
			return err
		}
		if size > window.High && s.cheap() {
			return s.widen(dst, window, opt, high)
		}
		s.keepUpper(high)
	}
	dst.take(s.upper, high, Exhausted)
	if window.Contains(len(s.upper)) {
		dst.Status = Bracketed
	}
	return nil
}

// keepUpper remembers the last forest as that of the interval's upper end.
func (s *Search) keepUpper(scale float64) {
	s.upper, s.upperScale = append(s.upper[:0], s.forest.Nodes...), scale
}

func (r *Result) take(nodes []int32, scale float64, status Status) {
	r.Nodes, r.Scale, r.Status = append(r.Nodes[:0], nodes...), scale, status
}

// cheap tells whether the forest's edges cost less than ½ on average. Then the largest
// prize is no upper end for the scale: even there an edge is cheap beside a prize.
func (s *Search) cheap() bool {
	total := 0.0
	for _, e := range s.forest.Edges {
		total += s.costs[e]
	}
	return total < float64(len(s.forest.Edges))/2
}

// widen doubles the upper end, at which the forest is too large, until it is not.
func (s *Search) widen(dst *Result, window Window, opt Options, high float64) error {
	for range maxDoublings {
		low := high
		high *= 2
		size, err := s.solve(dst, high, opt)
		if err != nil {
			return err
		}
		if window.Contains(size) {
			dst.take(s.forest.Nodes, high, Bracketed)
			return nil
		}
		if size <= window.High {
			s.keepUpper(high)
			return s.bisect(dst, window, opt, low, high)
		}
	}
	dst.take(s.forest.Nodes, high, Unreachable)
	return nil
}

// solve leaves the forest of a scale in s.forest and returns its number of nodes.
func (s *Search) solve(dst *Result, scale float64, opt Options) (size int, err error) {
	dst.Solves++
	err = s.solver.Solve(&s.forest, s.prizes, scale, pcst.Options{Clusters: opt.Clusters, Root: -1, Pruning: pcst.GWPruning})
	if err != nil {
		return 0, fmt.Errorf("projection: no forest: %w", err)
	}
	return len(s.forest.Nodes), nil
}
