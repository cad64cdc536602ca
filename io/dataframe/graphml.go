package dataframe

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/message"
)

// graphML reads a network. The table has the columns source and target, a column for each attribute of edges, and
// "directed" if the graph has directed edges. A node's name is the first attribute in nodeNames whose values are all
// different, or else the node's id. For parts of the file that cannot be read, there is an error or a note.
var graphML = Format{Extensions: []string{".graphml", ".graphml.gz"}, Open: openGraphML}

var (
	nodeNames  = []string{"name", "shared name", "label"} // attributes that may hold the names of nodes
	directions = map[string]string{"directed": "true", "undirected": "false"}
	errUnread  = errors.New("not read")
)

// An element is an XML element. The map values has a node's or an edge's attributes by name. A <key> has its default
// under "default".
type element struct {
	name, text, direction string // direction is the default for edges in this element
	attrs, values         map[string]string
}

type graphMLReader struct {
	keys, defaults map[string]string // map "node KEY" or "edge KEY" to a name; "node NAME" or "edge NAME" to a default
	columns        []string          // names of the columns: source, target, and the attributes of edges
	nodes, edges   []*element        // nodes and edges of the graph and of graphs nested in it
	ids            map[string]string // maps each node's id to itself
	graphs         int
	notes, unread  []string // notes for the user; what was not read
}

// mostAttributes limits the attributes of edges, because each attribute is a column of the table.
const mostAttributes = 100

func openGraphML(path string, o Options) (_ Source, err error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := &graphMLReader{keys: map[string]string{}, defaults: map[string]string{}, ids: map[string]string{},
		columns: []string{"source", "target"}}
	defer func() { err = message.WithNotes(err, r.said()) }()
	if err := r.read(in); err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	directed := func(e *element) bool { return e.values["directed"] == "true" }
	if slices.ContainsFunc(r.edges, directed) && !slices.Contains(r.columns, "directed") {
		r.columns = append(r.columns, "directed")
	}
	names, l := r.names(), &list{names: r.columns}
	for i, e := range r.edges {
		record := make([]string, len(r.columns))
		for k, column := range r.columns {
			value, ok := e.values[column]
			if record[k] = value; k < 2 {
				record[k], ok = names[e.attrs[column]]
			} else if !ok {
				record[k], ok = r.defaults["edge "+column], true
			}
			if !ok {
				err := fmt.Errorf("the edge ends at node %s, which is not in the file", Quote(e.attrs[column]))
				return nil, &Error{Path: path, Row: Index(i), Err: err}
			}
		}
		l.add(Index(i), record...)
	}
	for _, n := range r.nodes {
		l.layout.Nodes = append(l.layout.Nodes, names[n.attrs["id"]])
	}
	l.layout.Notes = r.said()
	return l, nil
}

func (r *graphMLReader) said() []string {
	if len(r.unread) == 0 {
		return r.notes
	}
	return append(slices.Clip(r.notes), "not read: "+Some(r.unread))
}

func (r *graphMLReader) read(in io.Reader) error {
	d, charset := xml.NewDecoder(in), ""
	d.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		charset = name
		return in, errors.ErrUnsupported
	}
	open := []*element{{}} // the open elements, from the outermost to the innermost
	for {
		token, err := d.Token()
		switch {
		case charset != "":
			return fmt.Errorf("is in %s, want UTF-8; convert it with iconv -f %[1]s -t UTF-8", Quote(charset))
		case err == io.EOF && r.graphs != 1:
			return fmt.Errorf("has %d graphs, want one; write each graph to its own file", r.graphs)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("is not valid XML: %w", err)
		}
		last := len(open) - 1
		switch t := token.(type) {
		case xml.CharData:
			if e := open[last]; e.name == "data" || e.name == "default" {
				e.text += string(t)
			}
		case xml.StartElement:
			e := &element{name: t.Name.Local, attrs: map[string]string{}, values: map[string]string{}}
			for _, a := range t.Attr {
				e.attrs[a.Name.Local] = strings.TrimSpace(a.Value)
			}
			if err = r.begins(open[last], e); err == errUnread {
				err = d.Skip()
			} else {
				open = append(open, e)
			}
		case xml.EndElement:
			err = r.ends(open[last-1], open[last])
			open = open[:last]
		}
		if err != nil {
			return err
		}
	}
}

