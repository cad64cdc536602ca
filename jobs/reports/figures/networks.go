package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Networks is a table of node-link pictures of small graphs, such as the genes that a
// method selects.
type Networks struct {
	Info
	Rows, Columns []string    // names
	Cells         [][]Network // one per row and column

	// What the kinds of nodes are called, and those that were not measured, below the table; "" for
	// what is not explained there.
	Target, Other, Unmeasured string

	// The same for networks of signs.
	Raises, Lowers, Connects string

	Large bool   // a network fills the page, and is to be read
	Seed  uint64 // of the layouts
}

var _ Figure = (*Networks)(nil)

// A Network is a graph. One whose Nodes are nil is missing, and its cell stays blank.
type Network struct {
	Nodes []Node
	Note  string   // below it, such as how many of its nodes were looked for
	Edges [][2]int // places of their ends in Nodes; loops and repetitions are not drawn

	large bool
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
	// Other nodes are blue squares.
	Other Kind = iota
	// Target nodes, those that were looked for, are red discs.
	Target
	// Raising nodes have a positive weight: red discs.
	Raising
	// Lowering nodes have a negative weight: blue squares.
	Lowering
	// Connecting nodes have no weight and hold others together: small grey circles.
	Connecting
)

var kindNames = [...]string{"other", "target", "raising", "lowering", "connecting"}

// String is the kind's name in CSV.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return kindNames[k]
}

// maxNodes is what a layout takes within seconds.
const maxNodes = 2000

// Validate tells what contradicts itself.
func (n *Networks) Validate() error {
	return checkCells(fmt.Sprintf("networks %q", n.Name), n.Rows, n.Columns, n.Cells, Network.check)
}

func (n Network) check() error {
	if len(n.Nodes) > maxNodes {
		return fmt.Errorf("%d nodes; at most %d are drawn", len(n.Nodes), maxNodes)
	}
	for j, v := range n.Nodes {
		if v.Kind < 0 || int(v.Kind) >= len(kindNames) {
			return fmt.Errorf("node %d %q is of kind %d; known are 0 to %d", j, v.Name, v.Kind, len(kindNames)-1)
		}
		if !(v.Ring >= 0 && v.Ring <= 1) {
			return fmt.Errorf("node %d %q has %v of a ring, want 0 to 1", j, v.Name, v.Ring)
		}
	}
	for j, e := range n.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(n.Nodes) {
			return fmt.Errorf("edge %d joins nodes %d and %d of %d", j, e[0], e[1], len(n.Nodes))
		}
	}
	return nil
}

func (n *Networks) grid() grid {
	least, most := 40*millimetre, 80*millimetre
	if n.Large {
		least, most = 2*least, 2*most
	}
	g := newGrid(n.Rows, n.Columns, least, most)
	g.foot = footOf(n.Cells, func(cell Network) string { return cell.Note })
	if len(n.keys()) > 0 {
		g.below = legendAbove + legendLine
	}
	return g
}

// Size returns the width and height of the drawing in points.
func (n *Networks) Size() (width, height float64) {
	return n.grid().points()
}

// Draw writes the table in one of the Formats.
func (n *Networks) Draw(w io.Writer, format string) error {
	if err := n.Validate(); err != nil {
		return err
	}
	g := n.grid()
	return render(w, n.Info, format, g.size(), func(c draw.Canvas) {
		g.draw(c, func(row, column int, place vg.Rectangle) {
			cell := n.cell(row, column)
			if cell.Nodes == nil {
				return
			}
			g.note(c, place, cell.Note)
			paper := draw.Canvas{Canvas: c, Rectangle: place}
			stroke(paper, draw.LineStyle{Color: hair, Width: 0.5}, place.Path())
			cell.draw(draw.Crop(paper, cellPadding, -cellPadding, cellPadding, -cellPadding), n.Seed)
		})
		if g.below > 0 {
			n.drawLegend(draw.Crop(c, margin, -margin, margin, 0))
		}
	})
}

// cell is a network as it is drawn.
func (n *Networks) cell(row, column int) Network {
	cell := n.Cells[row][column]
	cell.large = n.Large
	return cell
}

