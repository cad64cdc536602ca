package columnar

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"graphda/io/seal"
)

// An Out is a column to write: its schema, and what writes it to a row group.
type Out struct {
	node  schema.Node
	write func(file.ColumnChunkWriter) error
	batch int  // the longest list
	gaps  bool // some lists are empty
}

// WriteTo returns what writes values, of which lists have levels, to a column.
func WriteTo[T any](values []T, def, rep []int16) func(file.ColumnChunkWriter) error {
	return func(w file.ColumnChunkWriter) error {
		_, err := w.(interface {
			WriteBatch(values []T, def, rep []int16) (int64, error)
		}).WriteBatch(values, def, rep)
		return err
	}
}

// Floats is a column of numbers.
func Floats(name string, values []float64) Out {
	return Out{node: schema.NewFloat64Node(name, parquet.Repetitions.Required, -1), write: WriteTo(values, nil, nil)}
}

// Int32s is a column of whole numbers.
func Int32s(name string, values []int32) Out {
	return Out{node: schema.NewInt32Node(name, parquet.Repetitions.Required, -1), write: WriteTo(values, nil, nil)}
}

// Texts is a column of texts.
func Texts(name string, texts []string) Out {
	values := make([]parquet.ByteArray, len(texts))
	for i, s := range texts {
		values[i] = parquet.ByteArray(s)
	}
	return Out{node: TextNode(name), write: WriteTo(values, nil, nil)}
}

// Int32Lists is a column of lists of whole numbers.
func Int32Lists(name string, lists [][]int32) Out {
	return listsOf(name, schema.NewInt32Node("element", parquet.Repetitions.Optional, -1), lists)
}

// FloatLists is a column of lists of numbers.
func FloatLists(name string, lists [][]float64) Out {
	return listsOf(name, schema.NewFloat64Node("element", parquet.Repetitions.Optional, -1), lists)
}

func listsOf[T any](name string, element schema.Node, lists [][]T) Out {
	c := Out{node: ListNode(name, element)}
	var values []T
	var def, rep []int16
	for _, list := range lists {
		if len(list) == 0 {
			c.gaps = true
			def, rep = append(def, 0), append(rep, 0)
		}
		for i, v := range list {
			values = append(values, v)
			def, rep = append(def, 2), append(rep, min(int16(i), 1))
		}
		c.batch = max(c.batch, len(list))
	}
	c.write = WriteTo(values, def, rep)
	return c
}

// TextNode returns the schema of a text that is never null.
func TextNode(name string) schema.Node {
	return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required,
		schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
}

// ListNode returns the schema of a list that is never null. Its elements may be by the
// schema, though none is: some readers choke on lists of required elements. So a value
// has definition level 2, and an empty list 0.
func ListNode(name string, element schema.Node) schema.Node {
	return schema.MustGroup(schema.ListOfWithName(name, element, parquet.Repetitions.Required, -1))
}

// WriteParquet writes a sealed Parquet file of one row group.
func WriteParquet(path string, metadata map[string]string, rows int, columns ...Out) error {
	return seal.Write(path, func(w io.Writer) error { return encode(w, metadata, rows, columns) })
}

func encode(w io.Writer, metadata map[string]string, rows int, columns []Out) error {
	var fields schema.FieldList
	var writers []func(file.ColumnChunkWriter) error
	batch := 0
	var gaps []string
	for _, c := range columns {
		fields, writers = append(fields, c.node), append(writers, c.write)
		batch = max(batch, c.batch)
		if c.gaps {
			gaps = append(gaps, c.node.Name())
		}
	}
	out, err := newParquetWriter(w, fields, batch, metadata, memory.DefaultAllocator, gaps, nil)
	if err != nil {
		return err
	}
	if rows > 0 {
		if err := WriteRowGroup(out, writers...); err != nil {
			return err
		}
	}
	return out.Close()
}

// NewParquetWriter begins a Parquet file with the seal in its metadata. Lists may be as long as batch, and none
// is empty. The columns named last, of texts that repeat, have dictionaries.
func NewParquetWriter(w io.Writer, fields schema.FieldList, batch int, metadata map[string]string,
	mem memory.Allocator, dictionaries ...string) (*file.Writer, error) {
	return newParquetWriter(w, fields, batch, metadata, mem, nil, dictionaries)
}

// newParquetWriter is NewParquetWriter, told in which columns some lists are empty all the same.
func newParquetWriter(w io.Writer, fields schema.FieldList, batch int, metadata map[string]string,
	mem memory.Allocator, gaps, dictionaries []string) (*file.Writer, error) {
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	properties := []parquet.WriterProperty{
		parquet.WithAllocator(mem),
		parquet.WithDataPageVersion(parquet.DataPageV2),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDictionaryDefault(false),
		parquet.WithStats(false),
		// Pages of version 2 begin at rows, and so must the writer's batches. Arrow v15
		// shortens a batch until it does; for ever if not even one row fits.
		parquet.WithBatchSize(int64(max(batch, 1024))),
	}
	// An empty list counts as null. A page of version 2 says how many values are, and Arrow knows it by the
	// column's statistics alone; else it writes 0.
	for i, leaves := 0, schema.NewSchema(root); i < leaves.NumColumns(); i++ {
		if path := leaves.Column(i).ColumnPath(); slices.Contains(gaps, path[0]) {
			properties = append(properties, parquet.WithStatsPath(path, true))
		}
	}
	for _, name := range dictionaries {
		properties = append(properties, parquet.WithDictionaryFor(name, true))
	}
	out := file.NewParquetWriter(noClose{w}, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
	for _, k := range slices.Sorted(maps.Keys(metadata)) {
		if IsFormatKey(k) {
			return nil, fmt.Errorf("the metadata key %q is not free", k)
		}
		if err := out.AppendKeyValueMetadata(k, metadata[k]); err != nil {
			return nil, err
		}
	}
	return out, out.AppendKeyValueMetadata(seal.Key, seal.Blank())
}

// WriteRowGroup writes the columns of a row group, in the order of the schema.
func WriteRowGroup(out *file.Writer, columns ...func(file.ColumnChunkWriter) error) error {
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

// IsFormatKey tells whether a metadata key is about the file and not about its content.
func IsFormatKey(k string) bool { return k == seal.Key || k == "ARROW:schema" }
