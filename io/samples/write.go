package samples

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/columnar"
)

// WriteGraph writes a graph file. names are the features' names. If names is nil, edges refer to nodes by index.
// Connectors are the last nodes.
func WriteGraph(path string, g *graph.Graph, names []string, connectors ...string) error {
	names = append(slices.Clip(names), connectors...)
	if names != nil {
		if len(names) != g.NumNodes() {
			return fmt.Errorf("samples: %d names for a graph of %d nodes", len(names), g.NumNodes())
		}
		if err := distinct(names); err != nil {
			return err
		}
	}
	m := g.NumEdges()
	sources, targets := make([]int32, m), make([]int32, m)
	for i, e := range g.Edges() {
		sources[i], targets[i] = e.U, e.V
	}
	columns := []arrowio.ParquetColumn{
		arrowio.Int32s("source", sources),
		arrowio.Int32s("target", targets),
		arrowio.Floats("cost", g.Costs()),
	}
	if names != nil {
		columns[0] = arrowio.Texts("source", namesOf(sources, names))
		columns[1] = arrowio.Texts("target", namesOf(targets, names))
	}
	var metadata map[string]string
	if connectors != nil {
		text, err := json.Marshal(connectors)
		if err != nil {
			return err
		}
		metadata = map[string]string{connectorsKey: string(text)}
	}
	return arrowio.WriteParquet(path, metadata, m, columns...)
}

func namesOf(nodes []int32, names []string) []string {
	of := make([]string, len(nodes))
	for i, u := range nodes {
		of[i] = names[u]
	}
	return of
}

// WriteFeatures writes a features file. A group's id is its index in f.Groups.
func WriteFeatures(path string, f *Features) error {
	p := len(f.Names)
	if p == 0 {
		return errors.New("samples: no features to write")
	}
	if err := distinct(f.Names); err != nil {
		return err
	}
	if (f.Row == nil) != (f.Col == nil) || (f.X == nil) != (f.Y == nil) {
		return errors.New("samples: features need both of row and col, and both of x and y")
	}
	columns := []arrowio.ParquetColumn{arrowio.Texts("name", f.Names)}
	numbers := append(f.NumberColumns(), NumberColumn{fillColumn, &f.Fill})
	if f.Scaling != nil {
		numbers = append(numbers, f.Scaling.Columns()...)
	}
	for _, c := range numbers {
		if *c.Values == nil {
			continue
		}
		if len(*c.Values) != p {
			return fmt.Errorf("samples: %d values of %s for %d features", len(*c.Values), c.Name, p)
		}
		if err := columnar.Finite(0, *c.Values); err != nil {
			return fmt.Errorf("samples: %s of a feature: %w", c.Name, errors.Unwrap(err))
		}
		columns = append(columns, arrowio.Floats(c.Name, *c.Values))
	}
	if f.Measured != nil {
		if len(f.Measured) != p {
			return fmt.Errorf("samples: %d values of %s for %d features", len(f.Measured), measuredColumn, p)
		}
		flags := make([]int32, p)
		for i, measured := range f.Measured {
			if measured {
				flags[i] = 1
			}
		}
		columns = append(columns, arrowio.Int32s(measuredColumn, flags))
	}
	if err := f.Probes.Check(p); err != nil {
		return err
	}
	probes, err := f.Probes.Parquet()
	if err != nil {
		return err
	}
	columns = append(columns, probes...)
	if f.Groups != nil {
		ids, err := groupsByFeature(f.Groups, p)
		if err != nil {
			return err
		}
		columns = append(columns, arrowio.Lists("group", ids))
	}
	return arrowio.WriteParquet(path, nil, p, columns...)
}

func distinct(names []string) error {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return fmt.Errorf("samples: two features are named %q", name)
		}
		seen[name] = true
	}
	return nil
}

func groupsByFeature(groups [][]int32, p int) ([][]int32, error) {
	ids := make([][]int32, p)
	for id, members := range groups {
		if len(members) == 0 {
			return nil, fmt.Errorf("samples: group %d is empty", id)
		}
		for i, j := range members {
			if j < 0 || int(j) >= p || i > 0 && j <= members[i-1] {
				return nil, fmt.Errorf("samples: group %d is not ascending features of 0 to %d: %d stands at %d", id, p-1,
					j, i)
			}
			ids[j] = append(ids[j], int32(id))
		}
	}
	return ids, nil
}
