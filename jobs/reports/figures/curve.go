package figures

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A curve draws one line: the line itself, its error bars, and its markers, each as one
// path.
type curve struct {
	line Line
	look look
	x, y axis
	side vg.Length // by which it is drawn to the right of its place
}

const (
	manyPoints = 25   // from which on not all have a marker
	fewMarks   = 10   // then
	capWidth   = 1.3  // half, of error bars, in points
	invisible  = 0.1  // points by which a line may be simplified
	bandAlpha  = 0x1c // of a band's colour
)

// draw draws the curve, whose axes lie along the sides of c.
func (u curve) draw(c draw.Canvas) {
	if u.line.Band {
		u.band(c)
	}
	var path vg.Path
	for _, run := range u.runs() {
		points := make([]vg.Point, 0, run.end-run.start)
		for i := run.start; i < run.end; i++ {
			points = append(points, u.place(c, i))
		}
		for _, part := range c.ClipLinesXY(points) {
			for i, at := range simplify(part, invisible) {
				if i == 0 {
					path.Move(at)
				} else {
					path.Line(at)
				}
			}
		}
	}
	stroke(c, u.look.line(), path)

	var bars vg.Path
	var places []vg.Point
	for _, i := range u.marked() {
		at := u.place(c, i)
		if !c.ContainsX(at.X) {
			continue
		}
		if !u.line.Band {
			u.bar(&bars, c, i, at.X)
		}
		if c.ContainsY(at.Y) {
			places = append(places, at)
		}
	}
	stroke(c, draw.LineStyle{Color: u.look.color, Width: 0.5}, bars)
	u.look.mark.draw(c, u.look.style, places)
}

// band fills what lies within the errors around the line, as far as it lies in the panel.
func (u curve) band(c draw.Canvas) {
	fill := u.look.color
	fill.A = bandAlpha
	for _, run := range u.runs() {
		var upper, lower []vg.Point
		for i := run.start; i < run.end; i++ {
			e := u.line.Err[i]
			if !finite(e) {
				e = 0
			}
			x, low := c.X(u.x.at(u.line.X[i])), c.Min.Y
			if v := u.line.Y[i] - e; v > 0 || !u.y.logarithmic {
				low = max(low, c.Y(u.y.at(v)))
			}
			upper = append(upper, vg.Point{X: x, Y: min(c.Max.Y, c.Y(u.y.at(u.line.Y[i]+e)))})
			lower = append(lower, vg.Point{X: x, Y: min(c.Max.Y, low)})
		}
		slices.Reverse(lower)
		c.FillPolygon(fill, simplify(append(upper, lower...), invisible))
	}
}

// place is where point i is drawn.
func (u curve) place(c draw.Canvas, i int) vg.Point {
	return vg.Point{X: c.X(u.x.at(u.line.X[i])) + u.side, Y: c.Y(u.y.at(u.line.Y[i]))}
}

// bar appends the error bar of point i, as far as it lies in the panel.
func (u curve) bar(p *vg.Path, c draw.Canvas, i int, x vg.Length) {
	if u.line.Err == nil || !finite(u.line.Err[i]) || u.line.Err[i] == 0 {
		return
	}
	low, high := c.Min.Y-1, c.Y(u.y.at(u.line.Y[i]+u.line.Err[i]))
	if v := u.line.Y[i] - u.line.Err[i]; v > 0 || !u.y.logarithmic {
		low = c.Y(u.y.at(v))
	}
	if low > c.Max.Y || high < c.Min.Y {
		return
	}
	segment(p, x, max(low, c.Min.Y), x, min(high, c.Max.Y))
	for _, end := range []vg.Length{low, high} {
		if c.ContainsY(end) {
			segment(p, x-capWidth, end, x+capWidth, end)
		}
	}
}

// A run is a range of points without a gap.
type run struct{ start, end int }

func (u curve) runs() []run {
	var runs []run
	open := false
	for i := range u.line.X {
		switch ok := u.line.drawable(i, u.x.logarithmic, u.y.logarithmic); {
		case !ok:
			open = false
		case open:
			runs[len(runs)-1].end = i + 1
		default:
			runs, open = append(runs, run{i, i + 1}), true
		}
	}
	return runs
}

// marked returns the points that have a marker: all if they are few, else about fewMarks,
// at other places for other methods, and those between two gaps, which are no line.
func (u curve) marked() []int {
	runs, n := u.runs(), 0
	for _, r := range runs {
		n += r.end - r.start
	}
	step, seen := 1, 0
	if n > manyPoints {
		step = (n + fewMarks - 1) / fewMarks
	}
	first := u.look.rank * step / len(styles) % step
	var out []int
	for _, r := range runs {
		for i := r.start; i < r.end; i++ {
			if seen%step == first || r.end-r.start == 1 {
				out = append(out, i)
			}
			seen++
		}
	}
	return out
}

// simplify drops points that are less than tolerance from the line that is drawn without
// them, by the algorithm of Ramer, Douglas and Peucker.
func simplify(points []vg.Point, tolerance vg.Length) []vg.Point {
	if len(points) < 3 {
		return points
	}
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	for stack := [][2]int{{0, len(points) - 1}}; len(stack) > 0; {
		a, b := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		far, at := tolerance, -1
		for i := a + 1; i < b; i++ {
			if d := distance(points[i], points[a], points[b]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			stack = append(stack, [2]int{a, at}, [2]int{at, b})
		}
	}
	out := make([]vg.Point, 0, len(points))
	for i, k := range keep {
		if k {
			out = append(out, points[i])
		}
	}
	return out
}

// distance is that of p from the segment from a to b.
func distance(p, a, b vg.Point) vg.Length {
	ab, ap := b.Sub(a), p.Sub(a)
	t := vg.Length(0)
	if square := ab.Dot(ab); square > 0 {
		t = max(0, min(1, ap.Dot(ab)/square))
	}
	off := ap.Sub(ab.Scale(t))
	return vg.Length(math.Hypot(float64(off.X), float64(off.Y)))
}
