package report

import (
	"bytes"
	"encoding/csv"
	"io"
	"path/filepath"
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
	f, err := ipc.NewFileReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records := [][]string{nil}
	for _, field := range f.Schema().Fields() {
		records[0] = append(records[0], field.Name)
	}
	for i := range f.NumRecords() {
		rec, err := f.Record(i)
		if err != nil {
			t.Fatal(err)
		}
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

// sameNumber tells whether two texts are of the same number, as 0.80 and 0.8.
func sameNumber(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && x == y
}

// Arrow holds what CSV holds, with types, for all tables there are.
func TestArrowHoldsWhatCSVHolds(t *testing.T) {
	printed, data := allTables(t, 3)
	for _, table := range append(printed, data...) {
		_, got := readArrow(t, []byte(written(t, table, "arrow")))
		want, err := csv.NewReader(strings.NewReader(written(t, table, "csv"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%d lines, want %d", len(got), len(want))
		}
		for i := range want {
			for k := range want[i] {
				if got[i][k] != want[i][k] && !sameNumber(got[i][k], want[i][k]) {
					t.Errorf("%s: line %d, column %s: %q, want %q", table.Title, i, want[0][k], got[i][k], want[i][k])
				}
			}
		}
		for k, c := range table.Columns { // words are words and numbers numbers
			if !c.Left {
				continue
			}
			numbers := 0
			for _, row := range table.Rows {
				if _, err := strconv.ParseFloat(row[k].Data, 64); err == nil {
					numbers++
				}
			}
			if numbers > 0 && numbers == len(table.Rows) {
				t.Errorf("%s: column %s holds numbers and is text", table.Title, c.Key)
			}
		}
	}
}

func TestArrowSchema(t *testing.T) {
	table := Table{
		Name: "t", Title: "A title", Notes: []string{"one", "two"},
		Columns: []Column{{Key: "method", Head: "Method", Left: true}, {Key: "f1", Group: "F1", Head: "w"}, {Key: "f1_std", DataOnly: true}},
		Rows:    [][]Value{{{Text: "GraphDA", Data: "graphda"}, {Text: "0.88", Data: "0.8765"}, {}}, {word("bad \xff"), word("-Inf"), word("NaN")}},
	}
	path := filepath.Join(t.TempDir(), "t.arrow")
	if err := seal.Write(path, func(w io.Writer) error { return table.Write(w, "arrow") }); err != nil {
		t.Fatal(err)
	}
	file, err := seal.ReadSealed(path) // a file of ours carries its checksum
	if err != nil {
		t.Fatal(err)
	}
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
	if got := records[2]; got[0] != "bad \ufffd" || got[1] != "-Inf" || got[2] != "NaN" {
		t.Errorf("second row %q", got)
	}
	// Elsewhere a seal would stay blank, which is a damaged one.
	other, _ := readArrow(t, []byte(written(t, &table, "arrow")))
	if meta := other.Metadata(); meta.FindKey(seal.Key) >= 0 {
		t.Error("a table that is not sealed has a seal")
	}
}

func TestArrowRefusesWords(t *testing.T) {
	table := Table{Name: "t", Columns: []Column{{Key: "f1"}}, Rows: [][]Value{{word("1")}, {word("much")}}}
	err := table.Arrow(io.Discard)
	if want := `report: table t: row 1, column "f1": "much" is not a number`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
