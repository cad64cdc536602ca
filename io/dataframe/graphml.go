package dataframe

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

// A graphMLFile is what is read of a file.
type graphMLFile struct {
	XMLName xml.Name `xml:"graphml"`
	Keys    []struct {
		ID   string `xml:"id,attr"`
		Name string `xml:"attr.name,attr"`
		For  string `xml:"for,attr"`
	} `xml:"key"`
	Graphs []struct {
		EdgeDefault string       `xml:"edgedefault,attr"`
		Nodes       []attributed `xml:"node"`
		Edges       []attributed `xml:"edge"`
	} `xml:"graph"`
}

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

// mostAttributes is how many attributes edges may have: the table has a value of each for every edge.
const mostAttributes = 100

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
	columns, ofEdges, keys := []string{"source", "target"}, []string(nil), map[string]string{}
	for _, k := range f.Keys {
		keys[k.ID] = cmp.Or(k.Name, k.ID)
		if slices.Contains([]string{"", "all", "edge"}, k.For) { // "all" goes without saying
			columns, ofEdges = append(columns, keys[k.ID]), append(ofEdges, k.ID)
		}
	}
	if len(ofEdges) > mostAttributes {
		return nil, &Error{Path: path, Err: fmt.Errorf("has more than %d attributes of edges", mostAttributes)}
	}
	nodes, edges, directed := f.elements()
	if directed {
		columns = append(columns, "directed")
	}
	names, l := namesOfNodes(nodes, keys), newList(columns...)
	for i, e := range edges {
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
			if k := slices.Index(ofEdges, d.Key); k >= 0 {
				record[2+k] = d.Text
			}
		}
		if directed {
			record[len(record)-1] = e.Directed
		}
		l.add(Index(i), record...)
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

// elements returns those of all graphs, and whether an edge has a direction. Each edge says so, if its graph does.
func (f *graphMLFile) elements() (nodes, edges []attributed, directed bool) {
	for _, g := range f.Graphs {
		nodes = append(nodes, g.Nodes...)
		for _, e := range g.Edges {
			if e.Directed == "" && g.EdgeDefault != "" {
				e.Directed = strconv.FormatBool(g.EdgeDefault == "directed")
			}
			edges, directed = append(edges, e), directed || e.Directed == "true"
		}
	}
	return nodes, edges, directed
}

// namesOfNodes returns what nodes are called, by id.
func namesOfNodes(nodes []attributed, keys map[string]string) map[string]string {
	names := make(map[string]string, len(nodes))
	for _, want := range []string{"name", "shared name", "label", ""} {
		clear(names)
		for _, n := range nodes {
			if want == "" {
				names[n.ID] = n.ID
			}
			for _, d := range n.Data {
				if want != "" && keys[d.Key] == want && d.Text != "" {
					names[n.ID] = d.Text
				}
			}
		}
		if len(names) == len(nodes) {
			break
		}
	}
	return names
}
