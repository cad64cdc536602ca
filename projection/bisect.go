package projection

import (
	"fmt"

	"graphda/projection/pcst"
)

// bisect halves [low, high] at most MaxIter + 1 times, or until it is narrower than
// tolerance·high. The forest at low is taken to be too large; that of the upper end is
// kept, so that it is solved for only if that was not yet done.
func (s *Search) bisect(dst *Result, low, high, tolerance float64) error {
	for range s.options.MaxIter + 1 {
		if high-low < tolerance*high {
			break
		}
		scale := (low + high) / 2
		size, err := s.try(dst, scale)
		if err != nil {
			return err
		}
		switch {
		case s.window.Contains(size):
			return nil
		case size > s.window.High:
			low = scale
		default:
			high = scale
		}
	}
	if s.upperScale != high {
		size, err := s.solve(dst, high, pcst.Limits{})
		if err != nil {
			return err
		}
		if size > s.window.High && s.cheap() {
			return s.widen(dst, high, tolerance)
		}
		s.keepUpper(high, size)
	}
	s.solver.ExtractKept(&s.forest, &s.upper)
	status := Exhausted
	if s.window.Contains(s.upperSize) {
		status = Bracketed
	}
	s.setResult(dst, high, status)
	return nil
}

// maxDoublings bounds the hunt for an upper scale when costs are small beside the prizes.
const maxDoublings = 60

// widen doubles the upper end, at which the forest is too large, until it is not.
func (s *Search) widen(dst *Result, high, tolerance float64) error {
	for range maxDoublings {
		low := high
		high *= 2
		size, err := s.solve(dst, high, pcst.Limits{})
		if err != nil {
			return err
		}
		if s.window.Contains(size) {
			s.take(dst, high, Bracketed)
			return nil
		}
		if size <= s.window.High {
			s.keepUpper(high, size)
			return s.bisect(dst, low, high, tolerance)
		}
	}
	s.take(dst, high, Unreachable)
	return nil
}

// cheap tells whether the last forest's edges cost less than ½ on average. Then the
// largest prize is no upper end for the scale: even there an edge is cheap beside a prize.
func (s *Search) cheap() bool {
	s.solver.Extract(&s.forest)
	total := 0.0
	for _, e := range s.forest.Edges {
		total += s.costs[e]
	}
	return total < float64(len(s.forest.Edges))/2
}

// try looks at a scale, as far as is needed to tell on which side of it the window lies, and
// returns the number of the forest's nodes or some number on the same side of the window. A
// forest in the window is the result; trees known to be small are kept for the upper end.
func (s *Search) try(dst *Result, scale float64) (size int, err error) {
	longest := s.longest(scale)
	if s.largest > longest { // surely too small: the node of that prize lives too long
		return 0, nil
	}
	size, err = s.solve(dst, scale, pcst.Limits{Nodes: s.window.High, Life: longest})
	switch {
	case err != nil:
		return 0, err
	case s.window.Contains(size):
		s.take(dst, scale, Bracketed)
	case 0 < size && size < s.window.Low:
		s.keepUpper(scale, size)
	}
	return size, nil
}

// solve solves for a scale and returns the number of the forest's nodes. Beyond the limits
// it may be 0 or some number above them; then there is no forest.
func (s *Search) solve(dst *Result, scale float64, limits pcst.Limits) (size int, err error) {
	dst.Solves++
	opt := pcst.Options{Clusters: s.options.Clusters, Root: -1, Pruning: pcst.GWPruning}
	size, err = s.solver.Size(s.prizes, scale, opt, limits)
	if err != nil {
		return 0, fmt.Errorf("projection: no forest: %w", err)
	}
	return size, nil
}

// keepUpper remembers the trees last grown as those of the interval's upper end.
func (s *Search) keepUpper(scale float64, size int) {
	s.solver.Keep(&s.upper)
	s.upperScale, s.upperSize = scale, size
}

// take makes the forest last solved the result.
func (s *Search) take(dst *Result, scale float64, status Status) {
	s.solver.Extract(&s.forest)
	s.setResult(dst, scale, status)
}

func (s *Search) setResult(dst *Result, scale float64, status Status) {
	dst.Nodes, dst.Scale, dst.Status = append(dst.Nodes[:0], s.forest.Nodes...), scale, status
}
