package project

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"graphda/io/network"
	"graphda/io/safefile"
	"graphda/io/seal"
)

var Formats = []string{"text", "markdown", "csv", "json", "graphml", "arrow"}

// FormatOf returns the format for the extension of a file's name.
func FormatOf(path string) (string, error) {
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if long := map[string]string{"txt": "text", "md": "markdown"}[ext]; long != "" {
		ext = long
	}
	if !slices.Contains(Formats, ext) {
		return "", fmt.Errorf("%s: the name ends with no known format; want .txt, .md, .csv, .json, .graphml or .arrow", path)
	}
	return ext, nil
}

// WriteFile writes the result to a file, all or nothing. place says which existing files it may replace.
func (res *Result) WriteFile(path, format string, place seal.Output) error {
	if format == "arrow" {
		return place.Write(path, res.writeArrow)
	}
	return place.Write(path, func(w io.Writer) error { return res.Write(w, format, 0) })
}

// Write writes the result in any of the Formats except arrow. A width above 0 limits the width of tables in text.
func (res *Result) Write(w io.Writer, format string, width int) error {
	switch format {
	case "text", "markdown":
		return res.writeSummary(w, format, width)
	case "json":
		return res.writeJSON(w)
	case "csv":
		return res.writeCSV(w)
	case "graphml":
		return res.writeGraphML(w)
	}
	return fmt.Errorf("project: format %q cannot be written to a stream", format)
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// writeCSV writes one table: first the nodes, then the edges. A cell is empty if it does not apply to a row.
func (res *Result) writeCSV(w io.Writer) error {
	records := [][]string{{"kind", "index", "tree", "name", "weight", "prize", "source", "target", "cost"}}
	for row := range res.rows {
		record := make([]string, len(row))
		for i, v := range row {
			if x, is := v.(float64); is {
				record[i] = decimal(x)
			} else if v != nil {
				record[i] = fmt.Sprint(v)
			}
		}
		records = append(records, record)
	}
	return safefile.WriteCSV(w, records)
}

// writeJSON writes one object with the facts, the nodes and the edges. Each node and each edge has its own line.
func (res *Result) writeJSON(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("{\n")
	notes := append([]string{}, res.Notes()...) // an empty list instead of nil, so that JSON has []
	for _, f := range append(res.facts(), fact{"notes", notes}) {
		value, err := encode(f.Value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "  %q: %s,\n", f.Key, value)
	}
	if err := writeList(&b, "nodes", res.nodes(), ","); err != nil {
		return err
	}
	if err := writeList(&b, "edges", res.edges(), ""); err != nil {
		return err
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

func writeList[T any](b *bytes.Buffer, key string, items []T, comma string) error {
	fmt.Fprintf(b, "  %q: [", key)
	for i, item := range items {
		value, err := encode(item)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "\n    %s", value)
	}
	if len(items) > 0 {
		b.WriteString("\n  ")
	}
	fmt.Fprintf(b, "]%s\n", comma)
	return nil
}

// encode returns a value as JSON, without escapes for HTML. Infinity becomes null.
func encode(v any) ([]byte, error) {
	if x, ok := v.(float64); ok && math.IsInf(x, 0) {
		v = nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// writeGraphML writes the subgraph for programs such as Gephi, Cytoscape, NetworkX and igraph.
func (res *Result) writeGraphML(w io.Writer) error {
	g := network.GraphML{
		Nodes: []network.Attribute{{Name: "name", Type: "string"}, {Name: "weight", Type: "double"},
			{Name: "prize", Type: "double"}, {Name: "tree", Type: "int"}},
		Edges: []network.Attribute{{Name: "cost", Type: "double"}},
	}
	for _, f := range res.facts() {
		as := cmp.Or(map[string]string{"int": "int", "float64": "double"}[fmt.Sprintf("%T", f.Value)], "string")
		g.Facts = append(g.Facts, network.Attribute{Name: f.Key, Type: as, Value: fmt.Sprint(f.Value)})
	}
	for _, r := range res.nodes() {
		values := []string{r.Name, decimal(r.Weight), decimal(r.Prize), ""}
		if r.Tree > 0 {
			values[3] = strconv.Itoa(int(r.Tree))
		}
		g.Graph.Nodes = append(g.Graph.Nodes, network.GraphNode{ID: nodeID(r.Index), Values: values})
	}
	for _, e := range res.Edges {
		ends := res.Problem.Graph.Edges()[e]
		g.Graph.Edges = append(g.Graph.Edges, network.GraphEdge{ID: int(e), Source: nodeID(ends.U), Target: nodeID(ends.V),
			Values: []string{decimal(res.Problem.Graph.Costs()[e])}})
	}
	return g.Write(w)
}

// nodeID returns a unique id for a node, because names may be missing or repeated.
func nodeID(node int32) string { return fmt.Sprintf("n%d", node) }
