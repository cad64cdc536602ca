package network

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// Intercept is the name of a linear model's intercept in a file of weights.
const Intercept = "(intercept)"

// A Network is a graph with a value for each node.
type Network struct {
	*Subgraph
	Edges    *EdgeList
	Names    []string // name of each node; nil if nodes have only indices
	Values   []float64
	Absent   int // number of nodes whose index does not occur in the edges file
	Unvalued int // number of nodes without a row in the values file; their value is 0

	Rows      int      // number of rows in the values file
	Unmatched []string // names or indices in the values file that are not in the graph
	Notes     []string
	Column    string   // name of the column with the values
	Columns   []string // names of all columns of the values file
}

// A Request says which files Read reads.
type Request struct {
	Edges   EdgeRequest
	Values  string   // path of the values file
	Columns []string // allowed names of the column with the values, in order of preference
	Low     float64  // smallest allowed value; −Inf allows all
}

// Read reads and checks a network.
func Read(r Request) (_ *Network, err error) {
	edges, err := ReadEdges(r.Edges)
	if err != nil {
		return nil, err
	}
	defer func() { err = message.WithNotes(err, edges.FileNotes) }()
	v, err := readValues(&r)
	if err != nil {
		return nil, err
	}
	nodes, err := v.nodes(edges)
	if err != nil {
		return nil, message.WithNotes(err, v.notes)
	}
	if len(nodes) == 0 {
		return nil, edges.bad(-1, "", "has no nodes")
	}
	n := &Network{Edges: edges, Names: v.names, Values: make([]float64, len(nodes)), Absent: v.absent,
		Unvalued: len(nodes) - v.absent, Rows: len(v.rows), Notes: v.notes, Column: v.column, Columns: v.all}
	if n.Subgraph, err = edges.Among(nodes); err != nil {
		return nil, err
	}
	for row, u := range v.node {
		if u < 0 {
			n.Unmatched = append(n.Unmatched, v.labels[row])
			continue
		}
		n.Values[u] = v.values[row]
		n.Unvalued--
	}
	return n, nil
}

type places struct {
	path string
	rows []dataframe.Row
}

// bad returns an error about a row. If row is −1, the error is about the file.
func (p *places) bad(row int, column, format string, args ...any) error {
	e := &dataframe.Error{Path: p.path, Column: column, Err: fmt.Errorf(format, args...)}
	if row >= 0 {
		e.Row = p.rows[row]
	}
	return e
}

// indices parses texts as indices from 0 to most − 1. It raises *n above all indices.
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

// areWhole reports whether all texts are integers in their usual form.
func areWhole(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		v, err := strconv.ParseInt(s, 10, 64)
		return err != nil || strconv.FormatInt(v, 10) != s
	})
}

type valueRows struct {
	places
	all    []string
	column string
	values []float64
	texts  map[string][]string // texts of the columns "name" and "index", if they exist
	notes  []string
	naming []int // columns that may name the nodes, in a file without columns "name" and "index"

	node   []int    // node of each row; −1 if the node is not in the graph
	labels []string // name or index of each row's node; nil if row i is node i
	names  []string // becomes Network.Names
	absent int      // becomes Network.Absent
}

// nameColumns are possible names of the column of node names: in our files, in SPRAS, and an index of pandas.
var nameColumns = []string{"name", "NODEID", ""}

