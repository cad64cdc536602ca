package samples

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/arrowio"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

const smallRows = `[
	{"y": 1, "split": "train", "x": [1, 2, 3], "a": 1, "b": 2, "c": 3},
	{"y": -1, "split": "valid", "x": [-4, 5, 6.5], "a": -4, "b": 5, "c": 6.5},
	{"y": 1, "split": "train", "x": [7, 8, 9], "a": 7, "b": 8, "c": 9},
	{"y": 1, "split": "test", "x": [10, -11, 12], "a": 10, "b": -11, "c": 12},
	{"y": -1, "split": "train", "x": [0, 0.25, 0], "a": 0, "b": 0.25, "c": 0}]`

var dictionary = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: utf8}

// TestAcceptedSamples reads features of every accepted type, in every format in which Arrow can write them.
func TestAcceptedSamples(t *testing.T) {
	required := func(t arrow.DataType) arrow.Field { return arrow.Field{Name: "x", Type: t} }
	tests := []struct {
		fields  []arrow.Field
		ipcOnly bool
	}{
		{[]arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.ListOf(f64))}, false},
		{[]arrow.Field{field("y", f32), field("split", utf8), field("x", arrow.ListOf(f32))}, false},
		{[]arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.ListOf(arrow.FixedWidthTypes.Float16))}, false},
		{[]arrow.Field{{Name: "y", Type: f64}, {Name: "split", Type: utf8}, required(arrow.ListOfNonNullable(f64))}, false},
		{[]arrow.Field{field("x", arrow.ListOf(f64)), field("split", dictionary), field("y", i64)}, false},
		{[]arrow.Field{field("y", f64), field("split", arrow.BinaryTypes.LargeString), field("x", arrow.LargeListOf(f64))}, true},
		{[]arrow.Field{field("y", f64), field("split", dictionary), field("x", arrow.LargeListOf(f32))}, true},
		{[]arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.FixedSizeListOf(3, f64))}, false},
		{[]arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.FixedSizeListOf(3, f32))}, false},
		{[]arrow.Field{field("y", f64), field("split", utf8), required(arrow.FixedSizeListOf(3, f64))}, true},
		{[]arrow.Field{field("y", arrow.PrimitiveTypes.Int8), field("split", utf8), field("a", i64), field("b", f64), field("c", f32)}, false},
		{[]arrow.Field{field("c", f64), field("a", arrow.PrimitiveTypes.Int16), field("y", f64), field("b", f32), field("split", dictionary)}, false},
		{[]arrow.Field{field("y", f64), field("note", utf8), field("split", utf8), field("a", f64), field("b", f64), field("c", f64),
			field("notes", arrow.ListOf(utf8)), field("none", arrow.Null)}, false},
		{[]arrow.Field{field("y", f64), field("split", utf8), field("a", &arrow.Decimal128Type{Precision: 5, Scale: 2}),
			field("b", &arrow.Decimal128Type{Precision: 15, Scale: 2}), field("c", &arrow.Decimal128Type{Precision: 38, Scale: 10})}, false},
		{[]arrow.Field{field("y", f64), field("split", utf8), field("a", &arrow.Decimal256Type{Precision: 5, Scale: 2}),
			field("b", &arrow.Decimal256Type{Precision: 15, Scale: 2}), field("c", &arrow.Decimal256Type{Precision: 70, Scale: 10})}, true},
	}
	for _, test := range tests {
		exts := formats
		if test.ipcOnly {
			exts = formats[1:]
		}
		accept(t, frame{test.fields, only(smallRows, test.fields)}, samplesRole, BinaryLabels, exts, func(trial *Trial) { checkSmall(t, trial) })
	}
}

var formats = []string{".parquet", ".arrow"}

