package samples

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/seal"
)

// WriteGraph writes a graph file. With names, one for each node, the edges' ends are
// names; without, they are indices.
func WriteGraph(path string, g *graph.Graph, names []string) error {
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
	columns := []outColumn{
		int32Column("source", sources),
		int32Column("target", targets),
		floatColumn("cost", g.Costs()),
	}
	if names != nil {
		columns[0] = textColumn("source", namesOf(sources, names))
		columns[1] = textColumn("target", namesOf(targets, names))
	}
	return writeTable(path, columns, m, memory.DefaultAllocator)
}

func namesOf(nodes []int32, names []string) []string {
	of := make([]string, len(nodes))
	for i, u := range nodes {
		of[i] = names[u]
	}
	return of
}

// WriteFeatures writes a features file. Groups get their indices as ids.
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
	columns := []outColumn{textColumn("name", f.Names)}
	numbers := f.NumberColumns()
	if f.Scaling != nil {
		numbers = append(numbers, f.Scaling.columns()...)
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
		columns = append(columns, floatColumn(c.Name, *c.Values))
	}
	if f.Groups != nil {
		ids, err := groupsByFeature(f.Groups, p)
		if err != nil {
			return err
		}
		columns = append(columns, int32ListColumn("group", ids))
	}
	return writeTable(path, columns, p, memory.DefaultAllocator)
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

// groupsByFeature returns the groups that each feature is in.
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

// An outColumn is a column to write: its schema, and what writes it to a row group.
type outColumn struct {
	node  schema.Node
	write func(file.ColumnChunkWriter) error
	batch int // the longest list
}

// writeTo returns what writes values, of which lists have levels, to a column.
func writeTo[T any](values []T, def, rep []int16) func(file.ColumnChunkWriter) error {
	return func(w file.ColumnChunkWriter) error {
		_, err := w.(interface {
			WriteBatch(values []T, def, rep []int16) (int64, error)
		}).WriteBatch(values, def, rep)
		return err
	}
}

func floatColumn(name string, values []float64) outColumn {
	return outColumn{node: schema.NewFloat64Node(name, parquet.Repetitions.Required, -1), write: writeTo(values, nil, nil)}
}

func int32Column(name string, values []int32) outColumn {
	return outColumn{node: schema.NewInt32Node(name, parquet.Repetitions.Required, -1), write: writeTo(values, nil, nil)}
}

func textColumn(name string, texts []string) outColumn {
	values := make([]parquet.ByteArray, len(texts))
	for i, s := range texts {
		values[i] = parquet.ByteArray(s)
	}
	return outColumn{node: textNode(name), write: writeTo(values, nil, nil)}
}

func int32ListColumn(name string, lists [][]int32) outColumn {
	c := outColumn{node: listNode(name, schema.NewInt32Node("element", parquet.Repetitions.Optional, -1))}
	var values []int32
	var def, rep []int16
	for _, list := range lists {
		if len(list) == 0 {
			def, rep = append(def, 0), append(rep, 0)
		}
		for i, v := range list {
			values = append(values, v)
			def, rep = append(def, 2), append(rep, min(int16(i), 1))
		}
		c.batch = max(c.batch, len(list))
	}
	c.write = writeTo(values, def, rep)
	return c
}

func textNode(name string) schema.Node {
	return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required,
		schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
}

// listNode returns the schema of a list that is never null. Its elements may be by the
// schema, though none is: some readers choke on lists of required elements. So a value
// has definition level 2, and an empty list 0.
func listNode(name string, element schema.Node) schema.Node {
	return schema.MustGroup(schema.ListOfWithName(name, element, parquet.Repetitions.Required, -1))
}

// writeTable writes a file of one row group.
func writeTable(path string, columns []outColumn, rows int, mem memory.Allocator) error {
	return seal.Write(path, func(w io.Writer) error {
		return encodeTable(w, columns, rows, mem)
	})
}

func encodeTable(w io.Writer, columns []outColumn, rows int, mem memory.Allocator) error {
	var fields schema.FieldList
	var writers []func(file.ColumnChunkWriter) error
	batch := 0
	for _, c := range columns {
		fields, writers = append(fields, c.node), append(writers, c.write)
		batch = max(batch, c.batch)
	}
	out, err := newParquetWriter(w, fields, batch, nil, mem)
	if err != nil {
		return err
	}
	if rows > 0 {
		if err := writeRowGroup(out, writers...); err != nil {
			return err
		}
	}
	return out.Close()
}

// newParquetWriter begins a Parquet file with the seal in its metadata. Lists may be as
// long as batch.
func newParquetWriter(w io.Writer, fields schema.FieldList, batch int, metadata map[string]string,
	mem memory.Allocator) (*file.Writer, error) {
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	out := file.NewParquetWriter(noClose{w}, root, file.WithWriterProps(parquet.NewWriterProperties(
		parquet.WithAllocator(mem),
		parquet.WithDataPageVersion(parquet.DataPageV2),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDictionaryDefault(false),
		parquet.WithDictionaryFor("split", true),
		parquet.WithStats(false),
		// Pages of version 2 begin at rows, and so must the writer's batches. Arrow v15
		// shortens a batch until it does; for ever if not even one row fits.
		parquet.WithBatchSize(int64(max(batch, 1024))),
	)))
	for _, k := range slices.Sorted(maps.Keys(metadata)) {
		if isFormatKey(k) {
			return nil, fmt.Errorf("the metadata key %q is not free", k)
		}
		if err := out.AppendKeyValueMetadata(k, metadata[k]); err != nil {
			return nil, err
		}
	}
	return out, out.AppendKeyValueMetadata(seal.Key, seal.Blank())
}

// writeRowGroup writes the columns of a row group, in the order of the schema.
func writeRowGroup(out *file.Writer, columns ...func(file.ColumnChunkWriter) error) error {
	group := out.AppendRowGroup()
	for _, write := range columns {
		c, err := group.NextColumn()
		if err != nil {
			return err
		}
		if err := write(c); err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

// noClose hides the Close of a writer, which Arrow would call.
type noClose struct{ io.Writer }
