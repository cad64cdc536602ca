package projection

// A Warm carries the scale of one search to the next, for searches of vectors that change
// little from one to the next. The zero Warm makes the first search start as the paper's.
//
// A warm search starts at the last scale, relative to the sum of the prizes, widens the
// interval until it holds the window, and stops when it is relatively narrower than a
// thousandth. It needs about a third of the solves, but where the forest's size jumps over
// the window it may end at another forest than the paper's search.
type Warm struct {
	Ratio float64 // the last scale by the sum of the prizes; 0 before the first search
}

// A pace is how a warm search closes in on the window.
type pace struct {
	tolerance float64 // the search stops when its interval is narrower, relatively
	firstStep float64 // widens the interval first; each time after, it is the square of the last
}

// exactPace finds where the size jumps over the window; from its first step four halvings lead
// below the tolerance. cutPace is for forests to be cut, for which any that is near will do.
var (
	exactPace = pace{tolerance: 1e-3, firstStep: 1 + 16e-3}
	cutPace   = pace{tolerance: 0.1, firstStep: 1.05}
)

// warm searches from the last scale and remembers where it ended. From one vector of a
// learner to the next the scale moves by a hundredth or so relative to the sum of the
// prizes, and two or three times as far relative to the largest.
func (s *Search) warm(dst *Result, last *Warm) error {
	var err error
	pace := exactPace
	if s.options.Cut != 0 {
		pace = cutPace
	}
	if last.Ratio == 0 {
		err = s.bisect(dst, 0, s.largest, pace.tolerance)
	} else {
		err = s.searchFrom(dst, last.Ratio*s.total, pace)
	}
	last.Ratio = dst.Scale / s.total
	return err
}

// searchFrom finds an interval around a scale and halves it.
func (s *Search) searchFrom(dst *Result, scale float64, pace pace) error {
	low, high := 0.0, 0.0 // 0 until found
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
