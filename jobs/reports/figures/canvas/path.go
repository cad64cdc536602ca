package canvas

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Segment appends a straight line to the path p.
func Segment(p *vg.Path, x0, y0, x1, y1 vg.Length) {
	p.Move(vg.Point{X: x0, Y: y0})
	p.Line(vg.Point{X: x1, Y: y1})
}

// Stroke draws the path p unless it is empty.
func Stroke(c draw.Canvas, s draw.LineStyle, p vg.Path) {
	if len(p) > 0 {
		c.SetLineStyle(s)
		c.Stroke(p)
	}
}

// Arc appends the given share of a circle, clockwise from the top. It uses straight lines, because canvases draw true
// arcs differently.
func Arc(p *vg.Path, at vg.Point, r vg.Length, share float64) {
	steps := int(math.Ceil(32 * share))
	p.Move(Polar(at, r, math.Pi/2))
	for k := 1; k <= steps; k++ {
		p.Line(Polar(at, r, math.Pi/2-2*math.Pi*share*float64(k)/float64(steps)))
	}
}

// Round appends a circle to p. It uses four curves, because canvases draw true arcs differently.
func Round(p *vg.Path, at vg.Point, r vg.Length) {
	k := r * 0.5522847498
	to := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x, Y: at.Y + y} }
	p.Move(to(r, 0))
	p.CubeTo(to(r, k), to(k, r), to(0, r))
	p.CubeTo(to(-k, r), to(-r, k), to(-r, 0))
	p.CubeTo(to(-r, -k), to(-k, -r), to(0, -r))
	p.CubeTo(to(k, -r), to(r, -k), to(r, 0))
	p.Close()
}

// Polygon appends a regular polygon to p. The angle of its first corner is in radians.
func Polygon(p *vg.Path, at vg.Point, r vg.Length, corners int, angle float64) {
	for i := range corners {
		to := Polar(at, r, angle+2*math.Pi*float64(i)/float64(corners))
		if i == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	p.Close()
}

// Polar returns the point with the distance r from the point `at`. The angle is in radians.
func Polar(at vg.Point, r vg.Length, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
}
