package network

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
)

// Intercept is the name of a linear model's intercept in a file of its weights. Such a row
// is no node.
const Intercept = "(intercept)"

// A Network is a graph with a value on each node.
type Network struct {
	*Subgraph
	Edges    *EdgeList
	Names    []string // by node; nil if nodes have no other names than their indices
	Values   []float64
	Unvalued int // nodes without a row in the values file, which have value 0

	Rows      int      // of the values file
	Unmatched []string // nodes of the values file that no edge has, by name or index
	Column    string   // of the values
	Columns   []string // all of the values file
}

// A Request says which files to read.
type Request struct {
	Edges   EdgeRequest
	Values  string   // path of the values
	Columns []string // names of the values' column; the first that the file has is taken
	Low     float64  // the least value allowed; −Inf for any
}

// Read reads and checks a network.
func Read(r Request) (*Network, error) {
	edges, err := ReadEdges(r.Edges)
	if err != nil {
		return nil, err
	}
	v, err := readValues(&r)
	if err != nil {
		return nil, err
	}
	nodes, err := v.nodes(edges)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, v.bad(-1, "", "has no rows, and %s neither: there are no nodes", edges.path)
	}
	n := &Network{Edges: edges, Names: v.names, Values: make([]float64, len(nodes)), Unvalued: len(nodes) - len(v.node),
		Rows: len(v.rows), Column: v.column, Columns: v.all}
	if n.Subgraph, err = edges.Among(nodes); err != nil {
		return nil, err
	}
	for row, u := range v.node {
		n.Values[u] = v.values[row]
		if v.matched && n.Graph.Degree(int32(u)) == 0 {
			n.Unmatched = append(n.Unmatched, v.labels[row])
		}
	}
	return n, nil
}

// places are where the rows of a file stand.
type places struct {
	path string
	rows []dataframe.Row
}

// bad returns an error about a row, or about the file if it is −1.
func (p *places) bad(row int, column, format string, args ...any) error {
	e := &dataframe.Error{Path: p.path, Column: column, Err: fmt.Errorf(format, args...)}
	if row >= 0 {
		e.Row = p.rows[row]
	}
	return e
}

// indices reads whole numbers below most, and raises n above all of them.
func (p *places) indices(column string, texts []string, most int, why string, n *int) ([]int, error) {
	list := make([]int, len(texts))
	for row, text := range texts {
		u, err := strconv.Atoi(text)
		if err != nil || u < 0 || u >= most {
			return nil, p.bad(row, column, "is node %s, want 0 to %d: %s", text, most-1, why)
		}
		list[row], *n = u, max(*n, u+1)
	}
	return list, nil
}

// areWhole tells whether all texts are whole numbers, written as such.
func areWhole(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		v, err := strconv.ParseInt(s, 10, 64)
		return err != nil || strconv.FormatInt(v, 10) != s
	})
}

// valueRows are a file of values.
type valueRows struct {
	places
	all    []string            // the names of all columns
	column string              // of the values
	values []float64           // by row
	texts  map[string][]string // by row, of the columns "name" and "index" if the file has them

	node    []int    // by row
	labels  []string // by row: the column that tells nodes apart; nil if only their places do
	matched bool     // the graph's ends are such labels
	names   []string // by node, for Network
}

func readValues(r *Request) (*valueRows, error) {
	wanted := func(name string) bool { return name == "name" || name == "index" || slices.Contains(r.Columns, name) }
	in, err := dataframe.Open(r.Values, dataframe.Options{Wanted: wanted})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	v := &valueRows{places: places{path: r.Values}, all: in.Columns(), texts: map[string][]string{}}
	at := map[string]int{}
	for _, name := range []string{"name", "index"} {
		i, err := in.Find(name)
		if err == nil && i >= 0 && in.Real(i) {
			err = in.Wrong(i, "has fractions, want names or whole numbers")
		}
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			at[name], v.texts[name] = i, []string{}
		}
	}
	k := slices.IndexFunc(r.Columns, func(name string) bool { return slices.Contains(v.all, name) })
	if k < 0 {
		return nil, in.Wrong(-1, `has no column "%s"; its columns are %s`, strings.Join(r.Columns, `" or "`),
			dataframe.Some(v.all))
	}
	v.column = r.Columns[k]
	value, err := in.Find(v.column)
	if err != nil {
		return nil, err
	}
	if err := v.read(in, at, value, r.Low); err != nil {
		return nil, err
	}
	return v, in.Err()
}