// accept loads the small dataset with one file replaced by a frame, once for each extension in exts.
func accept(t *testing.T, f frame, role string, labels Labels, exts []string, check func(*Trial)) {
	t.Helper()
	for _, ext := range exts {
		t.Run(fmt.Sprint(f.fields, ext), func(t *testing.T) {
			dir := small(t)
			f.replace(t, dir, role, ext)
			check(must1(load(t, dir, labels)))
		})
	}
}

// only removes from JSON rows the values without a field. It adapts the rest to Arrow, which wants decimals as
// strings and integers without fractions.
func only(rows string, fields []arrow.Field) string {
	for _, name := range []string{"y", "split", "x", "a", "b", "c"} {
		has := slices.ContainsFunc(fields, func(f arrow.Field) bool { return f.Name == name })
		if has {
			continue
		}
		for _, line := range strings.Split(rows, "\n") {
			_, value, ok := strings.Cut(line, `"`+name+`": `)
			if !ok {
				continue
			}
			if value[0] == '[' {
				value = value[:strings.Index(value, "]")+1]
			} else {
				value = value[:strings.IndexAny(value, ",}")]
			}
			rows = strings.Replace(rows, `, "`+name+`": `+value, "", 1)
		}
	}
	return rows
}

// TestAcceptedIntegers reads labels of all integer types, in both formats.
func TestAcceptedIntegers(t *testing.T) {
	types := []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, i64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64}
	largest := []float64{127, 32767, 2147483647, 9007199254740992, 255, 65535, 4294967295, 9007199254740992}
	for i, typ := range types {
		f := frame{[]arrow.Field{field("y", typ), field("split", utf8), field("x", arrow.ListOf(typ))},
			fmt.Sprintf(`[{"y": %[1]v, "split": "train", "x": [0, 1, %[1]v]}, {"y": 0, "split": "valid", "x": [1, 2, 3]},
				{"y": 1, "split": "test", "x": [1, 2, 3]}]`, int64(largest[i]))}
		accept(t, f, samplesRole, AnyLabels, formats, func(trial *Trial) {
			if trial.Train.Y[0] != largest[i] || trial.Train.Row(0)[2] != largest[i] {
				t.Errorf("got y %v and x %v, want %v", trial.Train.Y, trial.Train.X, largest[i])
			}
		})
	}
}

// TestParquetLayouts reads other writers' row groups, pages, encodings and compressions.
func TestParquetLayouts(t *testing.T) {
	const rows, p = 700, 40
	want := map[Split][]float64{}
	rec := listRecord(f64, rows, p, func(x *array.ListBuilder, i, j int) {
		v := math.Sqrt(float64(i%50*p + j))
		x.ValueBuilder().(*array.Float64Builder).Append(v)
		want[Split(i%3)] = append(want[Split(i%3)], v)
	})
	layouts := map[string]struct {
		rowGroup int64
		props    []parquet.WriterProperty
	}{
		"one row group":   {rows, nil},
		"many row groups": {33, nil},
		"single rows":     {1, nil},
		"small pages":     {rows, []parquet.WriterProperty{parquet.WithDataPageSize(1000), parquet.WithBatchSize(64)}},
		"no dictionary":   {200, []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(5000)}},
		// Pages that could wrongly reuse the memory of pages still in use.
		"equal pages, plain":        {rows, []parquet.WriterProperty{parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1000), parquet.WithBatchSize(64)}},
		"equal pages, dictionary":   {rows, []parquet.WriterProperty{parquet.WithDataPageSize(10_000), parquet.WithBatchSize(64)}},
		"equal pages, dictionary 2": {rows, []parquet.WriterProperty{parquet.WithDataPageSize(10_000), parquet.WithBatchSize(64), parquet.WithDataPageVersion(parquet.DataPageV2)}},
		"version 2":                 {300, []parquet.WriterProperty{parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDataPageSize(3000)}},
		"version 2, zstd":           {300, []parquet.WriterProperty{parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Zstd)}},
		"snappy":                    {300, []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy)}},
		"gzip, small pages":         {rows, []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDataPageSize(2000)}},
		"delta byte array":          {rows, []parquet.WriterProperty{parquet.WithDictionaryFor("split", false), parquet.WithEncodingFor("split", parquet.Encodings.DeltaByteArray)}},
		"delta length":              {rows, []parquet.WriterProperty{parquet.WithDictionaryFor("split", false), parquet.WithEncodingFor("split", parquet.Encodings.DeltaLengthByteArray)}},
	}
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			encodeParquet(t, &buf, rec, layout.rowGroup, layout.props...)
			got := loadSamples(t, p, buf.Bytes())
			for s, b := range map[Split]*Block{Train: &got.Train, Valid: &got.Valid, Test: &got.Test} {
				if !slices.Equal(b.X, want[s]) {
					t.Errorf("%v: the features differ", s)
				}
				for i, y := range b.Y {
					if y != float64(3*i+int(s)) {
						t.Fatalf("%v: y of row %d is %v", s, i, y)
					}
				}
			}
		})
	}
}

