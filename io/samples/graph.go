package samples

import (
	"errors"
	"math"

	"graphda/graph"
	"graphda/io/columnar"
)

// readGraph reads a graph whose nodes are the given features.
func readGraph(f *columnar.File, features *featureTable) (*graph.Graph, error) {
	if f.Rows > math.MaxInt32/2 {
		return nil, f.Bad("", "has %d edges, want at most %d", f.Rows, math.MaxInt32/2)
	}
	sources, err := readEnds(f, "source", features)
	if err != nil {
		return nil, err
	}
	targets, err := readEnds(f, "target", features)
	if err != nil {
		return nil, err
	}
	costs, err := f.FloatsThat("cost", notNegative, "at least 0")
	if err != nil {
		return nil, err
	}
	edges := make([]graph.Edge, len(sources))
	for i := range edges {
		if sources[i] == targets[i] {
			err := columnar.AtRow(i, "is %q as the source is: a self-loop", features.Names[targets[i]])
			return nil, columnar.Locate(err, f.Path, "target")
		}
		edges[i] = graph.Edge{U: sources[i], V: targets[i]}
	}
	g, err := graph.New(len(features.Names), edges, costs)
	return g, explain(f, err, edges, features)
}

// readEnds reads one end of every edge, given as a feature's index or name.
func readEnds(f *columnar.File, name string, features *featureTable) ([]int32, error) {
	c, err := f.Need(name)
	if err != nil {
		return nil, err
	}
	var ends []int32
	switch {
	case c.Kind == columnar.Integer && !c.List:
		n := int64(len(features.Names))
		err = f.Ints(c, func(row int, values []int64) error {
			for i, v := range values {
				if v < 0 || v >= n {
					return columnar.AtRow(row+i, "is feature %d, which does not exist; %s has 0 to %d", v, features.path,
						n-1)
				}
				ends = append(ends, int32(v))
			}
			return nil
		})
	case c.Kind == columnar.Text && !c.List:
		err = f.Texts(c, func(row int, values []string) error {
			for i, v := range values {
				j, ok := features.index[v]
				if !ok {
					return columnar.AtRow(row+i, "is %q, which is no feature of %s", v, features.path)
				}
				ends = append(ends, j)
			}
			return nil
		})
	default:
		err = f.WrongType(c, "a feature's index (a whole number) or its name (text)")
	}
	return ends, err
}

// explain translates an error of graph.New into the file's terms. Faults of single edges were found earlier, so
// the error is a repeated edge.
func explain(f *columnar.File, err error, edges []graph.Edge, features *featureTable) error {
	var e *graph.EdgeError
	if !errors.As(err, &e) {
		return columnar.Locate(err, f.Path, "")
	}
	again := edges[e.Edge]
	for first, edge := range edges[:e.Edge] {
		if edge == again || edge == (graph.Edge{U: again.V, V: again.U}) {
			return columnar.Locate(columnar.AtRow(e.Edge, "repeats the edge of row %d, between %q and %q", first,
				features.Names[edge.U], features.Names[edge.V]), f.Path, "")
		}
	}
	return columnar.Locate(columnar.AtRow(e.Edge, "%w", e.Err), f.Path, "")
}
