package figures

import (
	"cmp"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// Networks is a table of node-link pictures of small graphs, such as the genes that a
// method selects.
type Networks struct {
	Info
	Rows, Columns []string    // names
	Cells         [][]Network // one per row and column

	Kinds      map[Kind]Meaning
	Unmeasured string // what an outline means; "" if it is not explained

	Large bool // a network fills the page, and is to be read
}

// A Network is a graph. One whose Nodes are nil is missing, and its cell stays blank.
type Network struct {
	Nodes []Node
	Note  string   // below it, such as how many of its nodes were looked for
	Edges [][2]int // places of their ends in Nodes; loops and repetitions are not drawn

	// Places are where the nodes stand, with neighbours about 1 apart, y upwards; nil: as the edges want it.
	Places [][2]float64
}

// A Node is a vertex of a Network.
type Node struct {
	Name   string
	Kind   Kind
	Weight float64 // a larger absolute value, a larger node; what is not finite counts as 0
	Label  bool    // whether to write the name, if there is room; heavier nodes come first

	Unmeasured bool    // an outline: its values were filled in
	Ring       float64 // share of a full ring around it, 0 to 1; 0: none
	ID, About  string  // of the place in an SVG drawing that can be gone to, and its tooltip; "": none
}

// A Kind is a class of nodes, which have a colour and a shape.
type Kind int

const (
	Blue Kind = iota // squares
	Red              // discs
	Grey             // small circles that hold others together
)

// A Meaning is what nodes of a kind are.
type Meaning struct {
	Name   string // in CSV
	Label  string // below the table; "" if it is not explained there
	Strong bool   // edges between two of them are drawn strongly
}

// The sizes of names of nodes, in points: usually, and in large networks.
const (
	nameSize      = 5.5
	largeNameSize = 7.0
)

// Parts are the networks, each as high as its drawing. The more nodes the largest has, the wider they are.
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

// The looks of the kinds of nodes: of different brightness, for a grey print.
var (
	targetColor = color.NRGBA{0xcc, 0x33, 0x11, 0xff}
	otherColor  = color.NRGBA{0x7f, 0xb2, 0xdd, 0xff}
	linkColor   = color.NRGBA{0xa8, 0xa8, 0xa8, 0xff}
	pathColor   = color.NRGBA{0x66, 0x55, 0x50, 0xff} // of an edge that is drawn strongly
)

// paint draws a path around nodes of the kind: filled, or as outlines.
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

// kindColors are the colours of the kinds.
var kindColors = [...]color.NRGBA{Blue: otherColor, Red: targetColor, Grey: faint}

// outline appends the shape of a node.
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

// Data has a row per node and per edge: element is "node" or "edge", other the second end of an edge, measured "no" of
// nodes that were not. A node without a name goes by its place, from 0.
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
