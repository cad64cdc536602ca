package samples

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"graphda/graph"
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

// Loading takes little more than the file and the matrix, 15 MiB each.
func TestLoadMemory(t *testing.T) {
	dir := t.TempDir()
	writeBenchmark(t, dir, 1800)
	d := must1(Open(dir))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must1(d.Load(0, BinaryLabels))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 40<<20 {
		t.Errorf("Load took %d MiB, garbage included, want at most 40", n>>20)
	}
}

// A writer's memory does not grow with the file.
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
