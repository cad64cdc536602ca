package table

import (
	"io"
	"math"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

var arrowFormat = Format{Name: "arrow", Extension: ".arrow", Binary: true, write: (*Table).arrow}

// arrow writes the columns of the CSV table as an Arrow IPC file: words as utf8, numbers as
// float64, null where a number is not defined. Title, subtitle and notes are in the schema's
// metadata, a printed column's heading in its field's. The file has room for its seal.
func (t *Table) arrow(w io.Writer) error {
	fields := t.fields()
	b := array.NewRecordBuilder(memory.DefaultAllocator, t.schema(fields))
	defer b.Release()
	for i := range fields {
		for _, row := range t.Rows {
			switch column := b.Field(i).(type) {
			case *array.StringBuilder:
				column.Append(strings.ToValidUTF8(fields[i].word(row), "\ufffd"))
			case *array.Float64Builder:
				if v := fields[i].number(row); math.IsNaN(v) {
					column.AppendNull()
				} else {
					column.Append(v)
				}
			}
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	return arrowio.WriteIPC(w, rec, 0)
}

func (t *Table) schema(fields []field) *arrow.Schema {
	columns := make([]arrow.Field, len(fields))
	for i, f := range fields {
		columns[i] = arrow.Field{Name: f.key, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
		if f.Words {
			columns[i].Type, columns[i].Nullable = arrow.BinaryTypes.String, false
		}
		if !f.DataOnly && f.key == f.Key {
			columns[i].Metadata = arrow.NewMetadata([]string{"heading"}, []string{f.Heading()})
		}
	}
	meta := arrow.NewMetadata([]string{"title", "subtitle", "notes", seal.Key},
		[]string{t.Title, t.Subtitle, strings.Join(t.Notes, "\n"), seal.Blank()})
	return arrow.NewSchema(columns, &meta)
}
