package figures

import (
	"math"

	"gonum.org/v1/plot"
)

// A Panel is one coordinate system.
type Panel struct {
	Title, XLabel, YLabel string
	Name                  string // in CSV; "": the title

	LogY        bool    // then values that are not positive are gaps
	YLow, YHigh float64 // range that the y axis must include; both 0: none
	YMost       float64 // upper end of the y axis if data are higher; 0: the data's end
	YLeast      float64 // lower end of the y axis if data are lower; 0: the data's end

	// XLabels are the names of the whole numbers from 0 on the x axis and in CSV; none: x values are numbers.
	XLabels []string

	Marks  []float64 // x of dotted vertical lines, such as the true sparsity
	Lines  []Line
	Counts []Count // rows of numbers below the x axis, one for each label
}

// A Line is a curve with markers at its points, or at some of them if there are many.
type Line struct {
	Key   string // decides the look, e.g. "graphda"
	Label string // text in the legend, e.g. "GraphDA"; equal for equal keys

	Points []Point // in the order of joining
	Errors Errors
	Apart  bool // the points are not joined, and each has a marker
	Filled bool // the area below the line is filled, and points have no marker, as in a histogram
}

// A Count is a row of numbers below the x axis, in the colour of the line with its key.
type Count struct {
	Key string
	At  func(x float64) int
}

// A Point that is not finite is a gap. An Err that is not finite is not drawn.
type Point struct{ X, Y, Err float64 }

// Errors says what the errors of a line's points mean.
type Errors int

const (
	// NoErrors: there are none.
	NoErrors Errors = iota
	// Bars: half the length of error bars.
	Bars
	// Band: half the height of a band around the line.
	Band
)

// largest is the limit of finite numbers. Differences of such numbers are finite too.
const largest = 1e300

func finite(v float64) bool { return math.Abs(v) <= largest }

// A span is a part of an axis.
type span struct{ low, high float64 }

func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

func (s span) empty() bool { return s.low > s.high }

func (s *span) add(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

// open widens a span of one number, or of numbers that are equal up to rounding.
func (s *span) open() {
	size := max(math.Abs(s.low), math.Abs(s.high))
	if s.high-s.low > 1e-9*size {
		return
	}
	if size == 0 {
		size = 5
	}
	s.low, s.high = s.low-0.1*size, s.high+0.1*size
}

// drawable tells whether a point can be drawn on a panel with a linear or logarithmic y axis.
func (p Point) drawable(logY bool) bool {
	return finite(p.X) && finite(p.Y) && (!logY || p.Y > 0)
}

// whole tells, for each coordinate, whether all drawn points are integers.
func (p Panel) whole() (x, y bool) {
	x, y = true, true
	for _, l := range p.Lines {
		for _, at := range l.Points {
			if at.drawable(p.LogY) {
				x, y = x && at.X == math.Trunc(at.X), y && at.Y == math.Trunc(at.Y)
			}
		}
	}
	return x, y
}

// reach returns the ranges that the axes must show; x is empty if there is no point.
func (p Panel) reach() (x, y span) {
	x, y = nothing(), nothing()
	for _, l := range p.Lines {
		for _, at := range l.Points {
			if !at.drawable(p.LogY) {
				continue
			}
			x.add(at.X)
			y.add(at.Y)
			if l.Filled {
				y.add(0)
			}
			if l.Errors != NoErrors && finite(at.Err) {
				y.add(at.Y + at.Err)
				if low := at.Y - at.Err; low > 0 || !p.LogY {
					y.add(low)
				}
			}
		}
	}
	if !x.empty() && p.YLow < p.YHigh {
		y.add(p.YLow)
		y.add(p.YHigh)
	}
	if p.YMost != 0 && p.YMost > y.low {
		y.high = min(y.high, p.YMost)
	}
	if p.YLeast != 0 && p.YLeast < y.high {
		y.low = max(y.low, p.YLeast)
	}
	return x, y
}

// bars counts the lines with error bars.
func (p Panel) bars() (n int) {
	for _, l := range p.Lines {
		if l.Errors == Bars {
			n++
		}
	}
	return n
}

// extent returns the ranges that the axes show; x is empty if there is no point.
func (p Panel) extent() (x, y span) {
	if x, y = p.reach(); x.empty() {
		return x, y
	}
	if p.LogY {
		return p.room(x), roomLog(y)
	}
	return p.room(x), roomLinear(y)
}

// room adds space at the sides.
func (p Panel) room(x span) span {
	x.open()
	pad := (0.03 + 0.004*float64(p.bars())) * (x.high - x.low) // bars at one x are side by side
	return span{x.low - pad, x.high + pad}
}

// roomLinear adds space around the values, but none below zero if no value is negative.
func roomLinear(y span) span {
	positive := y.low >= 0
	y.open()
	pad := 0.04 * (y.high - y.low)
	y = span{y.low - pad, y.high + pad}
	if positive {
		y.low = max(0, y.low)
	}
	return y
}

func roomLog(y span) span {
	low, high := math.Log(y.low), math.Log(y.high)
	pad := 0.04 * (high - low)
	if high-low < math.Log(1.1) {
		pad = math.Ln2
	}
	return span{max(math.Exp(low-pad), 1e-305), min(math.Exp(high+pad), 1e305)}
}

// An axis is a span with its ticks.
type axis struct {
	span
	logarithmic bool
	ticks       []plot.Tick
}

// at returns the position of a value on the axis, from 0 at the low end to 1 at the high end.
func (a axis) at(v float64) float64 {
	if a.logarithmic {
		return plot.LogScale{}.Normalize(a.low, a.high, v)
	}
	return plot.LinearScale{}.Normalize(a.low, a.high, v)
}
