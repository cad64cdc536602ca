package figures

import (
	"cmp"
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

	Kinds      map[Kind]Meaning
	Unmeasured string // what an outline means; "" if it is not explained

	Large bool // a network fills the page, and is to be read
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