// read reads the rows of a table that has nodes and values in these columns.
func (v *valueRows) read(in *dataframe.Table, at map[string]int, value int, low float64) error {
	want := "want a finite number"
	if !math.IsInf(low, -1) {
		want += fmt.Sprintf(" of at least %v", low)
	}
	name, named := at["name"]
	for in.Next() {
		if named && in.Text(name) == Intercept {
			continue
		}
		for column, i := range at {
			text := in.Text(i)
			if text == "" {
				return in.Bad(i, "is empty, want a node")
			}
			v.texts[column] = append(v.texts[column], text)
		}
		x, err := in.Number(value)
		if err != nil || x < low {
			return in.Bad(value, "is %q, %s", in.Text(value), want)
		}
		v.values, v.rows = append(v.values, x), append(v.rows, in.Row())
	}
	return nil
}

// nodes tells which node each row is, and returns the names of all as the edges have them; see the
// package comment.
func (v *valueRows) nodes(edges *EdgeList) ([]string, error) {
	whole := areWhole(edges.ends[0]) && areWhole(edges.ends[1])
	names, index := v.texts["name"], v.texts["index"]
	byName, column := !whole || index == nil && names != nil && areWhole(names), "name"
	if v.labels, v.matched = names, byName || index != nil; !byName && index != nil {
		v.labels, column = index, "index"
	}
	if byName && names == nil {
		return nil, v.bad(-1, "", `has no column "name", which tells the nodes of %s apart; its columns are %s`, edges.path,
			dataframe.Some(v.all))
	}
	first := map[string]int{}
	for row, label := range v.labels {
		if same, again := first[label]; again {
			return nil, v.bad(row, column, "is %q, as in %v", label, v.rows[same])
		}
		first[label] = row
	}
	if byName {
		return v.byName(edges)
	}
	return v.byNumber(edges, index, names)
}

// byName numbers the nodes of the values file, then those that only the graph has.
func (v *valueRows) byName(edges *EdgeList) ([]string, error) {
	find, err := edges.finder(v.labels)
	if err != nil {
		return nil, err
	}
	v.names = slices.Clone(v.labels)
	for row := range v.labels {
		v.node = append(v.node, row)
	}
	known := map[string]bool{}
	for _, name := range slices.Concat(edges.ends[0], edges.ends[1]) {
		if find(name) >= 0 {
			continue
		}
		if other := edges.aliases[name]; len(other) == 1 {
			name = other[0]
		}
		key := name
		if edges.request.IgnoreCase {
			key = strings.ToLower(name)
		}
		if !known[key] {
			known[key] = true
			v.names = append(v.names, name)
		}
	}
	return v.names, nil
}

// byNumber takes the ends of edges for indices: of column index, or of the rows.
func (v *valueRows) byNumber(edges *EdgeList, index, names []string) ([]string, error) {
	n := len(v.rows)
	most, why := n, fmt.Sprintf("%s has %d rows, one for each node", v.path, n)
	if index == nil {
		for row := range v.rows {
			v.node = append(v.node, row)
		}
	} else {
		if !areWhole(index) {
			return nil, v.bad(-1, "index", "has words, want whole numbers")
		}
		// Memory must not depend on a number alone.
		most, why = 1<<20+64*(n+len(edges.rows)), `indices count the nodes; ids belong into a column "name"`
		n = 0
		var err error
		if v.node, err = v.indices("index", index, most, why, &n); err != nil {
			return nil, err
		}
	}
	for k, column := range edges.Columns {
		if _, err := edges.indices(column, edges.ends[k], most, why, &n); err != nil {
			return nil, err
		}
	}
	nodes := make([]string, n)
	for u := range nodes {
		nodes[u] = strconv.Itoa(u)
	}
	if names != nil {
		v.names = slices.Clone(nodes)
		for row, u := range v.node {
			v.names[u] = names[row]
		}
	}
	return nodes, nil
}
