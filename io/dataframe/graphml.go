package dataframe

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// graphML holds a network: columns source, target and one for each attribute of edges. Nodes go by
// their attribute "name", "shared name" or "label", if all have it and no two have the same, else by their ids. Where
// edges have a direction, a column "directed" says so. What is not read is refused or mentioned in a note.
var graphML = Format{Extensions: []string{".graphml", ".graphml.gz"}, Open: openGraphML}

// A graphMLFile is a file as it stands.
type graphMLFile struct {
	XMLName xml.Name `xml:"graphml"`
	Keys    []struct {
		ID      string `xml:"id,attr"`
		Name    string `xml:"attr.name,attr"`
		For     string `xml:"for,attr"`
		Default string `xml:"default"`
		contents
	} `xml:"key"`
	Graphs []graphMLGraph `xml:"graph"`
	contents
}

type graphMLGraph struct {
	EdgeDefault string       `xml:"edgedefault,attr"`
	Nodes       []attributed `xml:"node"`
	Edges       []attributed `xml:"edge"`
	contents
}

// An attributed element is a node or an edge.
type attributed struct {
	ID       string         `xml:"id,attr"`
	Source   string         `xml:"source,attr"`
	Target   string         `xml:"target,attr"`
	Directed string         `xml:"directed,attr"`
	Attrs    []xml.Attr     `xml:",any,attr"`
	Graphs   []graphMLGraph `xml:"graph"`
	contents
}

// The contents of an element are data and elements of other kinds, of which only the names are read.
type contents struct {
	Data   []datum                      `xml:"data"`
	Others []struct{ XMLName xml.Name } `xml:",any"`
}

type datum struct {
	Key    string                       `xml:"key,attr"`
	Text   string                       `xml:",chardata"`
	Others []struct{ XMLName xml.Name } `xml:",any"`
}

// A graphMLReader gathers what a file holds.
type graphMLReader struct {
	keys, names, defaults map[string][]string // of attributes, by "node" or "edge", in the order of the file
	nodes, edges          []attributed        // of the graph and of those within it
	directed              bool
	notes, unread         []string // each once
}

// mostAttributes is how many attributes edges may have: the table has a value of each for every edge.
const mostAttributes = 100

func openGraphML(path string, o Options) (Source, error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := readGraphML(in)
	r := &graphMLReader{keys: map[string][]string{}, names: map[string][]string{}, defaults: map[string][]string{}}
	if err == nil {
		err = r.gather(f)
	}
	names := map[string]string{}
	if err == nil {
		names, err = r.called()
	}
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	columns, record := []string{"source", "target"}, []string{"", ""}
	for k, name := range r.names["edge"] {
		if !slices.Contains(columns, name) { // NetworkX makes a key for each type of values
			columns, record = append(columns, name), append(record, r.defaults["edge"][k])
		}
	}
	if r.directed {
		columns, record = append(columns, "directed"), append(record, "")
	}
	l := newList(columns...)
	for i, e := range r.edges {
		record := slices.Clone(record)
		for k, id := range []string{e.Source, e.Target} {
			name, ok := names[strings.TrimSpace(id)]
			if !ok {
				err := fmt.Errorf("the edge is at node %s, which the file does not have", Quote(id))
				return nil, &Error{Path: path, Row: Index(i), Err: err}
			}
			record[k] = name
		}
		for _, d := range e.Data {
			if k := slices.Index(r.keys["edge"], d.Key); k >= 0 {
				record[slices.Index(columns, r.names["edge"][k])] = strings.TrimSpace(d.Text)
			}
		}
		if r.directed {
			record[len(record)-1] = e.Directed
		}
		l.add(Index(i), record...)
	}
	for _, n := range r.nodes {
		l.layout.Nodes = append(l.layout.Nodes, names[n.ID])
	}
	if l.layout.Notes = r.notes; len(r.unread) > 0 {
		l.layout.Notes = append(r.notes, "not read: "+Some(r.unread))
	}
	return l, nil
}

func readGraphML(in io.Reader) (*graphMLFile, error) {
	f, d, charset := &graphMLFile{}, xml.NewDecoder(in), ""
	d.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		charset = name
		return in, errors.ErrUnsupported
	}
	err := d.Decode(f)
	for err == nil { // elements after the first add to it
		err = d.Decode(f)
	}
	switch _, isOther := err.(xml.UnmarshalError); {
	case charset != "":
		return nil, fmt.Errorf("is in %s, want UTF-8: iconv -f %[1]s -t UTF-8", Quote(charset))
	case isOther, err == io.EOF && f.XMLName.Local == "":
		return nil, errors.New("has no element graphml")
	case err != io.EOF:
		return nil, fmt.Errorf("is no valid XML: %w", err)
	}
	return f, nil
}

