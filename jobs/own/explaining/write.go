package explaining

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"graphda/io/network"
	"graphda/io/seal"
	"graphda/jobs/reports/figures"
)

// Files are the subgraph as tables, as GraphML, and as a picture.
func (s *Subgraph) Files() []seal.Named {
	return []seal.Named{
		{Name: "nodes.tsv", Fill: s.nodes},
		{Name: "edges.tsv", Fill: s.edges},
		{Name: "subgraph.graphml", Fill: s.graphML},
		{Name: "subgraph.svg", Fill: func(w io.Writer) error { return figures.Draw(w, s.Figure(), "svg") }},
	}
}

var nodeKeys = []network.Attribute{{Name: "name", Type: "string"}, {Name: "role", Type: "string"},
	{Name: "weight", Type: "double"}, {Name: "frequency", Type: "double"}, {Name: "part", Type: "int"},
	{Name: "degree", Type: "int"}}

// values are those of nodeKeys.
func (n *Node) values() []string {
	frequency := ""
	if !math.IsNaN(n.Frequency) {
		frequency = exact(n.Frequency)
	}
	return []string{n.Name, n.Role(), exact(n.Weight), frequency, strconv.Itoa(n.Part), strconv.Itoa(n.Degree)}
}

func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (s *Subgraph) nodes(w io.Writer) error {
	var lines [][]string
	var head []string
	for _, k := range nodeKeys {
		head = append(head, k.Name)
	}
	for i := range s.Nodes {
		lines = append(lines, s.Nodes[i].values())
	}
	return writeTSV(w, head, lines)
}

func (s *Subgraph) edges(w io.Writer) error {
	var lines [][]string
	for _, e := range s.Edges {
		lines = append(lines, []string{s.Nodes[e.Source].Name, s.Nodes[e.Target].Name, exact(e.Cost)})
	}
	return writeTSV(w, []string{"source", "target", "cost"}, lines)
}

// writeTSV writes tab-separated lines. Names stay as they are, for other programs match by them.
func writeTSV(w io.Writer, head []string, lines [][]string) error {
	out := csv.NewWriter(w)
	out.Comma = '\t'
	if err := out.Write(head); err != nil {
		return err
	}
	return out.WriteAll(lines)
}

func (s *Subgraph) graphML(w io.Writer) error {
	g := network.GraphML{Nodes: nodeKeys, Edges: []network.Attribute{{Name: "cost", Type: "double"}}}
	for i := range s.Nodes {
		g.Graph.Nodes = append(g.Graph.Nodes, network.GraphNode{ID: s.Nodes[i].Name, Values: s.Nodes[i].values()})
	}
	for i, e := range s.Edges {
		g.Graph.Edges = append(g.Graph.Edges, network.GraphEdge{ID: i, Source: s.Nodes[e.Source].Name,
			Target: s.Nodes[e.Target].Name, Values: []string{exact(e.Cost)}})
	}
	return g.Write(w)
}