const cellPadding = 4 // points

// The looks of the kinds of nodes: of different brightness, for a grey print.
var (
	targetColor = color.NRGBA{0xcc, 0x33, 0x11, 0xff}
	otherColor  = color.NRGBA{0x7f, 0xb2, 0xdd, 0xff}
	linkColor   = color.NRGBA{0xa8, 0xa8, 0xa8, 0xff}
	pathColor   = color.NRGBA{0x66, 0x55, 0x50, 0xff} // of an edge between two targets
)

// A nodeKey explains a look of nodes.
type nodeKey struct {
	label   string
	kind    Kind
	outline bool
}

// keys explain the looks that have a name.
func (n *Networks) keys() []nodeKey {
	return slices.DeleteFunc([]nodeKey{{n.Target, Target, false}, {n.Other, Other, false}, {n.Raises, Raising, false},
		{n.Lowers, Lowering, false}, {n.Connects, Connecting, true}, {n.Unmeasured, Target, true}},
		func(k nodeKey) bool { return k.label == "" })
}

func (n *Networks) drawLegend(c draw.Canvas) {
	const nodeWidth, columnGap = 8, 16
	style := aligned(labelSize, draw.XLeft, middle)
	keys, width := n.keys(), vg.Length(-columnGap)
	for i := range keys {
		keys[i].label, _ = fit(keys[i].label, style, c.Size().X/vg.Length(len(keys))-nodeWidth-columnGap)
		width += nodeWidth + style.Width(keys[i].label) + columnGap
	}
	at := vg.Point{X: c.Center().X - width/2, Y: c.Min.Y + legendLine/2}
	for _, k := range keys {
		k.sample(c, at.Add(vg.Point{X: 3}))
		c.FillText(style, at.Add(vg.Point{X: nodeWidth}), k.label)
		at.X += nodeWidth + style.Width(k.label) + columnGap
	}
}

// sample draws a node for a legend.
func (k nodeKey) sample(c draw.Canvas, at vg.Point) {
	var p vg.Path
	k.kind.outline(&p, at, 2.6)
	k.kind.paint(c, p, k.outline)
}

// paint draws a path around nodes of the kind: filled, or as outlines.
func (k Kind) paint(c draw.Canvas, p vg.Path, outline bool) {
	if len(p) == 0 {
		return
	}
	fill, line := k.color(), draw.LineStyle{Color: color.White, Width: 0.3}
	if outline {
		fill, line = color.White, draw.LineStyle{Color: k.color(), Width: 0.8}
	}
	c.SetColor(fill)
	c.Fill(p)
	stroke(c, line, p)
}

func (k Kind) color() color.Color {
	switch k {
	case Target, Raising:
		return targetColor
	case Connecting:
		return faint
	}
	return otherColor
}

func (k Kind) outline(p *vg.Path, at vg.Point, r vg.Length) {
	switch k {
	case Target, Raising:
		round(p, at, r)
	case Connecting:
		round(p, at, 0.8*r)
	default:
		polygon(p, at, 1.25*r, 4, math.Pi/4)
	}
}

// WriteCSV writes a row per node and per edge: row, column (the names), element ("node" or
// "edge"), name, other (the second end of an edge), kind, weight, measured
// ("no" of nodes that were not). A node without a name goes by its place, from 0.
func (n *Networks) WriteCSV(w io.Writer) error {
	if err := n.Validate(); err != nil {
		return err
	}
	return writeCells(w, n.Rows, n.Columns, n.Cells, func(cell Network, row func(values ...string)) {
		name := func(v int) string { return cmp.Or(cell.Nodes[v].Name, strconv.Itoa(v)) }
		for v, node := range cell.Nodes {
			measured := ""
			if node.Unmeasured {
				measured = "no"
			}
			row("node", name(v), "", node.Kind.String(), number(node.Weight), measured)
		}
		for _, e := range cell.Edges {
			row("edge", name(e[0]), name(e[1]), "", "", "")
		}
	}, "element", "name", "other", "kind", "weight", "measured")
}
