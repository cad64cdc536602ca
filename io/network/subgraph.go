package network

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"graphda/graph"
	"graphda/io/dataframe"
	"graphda/io/message"
)

// A Subgraph is the graph of the requested nodes and the edges between them.
type Subgraph struct {
	Graph    *graph.Graph
	Nodes    int      // number of different names of nodes in the file
	Found    int      // number of these names that are nodes of the graph
	Matched  int      // number of the graph's nodes that have a name in the file
	Isolated []string // nodes without an edge

	Connectors []string // names of the connectors, which are the graph's last nodes; see Joining
	Outside    int      // number of rows with an end that is not a requested node
	Unknown    []string // names of the file's nodes that were not requested, ascending
	Repeated   int      // number of rows that repeat an edge, in either direction, with the same cost
	Merged     int      // number of rows that repeat an edge with a different cost
	Loops      int      // number of rows that join a node to itself
	Several    int      // number of names that are aliases of several nodes
	Renamed    int      // number of nodes found by an alias or by ignoring case
	Made       [2]Range // ranges of costs made from confidences, before and after Formula.finish
}

// Notes returns notes for the user: what was not read, which rows do not make an edge, and, if in doubt, how the first
// row was interpreted.
func (l *EdgeList) Notes(s *Subgraph) []string {
	notes := slices.Clone(l.FileNotes)
	add := func(n int, format, noun string, args ...any) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf(format, append([]any{message.Count(n, noun) + " of " + l.path}, args...)...))
		}
	}
	add(s.Repeated, "left out %s (the costs are equal)", "repeated edge")
	kept := map[Duplicates]string{DuplicatesMin: "smallest", DuplicatesMax: "largest", DuplicatesMean: "mean"}
	add(s.Merged, "merged %s, because they give an edge different costs; the edge gets their %s cost (--duplicates %s)",
		"row", kept[l.request.Duplicates], l.request.Duplicates)
	add(s.Loops, "left out %s", "self-loop")
	if len(l.Unread) > 0 {
		text := "ignored columns of " + l.path + ": " + strings.Join(l.Unread, ", ")
		switch {
		case l.Value != "" || l.request.Cost != "":
		case l.Unused != "":
			text += fmt.Sprintf("; every edge costs 1 (--confidence %q makes costs from this column)", l.Unused)
		default:
			text += "; every edge costs 1" + l.advice
		}
		notes = append(notes, text)
	}
	return notes
}

func (l *EdgeList) all() []string { return slices.Concat(l.ends[0], l.ends[1], l.nodes) }

// A Range holds the smallest and the largest of some numbers.
type Range [2]float64

// Share returns the share of the file's names, or of the graph's nodes, that are matched, whichever is larger.
func (s *Subgraph) Share() float64 {
	return max(float64(s.Found)/float64(max(1, s.Nodes)), float64(s.Matched)/float64(max(1, s.Features())))
}

// Features returns how many nodes the graph has without the connectors.
func (s *Subgraph) Features() int { return s.Graph.NumNodes() - len(s.Connectors) }

// Among returns the graph on nodes with the given names, which must be different.
func (l *EdgeList) Among(nodes []string) (*Subgraph, error) { return l.among(nodes, nil) }

// among is like Among, but the graph also has connectors after the named nodes.
func (l *EdgeList) among(names, connectors []string) (*Subgraph, error) {
	nodes := slices.Concat(names, connectors)
	find, err := l.finder(nodes)
	if err != nil {
		return nil, err
	}
	s := &Subgraph{Connectors: connectors}
	var rows []edgeRow
	found := map[string]int32{} // node of each name, or −1
	matched := map[int32]bool{}
	lookup := func(name string) int32 {
		u, ok := found[name]
		if !ok {
			if u = find(name); u == severalNodes {
				s.Several++
			}
			found[name] = u
			switch {
			case u < 0:
				s.Unknown = append(s.Unknown, name)
			case nodes[u] != name:
				s.Renamed++
			}
			if u >= 0 {
				matched[u] = true
			}
		}
		return u
	}
	for row := range l.rows {
		u, v := lookup(l.ends[0][row]), lookup(l.ends[1][row])
		switch {
		case u < 0 || v < 0 || int(min(u, v)) >= len(names):
			s.Outside++
		case u == v:
			s.Loops++
		default:
			rows = append(rows, edgeRow{graph.Edge{U: min(u, v), V: max(u, v)}, row})
		}
	}
	s.Nodes, s.Found, s.Matched = len(found), len(found)-len(s.Unknown)-len(connectors), len(matched)-len(connectors)
	slices.Sort(s.Unknown)
	return s, l.build(s, nodes, rows)
}