// gather gathers a file's attributes, nodes and edges.
func (r *graphMLReader) gather(f *graphMLFile) error {
	for _, k := range f.Keys {
		for _, of := range []string{"node", "edge"} {
			switch {
			case !slices.Contains([]string{"", "all", of}, k.For): // "all" goes without saying
				continue
			case of == "edge" && len(r.keys[of]) == mostAttributes:
				return fmt.Errorf("has more than %d attributes of edges", mostAttributes)
			case slices.Contains(r.keys[of], k.ID):
				return fmt.Errorf("has two keys of id %s for elements %s", Quote(k.ID), of)
			}
			name := cmp.Or(k.Name, k.ID)
			if name == "source" || name == "target" {
				name = "attribute " + name
			}
			r.keys[of], r.names[of] = append(r.keys[of], k.ID), append(r.names[of], name)
			r.defaults[of] = append(r.defaults[of], strings.TrimSpace(k.Default))
		}
		if err := r.pass("key", k.contents); err != nil {
			return err
		}
	}
	if len(f.Graphs) != 1 {
		return fmt.Errorf("has %d graphs, want one: write each to a file of its own", len(f.Graphs))
	}
	return cmp.Or(r.pass("graphml", f.contents), r.graph(f.Graphs[0]))
}

// graph gathers a graph, and those within its nodes and edges.
func (r *graphMLReader) graph(g graphMLGraph) error {
	if err := r.pass("graph", g.contents); err != nil {
		return err
	}
	for i, e := range slices.Concat(g.Nodes, g.Edges) {
		of := "node"
		if i < len(g.Nodes) {
			r.nodes = append(r.nodes, e)
		} else {
			if of = "edge"; e.Directed == "" && g.EdgeDefault != "" {
				e.Directed = strconv.FormatBool(g.EdgeDefault == "directed")
			}
			r.edges, r.directed = append(r.edges, e), r.directed || e.Directed == "true"
		}
		for _, a := range e.Attrs {
			note(&r.unread, "XML attribute "+a.Name.Local)
		}
		if err := r.pass(of, e.contents); err != nil {
			return err
		}
		for _, inner := range e.Graphs {
			note(&r.notes, "graphs within nodes or edges are read as parts of the one graph")
			if err := r.graph(inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass refuses or notes what is not read of an element's contents.
func (r *graphMLReader) pass(of string, c contents) error {
	for _, e := range c.Others {
		switch e.XMLName.Local {
		case "hyperedge":
			return errors.New("has an element hyperedge; write an edge for each pair of nodes that it is to join")
		case "locator":
			return errors.New("has an element locator, which stands for another file; want all in this file")
		}
		note(&r.unread, "element "+e.XMLName.Local)
	}
	for i, d := range c.Data {
		k := slices.Index(r.keys[of], d.Key)
		again := func(other datum) bool {
			j := slices.Index(r.keys[of], other.Key)
			return j >= 0 && k >= 0 && r.names[of][j] == r.names[of][k]
		}
		switch {
		case slices.ContainsFunc(c.Data[:i], again):
			return fmt.Errorf("has an element %s with two values of %s", of, Quote(r.names[of][k]))
		case k < 0: // undeclared, or of the graph
			note(&r.unread, fmt.Sprintf("data %q of elements %s", d.Key, of))
		case len(d.Others) > 0:
			note(&r.unread, "element "+d.Others[0].XMLName.Local)
		case of == "node" && !slices.Contains(nodeNames, r.names[of][k]):
			note(&r.unread, fmt.Sprintf("attribute %q of nodes", r.names[of][k]))
		}
	}
	return nil
}

// note adds a text to a list that does not have it.
func note(to *[]string, text string) {
	if !slices.Contains(*to, text) {
		*to = append(*to, text)
	}
}

// nodeNames are the attributes that nodes may go by.
var nodeNames = []string{"name", "shared name", "label"}

// called returns what nodes are called, by id. No two have the same name.
func (r *graphMLReader) called() (map[string]string, error) {
	ids := make(map[string]string, len(r.nodes))
	for i, n := range r.nodes {
		id := strings.TrimSpace(n.ID)
		if _, again := ids[id]; again || id == "" {
			return nil, fmt.Errorf("has two nodes of id %s, or one without an id", Quote(id))
		}
		r.nodes[i].ID, ids[id] = id, id
	}
	why := ""
	for _, attribute := range nodeNames {
		names, ofName, without, same := map[string]string{}, map[string]string{}, "", ""
		for _, n := range r.nodes {
			if name := r.value(n, attribute); name == "" {
				without = n.ID
			} else {
				if ofName[name] != "" {
					same = name
				}
				names[n.ID], ofName[name] = name, n.ID
			}
		}
		switch {
		case len(ofName) == len(r.nodes):
			return names, nil
		case same != "":
			why = cmp.Or(why, fmt.Sprintf("nodes go by their ids: several have the %s %s", attribute, Quote(same)))
		case len(names) > 0:
			why = cmp.Or(why, fmt.Sprintf("nodes go by their ids: node %s has no %s", Quote(without), attribute))
		}
	}
	if why != "" {
		r.notes = append(r.notes, why)
	}
	return ids, nil
}

// value returns a node's value of an attribute, "" if it has none.
func (r *graphMLReader) value(n attributed, attribute string) string {
	for k, name := range r.names["node"] {
		if name != attribute {
			continue
		}
		value := r.defaults["node"][k]
		for _, d := range n.Data {
			if d.Key == r.keys["node"][k] {
				value = strings.TrimSpace(d.Text)
			}
		}
		if value != "" {
			return value
		}
	}
	return ""
}
