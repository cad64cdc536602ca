package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"math"
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

	Large bool // a network fills the page, and is to be read
}

var _ Figure = (*Networks)(nil)

// A Network is a graph. One whose Nodes are nil is missing, and its cell stays blank.
type Network struct {
	Nodes []Node
	Note  string   // below it, such as how many of its nodes were looked for
	Edges [][2]int // places of their ends in Nodes; loops and repetitions are not drawn

	// Places are those of the nodes, with neighbours about 1 apart, y upwards; nil: as the edges want it.
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

// Validate returns what contradicts itself.
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
	if n.Places != nil && len(n.Places) != len(n.Nodes) {
		return fmt.Errorf("%d places for %d nodes", len(n.Places), len(n.Nodes))
	}
	for j, e := range n.Edges {
		if min(e[0], e[1]) < 0 || max(e[0], e[1]) >= len(n.Nodes) {
			return fmt.Errorf("edge %d joins nodes %d and %d of %d", j, e[0], e[1], len(n.Nodes))
		}
	}
	return nil
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
	for i, row := range n.Cells {
		for k, cell := range row {
			d := cell.place(width, letters)
			parts.Pieces = append(parts.Pieces, Piece{Group: n.Rows[i], Title: n.Columns[k], Note: cell.Note,
				Letters: letters, size: d.size, paint: d.paint})
		}
	}
	for _, k := range []nodeKey{{n.Target, Target, false}, {n.Other, Other, false}, {n.Raises, Raising, false},
		{n.Lowers, Lowering, false}, {n.Connects, Connecting, true}, {n.Unmeasured, Target, true}} {
		if k.label != "" {
			parts.Keys = append(parts.Keys, Key{k.label, Piece{size: vg.Point{X: 10, Y: lineHeight}, paint: k.sample}})
		}
	}
	return parts
}

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

// sample draws a node for a key.
func (k nodeKey) sample(c draw.Canvas) {
	var p vg.Path
	k.kind.outline(&p, c.Center(), 2.6)
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
