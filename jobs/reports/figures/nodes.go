package figures

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// draw draws the network inside c: edges, nodes over them, names over all.
func (n Network) draw(c draw.Canvas, seed uint64) {
	if len(n.Nodes) == 0 {
		write(c, "no nodes", coloured(aligned(labelSize, draw.XCenter, draw.YCenter), faint), c.Center(), c.Size().X)
		return
	}
	radii := n.radii(c.Size().X)
	at := scaled(arrange(len(n.Nodes), n.Edges, seed), c.Rectangle, slices.Max(radii))
	separate(at, radii, c.Rectangle)

	var links, paths vg.Path
	for _, e := range simplified(n.Edges) {
		p := &links
		if n.Nodes[e[0]].Kind.matters() && n.Nodes[e[1]].Kind.matters() {
			p = &paths
		}
		segment(p, at[e[0]].X, at[e[0]].Y, at[e[1]].X, at[e[1]].Y)
	}
	stroke(c, draw.LineStyle{Color: linkColor, Width: 0.35}, links)
	stroke(c, draw.LineStyle{Color: pathColor, Width: 0.5}, paths)
	n.drawRings(c, at, radii)
	for _, kind := range []Kind{Connecting, Other, Target, Lowering, Raising} {
		var filled, outlines vg.Path
		for i, v := range n.Nodes {
			switch {
			case v.Kind != kind:
			case v.Unmeasured || kind == Connecting:
				kind.outline(&outlines, at[i], radii[i])
			default:
				kind.outline(&filled, at[i], radii[i])
			}
		}
		kind.paint(c, filled, false)
		kind.paint(c, outlines, true)
	}
	n.drawNames(c, at, radii)
	if svg, ok := below(c).(*svgCanvas); ok {
		for i, v := range n.Nodes {
			if v.ID != "" {
				svg.mark(v.ID, v.About, at[i], radii[i]+markGap)
			}
		}
	}
}

// below is what a canvas, which may be a part of others, draws on in the end.
func below(c vg.Canvas) vg.Canvas {
	for {
		of, ok := c.(draw.Canvas)
		if !ok {
			return c
		}
		c = of.Canvas
	}
}

// matters tells whether an edge between two such nodes is drawn strongly.
func (k Kind) matters() bool { return k == Target || k == Raising || k == Lowering }

const (
	ringGap = 1.2 // between a node and its ring, in points
	markGap = 3
)

// drawRings draws the share of a ring around each node that it has, from the top clockwise, on a faint ring.
func (n Network) drawRings(c draw.Canvas, at []vg.Point, radii []vg.Length) {
	var shares, whole vg.Path
	for i, v := range n.Nodes {
		if v.Ring > 0 {
			arc(&whole, at[i], radii[i]+ringGap, 1)
			arc(&shares, at[i], radii[i]+ringGap, v.Ring)
		}
	}
	stroke(c, draw.LineStyle{Color: hair, Width: 0.9}, whole)
	stroke(c, draw.LineStyle{Color: ink, Width: 0.9}, shares)
}

// arc appends a share of a circle, from the top clockwise: of straight lines, as arcs are not the same in all
// canvases.
func arc(p *vg.Path, at vg.Point, r vg.Length, share float64) {
	steps := int(math.Ceil(32 * share))
	p.Move(polar(at, r, math.Pi/2))
	for k := 1; k <= steps; k++ {
		p.Line(polar(at, r, math.Pi/2-2*math.Pi*share*float64(k)/float64(steps)))
	}
}

// radii returns how large the nodes are: smaller the more there are, and by their weights.
func (n Network) radii(side vg.Length) []vg.Length {
	most := 3.0
	if n.large {
		most = 6
	}
	usual := max(1.1, min(most, 0.14*float64(side)/math.Sqrt(float64(len(n.Nodes)))))
	weight := func(v Node) float64 {
		if !finite(v.Weight) {
			return 0
		}
		return math.Abs(v.Weight)
	}
	heaviest := 0.0
	for _, v := range n.Nodes {
		heaviest = max(heaviest, weight(v))
	}
	out := make([]vg.Length, len(n.Nodes))
	for i, v := range n.Nodes {
		out[i] = vg.Length(usual)
		if heaviest > 0 {
			out[i] *= vg.Length(0.75 + 0.65*math.Sqrt(weight(v)/heaviest))
		}
	}
	return out
}

// scaled moves a layout into the middle of a rectangle, as large as fits, but not so large
// that a few nodes stand at its corners.
func scaled(places []r2.Vec, r vg.Rectangle, border vg.Length) []vg.Point {
	all := make([]int, len(places))
	for i := range all {
		all[i] = i
	}
	box := around(all, places)
	size := box.Size()
	room := r.Size().Sub(vg.Point{X: 2 * border, Y: 2 * border})
	scale := min(float64(room.X)/size.X, float64(room.Y)/size.Y, float64(room.X)/2.6)
	centre := box.Center()
	middle := r.Min.Add(r.Max).Scale(0.5)
	out := make([]vg.Point, len(places))
	for i, p := range places {
		d := r2.Scale(scale, r2.Sub(p, centre))
		out[i] = middle.Add(vg.Point{X: vg.Length(d.X), Y: vg.Length(d.Y)})
	}
	return out
}

