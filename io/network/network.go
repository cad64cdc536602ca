package network

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"graphda/graph"
)

// Intercept is the name of a linear model's intercept in a file of its weights. Such a row
// is no node.
const Intercept = "(intercept)"

// A Network is a graph with a value on each node.
type Network struct {
	Graph    *graph.Graph
	Names    []string // by node; nil if nodes have no other names than their indices
	Values   []float64
	Isolated int // nodes without an edge
	Unvalued int // nodes without a row in the values file, which have value 0

	Rows      int      // of the values file
	Unmatched []string // nodes of the values file that the graph does not have, by name or index
	Column    string   // of the values
	Columns   []string // all of the values file
	Unread    []string // columns of the graph file that mean nothing here
	Costs     bool     // the graph file has costs
}

// A Request says which files to read.
type Request struct {
	Graph   string   // path of the edges
	Values  string   // path of the values
	Columns []string // names of the values' column; the first that the file has is taken
	Low     float64  // the least value allowed; −Inf for any
}

var graphLayout = &layout{nodes: []string{"source", "target"}, numbers: []string{"cost"}}

func (r *Request) layout() *layout {
	return &layout{nodes: []string{"name", "index"}, numbers: r.Columns, low: r.Low}
}

// Read reads and checks a network.
func Read(r Request) (*Network, error) {
	edges, err := graphLayout.read(r.Graph)
	if err != nil {
		return nil, err
	}
	rows, err := r.layout().read(r.Values)
	if err != nil {
		return nil, err
	}
	b := &builder{edges: edges, rows: rows}
	if err := b.readEnds(); err != nil {
		return nil, err
	}
	if err := b.number(); err != nil {
		return nil, err
	}
	return b.network(r)
}

// A builder puts the two tables together.
type builder struct {
	edges, rows      *table
	sources, targets *labels
	source, target   []int32 // nodes by row of edges
	node             []int32 // nodes by row of rows
	matched          *labels // of rows, by which its nodes are found in the graph; nil if by place
	names            []string
	n                int
}

func (b *builder) readEnds() error {
	for _, end := range []struct {
		name string
		l    **labels
	}{{"source", &b.sources}, {"target", &b.targets}} {
		if b.edges.texts[end.name] == nil {
			return b.edges.missing(strconv.Quote(end.name))
		}
		var err error
		if *end.l, err = labelsOf(b.edges, end.name); err != nil {
			return err
		}
	}
	return nil
}

// number gives every node its index; see the package comment.
func (b *builder) number() error {
	indexed := b.rows.texts["index"] != nil
	whole := b.sources.whole() && b.targets.whole()
	var labels *labels
	var err error
	if b.rows.texts["name"] != nil {
		if labels, err = labelsOf(b.rows, "name"); err != nil {
			return err
		}
	}
	switch {
	case !whole && labels == nil:
		return b.rows.missing(`"name", which tells the nodes of ` + b.edges.path + " apart")
	case !whole, !indexed && labels != nil && labels.whole():
		return b.byName(labels)
	case indexed:
		return b.byIndex(labels)
	}
	return b.byRow(labels)
}

// byName numbers the nodes of the values file, then those that only the graph has.
func (b *builder) byName(l *labels) (err error) {
	all := &names{index: map[string]int32{}}
	b.matched = l
	if b.node, err = all.add(l); err != nil {
		return err
	}
	if err = l.distinct(b.node, len(all.list)); err != nil {
		return err
	}
	if b.source, err = all.add(b.sources); err != nil {
		return err
	}
	b.target, err = all.add(b.targets)
	b.names, b.n = all.list, len(all.list)
	return err
}

