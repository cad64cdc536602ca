package model

import (
	"cmp"
	"slices"

	"graphda/graph"
	"graphda/io/columnar"
)

// edgeColumns lists, for each node, the edges of which it is the first end: the other end, the cost, and the
// edge's index, on which forests may depend where costs are equal.
func edgeColumns(g *graph.Graph) []columnar.Out {
	neighbours, edges := make([][]int32, g.NumNodes()), make([][]int32, g.NumNodes())
	costs := make([][]float64, g.NumNodes())
	for i, e := range g.Edges() {
		neighbours[e.U] = append(neighbours[e.U], e.V)
		costs[e.U] = append(costs[e.U], g.Costs()[i])
		edges[e.U] = append(edges[e.U], int32(i))
	}
	return []columnar.Out{columnar.Int32Lists(neighbourColumn, neighbours), columnar.FloatLists(costColumn, costs),
		columnar.Int32Lists(edgeColumn, edges)}
}

// An edge is one of the file: it stands at its first end.
type edge struct {
	graph.Edge
	cost  float64
	index int64
}

// readEdges reads the graph, nil if there is none.
func readEdges(f *columnar.File) (*graph.Graph, error) {
	if f.Find(neighbourColumn) == nil {
		return nil, nil
	}
	var list []edge
	err := eachInt(f, neighbourColumn, func(row int, v int64) error {
		if v < 0 || v >= int64(f.Rows) {
			return columnar.AtRow(row, "has neighbour %d, want 0 to %d", v, f.Rows-1)
		}
		list = append(list, edge{Edge: graph.Edge{U: int32(row), V: int32(v)}})
		return nil
	})
	if err != nil {
		return nil, err
	}
	indices, costs := 0, 0 // that were read
	err = eachInt(f, edgeColumn, func(row int, v int64) error {
		e, err := nextEdge(list, &indices, row)
		if err == nil {
			e.index = v
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	c, err := f.Need(costColumn)
	if err != nil {
		return nil, err
	}
	if !c.IsNumeric() || !c.List {
		return nil, f.WrongType(c, "lists of numbers")
	}
	err = f.Floats(c, func(row int, values []float64) error {
		for _, v := range values {
			e, err := nextEdge(list, &costs, row)
			if err != nil {
				return err
			}
			e.cost = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if indices != len(list) || costs != len(list) {
		return nil, f.Bad(neighbourColumn, "has %d neighbours, %d edges and %d costs", len(list), indices, costs)
	}
	return join(f, list)
}

// nextEdge returns the edge that the next value of a row is about.
func nextEdge(list []edge, at *int, row int) (*edge, error) {
	if *at == len(list) || list[*at].U != int32(row) {
		return nil, columnar.AtRow(row, "has not one value for each neighbour")
	}
	*at++
	return &list[*at-1], nil
}

// join makes the graph of edges in the order of their indices.
func join(f *columnar.File, list []edge) (*graph.Graph, error) {
	slices.SortStableFunc(list, func(a, b edge) int { return cmp.Compare(a.index, b.index) })
	edges, costs := make([]graph.Edge, len(list)), make([]float64, len(list))
	for i, e := range list {
		edges[i], costs[i] = e.Edge, e.cost
	}
	g, err := graph.New(f.Rows, edges, costs)
	return g, columnar.Locate(err, f.Path, neighbourColumn)
}
