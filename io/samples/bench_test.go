package samples

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/graph"
	"graphda/io/columnar"
)

// writeBenchmark writes a dataset of the size of the paper's benchmark: 1800 samples of
// a 33×33 grid.
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
	w, err := NewSamplesWriter(path, SamplesHeader{Features: p, Metadata: map[string]string{"mu": "0.3"}})
	must(tb, err)
	x := make([]float64, p)
	for i := range rows {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		must(tb, w.Append(Sample{Split: Split(min(i*9/(5*rows)+i*9/(7*rows), 2)), Y: float64(2*(i%2) - 1), X: x}))
	}
	must(tb, w.Close())
}

// Loading takes little more than the file and the matrix, 15 MiB each.
func TestLoadMemory(t *testing.T) {
	dir := t.TempDir()
	writeBenchmark(t, dir, 1800)
	d, err := Open(dir)
	must(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = d.Load(0, BinaryLabels)
	must(t, err)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 40<<20 {
		t.Errorf("Load took %d MiB, garbage included, want at most 40", n>>20)
	}
}

// A writer's memory does not grow with the file.
func TestWriterMemory(t *testing.T) {
	const p = 1000
	w, err := NewSamplesWriter(filepath.Join(t.TempDir(), "samples.parquet"), SamplesHeader{Features: p})
	must(t, err)
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

// writeWide writes a data frame of p columns as other programs do.
func writeWide(tb testing.TB, dir string, rows, p int) {
	tb.Helper()
	f := &Features{}
	b := make([]columnar.Out, 0, p+2)
	y, split := make([]float64, rows), make([]string, rows)
	for i := range rows {
		y[i], split[i] = 1, Split(i%3).String()
	}
	b = append(b, columnar.Floats("y", y), columnar.Texts("split", split))
	for j := range p {
		name := fmt.Sprint("gene ", j)
		f.Names = append(f.Names, name)
		values := make([]float64, rows)
		for i := range values {
			values[i] = float64(i*p + j)
		}
		b = append(b, columnar.Floats(name, values))
	}
	g, err := graph.New(p, nil, nil)
	must(tb, err)
	must(tb, os.MkdirAll(filepath.Join(dir, "trial-00"), 0o777))
	must(tb, WriteGraph(filepath.Join(dir, "graph.parquet"), g, nil))
	must(tb, WriteFeatures(filepath.Join(dir, "features.parquet"), f))
	must(tb, columnar.WriteParquet(filepath.Join(dir, "trial-00", "samples.parquet"), nil, rows, b...))
}

func TestWide(t *testing.T) {
	const rows, p = 31, 20_000
	dir := t.TempDir()
	writeWide(t, dir, rows, p)
	trial, err := load(t, dir, BinaryLabels)
	must(t, err)
	next := [numSplits]int{}
	for i := range rows {
		s := Split(i % 3)
		row := []*Block{&trial.Train, &trial.Valid, &trial.Test}[s].Row(next[s])
		next[s]++
		for j, v := range row {
			if v != float64(i*p+j) {
				t.Fatalf("row %d feature %d is %v, want %v", i, j, v, i*p+j)
			}
		}
	}
}

// benchmarkLoad loads the first trial again and again.
func benchmarkLoad(b *testing.B, dir string) {
	b.Helper()
	d, err := Open(dir)
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := d.Load(0, BinaryLabels)
		must(b, err)
	}
}

func BenchmarkLoadWide(b *testing.B) {
	dir := b.TempDir()
	writeWide(b, dir, 500, 20_000)
	benchmarkLoad(b, dir)
}

// An Arrow file with a fixed-size list, as pyarrow writes a matrix.
func BenchmarkLoadIPC(b *testing.B) {
	dir := b.TempDir()
	writeBenchmark(b, dir, 12)
	must(b, os.Remove(filepath.Join(dir, "trial-00", "samples.parquet")))
	fields := []arrow.Field{field("y", f64), field("split", utf8), field("x", arrow.FixedSizeListOf(1089, f64))}
	rb := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for i := range 1800 {
		rb.Field(0).(*array.Float64Builder).Append(1)
		rb.Field(1).(*array.StringBuilder).Append(Split(i % 3).String())
		x := rb.Field(2).(*array.FixedSizeListBuilder)
		x.Append(true)
		for j := range 1089 {
			x.ValueBuilder().(*array.Float64Builder).Append(float64(i * j))
		}
	}
	writeIPC(b, filepath.Join(dir, "trial-00", "samples.arrow"), rb.NewRecord())
	benchmarkLoad(b, dir)
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	writeBenchmark(b, dir, 1800)
	benchmarkLoad(b, dir)
}

func BenchmarkWrite(b *testing.B) {
	path := filepath.Join(b.TempDir(), "samples.parquet")
	x := make([][]float64, 1800)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = make([]float64, 1089)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		w, err := NewSamplesWriter(path, SamplesHeader{Features: 1089})
		must(b, err)
		for i := range x {
			must(b, w.Append(Sample{Split: Split(i % 3), Y: 1, X: x[i]}))
		}
		must(b, w.Close())
	}
}
