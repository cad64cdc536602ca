package project

import (
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowio"
	"graphda/io/seal"
)

// arrowFields are the columns of the Arrow file, the same as in CSV. A cell is null if it does not apply to a row.
var arrowFields = []arrow.Field{
	{Name: "kind", Type: arrow.BinaryTypes.String},
	{Name: "index", Type: arrow.PrimitiveTypes.Int32},
	{Name: "tree", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "weight", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "prize", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "source", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "target", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "cost", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}

// writeArrow writes an IPC file with space for a checksum (see seal.Blank). The schema's metadata holds the facts.
func (res *Result) writeArrow(w io.Writer) error {
	facts := res.facts()
	keys, values := make([]string, 0, len(facts)+1), make([]string, 0, len(facts)+1)
	for _, f := range facts {
		keys, values = append(keys, f.Key), append(values, fmt.Sprint(f.Value))
	}
	meta := arrow.NewMetadata(append(keys, seal.Key), append(values, seal.Blank()))
	schema := arrow.NewSchema(arrowFields, &meta)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for row := range res.rows {
		for i, v := range row {
			switch v := v.(type) {
			case string:
				b.Field(i).(*array.StringBuilder).Append(strings.ToValidUTF8(v, "\ufffd"))
			case int32:
				b.Field(i).(*array.Int32Builder).Append(v)
			case float64:
				b.Field(i).(*array.Float64Builder).Append(v)
			default:
				b.Field(i).AppendNull()
			}
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	return arrowio.WriteIPC(w, rec, 0)
}