// Joining returns the graph on the named nodes and, after them, connectors, sorted by name. A connector is another node
// with edges to two or more of the named nodes. There are no edges between connectors.
func (l *EdgeList) Joining(nodes []string) (*Subgraph, error) {
	find, err := l.finder(nodes)
	if err != nil {
		return nil, err
	}
	joined := map[string]int32{} // for each other node: its first neighbour in nodes; −1 for a connector
	var connectors []string
	for row := range l.rows {
		for k := range l.ends {
			u, name := find(l.ends[k][row]), l.ends[1-k][row]
			if u < 0 || find(name) != -1 {
				continue
			}
			switch first, again := joined[name]; {
			case !again:
				joined[name] = u
			case first >= 0 && first != u:
				connectors, joined[name] = append(connectors, name), -1
			}
		}
	}
	slices.Sort(connectors)
	return l.among(nodes, connectors)
}

type edgeRow struct {
	graph.Edge
	row int
}

func (l *EdgeList) build(s *Subgraph, nodes []string, rows []edgeRow) error {
	slices.SortFunc(rows, func(a, b edgeRow) int {
		return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V), a.row-b.row)
	})
	var edges []graph.Edge
	for i, r := range rows {
		if i == 0 || r.Edge != rows[i-1].Edge {
			edges = append(edges, r.Edge)
		}
	}
	of := l.request.Cost.costs(l, edges, len(nodes))
	costs := make([]float64, len(edges)) // not nil, because nil would mean cost 1
	var problems dataframe.Problems
	for i, e := range edges {
		n := 1
		for n < len(rows) && rows[n].Edge == e {
			n++
		}
		var err error
		if costs[i], err = l.merge(s, rows[:n], func(row int) float64 { return of(i, row) }); err != nil {
			problems.Add(l.path, err)
		}
		rows = rows[n:]
	}
	if err := problems.Err(); err != nil {
		return err
	}
	if l.request.Confidence != "" && len(costs) > 0 {
		s.Made[0] = Range{slices.Min(costs), slices.Max(costs)}
		l.request.Cost.finish(costs, edges, len(nodes))
		s.Made[1] = Range{slices.Min(costs), slices.Max(costs)}
	}
	var err error
	if s.Graph, err = graph.New(len(nodes), edges, costs); err != nil {
		return fmt.Errorf("%s: %w", l.path, err)
	}
	for u, name := range nodes {
		if s.Graph.Degree(int32(u)) == 0 {
			s.Isolated = append(s.Isolated, name)
		}
	}
	return nil
}

func (l *EdgeList) merge(s *Subgraph, rows []edgeRow, cost func(row int) float64) (float64, error) {
	if len(rows) == 1 {
		return cost(rows[0].row), nil
	}
	all := make([]float64, len(rows))
	for i, r := range rows {
		all[i] = cost(r.row)
	}
	least, most := slices.Min(all), slices.Max(all)
	if least == most {
		s.Repeated += len(rows) - 1
		return least, nil
	}
	s.Merged += len(rows)
	switch l.request.Duplicates {
	case DuplicatesMin:
		return least, nil
	case DuplicatesMax:
		return most, nil
	case DuplicatesMean:
		slices.Sort(all) // the sum must not depend on the order of rows
		sum := 0.0
		for _, c := range all {
			sum += c
		}
		return sum / float64(len(all)), nil
	}
	i := slices.IndexFunc(all, func(c float64) bool { return c != all[0] })
	again := rows[i].row
	return 0, l.bad(again, l.Value,
		"is %v for the edge between %q and %q, but %v for the same edge in %v; choose a cost with --duplicates min, max or "+
			"mean",
		l.values[again], l.ends[0][again], l.ends[1][again], l.values[rows[0].row], l.rows[rows[0].row])
}
