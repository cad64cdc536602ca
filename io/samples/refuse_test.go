package samples

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/seal/sealtest"
)

var (
	listed = []arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.ListOf(f64))}
	wide   = []arrow.Field{field("y", f64), field("split", utf8), field("a", f64), field("b", f64), field("c", f64)}
	edges  = []arrow.Field{field("source", i64), field("target", i64), field("cost", f64)}
	named  = []arrow.Field{field("source", utf8), field("target", utf8)}
)

// Rows to append so that every split has a sample.
const (
	listedRest = `{"y": 1, "split": "valid", "x": [1, 2, 3]}, {"y": 1, "split": "test", "x": [1, 2, 3]}, {"y": 1, "split": "train", "x": [1, 2, 3]}`
	wideRest   = `{"y": 1, "split": "valid", "a": 1, "b": 2, "c": 3}, {"y": 1, "split": "test", "a": 1, "b": 2, "c": 3}, {"y": 1, "split": "train", "a": 1, "b": 2, "c": 3}`
)

// TestRefusals checks that every refusal names the file, the reason, and the row and column if there is one.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name   string
		role   string
		fields []arrow.Field
		rows   string
		row    int64
		column string
		want   string // the error's text after file, row and column
	}{
		{"y null", samplesRole, listed, `[` + listedRest + `, {"y": null, "split": "train", "x": [1, 2, 3]}]`, 3, "y", "is null"},
		{"y text", samplesRole, []arrow.Field{field("y", utf8), listed[1], listed[2]}, `[{"y": "1", "split": "train", "x": [1, 2, 3]}, {"y": "1", "split": "test", "x": [1, 2, 3]}, {"y": "1", "split": "valid", "x": [1, 2, 3]}]`, -1, "y", "has type …, want a number"},
		{"y date", samplesRole, []arrow.Field{field("y", arrow.FixedWidthTypes.Date32), listed[1], listed[2]}, `[{"y": 1, "split": "train", "x": [1, 2, 3]}, {"y": 1, "split": "test", "x": [1, 2, 3]}, {"y": 1, "split": "valid", "x": [1, 2, 3]}]`, -1, "y", "has type date…, want a number"},
		{"y missing", samplesRole, listed[1:], `[{"split": "train", "x": [1, 2, 3]}, {"split": "test", "x": [1, 2, 3]}, {"split": "valid", "x": [1, 2, 3]}]`, -1, "", `has no column "y"; its columns are split, x`},
		{"split missing", samplesRole, []arrow.Field{listed[0], listed[2]}, `[{"y": 1, "x": [1, 2, 3]}]`, -1, "", `has no column "split"; its columns are y, x`},
		{"split null", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": null, "x": [1, 2, 3]}]`, 3, "split", "is null"},
		{"split dictionary null", samplesRole, []arrow.Field{listed[0], field("split", dictionary), listed[2]}, `[` + listedRest + `, {"y": 1, "split": null, "x": [1, 2, 3]}]`, 3, "split", "is null"},
		{"split number", samplesRole, []arrow.Field{listed[0], field("split", i64), listed[2]}, `[{"y": 1, "split": 0, "x": [1, 2, 3]}]`, -1, "split", "has type int64, want text…"},
		{"split empty", samplesRole, listed, `[{"y": 1, "split": "train", "x": [1, 2, 3]}, {"y": 1, "split": "test", "x": [1, 2, 3]}]`, -1, "split", `no row is "valid"; train, valid and test each need at least one row`},
		{"no rows", samplesRole, listed, `[]`, -1, "split", `no row is "train"…`},
		{"x null", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": "train", "x": null}]`, 3, "x", "is null"},
		{"x element null", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": "train", "x": [1, 2, null]}]`, 3, "x", "element 2 is null"},
		{"x short", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": "train", "x": [1, 2]}]`, 3, "x", "has 2 values, want 3, one for each feature of …features.parquet"},
		{"x long", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": "train", "x": [1, 2, 3, 4]}]`, 3, "x", "has 4 values, want 3, one for each feature of …features.parquet"},
		{"x long in the middle", samplesRole, listed, `[{"y": 1, "split": "train", "x": [1, 2, 3, 4]}, ` + listedRest + `]`, 0, "x", "has 4 values, want 3, one for each feature of …features.parquet"},
		{"x empty", samplesRole, listed, `[` + listedRest + `, {"y": 1, "split": "train", "x": []}]`, 3, "x", "has 0 values, want 3…"},
		{"x text", samplesRole, []arrow.Field{listed[0], listed[1], field("x", arrow.ListOf(utf8))}, `[{"y": 1, "split": "train", "x": ["1"]}, {"y": 1, "split": "test", "x": ["1"]}, {"y": 1, "split": "valid", "x": ["1"]}]`, -1, "x", "has type list…, want a list of numbers"},
		{"x nested", samplesRole, []arrow.Field{listed[0], listed[1], field("x", arrow.ListOf(arrow.ListOf(f64)))}, `[{"y": 1, "split": "train", "x": [[1]]}, {"y": 1, "split": "test", "x": [[1]]}, {"y": 1, "split": "valid", "x": [[1]]}]`, -1, "x", "…"},
		{"x missing", samplesRole, listed[:2], `[{"y": 1, "split": "train"}, {"y": 1, "split": "test"}, {"y": 1, "split": "valid"}]`, -1, "", `has no column for feature "a" (row 0 of …features.parquet), nor a list column "x"; its columns are y, split`},
		{"x by another name", samplesRole, []arrow.Field{listed[0], listed[1], field("X", arrow.ListOf(f64))}, `[{"y": 1, "split": "train", "X": [1]}, {"y": 1, "split": "test", "X": [1]}, {"y": 1, "split": "valid", "X": [1]}]`, -1, "", `has no column for feature "a" (row 0 of …features.parquet), nor a list column "x"; its columns are y, split, X`},
		{"column null", samplesRole, wide, `[` + wideRest + `, {"y": 1, "split": "train", "a": 1, "b": null, "c": 3}]`, 3, "b", "is null"},
		{"column text", samplesRole, []arrow.Field{wide[0], wide[1], wide[2], field("b", utf8), wide[4]}, `[{"y": 1, "split": "train", "a": 1, "b": "2", "c": 3}, {"y": 1, "split": "test"}, {"y": 1, "split": "valid"}]`, -1, "b", "has type …, want a number"},
		{"column list", samplesRole, []arrow.Field{wide[0], wide[1], wide[2], field("b", arrow.ListOf(f64)), wide[4]}, `[{"y": 1, "split": "train", "a": 1, "b": [2], "c": 3}, {"y": 1, "split": "test"}, {"y": 1, "split": "valid"}]`, -1, "b", "has type list…, want a number"},
		{"column missing", samplesRole, wide[:4], `[` + wideRest + `]`, -1, "", `has no column for feature "c" (row 2 of …features.parquet), nor a list column "x"; its columns are y, split, a, b`},

		{"source null", graphRole, edges, `[{"source": 0, "target": 1, "cost": 1}, {"source": null, "target": 2, "cost": 1}]`, 1, "source", "is null"},
		{"source outside", graphRole, edges, `[{"source": 0, "target": 1, "cost": 1}, {"source": 3, "target": 2, "cost": 1}]`, 1, "source", "is feature 3, which does not exist; …features.parquet has features 0 to 2"},
		{"target huge", graphRole, edges, `[{"source": 0, "target": 4294967297, "cost": 1}]`, 0, "target", "is feature 4294967297, which does not exist…"},
		{"target unknown", graphRole, named, `[{"source": "a", "target": "b"}, {"source": "b", "target": "z"}]`, 1, "target", `is "z", which is not a feature of …features.parquet`},
		{"source float", graphRole, []arrow.Field{field("source", f64), edges[1], edges[2]}, `[{"source": 0, "target": 1, "cost": 1}]`, -1, "source", "has type …, want a feature's index (a whole number) or its name (text)"},
		{"target missing", graphRole, edges[:1], `[{"source": 0}]`, -1, "", `has no column "target"; its columns are source`},
		{"cost null", graphRole, edges, `[{"source": 0, "target": 1, "cost": 1}, {"source": 1, "target": 2, "cost": null}]`, 1, "cost", "is null"},
		{"cost text", graphRole, []arrow.Field{edges[0], edges[1], field("cost", utf8)}, `[{"source": 0, "target": 1, "cost": "1"}]`, -1, "cost", "has type …, want a number"},
		{"edge again", graphRole, edges, `[{"source": 0, "target": 1, "cost": 1}, {"source": 1, "target": 2, "cost": 1}, {"source": 0, "target": 1, "cost": 1}]`, 2, "", `repeats the edge of row 0, between "a" and "b"`},

		{"name missing", featuresRole, []arrow.Field{field("truth", f64)}, `[{"truth": 1}]`, -1, "", `has no column "name"; its columns are truth`},
		{"name number", featuresRole, []arrow.Field{field("name", i64)}, `[{"name": 1}]`, -1, "name", "has type int64, want text"},
		{"name null", featuresRole, []arrow.Field{field("name", utf8)}, `[{"name": "a"}, {"name": null}]`, 1, "name", "is null"},
		{"no features", featuresRole, []arrow.Field{field("name", utf8)}, `[]`, -1, "", "has no rows, want one for each feature"},
		{"measured in part", featuresRole, []arrow.Field{field("name", utf8), field("measured", f64)}, `[{"name": "a", "measured": 1}, {"name": "b", "measured": 0.5}]`, 1, "measured", "is 0.5, want 0 or 1"},
		{"truth null", featuresRole, []arrow.Field{field("name", utf8), field("truth", f64)}, `[{"name": "a", "truth": null}]`, 0, "truth", "is null"},
		{"truth text", featuresRole, []arrow.Field{field("name", utf8), field("truth", utf8)}, `[{"name": "a", "truth": "1"}]`, -1, "truth", "has type …, want a number"},
		{"row without col", featuresRole, []arrow.Field{field("name", utf8), field("row", f64)}, `[{"name": "a", "row": 1}]`, -1, "", `has a column "row", but no column "col"`},
		{"y without x", featuresRole, []arrow.Field{field("name", utf8), field("y", f64)}, `[{"name": "a", "y": 1}]`, -1, "", `has a column "y", but no column "x"`},
		{"group negative", featuresRole, []arrow.Field{field("name", utf8), field("group", i64)}, `[{"name": "a", "group": 0}, {"name": "b", "group": -2}]`, 1, "group", "has group -2, want at least 0"},
		{"group negative in list", featuresRole, []arrow.Field{field("name", utf8), field("group", arrow.ListOf(i64))}, `[{"name": "a", "group": [0]}, {"name": "b", "group": [3, -2]}]`, 1, "group", "has group -2, want at least 0"},
		{"group twice", featuresRole, []arrow.Field{field("name", utf8), field("group", arrow.ListOf(i64))}, `[{"name": "a", "group": [4, 1, 4]}]`, 0, "group", "has group 4 twice"},
		{"group null", featuresRole, []arrow.Field{field("name", utf8), field("group", arrow.ListOf(i64))}, `[{"name": "a", "group": []}, {"name": "b", "group": null}]`, 1, "group", "is null"},
		{"group element null", featuresRole, []arrow.Field{field("name", utf8), field("group", arrow.ListOf(i64))}, `[{"name": "a", "group": []}, {"name": "b", "group": [null]}]`, 1, "group", "element 0 is null"},
		{"group float", featuresRole, []arrow.Field{field("name", utf8), field("group", f64)}, `[{"name": "a", "group": 1}]`, -1, "group", "has type …, want a whole number, or a list of them"},
		{"group struct", featuresRole, []arrow.Field{field("name", utf8), field("group", arrow.StructOf(field("p", i64), field("q", i64)))}, `[{"name": "a", "group": {"p": 1, "q": 2}}]`, -1, "group", "has type …, want a whole number, or a list of them"},
	}
	for _, test := range tests {
		for _, ext := range []string{".parquet", ".arrow"} {
			t.Run(test.name+ext, func(t *testing.T) {
				dir := small(t)
				path := frame{test.fields, test.rows}.replace(t, dir, test.role, ext)
				_, err := load(t, dir, BinaryLabels)
				checkRefusal(t, err, path, test.row, test.column, test.want)
			})
		}
	}
}

// checkRefusal compares an error's parts and text. In want, … matches anything.
func checkRefusal(t *testing.T, err error, path string, row int64, column, want string) {
	t.Helper()
	var e *dataframe.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want a dataframe.Error about %s", err, want)
	}
	at := dataframe.Row(0)
	if row >= 0 {
		at = dataframe.Index(int(row))
	}
	if e.Path != path || e.Row != at || e.Column != column {
		t.Errorf("error at %s row %d column %q, want %s row %d column %q", e.Path, e.Row, e.Column, path, row, column)
	}
	text := e.Error()
	if errors.Is(err, fs.ErrNotExist) || strings.Contains(text, "\n") || !strings.HasPrefix(text, path+": ") {
		t.Errorf("error %q: want one line that begins with the path", text)
	}
	if row >= 0 && !strings.Contains(text, fmt.Sprintf("row %d ", row)) || column != "" && !strings.Contains(text, fmt.Sprintf("column %q", column)) {
		t.Errorf("error %q does not name row %d and column %q", text, row, column)
	}
	rest, last := text, ""
	for i, part := range strings.Split(want, "…") {
		at := strings.Index(rest, part)
		if at < 0 || i == 0 && at+len(path) < len(path) {
			t.Fatalf("error %q, want %q", text, want)
		}
		rest, last = rest[at+len(part):], part
	}
	if last != "" && rest != "" {
		t.Errorf("error %q goes on after %q", text, want)
	}
}

// TestRefusesNotFinite puts the bad numbers into Arrow's arrays, because JSON has no NaN.
func TestRefusesNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, ext := range []string{".parquet", ".arrow"} {
			for _, place := range []struct{ role, column string }{
				{samplesRole, "y"}, {samplesRole, "x"}, {samplesRole, "b"}, {graphRole, "cost"}, {featuresRole, "truth"}, {featuresRole, "col"},
			} {
				t.Run(fmt.Sprint(bad, place.column, ext), func(t *testing.T) {
					dir := small(t)
					path, want := replaceWith(t, dir, place.role, place.column, ext, bad)
					_, err := load(t, dir, AnyLabels)
					checkRefusal(t, err, path, 2, place.column, want)
				})
			}
		}
	}
}

// replaceWith replaces one of the small dataset's files by one with a bad number in row 2 of a column, and returns
// the expected error text.
func replaceWith(t *testing.T, dir, role, column, ext string, bad float64) (path, want string) {
	f := map[string]frame{
		"y":     {listed, `[` + listedRest + `]`},
		"x":     {listed, `[` + listedRest + `]`},
		"b":     {wide, `[` + wideRest + `]`},
		"cost":  {edges, `[{"source": 0, "target": 1, "cost": 1}, {"source": 1, "target": 2, "cost": 1}, {"source": 0, "target": 2, "cost": 1}]`},
		"truth": {[]arrow.Field{field("name", utf8), field("truth", f64)}, `[{"name": "a", "truth": 1}, {"name": "b", "truth": 1}, {"name": "c", "truth": 1}]`},
		"col":   {[]arrow.Field{field("name", utf8), field("row", f64), field("col", f64)}, `[{"name": "a", "row": 1, "col": 1}, {"name": "b", "row": 1, "col": 1}, {"name": "c", "row": 1, "col": 1}]`},
	}[column]
	path = f.replace(t, dir, role, ".arrow")
	rec := f.record(t)
	values := rec.Column(rec.Schema().FieldIndices(column)[0])
	want = fmt.Sprintf("is %v, want a finite number", bad)
	at := 2
	if l, ok := values.(*array.List); ok {
		values, at = l.ListValues(), 3*2+1
		want = "element 1 " + want
	}
	values.(*array.Float64).Float64Values()[at] = bad
	must(t, os.Remove(path))
	path = strings.TrimSuffix(path, ".arrow") + ext
	writeRecord(t, path, rec)
	return path, want
}

// TestRefusesInexact checks integers that a float64 cannot represent. JSON cannot represent them either.
func TestRefusesInexact(t *testing.T) {
	for _, typ := range []arrow.DataType{i64, arrow.PrimitiveTypes.Uint64} {
		for _, ext := range []string{".parquet", ".arrow"} {
			dir := small(t)
			fields := []arrow.Field{field("y", typ), listed[1], listed[2]}
			rec := frame{fields, `[` + listedRest + `]`}.record(t)
			want := "is 9007199254740993, which a float64 cannot hold exactly…"
			switch y := rec.Column(0).(type) {
			case *array.Int64:
				y.Int64Values()[1] = 1<<53 + 1
			case *array.Uint64:
				y.Uint64Values()[0] = 1 << 63
				y.Uint64Values()[1] = math.MaxUint64
				want = "is 18446744073709551615, which a float64 cannot hold exactly…"
			}
			must(t, os.Remove(filepath.Join(dir, "trial-00", "samples.parquet")))
			path := filepath.Join(dir, "trial-00", "samples"+ext)
			writeRecord(t, path, rec)
			_, err := load(t, dir, AnyLabels)
			checkRefusal(t, err, path, 1, "y", want)
		}
	}
}

// TestRefusesFarDown has a bad value after the first batches, pages and row groups.
func TestRefusesFarDown(t *testing.T) {
	const rows, p = 5000, 7
	build := func(badRow, badElement int, bad func(x *array.ListBuilder)) arrow.Record {
		return listRecord(i64, rows, p, func(x *array.ListBuilder, i, j int) {
			if i == badRow && j == badElement {
				bad(x)
			} else {
				x.ValueBuilder().(*array.Int64Builder).Append(int64(j))
			}
		})
	}
	tests := map[string]struct {
		bad  func(x *array.ListBuilder)
		want string
	}{
		"null":    {func(x *array.ListBuilder) { x.ValueBuilder().AppendNull() }, "element %d is null"},
		"ragged":  {func(x *array.ListBuilder) {}, "has 6 values, want 7…"},
		"inexact": {func(x *array.ListBuilder) { x.ValueBuilder().(*array.Int64Builder).Append(1<<53 + 1) }, "is 9007199254740993…"},
	}
	for name, test := range tests {
		for _, bad := range [][2]int{{0, 0}, {1169, 6}, {1170, 0}, {1170, 1}, {1170, 2}, {4999, 6}} {
			t.Run(fmt.Sprint(name, bad), func(t *testing.T) {
				dir := small(t)
				f := &Features{}
				for i := range p {
					f.Names = append(f.Names, string(rune('a'+i)))
				}
				must(t, WriteFeatures(filepath.Join(dir, "features.parquet"), f))
				path := filepath.Join(dir, "trial-00", "samples.parquet")
				writeRecord(t, path, build(bad[0], bad[1], test.bad))
				want := test.want
				if strings.Contains(want, "%d") {
					want = fmt.Sprintf(want, bad[1])
				}
				_, err := load(t, dir, AnyLabels)
				checkRefusal(t, err, path, int64(bad[0]), "x", want)
			})
		}
	}
}

func TestRefusesEqualColumns(t *testing.T) {
	for _, ext := range []string{".parquet", ".arrow"} {
		dir := small(t)
		rec := frame{listed, `[` + listedRest + `]`}.record(t)
		twice := array.NewRecord(arrow.NewSchema([]arrow.Field{listed[0], listed[1], listed[2], listed[0]}, nil),
			[]arrow.Array{rec.Column(0), rec.Column(1), rec.Column(2), rec.Column(0)}, 3)
		must(t, os.Remove(filepath.Join(dir, "trial-00", "samples.parquet")))
		path := filepath.Join(dir, "trial-00", "samples"+ext)
		writeRecord(t, path, twice)
		_, err := load(t, dir, AnyLabels)
		checkRefusal(t, err, path, -1, "y", "occurs twice in the file; rename or remove one of the two columns")
	}
}

func TestRefusesOtherFormats(t *testing.T) {
	parquetBytes, err := os.ReadFile(func() string {
		dir := small(t)
		return filepath.Join(dir, "graph.parquet")
	}())
	must(t, err)
	for name, content := range map[string]string{"empty": "", "text": "source,target\n0,1\n", "short": "PAR1", "feather": "FEA1....FEA1",
		"no footer": "PAR1PAR1", "parquet named arrow": string(parquetBytes), "no stream": "ARROW1\x00\x00ARROW1", "long footer": "ARROW1\x00\x00\xff\xff\xff\xffARROW1"} {
		for _, ext := range []string{".parquet", ".arrow"} {
			if ext == ".parquet" && strings.Contains(name, "named") {
				continue
			}
			dir := small(t)
			must(t, os.Remove(filepath.Join(dir, "graph.parquet")))
			path := filepath.Join(dir, "graph"+ext)
			must(t, os.WriteFile(path, []byte(content), 0o666))
			_, err := load(t, dir, AnyLabels)
			checkRefusal(t, err, path, -1, "", "…")
		}
	}
}

// withFooter returns the small samples as a Parquet file with a changed footer.
func withFooter(t *testing.T, change func(*metadata.FileMetaData)) []byte {
	t.Helper()
	var buf bytes.Buffer
	encodeParquet(t, &buf, frame{listed, only(smallRows, listed)}.record(t), 1<<20, parquet.WithDictionaryDefault(false))
	r := must1(file.NewParquetReader(bytes.NewReader(buf.Bytes())))
	meta := r.MetaData()
	buf.Truncate(buf.Len() - 8 - meta.Size())
	change(meta)
	begin := buf.Len()
	must1(meta.WriteTo(&buf, nil))
	return append(binary.LittleEndian.AppendUint32(buf.Bytes(), uint32(buf.Len()-begin)), "PAR1"...)
}

// TestLimits checks that a small file that claims huge sizes is refused before memory is allocated. The error
// gives the number.
func TestLimits(t *testing.T) {
	nested := func(m *metadata.FileMetaData) {
		one := int32(1)
		group, leaf := *m.FileMetaData.Schema[0], m.FileMetaData.Schema[1]
		group.NumChildren = &one
		m.FileMetaData.Schema = m.FileMetaData.Schema[:0]
		for range 3000 {
			m.FileMetaData.Schema = append(m.FileMetaData.Schema, &group)
		}
		m.FileMetaData.Schema = append(m.FileMetaData.Schema, leaf)
	}
	children := func(n int32) func(*metadata.FileMetaData) {
		return func(m *metadata.FileMetaData) { *m.FileMetaData.Schema[0].NumChildren = n }
	}
	values := func(n int64) func(*metadata.FileMetaData) {
		return func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[2].MetaData.NumValues = n }
	}
	for name, c := range map[string]struct {
		change func(*metadata.FileMetaData)
		column string
		want   string
	}{
		"children":          {children(1<<31 - 1), "", "a group of its schema says 2147483647 columns, but has "},
		"negative children": {children(-1), "", "a group of its schema says -1 columns, but has "},
		"no children":       {children(0), "", "columns that belong to no group"},
		"depth":             {nested, "", "its schema is more than 64 levels deep"},
		"rows": {func(m *metadata.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows = 1e9, 1e9
		}, "", "has 1000000000 rows in "},
		"values":          {values(1e9), "", "has 10000000"},
		"negative values": {values(-1), "", "does not say how many values it has"},
		"too few values":  {values(3), "x", "a page has fewer values than its header says, or more than its column"},
		"columns": {func(m *metadata.FileMetaData) {
			for range 8192 {
				m.FileMetaData.Schema = append(m.FileMetaData.Schema, m.FileMetaData.Schema[1])
			}
			*m.FileMetaData.Schema[0].NumChildren += 8192
		}, "", "columns in "},
	} {
		content := withFooter(t, c.change)
		path := sealtest.File(t, "file.parquet", content)
		var err error
		took := sealtest.Allocated(func() {
			err = read(path, func(f *columnar.File) error {
				var trial Trial
				return trial.readSamples(f, &featureTable{Features: &Features{Names: smallNames}, path: "features.parquet"}, AnyLabels, nil)
			})
		})
		checkRefusal(t, err, path, -1, c.column, "…"+c.want+"…")
		if took > 64<<20 {
			t.Errorf("%s: %d bytes of memory for a file of %d", name, took, len(content))
		}
	}
}

