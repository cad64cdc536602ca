package samples

import (
	"encoding/json"
	"errors"
	"maps"
	"math"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/message"
)

func readGraph(f *columnar.File, features *featureTable) (*graph.Graph, error) {
	if err := readConnectors(f, features); err != nil {
		return nil, err
	}
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
			err := columnar.AtRow(i, "is %q, the same node as the source; remove this self-loop", features.Nodes()[targets[i]])
			return nil, columnar.Locate(err, f.Path, "target")
		}
		if p := len(features.Names); int(min(sources[i], targets[i])) >= p {
			err := columnar.AtRow(i, "is %q, a connector, and so is the source; one end of an edge must be a feature",
				features.Connectors[int(targets[i])-p])
			return nil, columnar.Locate(err, f.Path, "target")
		}
		edges[i] = graph.Edge{U: sources[i], V: targets[i]}
	}
	g, err := graph.New(len(features.Nodes()), edges, costs)
	return g, explain(f, err, edges, features)
}

// connectorsKey is the metadata key of the connectors' names, a list in JSON.
const connectorsKey = "connectors"

// readConnectors reads the names of the connectors. If there are connectors, the ends of edges must be names.
func readConnectors(f *columnar.File, features *featureTable) error {
	text, ok := f.Metadata[connectorsKey]
	if features.nodes = features.index; !ok {
		return nil
	}
	features.nodes = maps.Clone(features.index)
	if err := json.Unmarshal([]byte(text), &features.Connectors); err != nil {
		return f.Bad("", "its metadata have %s = %q, want a list of names in JSON", connectorsKey, message.Text(text))
	}
	for i, name := range features.Connectors {
		if _, again := features.nodes[name]; again {
			return f.Bad("", "its metadata name the connector %q, which is a feature or another connector", message.Text(name))
		}
		features.nodes[name] = int32(len(features.Names) + i)
	}
	return nil
}

// readEnds reads one end of every edge. An end is the index or the name of a node.
func readEnds(f *columnar.File, name string, features *featureTable) ([]int32, error) {
	c, err := f.Need(name)
	if err != nil {
		return nil, err
	}
	var ends []int32
	switch {
	case c.Kind == columnar.Integer && !c.List:
		n := int64(len(features.Nodes()))
		err = f.Ints(c, func(row int, values []int64) error {
			for i, v := range values {
				if v < 0 || v >= n {
					return columnar.AtRow(row+i, "is feature %d, which does not exist; %s has features 0 to %d", v, features.path,
						n-1)
				}
				ends = append(ends, int32(v))
			}
			return nil
		})
	case c.Kind == columnar.Text && !c.List:
		err = f.Texts(c, func(row int, values []string) error {
			for i, v := range values {
				j, ok := features.nodes[v]
				if !ok {
					return columnar.AtRow(row+i, "is %q, which is not a feature of %s", v, features.path)
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

// explain turns an error of graph.New into an error about a row of the file. The only possible
// error is a repeated edge.
func explain(f *columnar.File, err error, edges []graph.Edge, features *featureTable) error {
	var e *graph.EdgeError
	if !errors.As(err, &e) {
		return columnar.Locate(err, f.Path, "")
	}
	again := edges[e.Edge]
	for first, edge := range edges[:e.Edge] {
		if edge == again || edge == (graph.Edge{U: again.V, V: again.U}) {
			return columnar.Locate(columnar.AtRow(e.Edge, "repeats the edge of row %d, between %q and %q", first,
				features.Nodes()[edge.U], features.Nodes()[edge.V]), f.Path, "")
		}
	}
	return columnar.Locate(columnar.AtRow(e.Edge, "%w", e.Err), f.Path, "")
}