// loadSamples loads a dataset with p features and the given Parquet file of samples.
func loadSamples(t *testing.T, p int, content []byte) *Trial {
	t.Helper()
	dir := t.TempDir()
	names := make([]string, p)
	for i := range names {
		names[i] = fmt.Sprintf("f%d", i)
	}
	g := graphOf(t, p)
	must(t, os.MkdirAll(filepath.Join(dir, "trial-00"), 0o777))
	must(t, WriteGraph(filepath.Join(dir, "graph.parquet"), g, names))
	must(t, WriteFeatures(filepath.Join(dir, "features.parquet"), &Features{Names: names}))
	must(t, os.WriteFile(filepath.Join(dir, "trial-00", "samples.parquet"), content, 0o666))
	d := must1(Open(dir))
	return must1(d.Load(0, AnyLabels)) // Arrow's delta decoders do not release their memory, so it is not counted
}

// TestLegacyLists reads lists of two levels, which programs wrote before the format had rules for lists.
func TestLegacyLists(t *testing.T) {
	repeated := schema.NewFloat64Node("x", parquet.Repetitions.Repeated, -1)
	inList := schema.MustGroup(schema.NewGroupNodeLogical("x", parquet.Repetitions.Optional,
		schema.FieldList{schema.NewFloat64Node("array", parquet.Repetitions.Repeated, -1)}, schema.ListLogicalType{}, -1))
	for name, test := range map[string]struct {
		node schema.Node
		def  int16
	}{"repeated field": {repeated, 1}, "list of two levels": {inList, 2}} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			columns := []arrowio.ParquetColumn{arrowio.Floats("y", []float64{1, 2, 3}), arrowio.Texts("split", []string{"test", "train", "valid"}),
				{Node: test.node, Write: arrowio.WriteTo([]float64{1, 2, 3, 4, 5, 6}, slices.Repeat([]int16{test.def}, 6), []int16{0, 1, 0, 1, 0, 1})}}
			out := must1(arrowio.NewParquetWriter(&buf, arrowio.ParquetLayout{Columns: columns}))
			must(t, arrowio.WriteRowGroup(out, columns...))
			must(t, out.Close())
			content := bytes.ReplaceAll(buf.Bytes(), []byte("graphda-seal"), []byte("another-seal"))
			content = bytes.ReplaceAll(content, []byte("graphda.seal"), []byte("another.seal"))
			got := loadSamples(t, 2, content)
			if x := slices.Concat(got.Test.X, got.Train.X, got.Valid.X); !slices.Equal(x, []float64{1, 2, 3, 4, 5, 6}) {
				t.Errorf("got %v", x)
			}
		})
	}
}

