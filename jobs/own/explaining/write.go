package explaining

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"graphda/io/network"
	"graphda/io/seal"
	"graphda/jobs/reports/figures"
)

// Files returns the subgraph as tables, as GraphML, and as a picture.
func (s *Subgraph) Files() []seal.Named {
	keys, attributes := []string{}, slices.Concat(s.keys(), s.Notes)
	for _, k := range attributes {
		keys = append(keys, k.Name)
	}
	g := network.GraphML{Nodes: attributes, Edges: []network.Attribute{{Name: "cost", Type: "double"}}}
	nodes, edges := [][]string{keys}, [][]string{{"source", "target", "cost"}}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		values := slices.Concat([]string{n.Name, s.role(n), exact(n.Weight), exact(n.Frequency), strconv.Itoa(n.Part),
			strconv.Itoa(n.Degree), exact(n.Ratio)}, n.Notes)
		nodes = append(nodes, values)
		g.Graph.Nodes = append(g.Graph.Nodes, network.GraphNode{ID: n.Name, Values: values})
	}
	for i, e := range s.Edges {
		source, target, cost := s.Nodes[e.Source].Name, s.Nodes[e.Target].Name, exact(e.Cost)
		edges = append(edges, []string{source, target, cost})
		g.Graph.Edges = append(g.Graph.Edges, network.GraphEdge{ID: i, Source: source, Target: target,
			Values: []string{cost}})
	}
	return []seal.Named{
		{Name: "nodes.tsv", Fill: func(w io.Writer) error { return writeTSV(w, nodes) }},
		{Name: "edges.tsv", Fill: func(w io.Writer) error { return writeTSV(w, edges) }},
		{Name: "subgraph.graphml", Fill: g.Write},
		{Name: "cytoscape.xml", Fill: s.style},
		{Name: "subgraph.svg", Fill: func(w io.Writer) error { return figures.Draw(w, s.Figure(), "svg") }},
	}
}

// keys returns the columns of the table of nodes, except s.Notes.
func (s *Subgraph) keys() []network.Attribute {
	return []network.Attribute{{Name: "name", Type: "string"}, {Name: "role", Type: "string"},
		{Name: "weight", Type: "double"}, {Name: "frequency", Type: "double"}, {Name: "part", Type: "int"},
		{Name: "degree", Type: "int"}, {Name: s.Ratio.Key(), Type: "double"}}
}

// exact returns x in its shortest form, or "" for NaN.
func exact(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// writeTSV writes tab-separated lines, with unchanged names, because other programs match nodes by name.
func writeTSV(w io.Writer, lines [][]string) error {
	out := csv.NewWriter(w)
	out.Comma = '\t'
	return out.WriteAll(lines)
}

// vizmap is a Cytoscape 3 style that looks like the picture. It uses the attributes of Subgraph.keys.
const vizmap = `<?xml version="1.0" encoding="UTF-8"?>
<vizmap documentVersion="3.0">
  <visualStyle name="graphda">
    <node>
      <dependency name="nodeSizeLocked" value="true"/>
      <visualProperty name="NODE_LABEL" default="">
        <passthroughMapping attributeName="name" attributeType="string"/>
      </visualProperty>
      <visualProperty name="NODE_FILL_COLOR" default="#ffffff">
        <discreteMapping attributeName="role" attributeType="string">
          <discreteMappingEntry attributeValue="raises" value="#cc3311"/>
          <discreteMappingEntry attributeValue="lowers" value="#7fb2dd"/>
          <discreteMappingEntry attributeValue="connector" value="#d0d0d0"/>
        </discreteMapping>
      </visualProperty>
      <visualProperty name="NODE_SHAPE" default="ELLIPSE">
        <discreteMapping attributeName="role" attributeType="string">
          <discreteMappingEntry attributeValue="lowers" value="RECTANGLE"/>
        </discreteMapping>
      </visualProperty>
      <visualProperty name="NODE_SIZE" default="25.0">
        <continuousMapping attributeName="weight" attributeType="float">
          <continuousMappingPoint attrValue="-%[1]g" lesserValue="80.0" equalValue="80.0" greaterValue="80.0"/>
          <continuousMappingPoint attrValue="0.0" lesserValue="25.0" equalValue="25.0" greaterValue="25.0"/>
          <continuousMappingPoint attrValue="%[1]g" lesserValue="80.0" equalValue="80.0" greaterValue="80.0"/>
        </continuousMapping>
      </visualProperty>
    </node>
  </visualStyle>
</vizmap>
`

// style writes vizmap with sizes that fit the subgraph's largest weight.
func (s *Subgraph) style(w io.Writer) error {
	largest := 0.0
	for i := range s.Nodes {
		largest = max(largest, math.Abs(s.Nodes[i].Weight))
	}
	_, err := fmt.Fprintf(w, vizmap, largest)
	return err
}
