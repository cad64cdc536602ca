package explaining

import (
	"fmt"
	"math"

	"graphda/io/message"
	"graphda/jobs/reports/figures"
)

const (
	mostPanels = 12  // largest number of parts with their own panel; other nodes share a panel
	mostDrawn  = 250 // largest number of nodes in a panel
)

// ID returns the id of a feature's node in the picture.
func ID(feature int32) string { return fmt.Sprintf("n%d", feature) }

// Figure draws the subgraph in panels. Red discs raise the outcome, and blue squares lower the outcome. A node's size
// shows its weight, and its ring shows how often the feature was selected.
func (s *Subgraph) Figure() *figures.Networks {
	f := &figures.Networks{
		Info: figures.Info{Name: "selected", Title: "The selected features in the network",
			Caption: "A higher value of a red feature raises " + s.Outcome + "; a higher value of a blue feature lowers it. A " +
				"larger mark is a larger weight."},
		Kinds: map[figures.Kind]figures.Meaning{
			figures.Red:  {Name: "raising", Label: "raises " + s.Outcome, Strong: true},
			figures.Blue: {Name: "lowering", Label: "lowers " + s.Outcome, Strong: true}, figures.Grey: {Name: "connecting"}},
		Large: true,
	}
	if s.Nothing {
		f.Caption = "Nothing was found, so the signs of these weights are no evidence. " + f.Caption
	}
	if len(s.Nodes) > 0 && !math.IsNaN(s.Nodes[0].Frequency) {
		f.Caption += " The filled part of a ring is the share of the splits that select the feature. It shows how steady " +
			"the choice is, and is no evidence."
	}
	panels := s.panels()
	columns := min(2, len(panels))
	for i, nodes := range panels {
		cell := s.panel(nodes)
		if i%columns == 0 {
			f.Rows, f.Cells = append(f.Rows, ""), append(f.Cells, make([]figures.Network, columns))
		}
		f.Cells[len(f.Cells)-1][i%columns] = cell
	}
	f.Columns = make([]string, columns)
	for i := range s.Nodes {
		if s.Nodes[i].Connects {
			f.Kinds[figures.Grey] = figures.Meaning{Name: "connecting", Label: "no weight, connects others"}
			f.Caption += " Grey circles have no weight. They connect features that have one."
			break
		}
	}
	return f
}

// panels groups the nodes into panels: one panel for each of the largest parts, and one for all other nodes.
func (s *Subgraph) panels() (panels [][]int) {
	var rest []int
	for first := 0; first < len(s.Nodes); {
		end := first
		var part []int
		for ; end < len(s.Nodes) && s.Nodes[end].Part == s.Nodes[first].Part; end++ {
			part = append(part, end)
		}
		if len(part) > 1 && len(panels) < mostPanels {
			panels = append(panels, part)
		} else {
			rest = append(rest, part...)
		}
		first = end
	}
	if len(rest) > 0 {
		panels = append(panels, rest)
	}
	return panels
}

// panel draws the nodes with the given indices, but not more than mostDrawn nodes.
func (s *Subgraph) panel(places []int) figures.Network {
	net := figures.Network{Nodes: []figures.Node{}}
	at := map[int]int{}
	parts, connecting := map[int]bool{}, 0
	for _, i := range places {
		n := &s.Nodes[i]
		parts[n.Part] = true
		if n.Connects {
			connecting++
		}
		if len(net.Nodes) == mostDrawn {
			continue
		}
		at[i] = len(net.Nodes)
		node := figures.Node{Name: n.Name, Kind: figures.Blue, Weight: math.Abs(n.Weight), Label: true, ID: ID(n.Feature),
			About: n.about(s.Ratio)}
		switch {
		case n.Connects:
			node.Kind = figures.Grey
		case n.Weight > 0:
			node.Kind = figures.Red
		}
		if n.Frequency > 0 {
			node.Ring = n.Frequency
		}
		net.Nodes = append(net.Nodes, node)
	}
	for _, e := range s.Edges {
		u, uok := at[e.Source]
		v, vok := at[e.Target]
		if uok && vok {
			net.Edges = append(net.Edges, [2]int{u, v})
		}
	}
	net.Note = fmt.Sprintf("part %d: %s", s.Nodes[places[0]].Part, message.Count(len(places)-connecting, "feature"))
	if len(parts) > 1 {
		net.Note = fmt.Sprintf("%s in %s", message.Count(len(places)-connecting, "feature"), message.Count(len(parts),
			"part"))
	}
	if connecting > 0 {
		net.Note += ", " + message.Count(connecting, "connector")
	}
	if len(places) > len(net.Nodes) {
		net.Note += fmt.Sprintf("; %d drawn", len(net.Nodes))
	}
	return net
}
