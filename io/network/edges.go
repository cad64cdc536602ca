package network

import (
	"fmt"

	"graphda/graph"
)

// An EdgeList is a graph whose nodes go by names, or by whole numbers that are names as well.
type EdgeList struct {
	table            *table
	sources, targets *labels
}

// ReadEdges reads a graph file. It checks costs, but not yet which edges there are: see
// Among.
func ReadEdges(path string) (*EdgeList, error) {
	t, err := graphLayout.read(path)
	if err != nil {
		return nil, err
	}
	b := builder{edges: t}
	if err := b.readEnds(); err != nil {
		return nil, err
	}
	return &EdgeList{table: t, sources: b.sources, targets: b.targets}, nil
}

// A Subgraph is the part of an edge list that lies among some nodes.
type Subgraph struct {
	Graph    *graph.Graph
	Isolated []string // nodes without an edge
	Outside  int      // rows left out because an end is none of the nodes
	Unknown  []string // such ends, each once, in the order of the file
	Repeated int      // rows left out because they repeat an edge at the same cost, in either direction
	Loops    int      // rows left out because they join a node to itself
}

// Among returns the graph on the nodes of these names, which differ. An edge that stands
// twice at different costs is an error.
func (l *EdgeList) Among(nodes []string) (*Subgraph, error) {
	index := make(map[string]int32, len(nodes))
	for u, name := range nodes {
		index[name] = int32(u)
	}
	s := &Subgraph{}
	var edges []graph.Edge
	costs := []float64{} // not nil, which stands for 1
	first := map[graph.Edge]int{}
	unknown := map[string]bool{}
	for row := range l.table.rows {
		source, target := l.sources.name(row), l.targets.name(row)
		u, okU := index[source]
		v, okV := index[target]
		switch {
		case !okU || !okV:
			s.Outside++
			for _, end := range []struct {
				name  string
				known bool
			}{{source, okU}, {target, okV}} {
				if !end.known && !unknown[end.name] {
					unknown[end.name] = true
					s.Unknown = append(s.Unknown, end.name)
				}
			}
			continue
		case u == v:
			s.Loops++
			continue
		}
		key := graph.Edge{U: min(u, v), V: max(u, v)}
		if at, again := first[key]; again {
			if l.cost(row) != l.cost(at) {
				return nil, l.table.badCell(row, "cost",
					"is %v for the edge between %q and %q, which has %v in %v; an edge has one cost",
					l.cost(row), source, target, l.cost(at), l.table.rows[at])
			}
			s.Repeated++
			continue
		}
		first[key] = row
		edges, costs = append(edges, graph.Edge{U: u, V: v}), append(costs, l.cost(row))
	}
	var err error
	if s.Graph, err = graph.New(len(nodes), edges, costs); err != nil {
		return nil, fmt.Errorf("%s: %w", l.table.path, err)
	}
	for u, name := range nodes {
		if s.Graph.Degree(int32(u)) == 0 {
			s.Isolated = append(s.Isolated, name)
		}
	}
	return s, nil
}

func (l *EdgeList) cost(row int) float64 {
	if costs := l.table.numbers["cost"]; costs != nil {
		return costs[row]
	}
	return 1
}
