package project

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowfile"
	"graphda/io/seal"
)

// arrowFields are the columns of the CSV table. What a row has not is null.
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

// writeArrow writes an IPC file, to be sealed, with the facts in its schema's metadata.
func (res *Result) writeArrow(w io.Writer) error {
	facts := res.facts()
	keys, values := make([]string, 0, len(facts)+1), make([]string, 0, len(facts)+1)
	for _, f := range facts {
		keys, values = append(keys, f.Key), append(values, fmt.Sprint(f.Value))
	}
	meta := arrow.NewMetadata(append(keys, seal.Key), append(values, seal.Blank()))
	schema := arrow.NewSchema(arrowFields, &meta)
	rec := res.record(schema)
	defer rec.Release()
	return arrowfile.Write(w, rec, 0)
}

func (res *Result) record(schema *arrow.Schema) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	text := func(i int, s string, valid bool) {
		b.Field(i).(*array.StringBuilder).AppendValues([]string{strings.ToValidUTF8(s, "\ufffd")}, []bool{valid})
	}
	whole := func(i int, v int32, valid bool) {
		b.Field(i).(*array.Int32Builder).AppendValues([]int32{v}, []bool{valid})
	}
	number := func(i int, v float64, valid bool) {
		b.Field(i).(*array.Float64Builder).AppendValues([]float64{v}, []bool{valid})
	}
	for _, r := range slices.Concat(res.nodeRows(), res.edgeRows()) {
		node := r.Kind == "node"
		text(0, r.Kind, true)
		whole(1, r.Index, true)
		whole(2, r.Tree, r.Tree > 0)
		text(3, r.Name, node)
		number(4, r.Weight, node)
		number(5, r.Prize, node)
		text(6, r.Source, !node)
		text(7, r.Target, !node)
		number(8, r.Cost, !node)
	}
	return b.NewRecord()
}
