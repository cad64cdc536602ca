package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/seal"
)

// Arrow writes the columns of the CSV table as an Arrow IPC file: words as utf8, numbers as
// float64, null where a number is not defined. Title, subtitle and notes are in the schema's
// metadata, a printed column's heading in its field's. A file made by seal.Write is sealed.
func (t *Table) Arrow(w io.Writer) error {
	rec, err := t.record(w)
	if err != nil {
		return err
	}
	defer rec.Release()
	var b positioned
	f, err := ipc.NewFileWriter(&b, ipc.WithSchema(rec.Schema()))
	if err != nil {
		return err
	}
	if err := f.Write(rec); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}

// positioned is a buffer that knows its length, which is all that Arrow's writer seeks.
type positioned struct{ bytes.Buffer }

// Seek tells the position, which is the end. It goes nowhere else.
func (b *positioned) Seek(offset int64, whence int) (int64, error) {
	if end := int64(b.Len()); offset == 0 && whence == io.SeekCurrent {
		return end, nil
	}
	return 0, fmt.Errorf("report: seek to %d from %d: only the position can be told", offset, whence)
}

// record is the table's content. The error names the row and column of what should be a
// number.
func (t *Table) record(w io.Writer) (arrow.Record, error) {
	b := array.NewRecordBuilder(memory.DefaultAllocator, t.schema(w))
	defer b.Release()
	for i, c := range t.Columns {
		switch f := b.Field(i).(type) {
		case *array.StringBuilder:
			for _, row := range t.Rows {
				f.Append(strings.ToValidUTF8(row[i].Data, "\ufffd"))
			}
		case *array.Float64Builder:
			for k, row := range t.Rows {
				if row[i].Data == "" {
					f.AppendNull()
					continue
				}
				v, err := strconv.ParseFloat(row[i].Data, 64)
				if err != nil {
					return nil, fmt.Errorf("report: table %s: row %d, column %q: %q is not a number", t.Name, k, c.Key, row[i].Data)
				}
				f.Append(v)
			}
		}
	}
	return b.NewRecord(), nil
}

func (t *Table) schema(w io.Writer) *arrow.Schema {
	fields := make([]arrow.Field, len(t.Columns))
	for i, c := range t.Columns {
		fields[i] = arrow.Field{Name: c.Key, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
		if c.Left {
			fields[i].Type, fields[i].Nullable = arrow.BinaryTypes.String, false
		}
		if !c.DataOnly {
			fields[i].Metadata = arrow.NewMetadata([]string{"heading"}, []string{c.heading()})
		}
	}
	keys := []string{"title", "subtitle", "notes"}
	values := []string{t.Title, t.Subtitle, strings.Join(t.Notes, "\n")}
	if _, ok := w.(*seal.Writer); ok {
		keys, values = append(keys, seal.Key), append(values, seal.Blank())
	}
	meta := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &meta)
}
