package figures

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// Networks is a figure of small networks, drawn as nodes and links.
type Networks struct {
	Info
	Rows, Columns []string
	Cells         [][]Network // by row, then column

	Kinds      map[Kind]Meaning
	Unmeasured string // legend of outlined nodes; "" for none

	Large bool // each network fills the page and has larger names
}

// These are sizes of the nodes' names, in points.
const (
	nameSize      = 5.5
	largeNameSize = 7.0
)

// Parts returns the networks as drawings. Larger networks get wider drawings.
func (n *Networks) Parts() Parts {
	parts := Parts{Columns: max(1, len(n.Columns))}
	most := 1
	for _, row := range n.Cells {
		for _, cell := range row {
			most = max(most, len(cell.Nodes))
		}
	}
	root := vg.Length(math.Sqrt(float64(most)))
	room := max(40*millimetre, pageWidth/vg.Length(parts.Columns)-gap)
	width, letters := min(58*millimetre, room, max(90, 30*root)), nameSize
	if n.Large {
		width, letters = min(120*millimetre, max(120, 45*root)), largeNameSize
	}
	parts.Pieces = drawings(n.Rows, n.Columns, n.Cells, func(cell Network) Piece {
		d := cell.place(width, letters)
		d.kinds = n.Kinds
		return Piece{Note: cell.Note, Letters: letters, size: d.size, paint: d.paint}
	})
	explain := func(label string, k Kind, outline bool) {
		if label != "" {
			parts.Keys = append(parts.Keys, Key{label, Piece{size: vg.Point{X: 10, Y: lineHeight}, paint: func(c draw.Canvas) {
				var p vg.Path
				k.outline(&p, c.Center(), 2.6)
				k.paint(c, p, outline)
			}}})
		}
	}
	for _, k := range []Kind{Red, Blue, Grey} {
		explain(n.Kinds[k].Label, k, k == Grey)
	}
	explain(n.Unmeasured, Red, true)
	return parts
}

// Data returns a row for each node and edge. The column element is "node" or "edge". An edge has its ends in the
// columns name and other. The column measured is "no" for a node without measurements. A node without a name is named
// by its index.
func (n *Networks) Data() [][]string {
	heads := []string{"element", "name", "other", "kind", "weight", "measured"}
	return data(n.Rows, n.Columns, n.Cells, heads, func(cell Network) (rows [][]string) {
		name := func(v int) string { return cmp.Or(cell.Nodes[v].Name, strconv.Itoa(v)) }
		for v, node := range cell.Nodes {
			measured := ""
			if node.Unmeasured {
				measured = "no"
			}
			rows = append(rows, []string{"node", name(v), "", n.Kinds[node.Kind].Name, number(node.Weight), measured})
		}
		for _, e := range cell.Edges {
			rows = append(rows, []string{"edge", name(e[0]), name(e[1]), "", "", ""})
		}
		return rows
	})
}

// A Network is one drawing of nodes and links. A Network without Nodes leaves its place blank.
type Network struct {
	Nodes []Node
	Note  string   // text below the drawing
	Edges [][2]int // ends of each edge, as indices in Nodes; loops and repeated edges are not drawn

	// Places has positions (x, y). y points upwards, and neighbours are about 1 apart. If Places is nil,
	// canvas.Arrange makes them.
	Places [][2]float64
}

// A Node is a node of a Network.
type Node struct {
	Name   string
	Kind   Kind
	Weight float64 // decides the node's size; infinite and NaN count as 0
	Label  bool    // show the node's name if there is space; larger weights come first

	Unmeasured bool    // drawn without filling
	Ring       float64 // dark share of the ring around the node, from 0 to 1
	ID, About  string  // id and tooltip of the node in SVG; "" for none
}

// A Kind is a kind of nodes, with its own colour and shape.
type Kind int

const (
	Blue Kind = iota // squares
	Red              // discs
	Grey             // small circles, for nodes that connect others
)

// A Meaning explains a kind of nodes.
type Meaning struct {
	Name   string // name in CSV
	Label  string // name in the legend; "" to leave it out
	Strong bool   // edges between two such nodes are bold
}