// writeBenchmark writes a dataset of the size of the paper's benchmark: 1800 samples on a 33×33 grid.
func writeBenchmark(tb testing.TB, dir string, rows int) {
	tb.Helper()
	g := graph.Grid(33, 33)
	f := &Features{Truth: make([]float64, g.NumNodes())}
	for i := range g.NumNodes() {
		f.Names = append(f.Names, fmt.Sprintf("pixel-%d-%d", i/33, i%33))
	}
	must(tb, WriteGraph(filepath.Join(dir, "graph.parquet"), g, nil))
	must(tb, WriteFeatures(filepath.Join(dir, "features.parquet"), f))
	must(tb, os.MkdirAll(filepath.Join(dir, "trial-00"), 0o777))
	writeBenchmarkSamples(tb, filepath.Join(dir, "trial-00", "samples.parquet"), rows, g.NumNodes())
}

func writeBenchmarkSamples(tb testing.TB, path string, rows, p int) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	w := must1(NewSamplesWriter(path, SamplesHeader{Features: p, Metadata: map[string]string{"mu": "0.3"}}))
	x := make([]float64, p)
	for i := range rows {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		must(tb, w.Append(Sample{Split: Split(min(i*9/(5*rows)+i*9/(7*rows), 2)), Y: float64(2*(i%2) - 1), X: x}))
	}
	must(tb, w.Close())
}

// TestLoadMemory checks that loading takes little more memory than the file and the matrix, 15 MiB each.
func TestLoadMemory(t *testing.T) {
	dir := t.TempDir()
	writeBenchmark(t, dir, 1800)
	d := must1(Open(dir))
	if n := sealtest.Allocated(func() { must1(d.Load(0, BinaryLabels)) }); n > 40<<20 {
		t.Errorf("Load took %d MiB, garbage included, want at most 40", n>>20)
	}
}

// TestWriterMemory checks that a writer's memory does not grow with the file.
func TestWriterMemory(t *testing.T) {
	const p = 1000
	w := must1(NewSamplesWriter(filepath.Join(t.TempDir(), "samples.parquet"), SamplesHeader{Features: p}))
	defer w.Abort()
	x := make([]float64, p)
	var most uint64
	for i := range 20_000 { // 152 MiB
		x[i%p] = float64(i)
		must(t, w.Append(Sample{Split: Split(i % 3), Y: 1, X: x}))
		if i%1000 == 999 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	must(t, w.Close())
	if most > 40<<20 {
		t.Errorf("the writer held %d MiB, want at most 40", most>>20)
	}
}
