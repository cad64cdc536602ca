package figures

import (
	"math"

	"gonum.org/v1/plot"
)

// A Panel is a drawing of lines over two axes.
type Panel struct {
	Title, XLabel, YLabel string
	Name                  string // name in CSV; "" means Title

	LogY        bool    // logarithmic y axis; values that are not positive become gaps
	YLow, YHigh float64 // range that the y axis must include; no range if both are 0
	YMost       float64 // upper limit of the y axis; 0 means no limit
	YLeast      float64 // lower limit of the y axis; 0 means no limit

	// XLabels names the x values 0, 1, 2 and so on. If it is nil, x is a number.
	XLabels []string

	Marks  []float64 // x values of dotted vertical lines
	Lines  []Line
	Counts []Count
}

// A Line is a curve with markers at its points, or at some of them if there are many.
type Line struct {
	Key   string // decides the look, e.g. "graphda"
	Label string // text in the legend, e.g. "GraphDA"; the same for the same key

	Points []Point // in the order of the line
	Errors Errors
	Apart  bool // markers without a line
	Filled bool // fill the area below the line; no markers
}

// A Count is a row of numbers below the x axis, in the colour of the lines with the same key.
type Count struct {
	Key string
	At  func(x float64) int
}

// A Point is a point of a line. If X or Y is not finite, the point is a gap. An Err that is not finite is not drawn.
type Point struct{ X, Y, Err float64 }

// Errors says what Point.Err means.
type Errors int

const (
	// NoErrors means that Err is not drawn.
	NoErrors Errors = iota
	// Bars means that Err is half the length of an error bar.
	Bars
	// Band means that Err is half the height of a band around the line.
	Band
)

// largest is the largest number that counts as finite, so that differences of numbers are finite too.
const largest = 1e300

func finite(v float64) bool { return math.Abs(v) <= largest }

type span struct{ low, high float64 }

func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

func (s span) empty() bool { return s.low > s.high }

func (s *span) add(v float64) { s.low, s.high = min(s.low, v), max(s.high, v) }

// open widens a span whose ends are nearly equal.
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

func (p Point) drawable(logY bool) bool {
	return finite(p.X) && finite(p.Y) && (!logY || p.Y > 0)
}

// whole tells whether all drawn x are integers, and whether all drawn y are integers.
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

// reach returns the ranges that the axes must show. Without points, x is empty.
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

func (p Panel) bars() (n int) {
	for _, l := range p.Lines {
		if l.Errors == Bars {
			n++
		}
	}
	return n
}

// extent returns the ranges of the axes, with some space around the points. Without points, x is empty.
func (p Panel) extent() (x, y span) {
	if x, y = p.reach(); x.empty() {
		return x, y
	}
	if p.LogY {
		return p.room(x), roomLog(y)
	}
	return p.room(x), roomLinear(y)
}

func (p Panel) room(x span) span {
	x.open()
	pad := (0.03 + 0.004*float64(p.bars())) * (x.high - x.low) // error bars side by side need space
	return span{x.low - pad, x.high + pad}
}

// roomLinear adds some space around y. If no value is negative, it adds none below 0.
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

type axis struct {
	span
	logarithmic bool
	ticks       []plot.Tick
}

// at returns the position of v on the axis, from 0 at the low end to 1 at the high end.
func (a axis) at(v float64) float64 {
	if a.logarithmic {
		return plot.LogScale{}.Normalize(a.low, a.high, v)
	}
	return plot.LinearScale{}.Normalize(a.low, a.high, v)
}