// begins handles the start of the element e inside the element in. If e must be skipped, it notes this
// and returns errUnread.
func (r *graphMLReader) begins(in, e *element) error {
	e.direction = in.direction
	switch in.name + "/" + e.name {
	case "graphml/graph", "node/graph", "edge/graph":
		if e.direction = e.attrs["edgedefault"]; in.name == "graphml" {
			r.graphs++
		} else {
			note(&r.notes, "graphs inside nodes or edges are read as parts of the main graph")
		}
	case "/graphml", "graphml/key", "key/default", "graph/node", "graph/edge", "node/data", "edge/data":
	case "graph/hyperedge":
		return errors.New("has an element hyperedge, which is not supported; write an edge for each pair of its nodes " +
			"instead")
	case "graph/locator", "node/locator":
		return errors.New("has an element locator, which refers to another file; put everything into this file")
	default:
		if in.name == "" {
			return errors.New("has no element graphml")
		}
		note(&r.unread, "element "+e.name)
		return errUnread
	}
	return nil
}

// ends handles the end of element e, whose parent is in.
func (r *graphMLReader) ends(in, e *element) error {
	id, text := e.attrs["id"], strings.TrimSpace(e.text)
	switch e.name {
	case "default":
		in.values["default"] = text
	case "key":
		for _, of := range []string{"node ", "edge "} {
			if kind := cmp.Or(e.attrs["for"], "all") + " "; kind != "all " && kind != of {
				continue
			}
			name := cmp.Or(e.attrs["attr.name"], id)
			if of == "edge " && (name == "source" || name == "target") {
				name = "attribute " + name
			}
			if _, again := r.keys[of+id]; again {
				return fmt.Errorf("has two keys of id %s for elements %s", Quote(id), strings.TrimSpace(of))
			}
			r.keys[of+id], r.defaults[of+name] = name, cmp.Or(r.defaults[of+name], e.values["default"])
			if of == "edge " && !slices.Contains(r.columns, name) { // several keys may have the same attribute name
				r.columns = append(r.columns, name)
			}
		}
		if len(r.columns) > 2+mostAttributes {
			return fmt.Errorf("has more than %d attributes of edges", mostAttributes)
		}
	case "data":
		name, declared := r.keys[in.name+" "+e.attrs["key"]]
		if _, again := in.values[name]; declared && again {
			return fmt.Errorf("has an element %s with two values of %s", in.name, Quote(name))
		}
		if in.values[name] = text; !declared {
			note(&r.unread, fmt.Sprintf("data %q of elements %s", e.attrs["key"], in.name))
		} else if in.name == "node" && !slices.Contains(nodeNames, name) {
			note(&r.unread, fmt.Sprintf("attribute %q of nodes", name))
		}
	case "node":
		if r.ids[id] != "" || id == "" {
			return fmt.Errorf("has two nodes with the id %s, or a node without an id", Quote(id))
		}
		r.nodes, r.ids[id] = append(r.nodes, e), id
	case "edge":
		if _, ok := e.values["directed"]; !ok {
			e.values["directed"] = cmp.Or(e.attrs["directed"], directions[e.direction])
		}
		r.edges = append(r.edges, e)
	}
	return nil
}

// note adds a text to a list, unless the list already has the text or is too long to be shown.
func note(to *[]string, text string) {
	if len(*to) < 20 && !slices.Contains(*to, text) {
		*to = append(*to, text)
	}
}

// names returns the names of the nodes by their ids. No two names are equal.
func (r *graphMLReader) names() map[string]string {
	why := ""
	for _, attribute := range nodeNames {
		names, used := map[string]string{}, map[string]bool{}
		for _, n := range r.nodes {
			name := cmp.Or(n.values[attribute], r.defaults["node "+attribute])
			names[n.attrs["id"]], used[name] = name, true
		}
		switch {
		case len(used) == len(r.nodes) && !used[""]:
			return names
		case len(used) > 1 || !used[""]:
			why = cmp.Or(why, attribute)
		}
	}
	if why != "" {
		r.notes = append(r.notes, "nodes are named by their ids, because some nodes have no "+why+" or share it")
	}
	return r.ids
}
