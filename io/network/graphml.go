package network

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// GraphML is an undirected graph with attributes, to be written for Gephi, Cytoscape, NetworkX, igraph and
// the like.
type GraphML struct {
	Facts []Attribute // of the graph; their ids are written with "g_" in front
	Nodes []Attribute // those that nodes may have …
	Edges []Attribute // … and edges
	Graph GraphContent
}

// An Attribute is a key with the type of its values.
type Attribute struct {
	Name  string // also its id
	Type  string // string, int or double
	Value string // of a fact
}

// A GraphContent is nodes and edges, with values in the order of their attributes; "" is none.
type GraphContent struct {
	Nodes []GraphNode
	Edges []GraphEdge
}

// A GraphNode is a node with an id of its own.
type GraphNode struct {
	ID     string
	Values []string
}

// A GraphEdge joins nodes by their ids.
type GraphEdge struct {
	ID             int
	Source, Target string
	Values         []string
}

// Write writes the graph.
func (g *GraphML) Write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<graphml xmlns="http://graphml.graphdrawing.org/xmlns">` + "\n")
	for _, of := range []struct {
		kind, prefix string
		keys         []Attribute
	}{{"node", "", g.Nodes}, {"edge", "", g.Edges}, {"graph", "g_", g.Facts}} {
		for _, k := range of.keys {
			name := escaped(k.Name)
			fmt.Fprintf(&b, "  <key id=\"%s%s\" for=%q attr.name=\"%s\" attr.type=%q/>\n", of.prefix, name, of.kind, name,
				k.Type)
		}
	}
	b.WriteString("  <graph edgedefault=\"undirected\">\n")
	for _, f := range g.Facts {
		datum(&b, "    ", "g_"+f.Name, f.Value)
	}
	for _, n := range g.Graph.Nodes {
		fmt.Fprintf(&b, "    <node id=\"%s\">\n", escaped(n.ID))
		data(&b, g.Nodes, n.Values)
		b.WriteString("    </node>\n")
	}
	for _, e := range g.Graph.Edges {
		fmt.Fprintf(&b, "    <edge id=\"e%d\" source=\"%s\" target=\"%s\">\n", e.ID, escaped(e.Source), escaped(e.Target))
		data(&b, g.Edges, e.Values)
		b.WriteString("    </edge>\n")
	}
	b.WriteString("  </graph>\n</graphml>\n")
	_, err := w.Write(b.Bytes())
	return err
}

func data(b *bytes.Buffer, keys []Attribute, values []string) {
	for i, v := range values {
		if v != "" {
			datum(b, "      ", keys[i].Name, v)
		}
	}
}

func datum(b *bytes.Buffer, indent, key, value string) {
	fmt.Fprintf(b, "%s<data key=\"%s\">%s</data>\n", indent, escaped(key), escaped(value))
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // into memory, which does not fail
	return b.String()
}
