package projection

// A Warm carries the scale from one search to the next, for vectors that change little between searches. With the
// zero Warm, the first search starts like the paper's.
//
// A warm search starts at the last scale relative to the sum of the prizes. It widens the interval until it
// contains the window, and stops when the interval is relatively narrower than a thousandth. It needs about a
// third of the solves. But if the forest's size jumps past the window, a warm search may end at another forest
// than the paper's search.
type Warm struct {
	Ratio float64 // the last scale divided by the sum of the prizes; 0 before the first search
}

// A pace says how fast a warm search closes in on the window.
type pace struct {
	tolerance float64 // relative width of the interval at which the search stops
	firstStep float64 // first factor by which the interval widens; it is squared each time
}

// exactPace locates the jump past the window; after its first step four halvings reach the tolerance. cutPace is
// for forests to be cut, where any forest near the window will do.
var (
	exactPace = pace{tolerance: 1e-3, firstStep: 1 + 16e-3}
	cutPace   = pace{tolerance: 0.1, firstStep: 1.05}
)

// warm searches from the last scale and stores where it ended. Between two vectors of a learner, the scale moves
// by about a hundredth relative to the sum of the prizes, and two or three times as much relative to the largest
// prize.
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

// searchFrom finds an interval around a scale and bisects it.
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
