package samples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/io/dataframe"
)

// TestTypes checks that a column of any type is read or refused by its name, and does no harm if it is not read.
func TestTypes(t *testing.T) {
	cases := []struct {
		name    string
		typ     arrow.DataType
		json    string // three values
		text    string // "" if the type is refused
		feature string
	}{
		{"bool", arrow.FixedWidthTypes.Boolean, `[true, false, null]`, "true,false,", "1,0,"},
		{"null", arrow.Null, `[null, null, null]`, ",,", ",,"},
		{"binary", arrow.BinaryTypes.Binary, `["YQ==", "Yg==", "YQ=="]`, "a,b,a", ",,"},
		{"string", arrow.BinaryTypes.String, `["a", null, "b"]`, "a,,b", ",,"},
		{"words", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}, `["x", null, "x"]`, "x,,x", ",,"},
		{"whole", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Int64}, `[7, 8, null]`, "7,8,", "7,8,"},
		{"fractions", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.PrimitiveTypes.Float64}, `[1.5, null, 1.5]`, "1.5,,1.5", "1.5,,1.5"},
		{"list", arrow.ListOf(arrow.PrimitiveTypes.Int64), `[[1], [], [2, 3]]`, "", ""},
		{"struct", arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int64}), `[{"a": 1}, {"a": 2}, {"a": 3}]`, "", ""},
		{"time", arrow.FixedWidthTypes.Timestamp_us, `["2020-01-01", "2020-01-02", null]`, "2020-01-01,2020-01-02,", ",,"},
		{"hour", arrow.FixedWidthTypes.Timestamp_us, `["2020-01-01", null, "2020-01-03 12:30:00.5"]`,
			"2020-01-01 00:00:00,,2020-01-03 12:30:00.5", ",,"},
		{"day", arrow.FixedWidthTypes.Date32, `["2020-01-01", null, "1969-12-31"]`, "2020-01-01,,1969-12-31", ",,"},
		{"clock", arrow.FixedWidthTypes.Time64us, `["10:00:00", "11:00:00", "12:00:00"]`, "", ""},
	}
	mem := memory.DefaultAllocator
	for _, kind := range []string{"arrow", "PARQUET"} {
		var fields []arrow.Field
		var columns []arrow.Array
		for _, c := range cases {
			if _, ok := c.typ.(*arrow.DictionaryType); ok && kind == "PARQUET" {
				continue // Arrow only
			}
			a, _, err := array.FromJSON(mem, c.typ, strings.NewReader(c.json))
			must(t, err)
			fields, columns = append(fields, arrow.Field{Name: c.name, Type: c.typ, Nullable: true}), append(columns, a)
		}
		schema := arrow.NewSchema(fields, nil)
		record := array.NewRecord(schema, columns, 3)
		path := filepath.Join(t.TempDir(), "x."+kind)
		out, err := os.Create(path)
		must(t, err)
		if kind == "arrow" {
			w, err := ipc.NewFileWriter(out, ipc.WithSchema(schema))
			must(t, err)
			must(t, w.Write(record))
			must(t, w.Close())
			must(t, out.Close())
		} else {
			w, err := pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
			must(t, err)
			must(t, w.Write(record))
			must(t, w.Close())
		}
		for _, c := range cases {
			table, err := dataframe.Open(path, dataframe.Options{})
			must(t, err)
			i, err := table.Find(c.name)
			if i < 0 {
				continue
			}
			if c.text == "" {
				if err == nil || !strings.Contains(err.Error(), `column "`+c.name+`": has type`) {
					t.Errorf("%s, %s: %v", kind, c.name, err)
				}
				continue
			}
			must(t, err)
			var texts, features []string
			for table.Next() {
				texts = append(texts, table.Text(i))
				feature := ""
				if x, err := table.Feature(i); err == nil {
					feature = dataframe.FormatNumber(x)
				}
				features = append(features, feature)
			}
			if got := strings.Join(texts, ","); got != c.text || table.Err() != nil {
				t.Errorf("%s, %s: texts %s, %v, want %s", kind, c.name, got, table.Err(), c.text)
			}
			if got := strings.Join(features, ","); got != c.feature {
				t.Errorf("%s, %s: features %s, want %s", kind, c.name, got, c.feature)
			}
			must(t, table.Close())
		}
	}
}
