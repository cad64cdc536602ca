package projection

import "slices"

// A Warm carries the scale from one search to the next, for vectors that change little between searches.
//
// A warm search starts at the last scale, adjusted to the new sum of the prizes. It widens an interval around this
// scale until the forest is too large at one end and too small at the other, and bisects the interval. This takes about
// a third of the solves of the paper's search. If the forest's size jumps past the window, the two searches may find
// different forests.
type Warm struct {
	Ratio float64 // last scale divided by the sum of the prizes; 0 before the first search
}

type pace struct {
	tolerance float64 // relative width of the interval at which the search stops
	firstStep float64 // factor of the first widening; each further widening squares it
}

// exactPace finds the scale at which the forest's size jumps past the window. After one widening, four halvings reach
// its tolerance. cutPace is for searches with the option Cut, which can use any forest near the window.
var (
	exactPace = pace{tolerance: 1e-3, firstStep: 1 + 16e-3}
	cutPace   = pace{tolerance: 0.1, firstStep: 1.05}
)

// warm starts a search at the last scale, relative to the sum of the prizes. This ratio changes by about a hundredth
// between two vectors of a learner.
func (s *Search) warm(dst *Result, last *Warm) error {
	var err error
	pace := exactPace
	if s.options.Cut != 0 {
		pace = cutPace
	}
	if last.Ratio == 0 {
		err = s.start(dst, pace.tolerance)
	} else {
		err = s.searchFrom(dst, last.Ratio*s.total, pace)
	}
	last.Ratio = dst.Scale / s.total
	return err
}

// A start is the last head projection that had no earlier search to start from. Learners of different s make the same
// first head projection, if they have learned the same gradients until then.
type start struct {
	prizes  []float64
	window  Window
	options Options
	found   Result
}

// start searches between 0 and the largest prize, or repeats the result of the last start with the same input.
func (s *Search) start(dst *Result, tolerance float64) error {
	last, options := &s.started, s.options
	options.Warm, options.Kept = nil, nil
	if last.window != s.window || last.options != options || !slices.Equal(last.prizes, s.prizes) {
		if err := s.bisect(dst, 0, s.largest, tolerance); err != nil || s.options.Kept == nil {
			return err
		}
		last.prizes, last.window, last.options = append(last.prizes[:0], s.prizes...), s.window, options
		last.found.set(dst)
		return nil
	}
	dst.set(&last.found)
	return nil
}

func (r *Result) set(to *Result) {
	nodes := append(r.Nodes[:0], to.Nodes...)
	*r = *to
	r.Nodes = nodes
}

func (s *Search) searchFrom(dst *Result, scale float64, pace pace) error {
	low, high := 0.0, 0.0 // 0 means not found yet
	least, most := s.largest*0x1p-40, s.largest*0x1p20
	for step := pace.firstStep; (low == 0 || high == 0) && scale > least && scale < most; step *= step {
		side, err := s.try(dst, scale, high > 0 && high-scale < pace.tolerance*high)
		switch {
		case err != nil || side == inside:
			return err
		case side == tooLarge:
			low = scale
			scale *= step
		default:
			high = scale
			scale /= step
		}
	}
	if high == 0 {
		high = max(scale, s.largest)
	}
	return s.bisect(dst, low, high, pace.tolerance)
}
