package table

import (
	"bytes"
	"encoding/csv"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"graphda/io/seal"
)

// readArrow reads a table's file: its schema, and its values as CSV has them.
func readArrow(t *testing.T, data []byte) (*arrow.Schema, [][]string) {
	t.Helper()
	f := must1(ipc.NewFileReader(bytes.NewReader(data)))
	defer f.Close()
	records := [][]string{nil}
	for _, field := range f.Schema().Fields() {
		records[0] = append(records[0], field.Name)
	}
	for i := range f.NumRecords() {
		rec := must1(f.Record(i))
		for row := range int(rec.NumRows()) {
			var values []string
			for _, column := range rec.Columns() {
				switch c := column.(type) {
				case *array.String:
					values = append(values, c.Value(row))
				case *array.Float64:
					v := ""
					if c.IsValid(row) {
						v = strconv.FormatFloat(c.Value(row), 'g', -1, 64)
					}
					values = append(values, v)
				default:
					t.Fatalf("a column of %v", column.DataType())
				}
			}
			records = append(records, values)
		}
	}
	return f.Schema(), records
}

func TestArrowSchema(t *testing.T) {
	table := Table{
		Name: "t", Title: "A title", Notes: []string{"one", "two"},
		Columns: []Column{{Key: "method", Head: "Method", Words: true}, {Key: "f1", Group: "F1", Head: "w"}, {Key: "f1_std", DataOnly: true}},
		Rows: [][]Cell{
			{Label("GraphDA", "graphda"), Of(0.8765, Fixed(2)), {}},
			{Word("bad \xff"), Of(math.Inf(-1), Fixed(2)), Of(math.NaN(), Fixed(2))},
		},
	}
	path := filepath.Join(t.TempDir(), "t.arrow")
	must(t, seal.Write(path, table.Sealed("arrow")))
	file, err := seal.ReadSealed(path) // a file of ours carries its checksum
	must(t, err)
	schema, records := readArrow(t, file.Data)
	for i, want := range []arrow.Field{
		{Name: "method", Type: arrow.BinaryTypes.String},
		{Name: "f1", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "f1_std", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	} {
		got := schema.Field(i)
		if got.Name != want.Name || !arrow.TypeEqual(got.Type, want.Type) || got.Nullable != want.Nullable {
			t.Errorf("field %v, want %v", got, want)
		}
	}
	f1 := schema.Field(1)
	if v, _ := f1.Metadata.GetValue("heading"); v != "F1 w" {
		t.Errorf("heading %q", v)
	}
	for key, want := range map[string]string{"title": "A title", "notes": "one\ntwo"} {
		meta := schema.Metadata()
		if v, ok := meta.GetValue(key); !ok || v != want {
			t.Errorf("%s is %q, want %q", key, v, want)
		}
	}
	if got := records[1]; got[0] != "graphda" || got[1] != "0.8765" || got[2] != "" {
		t.Errorf("first row %q", got)
	}
	if got := records[2]; got[0] != "bad \ufffd" || got[1] != "-Inf" || got[2] != "" {
		t.Errorf("second row %q", got)
	}
	// Elsewhere the seal would stay blank, which is a damaged one.
	if err := table.Write(new(bytes.Buffer), "arrow"); err == nil {
		t.Error("a table that is not sealed has room for a seal")
	}
}

// Arrow holds what CSV holds, with types.
func TestArrowHoldsWhatCSVHolds(t *testing.T) {
	table := sample()
	table.Rows[1][5] = Word("sound")
	var b bytes.Buffer
	must(t, table.Sealed("arrow")(&b))
	_, got := readArrow(t, b.Bytes())
	table.Rows[0][4].Number.Data = nil // the number as it is printed has another form
	want := must1(csv.NewReader(strings.NewReader(written(t, table, "csv"))).ReadAll())
	want[1][1] = "1e+06" // readArrow's form of a count
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Arrow holds\n%q\nCSV\n%q", got, want)
	}
}
