package stp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"graphda/graph"
	"graphda/io/safefile"
)

// An Instance is a problem: find the tree with the least cost of edges plus prizes outside.
type Instance struct {
	Name     string
	Graph    *graph.Graph
	Prizes   []float64 // by node
	Root     int       // a node that must be in the tree, −1 for none
	Parallel int       // edges of the file dropped for a cheaper one between the same nodes
	Weights  []float64 // by node, of a file with node weights, else nil
	Shift    float64   // m ≤ 0, which was taken from the weights
}

// ReadFile reads a file. Its name without the extension is the instance's unless the
// file has one.
func ReadFile(path string) (*Instance, error) {
	f, err := safefile.OpenUnpacked(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, path)
}

// maxLine is the longest line read; real ones are shorter by far.
const maxLine = 1 << 20

// read reads the content of a file. The path is for messages and the name.
func read(r io.Reader, path string) (*Instance, error) {
	p := &parser{path: path, seenPrize: map[int]int{}, root: -1}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() && !p.done {
		p.line++
		if err := p.parse(lines.Text()); err != nil {
			return nil, p.at(p.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, p.at(p.line+1, fmt.Errorf("is longer than %d bytes", maxLine))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p.finish()
}

// finish checks that the file is whole and makes the instance.
func (p *parser) finish() (*Instance, error) {
	end := max(p.line, 1)
	switch {
	case p.section != "":
		return nil, p.at(end, fmt.Errorf("the file ends inside its section %q, want END", p.section))
	case p.nodes.line == 0:
		return nil, p.at(end, errors.New(`the file ends without a graph, want a section "Graph" with its number of nodes`))
	}
	if p.edges.line > 0 && len(p.ends) != p.edges.count {
		return nil, p.at(p.edges.line, fmt.Errorf("announces %d edges, but the file has %d", p.edges.count, len(p.ends)))
	}
	if p.terminals.line > 0 {
		// Some files count the root among the terminals.
		if n := len(p.prizes); n != p.terminals.count && (p.root < 0 || n+1 != p.terminals.count) {
			return nil, p.at(p.terminals.line, fmt.Errorf("announces %d terminals, but the file has %d", p.terminals.count, n))
		}
	}
	if !p.weighted && p.unpriced > 0 {
		return nil, p.at(p.unpriced, errors.New("is an edge without a cost, which only a file with node weights (T v "+
			"weight) may have"))
	}
	if p.weighted && p.priced > 0 {
		return nil, p.at(p.priced, errors.New("is an edge with a cost, in a file with node weights (T v weight), whose "+
			"edges have none"))
	}
	// Memory must not depend on a number alone. No real graph is nearly all isolated nodes.
	if most := 1<<20 + 64*end; p.nodes.count > most {
		return nil, p.at(p.nodes.line, fmt.Errorf("announces %d nodes, want at most %d in a file of %d lines", p.nodes.count,
			most, end))
	}
	return p.instance()
}

func (p *parser) instance() (*Instance, error) {
	in := &Instance{Name: p.name, Prizes: make([]float64, p.nodes.count), Root: p.root}
	if in.Name == "" {
		in.Name = strings.TrimSuffix(filepath.Base(p.path), ".stp")
	}
	for _, x := range p.prizes {
		in.Prizes[x.node] = x.value
	}
	if p.weighted {
		in.shift(p.costs)
	}
	ends, costs := p.cheapest()
	in.Parallel = len(p.ends) - len(ends)
	var err error
	if in.Graph, err = graph.New(p.nodes.count, ends, costs); err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err) // parse has checked all that New refuses
	}
	return in, nil
}

// shift turns node weights into prizes and fills in the edges' costs.
func (in *Instance) shift(costs []float64) {
	in.Weights = slices.Clone(in.Prizes)
	in.Shift = min(0, floats.Min(in.Weights))
	floats.AddConst(-in.Shift, in.Prizes)
	for e := range costs {
		costs[e] = 0 - in.Shift
	}
}

// cheapest returns the edges without those that run parallel to a cheaper one, or to an
// earlier one of the same cost. Edges keep their order.
func (p *parser) cheapest() ([]graph.Edge, []float64) {
	best := make(map[graph.Edge]int, len(p.ends))
	key := func(e graph.Edge) graph.Edge { return graph.Edge{U: min(e.U, e.V), V: max(e.U, e.V)} }
	for i, e := range p.ends {
		if j, ok := best[key(e)]; !ok || p.costs[i] < p.costs[j] {
			best[key(e)] = i
		}
	}
	ends, costs := make([]graph.Edge, 0, len(best)), make([]float64, 0, len(best))
	for i, e := range p.ends {
		if best[key(e)] == i {
			ends, costs = append(ends, e), append(costs, p.costs[i])
		}
	}
	return ends, costs
}
