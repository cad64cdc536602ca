package network

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// A GraphML is an undirected graph with attributes.
type GraphML struct {
	Facts []Attribute // attributes of the graph; Write prefixes their ids with "g_"
	Nodes []Attribute // attributes that nodes may have
	Edges []Attribute // attributes that edges may have
	Graph GraphContent
}

// An Attribute is a key and the type of its values.
type Attribute struct {
	Name  string // name and id of the attribute
	Type  string // string, int or double
	Value string // value of an attribute of the whole graph
}

// A GraphContent holds nodes and edges. Values are in the order of the attributes; "" means no value.
type GraphContent struct {
	Nodes []GraphNode
	Edges []GraphEdge
}

// A GraphNode is a node with its id.
type GraphNode struct {
	ID     string
	Values []string
}

// A GraphEdge joins two nodes, given by their ids.
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
	xml.EscapeText(&b, []byte(text)) // writing into memory does not fail
	return b.String()
}
