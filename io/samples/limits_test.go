package samples

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/seal/sealtest"
)

// withFooter returns the small samples as a Parquet file whose footer was changed.
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

// What a small file asks for is refused before memory is taken for it, with the number.
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
		"children":          {children(1<<31 - 1), "", "a group of its schema has 2147483647 columns, of which "},
		"negative children": {children(-1), "", "a group of its schema has -1 columns, of which "},
		"no children":       {children(0), "", "columns that belong to no group"},
		"depth":             {nested, "", "its schema is more than 64 levels deep"},
		"rows": {func(m *metadata.FileMetaData) {
			m.NumRows, m.RowGroups[0].NumRows = 1e9, 1e9
		}, "", "has 1000000000 rows in "},
		"values":          {values(1e9), "", "has 10000000"},
		"negative values": {values(-1), "", "does not say how many values it has"},
		"too few values":  {values(3), "x", "a page has fewer values than it says, or more than its column"},
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
	if n := sealtest.Allocated(func() { must1(d.Load(0, BinaryLabels)) }); n > 40<<20 {
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