func readValues(r *Request) (*valueRows, error) {
	columns := map[string][]string{"value": r.Columns, "index": {"index"}, "name": nameColumns}
	in, err := open(r.Values, dataframe.Options{})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	v := &valueRows{places: places{path: r.Values}, all: in.Columns(), texts: map[string][]string{}}
	at, headless := map[string]int{}, false
	for _, as := range []string{"index", "name", "value"} {
		k := slices.IndexFunc(columns[as], func(name string) bool { return slices.Contains(v.all, name) })
		if k < 0 {
			continue
		}
		at[as], err = in.Find(columns[as][k])
		if err != nil {
			return nil, err
		}
	}
	// If a first row has two fields and the second is a number, the row is data, or the header that pandas
	// writes for a series.
	if _, ok := at["value"]; !ok && len(r.Columns) > 1 && len(v.all) == 2 && isNumber(v.all[1]) {
		at["name"], at["value"], headless = 0, 1, v.all[0] != ""
	} else if !ok {
		hint := ""
		if slices.ContainsFunc(v.all, isNumber) {
			hint = "; add a first row that names the columns, such as name,value"
		}
		return nil, in.Wrong(-1, `has no column "%s"; its columns are %s%s`, strings.Join(r.Columns, `" or "`),
			dataframe.Some(v.all), hint)
	}
	v.column = v.all[at["value"]]
	return v, cmp.Or(v.read(in, at, headless, r.Low), in.Err())
}

// mayName removes columns from v.naming that cannot name the nodes: their text in the current row is a fraction, or
// repeats an earlier row's.
func (v *valueRows) mayName(in *dataframe.Table, seen map[string]bool) {
	v.naming = slices.DeleteFunc(v.naming, func(i int) bool {
		text := in.Text(i)
		again := seen[v.all[i]+"\x00"+text]
		seen[v.all[i]+"\x00"+text] = true
		return again || isNumber(text) && !areWhole([]string{text})
	})
}

// read reads a table's rows. at has the indices of the columns "index", "name" and "value" that the table has.
func (v *valueRows) read(in *dataframe.Table, at map[string]int, headless bool, low float64) error {
	empty := 0
	take := func(row dataframe.Row, text func(i int) string, number func(i int) (float64, error)) error {
		for _, column := range []string{"index", "name"} {
			i, ok := at[column]
			if ok && text(i) == "" {
				return in.Bad(i, "is empty, want a node")
			}
			if ok {
				v.texts[column] = append(v.texts[column], dataframe.NameText(text(i)))
			}
		}
		i := at["value"]
		x, err := number(i)
		switch {
		case dataframe.IsMissing(text(i)):
			x, empty = 0, empty+1
		case err != nil:
			return err
		case x < low:
			return in.Bad(i, "is %q, want a prize of at least 0; leave out nodes with negative scores, which then count as "+
				"0", text(i))
		}
		v.values, v.rows = append(v.values, x), append(v.rows, row)
		return nil
	}
	name, named := at["name"]
	for column := range at {
		v.texts[column] = []string{}
	}
	if headless {
		v.notes = append(v.notes, v.path+" has no column names, so its first row is read as values")
		err := take(dataframe.Line(1), func(i int) string { return v.all[i] },
			func(int) (float64, error) { return dataframe.Number(v.column) })
		if err != nil {
			return err
		}
	}
	for i := range v.all {
		if len(at) == 1 && i != at["value"] && in.Check(i) == nil {
			v.naming = append(v.naming, i)
		}
	}
	for seen := map[string]bool{}; in.Next(); { // seen has columns and texts
		v.mayName(in, seen)
		if named && in.Text(name) == Intercept {
			continue
		}
		if err := take(in.Row(), in.Text, in.Number); err != nil {
			return err
		}
	}
	if empty > 0 && empty == len(v.rows) {
		return in.Wrong(at["value"], "has no values")
	} else if empty > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%s: %s of %s have no value and count as 0", v.path, message.Number(empty),
			message.Count(len(v.rows), "row")))
	}
	return nil
}