// paint draws shapes of the kind, filled or as outlines. p is the path around them.
func (k Kind) paint(c draw.Canvas, p vg.Path, outline bool) {
	if len(p) == 0 {
		return
	}
	fill, line := kindColors[k], draw.LineStyle{Color: color.White, Width: 0.3}
	if outline {
		fill, line = white, draw.LineStyle{Color: kindColors[k], Width: 0.8}
	}
	c.SetColor(fill)
	c.Fill(p)
	canvas.Stroke(c, line, p)
}

var kindColors = [...]color.NRGBA{Blue: otherColor, Red: targetColor, Grey: faint}

func (k Kind) outline(p *vg.Path, at vg.Point, r vg.Length) {
	switch k {
	case Red:
		canvas.Round(p, at, r)
	case Grey:
		canvas.Round(p, at, 0.8*r)
	default:
		canvas.Polygon(p, at, 1.25*r, 4, math.Pi/4)
	}
}

type nodeDrawing struct {
	Network
	kinds   map[Kind]Meaning
	size    vg.Point
	letters float64
	at      []vg.Point
	radii   []vg.Length
}

const (
	longestEdge = 34 // length of an edge if there are few nodes, in points
	besideNodes = 7  // space around the nodes, in points
)

// place makes a drawing of the given width, and at most this height.
func (n Network) place(width vg.Length, letters float64) *nodeDrawing {
	d := &nodeDrawing{Network: n, letters: letters, size: vg.Point{X: width, Y: 2 * lineHeight}}
	if len(n.Nodes) == 0 {
		return d
	}
	d.at = canvas.Arrange(len(n.Nodes), n.Edges)
	for i, p := range n.Places {
		d.at[i] = vg.Point{X: vg.Length(p[0]), Y: vg.Length(p[1])}
	}
	all := make([]int, len(d.at))
	for i := range all {
		all[i] = i
	}
	box := canvas.Around(all, d.at)
	under := vg.Length(1.2 * letters)
	room := vg.Point{X: width - 2*besideNodes, Y: width - 2*besideNodes - under}
	scale := min(room.X/box.Size().X, room.Y/box.Size().Y, longestEdge)
	d.size.Y = box.Size().Y*scale + 2*besideNodes + under
	d.radii = n.radii(room.X, scale)
	inside := vg.Rectangle{Min: vg.Point{X: 1, Y: 1 + under}, Max: vg.Point{X: width - 1, Y: d.size.Y - 1}}
	for i, p := range d.at {
		d.at[i] = vg.Point{X: width / 2, Y: (d.size.Y + under) / 2}.Add(p.Sub(box.Min.Add(box.Max).Scale(0.5)).Scale(scale))
	}
	canvas.Separate(d.at, d.radii, inside)
	return d
}

func (n *nodeDrawing) paint(c draw.Canvas) {
	if n.Nodes == nil {
		return
	}
	if len(n.Nodes) == 0 {
		write(c, "no nodes", coloured(aligned(labelSize, draw.XCenter, draw.YCenter), faint), c.Center(), c.Size().X)
		return
	}
	at := make([]vg.Point, len(n.at))
	for i, p := range n.at {
		at[i] = c.Min.Add(p)
	}
	var links, paths vg.Path
	for _, e := range canvas.Simplified(n.Edges) {
		p := &links
		if n.kinds[n.Nodes[e[0]].Kind].Strong && n.kinds[n.Nodes[e[1]].Kind].Strong {
			p = &paths
		}
		canvas.Segment(p, at[e[0]].X, at[e[0]].Y, at[e[1]].X, at[e[1]].Y)
	}
	canvas.Stroke(c, draw.LineStyle{Color: linkColor, Width: 0.35}, links)
	canvas.Stroke(c, draw.LineStyle{Color: pathColor, Width: 0.5}, paths)
	n.drawRings(c, at)
	for _, kind := range []Kind{Grey, Blue, Red} {
		var filled, outlines vg.Path
		for i, v := range n.Nodes {
			switch {
			case v.Kind != kind:
			case v.Unmeasured || kind == Grey:
				kind.outline(&outlines, at[i], n.radii[i])
			default:
				kind.outline(&filled, at[i], n.radii[i])
			}
		}
		kind.paint(c, filled, false)
		kind.paint(c, outlines, true)
	}
	style := aligned(n.letters, draw.XCenter, draw.YTop)
	for _, p := range n.names() {
		canvas.Halo(c, style, c.Min.Add(vg.Point{X: (p.place.Min.X + p.place.Max.X) / 2, Y: p.place.Max.Y}), p.name)
	}
	for i, v := range n.Nodes {
		if v.ID != "" {
			canvas.Mark(c, v.ID, v.About, at[i], n.radii[i]+markGap)
		}
	}
}