// TestIPCLayouts reads Arrow files with several record batches, dictionaries and compression.
func TestIPCLayouts(t *testing.T) {
	fields := []arrow.Field{field("y", f64), field("split", dictionary), field("x", arrow.ListOf(f64))}
	rec := frame{fields, only(smallRows, fields)}.record(t)
	slices := []arrow.Record{rec.NewSlice(0, 2), rec.NewSlice(2, 2), rec.NewSlice(2, 5)}
	for name, opt := range map[string]ipc.Option{
		"plain": ipc.WithAllocator(memory.DefaultAllocator), "lz4": ipc.WithLZ4(), "zstd": ipc.WithZstd(),
	} {
		t.Run(name, func(t *testing.T) {
			dir := small(t)
			must(t, os.Remove(filepath.Join(dir, "trial-00", "samples.parquet")))
			out := must1(os.Create(filepath.Join(dir, "trial-00", "samples.arrow")))
			defer out.Close()
			w := must1(ipc.NewFileWriter(out, ipc.WithSchema(rec.Schema()), opt))
			for _, r := range slices {
				must(t, w.Write(r))
			}
			must(t, w.Close())
			checkSmall(t, must1(load(t, dir, BinaryLabels)))
		})
	}
}

// TestAcceptedGraphs reads edges by index and by name, with and without costs, and groups as lists and as single
// numbers.
func TestAcceptedGraphs(t *testing.T) {
	i32 := arrow.PrimitiveTypes.Uint16
	frames := []frame{
		{[]arrow.Field{field("source", i64), field("target", i32), field("cost", f64)},
			`[{"source": 0, "target": 1, "cost": 1}, {"source": 2, "target": 1, "cost": 0.5}]`},
		{[]arrow.Field{field("target", utf8), field("source", utf8), field("cost", f32)},
			`[{"source": "a", "target": "b", "cost": 1}, {"source": "c", "target": "b", "cost": 0.5}]`},
		{[]arrow.Field{field("source", dictionary), field("target", i64)},
			`[{"source": "a", "target": 1}, {"source": "c", "target": 1}]`},
	}
	for _, f := range frames {
		want := []float64{1, 0.5}
		if len(f.fields) == 2 {
			want[1] = 1
		}
		accept(t, f, graphRole, BinaryLabels, formats, func(trial *Trial) {
			checkSmall(t, trial)
			if !slices.Equal(trial.Graph.Costs(), want) {
				t.Errorf("costs %v, want %v", trial.Graph.Costs(), want)
			}
		})
	}
}

func TestAcceptedFeatures(t *testing.T) {
	tests := []struct {
		frame
		want string // the expected Groups
	}{
		{frame{[]arrow.Field{field("name", utf8), field("group", arrow.ListOf(i64)), field("note", utf8)},
			`[{"name": "a", "group": [7, 2]}, {"name": "b", "group": []}, {"name": "c", "group": [7]}]`}, "[[0] [0 2]]"},
		{frame{[]arrow.Field{field("name", dictionary), field("group", arrow.PrimitiveTypes.Int16)},
			`[{"name": "a", "group": 5}, {"name": "b", "group": 1}, {"name": "c", "group": 5}]`}, "[[1] [0 2]]"},
		{frame{[]arrow.Field{field("name", utf8)}, `[{"name": "a"}, {"name": "b"}, {"name": "c"}]`}, "[]"},
		{frame{[]arrow.Field{field("name", utf8), field("measured", arrow.FixedWidthTypes.Boolean)},
			`[{"name": "a", "measured": true}, {"name": "b", "measured": false}, {"name": "c", "measured": true}]`}, "[]"},
	}
	for _, test := range tests {
		accept(t, test.frame, featuresRole, BinaryLabels, formats, func(trial *Trial) {
			checkSmall(t, trial)
			if got := fmt.Sprint(trial.Features.Groups); got != test.want {
				t.Errorf("groups %s, want %s", got, test.want)
			}
			if f := trial.Features; f.Truth != nil || f.Row != nil || f.Col != nil || f.X != nil || f.Y != nil {
				t.Errorf("absent columns are not nil: %+v", f)
			}
		})
	}
}
