package figures

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// A curve is a line of a panel, ready to be drawn.
type curve struct {
	line Line
	look look
	x, y axis
	side vg.Length // shift to the right
	bare bool      // without a band
}

const (
	manyPoints = 25 // curves with more points have only about fewMarks markers
	fewMarks   = 10
	capWidth   = 1.3  // half the width of the cap of an error bar, in points
	bandAlpha  = 0x1c // opacity of a band
)

// draw draws the curve into c. The left and lower sides of c are the axes.
func (u curve) draw(c draw.Canvas) {
	if u.line.Errors == Band && !u.bare {
		u.band(c, func(p Point) (low, high float64) { return p.Y - p.Err, p.Y + p.Err })
	}
	if u.line.Filled {
		u.band(c, func(p Point) (low, high float64) { return 0, p.Y })
	}
	var path vg.Path
	for _, run := range u.runs() {
		points := make([]vg.Point, len(run))
		for k, i := range run {
			points[k] = u.place(c, i)
		}
		for _, part := range c.ClipLinesXY(points) {
			for i, at := range part {
				if i == 0 {
					path.Move(at)
				} else {
					path.Line(at)
				}
			}
		}
	}
	if !u.line.Apart {
		canvas.Stroke(c, u.look.line(), path)
	}

	var bars vg.Path
	var places []vg.Point
	for _, i := range u.marked() {
		at := u.place(c, i)
		if !c.ContainsX(at.X) {
			continue
		}
		u.bar(&bars, c, i, at.X)
		if c.ContainsY(at.Y) {
			places = append(places, at)
		}
	}
	canvas.Stroke(c, draw.LineStyle{Color: u.look.color, Width: 0.5}, bars)
	u.look.mark.draw(c, u.look.style, places)
}

// band fills the area between low and high at each point, clipped to the panel.
func (u curve) band(c draw.Canvas, of func(Point) (low, high float64)) {
	fill := u.look.color
	fill.A = bandAlpha
	for _, run := range u.runs() {
		var upper, lower []vg.Point
		for _, i := range run {
			p := u.line.Points[i]
			if !finite(p.Err) {
				p.Err = 0
			}
			x, low := c.X(u.x.at(p.X)), c.Min.Y
			from, to := of(p)
			if from > 0 || !u.y.logarithmic {
				low = max(low, c.Y(u.y.at(from)))
			}
			upper = append(upper, vg.Point{X: x, Y: min(c.Max.Y, c.Y(u.y.at(to)))})
			lower = append(lower, vg.Point{X: x, Y: min(c.Max.Y, low)})
		}
		slices.Reverse(lower)
		c.FillPolygon(fill, append(upper, lower...))
	}
}

func (u curve) place(c draw.Canvas, i int) vg.Point {
	return vg.Point{X: c.X(u.x.at(u.line.Points[i].X)) + u.side, Y: c.Y(u.y.at(u.line.Points[i].Y))}
}

// bar appends the error bar of point i, clipped to the panel, to the path p.
func (u curve) bar(p *vg.Path, c draw.Canvas, i int, x vg.Length) {
	at := u.line.Points[i]
	if u.line.Errors != Bars || !finite(at.Err) || at.Err == 0 {
		return
	}
	low, high := c.Min.Y-1, c.Y(u.y.at(at.Y+at.Err))
	if v := at.Y - at.Err; v > 0 || !u.y.logarithmic {
		low = c.Y(u.y.at(v))
	}
	if low > c.Max.Y || high < c.Min.Y {
		return
	}
	canvas.Segment(p, x, max(low, c.Min.Y), x, min(high, c.Max.Y))
	for _, end := range []vg.Length{low, high} {
		if c.ContainsY(end) {
			canvas.Segment(p, x-capWidth, end, x+capWidth, end)
		}
	}
}

// runs returns the indices of the drawable points, split at gaps.
func (u curve) runs() (runs [][]int) {
	open := false
	for i, p := range u.line.Points {
		ok := p.drawable(u.y.logarithmic)
		if ok && !open {
			runs = append(runs, nil)
		}
		if open = ok; ok {
			runs[len(runs)-1] = append(runs[len(runs)-1], i)
		}
	}
	return runs
}

// marked returns the indices of the points with a marker. If there are more than manyPoints points, about fewMarks
// points have a marker. Their positions differ between methods. A point between two gaps always has a marker.
func (u curve) marked() (marked []int) {
	if u.line.Filled {
		return nil
	}
	runs := u.runs()
	all := slices.Concat(runs...)
	step, seen := 1, 0
	if len(all) > manyPoints && !u.line.Apart {
		step = (len(all) + fewMarks - 1) / fewMarks
	}
	first := u.look.rank * step / len(styles) % step
	for _, run := range runs {
		for _, i := range run {
			if seen%step == first || len(run) == 1 {
				marked = append(marked, i)
			}
			seen++
		}
	}
	return marked
}
