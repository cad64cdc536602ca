// Package tables reads and writes small sealed Parquet files of plain columns: plans and
// task lists. Other programs can open them; a reader here checks the seal first.
package tables

import (
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/io/seal"
)

// A Column is one column of a table: exactly one of the slices holds its values. In
// Floats, NaN is written as null.
type Column struct {
	Name    string
	Strings []string
	Ints    []int64
	Floats  []float64
}

// Len returns the number of values.
func (c *Column) Len() int { return max(len(c.Strings), len(c.Ints), len(c.Floats)) }

// A Table is a list of columns of one length.
type Table []Column

// rowsPerGroup bounds the memory that writing takes.
const rowsPerGroup = 1 << 14

// Write writes a table as a sealed Parquet file, replacing what is at path.
func Write(path string, t Table) error {
	return seal.Write(path, func(w io.Writer) error { return encode(w, t) })
}

func encode(w io.Writer, t Table) error {
	fields := make([]arrow.Field, len(t))
	for i := range t {
		fields[i] = arrow.Field{Name: t[i].Name, Type: t[i].dataType(), Nullable: t[i].Floats != nil}
	}
	options := []parquet.WriterProperty{
		parquet.WithDataPageVersion(parquet.DataPageV2),
		parquet.WithRootRepetition(parquet.Repetitions.Required),
		parquet.WithDictionaryDefault(false),
		parquet.WithCompression(compress.Codecs.Snappy),
	}
	for i := range t {
		options = append(options, parquet.WithDictionaryFor(t[i].Name, t[i].Strings != nil))
	}
	schema := arrow.NewSchema(fields, nil)
	// A writer that is closed closes its sink too, if it can; seal still needs the file.
	fw, err := pqarrow.NewFileWriter(schema, struct{ io.Writer }{w}, parquet.NewWriterProperties(options...),
		pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	if err := fw.AppendKeyValueMetadata(seal.Key, seal.Blank()); err != nil {
		return err
	}
	rows := 0
	if len(t) > 0 {
		rows = t[0].Len()
	}
	for from := 0; from < rows; from += rowsPerGroup {
		rec := t.record(schema, from, min(from+rowsPerGroup, rows))
		err := fw.Write(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return fw.Close()
}

func (c *Column) dataType() arrow.DataType {
	switch {
	case c.Strings != nil:
		return arrow.BinaryTypes.String
	case c.Ints != nil:
		return arrow.PrimitiveTypes.Int64
	default:
		return arrow.PrimitiveTypes.Float64
	}
}

func (t Table) record(schema *arrow.Schema, from, to int) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range t {
		switch f := b.Field(i).(type) {
		case *array.StringBuilder:
			f.AppendValues(t[i].Strings[from:to], nil)
		case *array.Int64Builder:
			f.AppendValues(t[i].Ints[from:to], nil)
		case *array.Float64Builder:
			for _, v := range t[i].Floats[from:to] {
				if v != v {
					f.AppendNull()
				} else {
					f.Append(v)
				}
			}
		}
	}
	return b.NewRecord()
}