// byIndex takes the nodes' indices from a column.
func (b *builder) byIndex(named *labels) error {
	l, err := labelsOf(b.rows, "index")
	if err != nil {
		return err
	}
	if !l.whole() {
		return b.rows.bad("index", "has words, want whole numbers")
	}
	// Memory must not depend on a number alone.
	most := min(1<<20+64*(len(b.rows.rows)+len(b.edges.rows)), math.MaxInt32)
	for _, l := range []*labels{l, b.sources, b.targets} {
		if _, err := l.indices(most, `indices count the nodes; ids belong into a column "name"`); err != nil {
			return err
		}
		for _, v := range l.ints {
			b.n = max(b.n, int(v)+1)
		}
	}
	b.matched = l
	b.node, _ = l.indices(b.n, "")
	b.source, _ = b.sources.indices(b.n, "")
	b.target, _ = b.targets.indices(b.n, "")
	if err := l.distinct(b.node, b.n); err != nil || named == nil {
		return err
	}
	b.names = make([]string, b.n)
	for u := range b.names {
		b.names[u] = fmt.Sprint(u)
	}
	for row, u := range b.node {
		b.names[u] = named.name(row)
	}
	return nil
}

// byRow takes row i of the values file for node i.
func (b *builder) byRow(named *labels) (err error) {
	b.n = len(b.rows.rows)
	b.node = make([]int32, b.n)
	for row := range b.node {
		b.node[row] = int32(row)
	}
	if named != nil {
		all := &names{index: map[string]int32{}}
		nodes, err := all.add(named)
		if err != nil {
			return err
		}
		if err := named.distinct(nodes, b.n); err != nil {
			return err
		}
		b.names = all.list
	}
	why := fmt.Sprintf("%s has %d rows, one for each node", b.rows.path, b.n)
	if b.source, err = b.sources.indices(b.n, why); err != nil {
		return err
	}
	b.target, err = b.targets.indices(b.n, why)
	return err
}

func (b *builder) network(r Request) (*Network, error) {
	n := &Network{Names: b.names, Values: make([]float64, b.n), Unvalued: b.n - len(b.node)}
	at := slices.IndexFunc(r.Columns, func(name string) bool { return b.rows.numbers[name] != nil })
	if at < 0 {
		return nil, b.rows.missing(either(r.Columns))
	}
	n.Rows, n.Column, n.Columns, n.Unread = len(b.rows.rows), r.Columns[at], b.rows.all, b.edges.unread()
	n.Costs = b.edges.numbers["cost"] != nil
	for row, x := range b.rows.numbers[n.Column] {
		n.Values[b.node[row]] = x
	}
	if b.n == 0 {
		return nil, b.rows.bad("", "has no rows, and %s neither: there are no nodes", b.edges.path)
	}
	var err error
	if n.Graph, err = b.graph(); err != nil {
		return nil, err
	}
	for u := range int32(b.n) {
		if n.Graph.Degree(u) == 0 {
			n.Isolated++
		}
	}
	if b.matched != nil {
		for row, u := range b.node {
			if n.Graph.Degree(u) == 0 {
				n.Unmatched = append(n.Unmatched, b.matched.name(row))
			}
		}
	}
	return n, nil
}

func (b *builder) graph() (*graph.Graph, error) {
	ends := make([]graph.Edge, len(b.source))
	for row := range ends {
		ends[row] = graph.Edge{U: b.source[row], V: b.target[row]}
	}
	g, err := graph.New(b.n, ends, b.edges.numbers["cost"]) // nil stands for 1
	var bad *graph.EdgeError
	if !errors.As(err, &bad) {
		return g, err
	}
	e := ends[bad.Edge]
	if e.U == e.V {
		return nil, b.edges.badCell(bad.Edge, "target", "is %q as the source is: a self-loop",
			b.targets.name(bad.Edge))
	}
	for first, f := range ends[:bad.Edge] {
		if f == e || f.U == e.V && f.V == e.U {
			return nil, b.edges.badCell(bad.Edge, "",
				"repeats the edge of %v, between %q and %q; an edge may stand once, in either direction",
				b.edges.rows[first], b.sources.name(bad.Edge), b.targets.name(bad.Edge))
		}
	}
	return nil, b.edges.badCell(bad.Edge, "", "%w", bad.Err)
}
