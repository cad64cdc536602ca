package samples

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/graph"
	"graphda/io/arrowio"
	"graphda/io/columnar"
	"graphda/io/seal/sealtest"
)

var must = sealtest.Must

// The small dataset. Each test changes one thing in it.
var (
	smallNames = []string{"a", "b", "c"}
	smallX     = [][]float64{{1, 2, 3}, {-4, 5, 6.5}, {7, 8, 9}, {10, -11, 12}, {0, 0.25, 0}}
	smallY     = []float64{1, -1, 1, 1, -1}
	smallSplit = []Split{Train, Valid, Train, Test, Train}
)

func writeSmall(tb testing.TB, dir string) {
	tb.Helper()
	g := must1(graph.New(3, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 1}}, []float64{1, 0.5}))
	must(tb, os.MkdirAll(dir, 0o777))
	must(tb, WriteGraph(filepath.Join(dir, "graph.parquet"), g, nil))
	must(tb, WriteFeatures(filepath.Join(dir, "features.parquet"), &Features{Names: smallNames}))
	writeSmallSamples(tb, filepath.Join(dir, "trial-00"))
}

// small writes the small dataset into a new folder.
func small(tb testing.TB) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	writeSmall(tb, dir)
	return dir
}

func writeSmallSamples(tb testing.TB, dir string) {
	tb.Helper()
	must(tb, os.MkdirAll(dir, 0o777))
	w := must1(NewSamplesWriter(filepath.Join(dir, "samples.parquet"), SamplesHeader{Features: 3, Metadata: map[string]string{"seed": "7"}}))
	for i, x := range smallX {
		must(tb, w.Append(Sample{Split: smallSplit[i], Y: smallY[i], X: x}))
	}
	must(tb, w.Close())
}

// checkSmall compares a trial with the small dataset's samples and graph.
func checkSmall(tb testing.TB, got *Trial) {
	tb.Helper()
	want := map[Split]*Block{Train: {}, Valid: {}, Test: {}}
	for i, s := range smallSplit {
		want[s].X = append(want[s].X, smallX[i]...)
		want[s].Y = append(want[s].Y, smallY[i])
	}
	for s, b := range map[Split]*Block{Train: &got.Train, Valid: &got.Valid, Test: &got.Test} {
		if b.P != 3 || !slices.Equal(b.X, want[s].X) || !slices.Equal(b.Y, want[s].Y) {
			tb.Errorf("%v: got %v, want %v of 3 features", s, *b, *want[s])
		}
	}
	if !slices.Equal(got.Features.Names, smallNames) {
		tb.Errorf("names %q, want %q", got.Features.Names, smallNames)
	}
	if e := got.Graph.Edges(); !slices.Equal(e, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 1}}) {
		tb.Errorf("edges %v", e)
	}
}

// load opens a dataset and loads its first trial. It checks that Arrow's memory is released.
func load(tb testing.TB, dir string, labels Labels) (*Trial, error) {
	tb.Helper()
	defer countMemory(tb)()
	return must1(Open(dir)).Load(0, labels)
}

// countMemory starts to count Arrow's memory. It returns a function that checks that all of it is released.
func countMemory(tb testing.TB) (check func()) {
	tb.Helper()
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	arrowio.Allocator = mem
	return func() {
		arrowio.Allocator = memory.DefaultAllocator
		mem.AssertSize(tb, 0)
	}
}

func read(path string, use func(*columnar.File) error) error {
	_, err := columnar.Read(path, use)
	return err
}

// listRecord returns samples with lists of p values, label i and split i mod 3. add appends value j of row i.
func listRecord(values arrow.DataType, rows, p int, add func(x *array.ListBuilder, i, j int)) arrow.Record {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(
		[]arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.ListOf(values))}, nil))
	for i := range rows {
		b.Field(0).(*array.Float64Builder).Append(float64(i))
		b.Field(1).(*array.StringBuilder).Append(Split(i % 3).String())
		x := b.Field(2).(*array.ListBuilder)
		x.Append(true)
		for j := range p {
			add(x, i, j)
		}
	}
	return b.NewRecord()
}

// A frame describes a file to make with Arrow: its fields, and rows as JSON.
type frame struct {
	fields []arrow.Field
	rows   string
}

func field(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

func (f frame) record(tb testing.TB) arrow.Record {
	tb.Helper()
	rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, arrow.NewSchema(f.fields, nil), strings.NewReader(f.rows))
	must(tb, err)
	return rec
}

// write writes the frame in the format of the path's extension, like other programs.
func (f frame) write(tb testing.TB, path string) {
	tb.Helper()
	writeRecord(tb, path, f.record(tb))
}

func writeRecord(tb testing.TB, path string, rec arrow.Record) {
	tb.Helper()
	if filepath.Ext(path) == ".arrow" {
		writeIPC(tb, path, rec)
		return
	}
	var buf bytes.Buffer
	encodeParquet(tb, &buf, rec, 1<<20, parquet.WithCompression(compress.Codecs.Snappy))
	must(tb, os.WriteFile(path, buf.Bytes(), 0o666))
}

func encodeParquet(tb testing.TB, w io.Writer, rec arrow.Record, rowGroup int64, props ...parquet.WriterProperty) {
	tb.Helper()
	out, err := pqarrow.NewFileWriter(rec.Schema(), struct{ io.Writer }{w},
		parquet.NewWriterProperties(append(props, parquet.WithMaxRowGroupLength(rowGroup))...), pqarrow.DefaultWriterProps())
	must(tb, err)
	must(tb, out.Write(rec))
	must(tb, out.Close())
}

func writeIPC(tb testing.TB, path string, recs ...arrow.Record) {
	tb.Helper()
	file := must1(os.Create(path))
	defer file.Close()
	out := must1(ipc.NewFileWriter(file, ipc.WithSchema(recs[0].Schema())))
	for _, rec := range recs {
		must(tb, out.Write(rec))
	}
	must(tb, out.Close())
}

// replace replaces one of the small dataset's files by the frame.
func (f frame) replace(tb testing.TB, dir, role, ext string) (path string) {
	tb.Helper()
	if role == samplesRole {
		dir = filepath.Join(dir, "trial-00")
	}
	must(tb, os.Remove(filepath.Join(dir, role+".parquet")))
	path = filepath.Join(dir, role+ext)
	f.write(tb, path)
	return path
}

var (
	f64  = arrow.PrimitiveTypes.Float64
	f32  = arrow.PrimitiveTypes.Float32
	i64  = arrow.PrimitiveTypes.Int64
	utf8 = arrow.BinaryTypes.String
)

func must1[T any](v T, err error) T { return sealtest.Must1(v, err) }