// separate pushes nodes apart that cover each other, as far as there is room.
func separate(at []vg.Point, radii []vg.Length, r vg.Rectangle) {
	const between, rounds = 0.8, 60
	for range rounds {
		moved := false
		for i := range at {
			for j := range i {
				d := at[i].Sub(at[j])
				length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
				push := (radii[i] + radii[j] + between - length) / 2
				if push <= 0 {
					continue
				}
				moved = true
				if length == 0 { // in a direction of their own
					d, length = polar(vg.Point{}, 1, float64(i)), 1
				}
				d = d.Scale(push / length)
				at[i], at[j] = at[i].Add(d), at[j].Sub(d)
			}
		}
		for i, p := range at {
			at[i].X = max(r.Min.X+radii[i], min(r.Max.X-radii[i], p.X))
			at[i].Y = max(r.Min.Y+radii[i], min(r.Max.Y-radii[i], p.Y))
		}
		if !moved {
			return
		}
	}
}

// The sizes of names of nodes, in points: usually, and in large networks.
const (
	nameSize      = 5.5
	largeNameSize = 7.0
)

func (n Network) names() draw.TextStyle {
	if n.large {
		return words(largeNameSize)
	}
	return words(nameSize)
}

// drawNames writes the names that have a place, each on a ground that lets the edges under
// it shine through.
func (n Network) drawNames(c draw.Canvas, at []vg.Point, radii []vg.Length) {
	style := n.names()
	rise := 0.15*style.Font.Size - style.FontExtents().Descent
	for _, p := range n.plates(c.Rectangle, at, radii) {
		c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xb0})
		c.Fill(p.place.Path())
		c.FillText(style, p.place.Min.Add(vg.Point{Y: rise}), p.name)
	}
}

// A plate is a name and its place.
type plate struct {
	name  string
	place vg.Rectangle
}

// plates finds places for the names of the nodes that ask for it, the heaviest first, each
// where it covers least. A name for which there is no room has none.
func (n Network) plates(cell vg.Rectangle, at []vg.Point, radii []vg.Length) []plate {
	var named []int
	for i, v := range n.Nodes {
		if v.Label && v.Name != "" {
			named = append(named, i)
		}
	}
	slices.SortStableFunc(named, func(a, b int) int { return cmp.Compare(radii[b], radii[a]) })
	style := n.names()
	var out []plate
	for _, i := range named {
		name := spell(n.Nodes[i].Name)
		size := vg.Point{X: style.Width(name), Y: style.Font.Size * 0.95}
		best, least := vg.Rectangle{}, math.Inf(1)
		gap := vg.Length(0.7)
		if n.Nodes[i].Ring > 0 {
			gap += ringGap
		}
		for _, corner := range aroundNode(at[i], radii[i]+gap, size) {
			r := vg.Rectangle{Min: corner, Max: corner.Add(size)}
			if cost := n.cost(r, i, cell, out, at, radii); cost < least {
				best, least = r, cost
			}
		}
		if !math.IsInf(least, 1) {
			out = append(out, plate{name, best})
		}
	}
	return out
}

// aroundNode returns where the lower left corner of a name may lie: beside its node, over
// and under it, and between.
func aroundNode(at vg.Point, r vg.Length, size vg.Point) []vg.Point {
	diagonal := r * 0.7
	left, right, centre := at.X-size.X, at.X, at.X-size.X/2
	return []vg.Point{
		{X: right + r, Y: at.Y - size.Y/2}, {X: left - r, Y: at.Y - size.Y/2},
		{X: centre, Y: at.Y + r}, {X: centre, Y: at.Y - r - size.Y},
		{X: right + diagonal, Y: at.Y + diagonal}, {X: left - diagonal, Y: at.Y + diagonal},
		{X: right + diagonal, Y: at.Y - diagonal - size.Y}, {X: left - diagonal, Y: at.Y - diagonal - size.Y},
	}
}

// cost counts the nodes that a name would cover. It is infinite if the name cannot stand
// there: over another name, over a node that matters, or outside the cell.
func (n Network) cost(r vg.Rectangle, own int, cell vg.Rectangle, taken []plate, at []vg.Point,
	radii []vg.Length) float64 {
	if r.Min.X < cell.Min.X || r.Min.Y < cell.Min.Y || r.Max.X > cell.Max.X || r.Max.Y > cell.Max.Y {
		return math.Inf(1)
	}
	for _, p := range taken {
		t := p.place
		if r.Min.X < t.Max.X && t.Min.X < r.Max.X && r.Min.Y < t.Max.Y && t.Min.Y < r.Max.Y {
			return math.Inf(1)
		}
	}
	covered := 0.0
	for i, p := range at {
		near := vg.Point{X: max(r.Min.X, min(r.Max.X, p.X)), Y: max(r.Min.Y, min(r.Max.Y, p.Y))}
		d := p.Sub(near)
		switch {
		case i == own || d.Dot(d) >= radii[i]*radii[i]:
		case n.Nodes[i].Kind == Target || n.Nodes[i].Label:
			return math.Inf(1)
		default:
			covered++
		}
	}
	return covered
}
