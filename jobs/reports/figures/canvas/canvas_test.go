package canvas

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

// A path is written in tenths of a point, relative to the previous point, from the upper left corner.
func TestPathData(t *testing.T) {
	c := &svgCanvas{size: vg.Point{X: 30, Y: 30}}
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: 30 - y} }
	var lines, moves, curve vg.Path
	lines.Move(at(4.0526, 21))
	lines.Line(at(24.053, 21))
	lines.Line(at(24.1, 10.5))
	lines.Close()
	lines.Line(at(4, 20))
	Segment(&moves, 1, 29, 2, 28)
	Segment(&moves, 3, 27, 3.04, 27)
	curve.Move(at(0, 0))
	curve.CubeTo(at(1, 0), at(2, 1), at(2, 2))
	for want, p := range map[string]vg.Path{
		"m 4.1 21 20 0 0-10.5zl-.1-1": lines, "m 1 1 1 1m 1 1 0 0": moves, "m 0 0c 1 0 2 1 2 2": curve} {
		if got := c.data(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