// nodes finds the node of each row, and returns the names of all nodes in the graph (see the package comment).
func (v *valueRows) nodes(edges *EdgeList) ([]string, error) {
	ends := map[string]bool{}
	for _, end := range edges.all() {
		ends[end] = true
	}
	names, index := v.texts["name"], v.texts["index"]
	byName, column := !areWhole(edges.all()), "name"
	if !byName && names != nil {
		known := slices.ContainsFunc(names, func(name string) bool { return ends[name] })
		byName = known || index == nil && areWhole(names)
		rest := maps.Clone(ends) // ends that are not in the column of indices
		for _, i := range index {
			delete(rest, i)
		}
		if known && index != nil && !slices.Equal(names, index) && len(rest) == 0 {
			return nil, v.bad(-1, "", "has columns index and name, and the numbers in %s may mean either; remove one of the "+
				"columns",
				edges.path)
		}
		if !byName && index == nil && edges.text {
			v.notes = append(v.notes, fmt.Sprintf("rows of %s are matched with nodes of %s by number: row 0 is node "+
				"0", v.path, edges.path))
		}
	}
	if !byName && index == nil && len(v.naming) > 0 && len(v.rows) > 1 {
		return nil, v.bad(-1, v.all[v.naming[0]], "may name the nodes; call the column name, or index if it has "+
			"the numbers of the nodes from 0. Without such a column, row i is node i")
	}
	if v.labels = names; !byName && index != nil {
		v.labels, column = index, "index"
	}
	if byName && names == nil {
		return nil, v.bad(-1, "", `has no column "name", but the nodes of %s have names; its columns are %s`, edges.path,
			dataframe.Some(v.all))
	}
	first := map[string]int{}
	for row, label := range v.labels {
		if same, again := first[label]; again {
			return nil, v.bad(row, column, "is %q, but %v has the same name; want different names", label, v.rows[same])
		}
		first[label] = row
	}
	if byName {
		return v.byName(edges)
	}
	return v.byNumber(edges, index, names, ends)
}

// byName numbers the nodes: first nodes in both files, then nodes only in the edges file.
func (v *valueRows) byName(edges *EdgeList) ([]string, error) {
	find, err := edges.finder(v.labels)
	if err != nil {
		return nil, err
	}
	v.node = slices.Repeat([]int{-1}, len(v.labels))
	known := map[string]bool{}
	var others []string
	for _, name := range edges.all() {
		if row := find(name); row >= 0 {
			v.node[row] = 0
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
			others = append(others, name)
		}
	}
	for row, u := range v.node {
		if u == 0 {
			v.node[row] = len(v.names)
			v.names = append(v.names, v.labels[row])
		}
	}
	v.names = append(v.names, others...)
	return v.names, nil
}

// byNumber interprets the ends of edges as indices: as values of the column "index", or as row numbers.
func (v *valueRows) byNumber(edges *EdgeList, index, names []string, ends map[string]bool) ([]string, error) {
	n := len(v.rows)
	most, why := n, fmt.Sprintf("%s has %s, one for each node", v.path, message.Count(n, "row"))
	if index == nil {
		for row := range v.rows {
			v.node = append(v.node, row)
		}
	} else {
		if !areWhole(index) {
			return nil, v.bad(-1, "index", "has words, want whole numbers")
		}
		// A single large index in the file must not exhaust the memory.
		most, why = 1<<20+64*(n+len(edges.rows)), `indices are the numbers of the nodes; put ids into a column "name"`
		n = 0
		var err error
		if v.node, err = v.indices("index", index, most, why, new(int)); err != nil {
			return nil, err
		}
	}
	for k, column := range edges.Columns {
		if _, err := edges.indices(column, edges.ends[k], most, why, &n); err != nil {
			return nil, err
		}
	}
	for _, text := range edges.nodes {
		u, err := strconv.Atoi(text)
		if err != nil || u < 0 || u >= most {
			return nil, edges.bad(-1, "", "has node %s, want 0 to %d: %s", text, most-1, why)
		}
		n = max(n, u+1)
	}
	if index != nil {
		v.absent = n - len(ends)
		for row := range v.node {
			if !ends[index[row]] {
				v.node[row] = -1
			}
		}
	}
	nodes := make([]string, n)
	for u := range nodes {
		nodes[u] = strconv.Itoa(u)
	}
	if names != nil {
		v.names = slices.Clone(nodes)
		for row, u := range v.node {
			if u >= 0 {
				v.names[u] = names[row]
			}
		}
	}
	return nodes, nil
}
