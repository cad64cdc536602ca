package tabular

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// graphML holds a network: columns source, target and one for each attribute of edges. Nodes go by
// their attribute "name", "shared name" or "label", if all have it, else by their ids. Where edges have a direction,
// a column "directed" says so.
var graphML = Format{Extensions: []string{".graphml", ".graphml.gz"}, Open: openGraphML}

// An attributed element is a node or an edge.
type attributed struct {
	ID       string `xml:"id,attr"`
	Source   string `xml:"source,attr"`
	Target   string `xml:"target,attr"`
	Directed string `xml:"directed,attr"`
	Data     []struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	} `xml:"data"`
}

// A graphMLFile is what is read of a file.
type graphMLFile struct {
	keys         map[string]string // names of attributes, by id
	ofEdges      []string          // ids of those that edges have
	nodes, edges []attributed
	edgeDefault  string // true if edges that say nothing have a direction, else false
	directed     bool   // some edges have one
}

func openGraphML(path string, o Options) (Source, error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := readGraphML(in)
	if err != nil {
		return nil, &Error{Path: path, Err: err}
	}
	columns := []string{"source", "target"}
	for _, key := range f.ofEdges {
		columns = append(columns, f.keys[key])
	}
	if f.directed {
		columns = append(columns, "directed")
	}
	names, l := f.names(), newList(columns...)
	for i, e := range f.edges {
		record := make([]string, len(columns))
		for k, id := range []string{e.Source, e.Target} {
			name, ok := names[id]
			if !ok {
				err := fmt.Errorf("the edge is at node %s, which the file does not have", Quote(id))
				return nil, &Error{Path: path, Row: Index(i), Err: err}
			}
			record[k] = name
		}
		for _, d := range e.Data {
			if k := slices.Index(f.ofEdges, d.Key); k >= 0 {
				record[2+k] = d.Text
			}
		}
		if f.directed {
			record[len(record)-1] = cmp.Or(e.Directed, f.edgeDefault)
		}
		l.add(Index(i), record...)
	}
	return l, nil
}

func readGraphML(in io.Reader) (*graphMLFile, error) {
	f := &graphMLFile{keys: map[string]string{}}
	d := xml.NewDecoder(in)
	charset := ""
	d.CharsetReader = func(name string, in io.Reader) (io.Reader, error) {
		charset = name
		return in, errors.ErrUnsupported
	}
	isGraph := false
	for {
		token, err := d.Token()
		if charset != "" {
			return nil, fmt.Errorf("is in %s, want UTF-8: iconv -f %[1]s -t UTF-8", Quote(charset))
		}
		if len(f.ofEdges) > mostAttributes {
			return nil, fmt.Errorf("has more than %d attributes of edges", mostAttributes)
		}
		if err == io.EOF && isGraph {
			return f, nil
		}
		if err == io.EOF {
			return nil, errors.New("has no element graphml")
		}
		if err != nil {
			return nil, fmt.Errorf("is no valid XML: %w", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "graphml":
			isGraph = true
		case "graph":
			for _, a := range start.Attr {
				if a.Name.Local == "edgedefault" {
					f.edgeDefault = strconv.FormatBool(a.Value == "directed")
				}
			}
		case "key":
			f.addKey(start)
		case "node", "edge":
			var e attributed
			if err := d.DecodeElement(&e, &start); err != nil {
				return nil, fmt.Errorf("is no valid XML: %w", err)
			}
			if start.Name.Local == "node" {
				f.nodes = append(f.nodes, e)
			} else {
				f.edges = append(f.edges, e)
				f.directed = f.directed || cmp.Or(e.Directed, f.edgeDefault) == "true"
			}
		}
	}
}

// mostAttributes is how many attributes edges may have: the table has a value of each for every edge.
const mostAttributes = 100

// addKey notes the name of an attribute.
func (f *graphMLFile) addKey(start xml.StartElement) {
	of := map[string]string{}
	for _, a := range start.Attr {
		of[a.Name.Local] = a.Value
	}
	id, name := of["id"], of["attr.name"]
	if name == "" {
		name = id
	}
	f.keys[id] = name
	if slices.Contains([]string{"", "all", "edge"}, of["for"]) { // "all" goes without saying
		f.ofEdges = append(f.ofEdges, id)
	}
}

// names returns what nodes are called, by id.
func (f *graphMLFile) names() map[string]string {
	names := make(map[string]string, len(f.nodes))
	for _, want := range []string{"name", "shared name", "label", ""} {
		clear(names)
		for _, n := range f.nodes {
			if want == "" {
				names[n.ID] = n.ID
			}
			for _, d := range n.Data {
				if want != "" && f.keys[d.Key] == want && d.Text != "" {
					names[n.ID] = d.Text
				}
			}
		}
		if len(names) == len(f.nodes) {
			break
		}
	}
	return names
}
