package arrowio

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"

	"graphda/io/seal"
)

// A ParquetColumn is a column to write, with its schema and a function that writes it to a row group.
type ParquetColumn struct {
	Node       schema.Node
	Write      func(file.ColumnChunkWriter) error
	Dictionary bool // set to write a dictionary, for texts that repeat
	Stats      bool // set to store the least and greatest value of each row group

	batch int  // length of the longest list
	gaps  bool // set if some lists are empty
}

// WriteTo returns a function that writes values to a column. Lists need definition and repetition levels.
func WriteTo[T any](values []T, def, rep []int16) func(file.ColumnChunkWriter) error {
	return func(w file.ColumnChunkWriter) error {
		_, err := w.(interface {
			WriteBatch(values []T, def, rep []int16) (int64, error)
		}).WriteBatch(values, def, rep)
		return err
	}
}

// Flat returns a column of numbers or texts. If present is not nil, it has 1 for rows with a value and 0 for rows
// without a value.
func Flat[T int32 | int64 | float64 | parquet.ByteArray](name string, values []T, present []int16) ParquetColumn {
	repetition := parquet.Repetitions.Required
	if present != nil {
		repetition = parquet.Repetitions.Optional
	}
	return ParquetColumn{Node: nodeOf(name, values, repetition), Write: WriteTo(values, present, nil)}
}

func nodeOf(name string, values any, repetition parquet.Repetition) schema.Node {
	switch values.(type) {
	case []int32:
		return schema.NewInt32Node(name, repetition, -1)
	case []int64:
		return schema.NewInt64Node(name, repetition, -1)
	case []float64:
		return schema.NewFloat64Node(name, repetition, -1)
	}
	return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, repetition, schema.StringLogicalType{},
		parquet.Types.ByteArray, -1, -1))
}

// Floats returns a column of numbers.
func Floats(name string, values []float64) ParquetColumn { return Flat(name, values, nil) }

// Int32s returns a column of integers.
func Int32s(name string, values []int32) ParquetColumn { return Flat(name, values, nil) }

// Texts returns a column of texts.
func Texts(name string, texts []string) ParquetColumn {
	values := make([]parquet.ByteArray, len(texts))
	for i, s := range texts {
		values[i] = parquet.ByteArray(s)
	}
	return Flat(name, values, nil)
}

// Lists returns a column of lists of numbers without nulls. The schema allows null elements, because some readers fail
// on lists of required elements. So the definition level of a value is 2, and the level of an empty list is 0.
func Lists[T int32 | float64](name string, lists [][]T) ParquetColumn {
	var values []T
	var def, rep []int16
	element := nodeOf("element", values, parquet.Repetitions.Optional)
	c := ParquetColumn{Node: schema.MustGroup(schema.ListOfWithName(name, element, parquet.Repetitions.Required, -1))}
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
	c.Write = WriteTo(values, def, rep)
	return c
}

// WriteParquet writes a sealed Parquet file of one row group.
func WriteParquet(path string, metadata map[string]string, rows int, columns ...ParquetColumn) error {
	return seal.Write(path, func(w io.Writer) error {
		out, err := NewParquetWriter(w, ParquetLayout{Columns: columns, Metadata: metadata})
		if err == nil && rows > 0 {
			err = WriteRowGroup(out, columns...)
		}
		if err != nil {
			return err
		}
		return out.Close()
	})
}

// A ParquetLayout says how a Parquet file is written.
type ParquetLayout struct {
	Columns  []ParquetColumn // columns of the file; only their schemas are used
	Metadata map[string]string
	Batch    int  // length of the longest list, if the columns do not state it
	OldPages bool // set to write pages of version 1

	Codec      compress.Compression // compression of the values; none by default
	Dictionary int64                // size in bytes up to which a dictionary is used; 1 MiB by default
}

// NewParquetWriter begins a Parquet file with the seal in its metadata.
func NewParquetWriter(w io.Writer, l ParquetLayout) (*file.Writer, error) {
	var fields schema.FieldList
	batch := max(l.Batch, 1024)
	for _, c := range l.Columns {
		fields, batch = append(fields, c.Node), max(batch, c.batch)
	}
	properties := []parquet.WriterProperty{
		parquet.WithAllocator(Allocator),
		parquet.WithDataPageVersion(parquet.DataPageV2),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDictionaryDefault(false),
		parquet.WithStats(false),
		parquet.WithCompression(l.Codec),
		// A page of version 2 must begin with a new row, so Arrow v15 ends each batch at the end of a row. If a row is
		// longer than a batch, Arrow loops for ever.
		parquet.WithBatchSize(int64(batch)),
	}
	if l.Dictionary > 0 {
		properties = append(properties, parquet.WithDictionaryPageSizeLimit(l.Dictionary))
	}
	if l.OldPages {
		properties = append(properties, parquet.WithDataPageVersion(parquet.DataPageV1))
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	for i, leaves := 0, schema.NewSchema(root); i < leaves.NumColumns(); i++ {
		path := leaves.Column(i).ColumnPath()
		c := l.Columns[root.FieldIndexByName(path[0])]
		// A page of version 2 states its number of nulls; an empty list counts as a null. Arrow takes this number from
		// the column's statistics. Without statistics it writes 0.
		properties = append(properties, parquet.WithStatsPath(path, c.Stats || c.gaps),
			parquet.WithDictionaryPath(path, c.Dictionary))
	}
	out := file.NewParquetWriter(noClose{w}, root, file.WithWriterProps(parquet.NewWriterProperties(properties...)))
	for _, k := range slices.Sorted(maps.Keys(l.Metadata)) {
		if IsFormatKey(k) {
			return nil, fmt.Errorf("the metadata key %q is not free", k)
		}
		if err := out.AppendKeyValueMetadata(k, l.Metadata[k]); err != nil {
			return nil, err
		}
	}
	return out, out.AppendKeyValueMetadata(seal.Key, seal.Blank())
}

// WriteRowGroup writes the columns of a row group, in the order of the schema.
func WriteRowGroup(out *file.Writer, columns ...ParquetColumn) error {
	group := out.AppendRowGroup()
	for _, column := range columns {
		c, err := group.NextColumn()
		if err == nil {
			err = column.Write(c)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", column.Node.Name(), err)
		}
	}
	return group.Close()
}

// noClose hides a writer's Close method, which Arrow would call.
type noClose struct{ io.Writer }

// IsFormatKey reports whether a metadata key describes the file rather than its content.
func IsFormatKey(k string) bool { return k == seal.Key || k == "ARROW:schema" }
