package project

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/message"
	"graphda/io/network"
)

// A Problem is a graph with a weight and a prize on each node.
type Problem struct {
	Name    string
	Graph   *graph.Graph
	Names   []string  // names of the nodes; nil if nodes have only numbers
	Weights []float64 // w, by node
	Prizes  []float64 // π = w², by node
	Notes   []string  // notes to the user about the files

	Unmatched int // number of rows of weights or prizes that match no node
	Absent    int // number of node indices that the graph's file skips
}

func (p *Problem) numNodes() int { return len(p.Prizes) - p.Absent }

// A Source names the files of a problem: a graph, and either weights or prizes.
type Source struct {
	Graph   network.EdgeRequest
	Weights string
	Prizes  string
	Column  string // column of the weights or prizes; "" means value, weight or prize

	// Unmatched says what to do with rows that match no node. UnmatchedError refuses them, UnmatchedWarn leaves them out,
	// and "" leaves them out if they are at most half of all rows.
	Unmatched string
}

// Values for Source.Unmatched.
const (
	UnmatchedError = "error"
	UnmatchedWarn  = "warn"
)

// Open reads a problem.
func Open(s Source) (_ *Problem, err error) {
	r := network.Request{Edges: s.Graph, Values: s.Weights, Columns: []string{"value", "weight"}, Low: math.Inf(-1)}
	if s.Prizes != "" {
		r.Values, r.Columns, r.Low = s.Prizes, []string{"value", "prize"}, 0
	}
	if s.Column != "" {
		r.Columns = []string{s.Column}
	}
	n, err := network.Read(r)
	if err != nil {
		return nil, err
	}
	defer func() { err = message.WithNotes(err, slices.Concat(n.Edges.FileNotes, n.Notes)) }()
	p := &Problem{Name: s.Graph.Path, Graph: n.Graph, Names: n.Names, Unmatched: len(n.Unmatched), Absent: n.Absent}
	if s.Prizes != "" {
		p.Prizes, p.Weights = n.Values, roots(n.Values)
	} else {
		p.Weights, p.Prizes = n.Values, make([]float64, len(n.Values))
		for u, w := range n.Values {
			p.Prizes[u] = w * w
		}
	}
	if err := p.checkSum(r.Values, n.Values); err != nil {
		return nil, err
	}
	if err := p.noteUnmatched(s, r.Values, n); err != nil {
		return nil, err
	}
	p.Notes = slices.Concat(p.Notes, n.Notes, n.Edges.Notes(n.Subgraph))
	p.noteColumns(s, r.Values, n)
	return p, nil
}

// checkSum returns an error if the sum of all prizes overflows.
func (p *Problem) checkSum(path string, values []float64) error {
	if !math.IsInf(floats.Sum(p.Prizes), 0) {
		return nil
	}
	largest := floats.MaxIdx(p.Prizes)
	what := "and the sum of all prizes is out of range"
	if math.IsInf(p.Prizes[largest], 0) {
		what = "whose square is out of range"
	}
	return fmt.Errorf("%s: node %s has %v, %s", path, p.nodeName(int32(largest)), values[largest], what)
}

// noteUnmatched adds notes on rows that match no node, nodes without an edge, and nodes without a row. It returns an
// error if there are no rows, or if Source.Unmatched forbids unmatched rows.
func (p *Problem) noteUnmatched(s Source, path string, n *network.Network) error {
	if n.Rows == 0 {
		return fmt.Errorf("%s: has no rows", path)
	}
	if strangers := len(n.Unmatched); strangers > 0 {
		named := make([]string, min(strangers, 3))
		for i := range named {
			named[i] = strconv.Quote(n.Unmatched[i])
		}
		if strangers > len(named) {
			named = append(named, "…")
		}
		text := fmt.Sprintf("%s: %s of %s match no node of %s: %s", path, message.Number(strangers),
			message.Count(n.Rows, "row"), p.Name, strings.Join(named, ", "))
		if s.Unmatched == UnmatchedError || s.Unmatched != UnmatchedWarn && 2*strangers > n.Rows {
			return fmt.Errorf("%s; nodes are named like %q (--unmatched %s leaves the rows out)", text,
				p.nodeName(int32(len(p.Prizes)-1)), UnmatchedWarn)
		}
		p.note("%s; project leaves them out", text)
	}
	if isolated := len(n.Isolated) - n.Absent; isolated > 0 {
		p.note("%s of %s have no edge", message.Number(isolated), message.Count(p.numNodes(), "node"))
	}
	if n.Unvalued > 0 {
		p.note("%s no row in %s: project uses the value 0", message.Have(n.Unvalued, "node"), path)
	}
	return nil
}

// pValues matches names of columns of p-values, such as padj, adj.P.Val and FDR.
var pValues = regexp.MustCompile(`(?i)^((adj[._ ]?)?p[._ -]?(val|value|values|adj)?|fdr|q[._ -]?(val|value|values)?)$`)

// noteColumns adds notes on columns that the user may expect to be read but were not, and on p-values used as prizes.
func (p *Problem) noteColumns(s Source, path string, n *network.Network) {
	if pValues.MatchString(n.Column) {
		p.note("column %s of %s has a name for p-values, but large values are large prizes; use −log10 of p-values", n.Column,
			path)
	}
	for _, name := range []string{"value", "weight", "prize"} {
		if s.Column == "" && name != n.Column && slices.Contains(n.Columns, name) {
			p.note("column %[2]s of %[1]s is read; --column %[3]s reads column %[3]s instead", path, n.Column, name)
		}
	}
}

func (p *Problem) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

func roots(prizes []float64) []float64 {
	w := make([]float64, len(prizes))
	for u, prize := range prizes {
		w[u] = math.Sqrt(prize)
	}
	return w
}

func (p *Problem) nodeName(u int32) string {
	if p.Names != nil {
		return p.Names[u]
	}
	return strconv.Itoa(int(u))
}

func (p *Problem) node(name string) (int, error) {
	for u := range p.Prizes {
		if p.nodeName(int32(u)) == name {
			return u, nil
		}
	}
	return 0, fmt.Errorf("%q is not a node of %s; its nodes have names like %s", name, p.Name, p.nodeName(0))
}
