package projection

import (
	"fmt"
	"math"

	"graphda/projection/pcst"
)

// bisect halves the interval [low, high] of scales at most MaxIter + 1 times, or until it is narrower than
// tolerance·high. The forest at scale low must be too large. If no forest is in the window, the forest at the upper end
// becomes the result.
func (s *Search) bisect(dst *Result, low, high, tolerance float64) error {
	for range s.options.MaxIter + 1 {
		if high-low < tolerance*high {
			break
		}
		scale := (low + high) / 2
		side, err := s.try(dst, scale, high-scale < tolerance*high)
		switch {
		case err != nil || side == inside:
			return err
		case side == tooLarge:
			low = scale
		default:
			high = scale
		}
	}
	if s.options.Cut != 0 && low > 0 && high == s.dear {
		_, err := s.try(dst, low, true)
		return err
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

const maxDoublings = 60

// widen doubles the scale until the forest fits, and then bisects. At scale high the forest must be too large.
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
			s.dear = high
			return s.bisect(dst, low, high, tolerance)
		}
	}
	s.take(dst, high, Unreachable)
	return nil
}

// cheap reports whether the edges of the last forest cost less than ½ on average (see the package comment).
func (s *Search) cheap() bool {
	s.solver.Extract(&s.forest)
	total := 0.0
	for _, e := range s.forest.Edges {
		total += s.costs[e]
	}
	return total < float64(len(s.forest.Edges))/2
}

// A side is the position of a forest's size relative to the window.
type side uint8

const (
	tooSmall side = iota
	inside
	tooLarge
)

// try tells whether the forest at the given scale is below, inside or above the window. It solves only as far as this
// needs. A forest inside the window becomes the result. With the option Cut, try cuts a forest of up to Cut·High nodes
// to the window, and the cut forest becomes the result. At the last scale, it cuts a forest of any size.
func (s *Search) try(dst *Result, scale float64, last bool) (side, error) {
	longest := s.longest(scale)
	if s.largest > longest { // if a cluster lives that long, the forest is too small
		s.dear = scale
		return tooSmall, nil
	}
	limits := pcst.Limits{Nodes: s.window.High, Life: longest}
	switch {
	case s.options.Cut != 0 && last:
		limits.Nodes = math.MaxInt32
	case s.options.Cut != 0:
		limits.Nodes = int(min(s.options.Cut*float64(s.window.High), math.MaxInt32))
	}
	size, err := s.solve(dst, scale, limits)
	switch {
	case err != nil:
		return 0, err
	case size > limits.Nodes:
		return tooLarge, nil
	case size > s.window.High:
		s.cut(dst, scale)
		return inside, nil
	case size >= s.window.Low:
		s.take(dst, scale, Bracketed)
		return inside, nil
	case size > 0:
		s.keepUpper(scale, size)
	}
	s.dear = scale
	return tooSmall, nil
}

// cut cuts the last solved forest to the window, and makes it the result.
func (s *Search) cut(dst *Result, scale float64) {
	s.solver.Extract(&s.forest)
	s.hull.cut(&s.forest, s.prizes, s.window, s.options.Root-1)
	status := Bracketed
	switch size := len(s.forest.Nodes); {
	case size > s.window.High: // edges of cost 0 cannot be cut
		status = Unreachable
	case size < s.window.Low:
		status = Exhausted
	}
	s.setResult(dst, scale, status)
}

// solve finds the forest at the given scale and returns its number of nodes. If the solver stops early, there is no
// forest. If the limit Life stopped it, size is 0. If the limit Nodes stopped it, size is above limits.Nodes.
func (s *Search) solve(dst *Result, scale float64, limits pcst.Limits) (size int, err error) {
	dst.Solves++
	size, err = s.solver.Size(s.prizes, scale, s.options.solverOptions(), limits)
	if err != nil {
		return 0, fmt.Errorf("projection: no forest: %w", err)
	}
	return size, nil
}

func (s *Search) keepUpper(scale float64, size int) {
	s.solver.Keep(&s.upper)
	s.upperScale, s.upperSize = scale, size
}

func (s *Search) take(dst *Result, scale float64, status Status) {
	s.solver.Extract(&s.forest)
	s.setResult(dst, scale, status)
}

func (s *Search) setResult(dst *Result, scale float64, status Status) {
	dst.Nodes, dst.Scale, dst.Status = append(dst.Nodes[:0], s.forest.Nodes...), scale, status
}