const (
	ringGap = 1.2 // distance of the ring from its node, in points
	markGap = 3
)

// drawRings draws a faint ring around each node with Ring > 0. The dark arc begins at the top and runs clockwise.
func (n *nodeDrawing) drawRings(c draw.Canvas, at []vg.Point) {
	var shares, whole vg.Path
	for i, v := range n.Nodes {
		if v.Ring > 0 {
			canvas.Arc(&whole, at[i], n.radii[i]+ringGap, 1)
			canvas.Arc(&shares, at[i], n.radii[i]+ringGap, v.Ring)
		}
	}
	canvas.Stroke(c, draw.LineStyle{Color: hair, Width: 0.9}, whole)
	canvas.Stroke(c, draw.LineStyle{Color: ink, Width: 0.9}, shares)
}

// radii returns the radius of each node, which grows with the node's weight. Radii are smaller if there are many nodes,
// or if the edges are short.
func (n Network) radii(side, edge vg.Length) []vg.Length {
	usual := max(1.1, min(4.5, edge/5, 0.14*side/vg.Length(math.Sqrt(float64(len(n.Nodes))))))
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
		out[i] = usual
		if heaviest > 0 {
			out[i] *= vg.Length(0.75 + 0.65*math.Sqrt(weight(v)/heaviest))
		}
	}
	return out
}

type plate struct {
	name  string
	place vg.Rectangle
}

// names places the names of nodes with Label, the heaviest nodes first. A name is below its node, or above it if space
// is short. A name that would cover another name or a named node is dropped.
func (n *nodeDrawing) names() (out []plate) {
	var named []int
	for i, v := range n.Nodes {
		if v.Label && v.Name != "" {
			named = append(named, i)
		}
	}
	slices.SortStableFunc(named, func(a, b int) int { return cmp.Compare(n.radii[b], n.radii[a]) })
	style := words(n.letters)
	for _, i := range named {
		name := canvas.Spell(n.Nodes[i].Name)
		size := vg.Point{X: style.Width(name), Y: style.Font.Size}
		away := n.radii[i] + 0.7
		if n.Nodes[i].Ring > 0 {
			away += ringGap
		}
		left := max(0, min(n.size.X-size.X, n.at[i].X-size.X/2))
		for _, bottom := range []vg.Length{n.at[i].Y - away - size.Y, n.at[i].Y + away} {
			corner := vg.Point{X: left, Y: bottom}
			p := plate{name, vg.Rectangle{Min: corner, Max: corner.Add(size)}}
			if n.free(p.place, i, named, out) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// free tells whether node i's name fits at r without covering another name or a named node.
func (n *nodeDrawing) free(r vg.Rectangle, i int, named []int, taken []plate) bool {
	for _, p := range taken {
		if t := p.place; r.Min.X < t.Max.X && t.Min.X < r.Max.X && r.Min.Y < t.Max.Y && t.Min.Y < r.Max.Y {
			return false
		}
	}
	for _, k := range named {
		p := n.at[k]
		d := p.Sub(vg.Point{X: max(r.Min.X, min(r.Max.X, p.X)), Y: max(r.Min.Y, min(r.Max.Y, p.Y))})
		if k != i && d.Dot(d) < n.radii[k]*n.radii[k] {
			return false
		}
	}
	return r.Min.X >= 0 && r.Min.Y >= 0 && r.Max.X <= n.size.X && r.Max.Y <= n.size.Y
}
