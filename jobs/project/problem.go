package project

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"graphda/graph"
	"graphda/io/network"
	"graphda/io/stp"
)

// A Problem is a graph with a weight and a prize on each node.
type Problem struct {
	Name    string
	Graph   *graph.Graph
	Names   []string  // by node; nil if nodes have no other names than their numbers
	First   int       // the number of the first node where nodes have no names
	Weights []float64 // w
	Prizes  []float64 // π = w²
	Root    int       // the root that the file names, −1 for none
	Shift   float64   // of an instance with node weights: see stp.Instance
	Signed  bool      // the instance has node weights
	Notes   []string  // what a user should know about the files
}

// A Source names the files of a problem: one .stp file, or a graph and either weights or
// prizes.
type Source struct {
	Instance string // path of a .stp file
	Graph    string
	Weights  string
	Prizes   string
	Column   string // of the weights or prizes; "" for value, weight or prize
}

// Open reads a problem.
func Open(s Source) (*Problem, error) {
	if s.Instance != "" {
		return openInstance(s.Instance)
	}
	r := network.Request{Graph: s.Graph, Values: s.Weights, Columns: []string{"value", "weight"}, Low: math.Inf(-1)}
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
	p := &Problem{Name: s.Graph, Graph: n.Graph, Names: n.Names, Root: -1}
	if s.Prizes != "" {
		p.Prizes, p.Weights = n.Values, roots(n.Values)
	} else {
		p.Weights, p.Prizes = n.Values, make([]float64, len(n.Values))
		for u, w := range n.Values {
			p.Prizes[u] = w * w
		}
	}
	for u, prize := range p.Prizes {
		if math.IsInf(prize*float64(len(p.Prizes)), 0) {
			return nil, fmt.Errorf("%s: node %s has %v, whose square is out of range", r.Values, p.NodeName(int32(u)), n.Values[u])
		}
	}
	if n.Isolated > 0 {
		p.note("%d of %d nodes have no edge", n.Isolated, len(n.Values))
	}
	if n.Unvalued > 0 {
		p.note("%d nodes of %s have no row in %s and count as 0", n.Unvalued, s.Graph, r.Values)
	}
	return p, nil
}

func openInstance(path string) (*Problem, error) {
	in, err := stp.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &Problem{
		Name: in.Name, Graph: in.Graph, First: 1, Weights: roots(in.Prizes), Prizes: in.Prizes, Root: in.Root,
		Shift: in.Shift, Signed: in.Weights != nil,
	}
	if len(in.Prizes) == 0 {
		return nil, fmt.Errorf("%s: has no nodes", path)
	}
	if p.Signed {
		p.Weights = in.Weights
		p.note("node weights: prizes are weights plus %v, and every edge costs %[1]v", -in.Shift)
	}
	if in.Parallel > 0 {
		p.note("%d edges run parallel to a cheaper one and were dropped", in.Parallel)
	}
	return p, nil
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

// NodeName returns what a node is called.
func (p *Problem) NodeName(u int32) string {
	if p.Names != nil {
		return p.Names[u]
	}
	return strconv.Itoa(int(u) + p.First)
}

// Node returns the node of a name.
func (p *Problem) Node(name string) (int, error) {
	if p.Names != nil {
		if u := slices.Index(p.Names, name); u >= 0 {
			return u, nil
		}
		return 0, fmt.Errorf("%q is no node of %s, which has %s and so on", name, p.Name, p.Names[0])
	}
	u, err := strconv.Atoi(name)
	if n := len(p.Prizes); err != nil || u < p.First || u >= p.First+n {
		return 0, fmt.Errorf("%q is no node of %s, which has %d to %d", name, p.Name, p.First, p.First+n-1)
	}
	return u - p.First, nil
}
