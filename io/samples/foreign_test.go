package samples

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/graph"
	"graphda/io/columnar"
	"graphda/io/dataframe"
	"graphda/io/seal/sealtest"
)

// TestDuckDB reads datasets written by DuckDB with testdata/duckdb/make.mjs. Sample i has a = i/4, b = √i and c = i.
func TestDuckDB(t *testing.T) {
	for _, name := range []string{"wide", "list"} {
		t.Run(name, func(t *testing.T) {
			d := must1(Open("testdata/duckdb/" + name))
			got := must1(d.Load(0, map[string]Labels{"wide": BinaryLabels, "list": AnyLabels}[name]))
			var want [numSplits]Block
			for i := range 20 {
				s := []Split{Train, Train, Train, Valid, Test}[i%5]
				y := float64(i)
				if name == "wide" {
					y = float64(1 - 2*(i%2))
				}
				want[s].Y = append(want[s].Y, y)
				want[s].X = append(want[s].X, float64(i)/4, math.Sqrt(float64(i)), float64(i))
			}
			for s, b := range []Block{got.Train, got.Valid, got.Test} {
				if b.P != 3 || !slices.Equal(b.X, want[s].X) || !slices.Equal(b.Y, want[s].Y) {
					t.Errorf("%v: got %v, want %v", Split(s), b, want[s])
				}
			}
			if e := got.Graph.Edges(); !slices.Equal(e, []graph.Edge{{U: 0, V: 1}, {U: 2, V: 1}}) {
				t.Errorf("edges %v", e)
			}
			costs, features := []float64{1, 1}, Features{Names: []string{"gene A", "gene B", "gene C"}, Truth: []float64{1, 0, 12345678901234567890.5}}
			if name == "wide" {
				costs = []float64{1.5, 0.25}
				features.Truth, features.Groups = []float64{0.5, 0, -1.25}, [][]int32{{0}, {0, 1}}
				features.Row, features.Col = []float64{1, 1, 2}, []float64{2, 3, 2}
			}
			if !slices.Equal(got.Graph.Costs(), costs) {
				t.Errorf("costs %v, want %v", got.Graph.Costs(), costs)
			}
			if a, b := fmt.Sprintf("%+v", *got.Features), fmt.Sprintf("%+v", features); a != b {
				t.Errorf("features %s, want %s", a, b)
			}
		})
	}
}

// TestArrowWriters reads tables written by polars and by Arrow's JavaScript library with testdata/arrow/make.mjs.
func TestArrowWriters(t *testing.T) {
	for _, name := range []string{"js.feather", "js.arrows", "polars-lz4.arrow", "polars-lz4.arrows", "polars-zstd.ipc"} {
		texts, numbers, rows, err := readAll(t, "testdata/arrow/"+name, "name", "value")
		if err != nil {
			t.Error(err)
			continue
		}
		if rows != 60 {
			t.Fatalf("%s: %d rows", name, rows)
		}
		for i := range rows {
			if want := fmt.Sprintf("g%d_%d", i%7, i); texts["name"][i] != want || numbers["value"][i] != math.Sqrt(float64(i)) {
				t.Fatalf("%s: row %d is %q, %v, want %q and the root of %[2]d", name, i, texts["name"][i], numbers["value"][i], want)
			}
		}
	}
}

// TestCutStream checks that a stream without its end mark is reported as cut off, at the end of a message and
// within one.
func TestCutStream(t *testing.T) {
	for _, name := range []string{"js.arrows", "polars-lz4.arrows"} {
		whole := must1(os.ReadFile("testdata/arrow/" + name))
		end := bytes.LastIndex(whole, []byte("\xff\xff\xff\xff"))
		for _, n := range []int{end, end + 4, end - 8, len(whole) / 2, 8} {
			path := sealtest.File(t, name, whole[:n])
			_, _, _, err := readAll(t, path, "value")
			checkRefusal(t, err, path, -1, "", "…")
		}
	}
}

// TestArrowNames checks that a dataset's files may have any extension of Arrow files.
func TestArrowNames(t *testing.T) {
	for _, ext := range columnar.Extensions()[1:] {
		dir := small(t)
		arrow := frame{listed, only(smallRows, listed)}.replace(t, dir, samplesRole, ".arrow")
		must(t, os.Rename(arrow, strings.TrimSuffix(arrow, ".arrow")+ext))
		checkSmall(t, must1(load(t, dir, BinaryLabels)))
	}
}

// TestCompressionNotRead checks that the error for an unsupported compression says what to do.
func TestCompressionNotRead(t *testing.T) {
	_, err := columnar.Read("testdata/duckdb/lz4.parquet", func(f *columnar.File) error {
		_, err := f.OptionalFloats("cost")
		return err
	})
	const want = `lz4.parquet: column "cost": is compressed with LZ4_RAW, which cannot be read; ` +
		"write it again with snappy, gzip, zstd or brotli"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want …%s", err, want)
	}
}

// TestPagesCountNulls checks that pages record their number of nulls, which other programs rely on. Here the nulls
// are empty lists.
func TestPagesCountNulls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "features.parquet")
	f := &Features{Names: []string{"a", "b", "c", "d"}, Groups: [][]int32{{0, 2}, {2}}}
	must(t, WriteFeatures(path, f))
	r := must1(file.OpenParquetFile(path, false))
	defer r.Close()
	for j := range r.MetaData().Schema.NumColumns() {
		pages := must1(r.RowGroup(0).GetColumnPageReader(j))
		nulls := int32(0)
		for pages.Next() {
			page, is := pages.Page().(*file.DataPageV2)
			if !is {
				t.Fatalf("a page %T", pages.Page())
			}
			nulls += page.NumNulls()
		}
		if want := map[string]int32{"group": 2}[r.MetaData().Schema.Column(j).ColumnPath()[0]]; nulls != want {
			t.Errorf("column %d has %d nulls, want %d", j, nulls, want)
		}
	}
}

// readAll reads the named columns of a file, as numbers if the file has numbers, else as texts.
func readAll(t *testing.T, path string, names ...string) (texts map[string][]string, numbers map[string][]float64, rows int, err error) {
	t.Helper()
	table, err := dataframe.OpenColumns(path, names...)
	if err != nil {
		return nil, nil, 0, err
	}
	texts, numbers = map[string][]string{}, map[string][]float64{}
	for ; table.Next(); rows++ {
		for i, name := range names {
			texts[name] = append(texts[name], table.Text(i))
			if table.Row() != dataframe.Index(rows) {
				t.Errorf("%v, want row %d", table.Row(), rows)
			}
			x, err := table.Number(i)
			if err != nil {
				continue
			}
			numbers[name] = append(numbers[name], x)
		}
	}
	return texts, numbers, rows, table.Err()
}

func TestReadColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.parquet")
	g := graph.Grid(2, 2)
	must(t, WriteGraph(path, g, []string{"a", "b", "c", "d"}))
	table, err := dataframe.Open(path, dataframe.Options{})
	if err != nil || !slices.Equal(table.Columns(), []string{"source", "target", "cost"}) {
		t.Fatalf("%+v, %v", table, err)
	}
	if missing, err := table.Find("colour"); missing != -1 || err != nil || !table.Next() || table.Text(0) != "a" || table.Text(1) != "b" || table.Text(2) != "1" {
		t.Errorf("%d, %v, row %q, %q, %q", missing, err, table.Text(0), table.Text(1), table.Text(2))
	}
	texts, numbers, rows, err := readAll(t, path, "source", "cost")
	must(t, err)
	if rows != 4 || !slices.Equal(texts["source"], []string{"a", "a", "b", "c"}) || len(numbers["source"]) > 0 {
		t.Errorf("%d rows, %q", rows, texts)
	}
	if !slices.Equal(numbers["cost"], []float64{1, 1, 1, 1}) {
		t.Errorf("%v", numbers)
	}
	must(t, WriteGraph(path, g, nil))
	if texts, _, _, err = readAll(t, path, "target"); err != nil || !slices.Equal(texts["target"], []string{"1", "2", "3", "3"}) {
		t.Errorf("%+v, %v", texts, err)
	}
}

func TestReadColumnsRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := dataframe.OpenColumns(filepath.Join(dir, "gone.parquet"), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	path := filepath.Join(dir, "features.parquet")
	must(t, WriteFeatures(path, &Features{Names: []string{"a", "b"}, Groups: [][]int32{{0}, {0, 1}}}))
	var bad *dataframe.Error
	if _, err := dataframe.OpenColumns(path, "group"); !errors.As(err, &bad) || bad.Column != "group" || bad.Path != path {
		t.Errorf("a list: %v", err)
	}
}

// TestIDsAndScaling checks that ids and scalings are read back.
func TestIDsAndScaling(t *testing.T) {
	dir := small(t)
	w := must1(NewSamplesWriter(filepath.Join(dir, "trial-00", "samples.parquet"), SamplesHeader{Features: 3, IDs: true, Patients: true}))
	for i, id := range []string{"007", "NAN", "1-Mar", "", "é"} {
		if id == "" {
			id = " "
		}
		must(t, w.Append(Sample{ID: id, Patient: []string{"P9", "P2", "P9", "P9", "P0"}[i], Split: smallSplit[i], Y: smallY[i], X: smallX[i]}))
	}
	must(t, w.Close())
	scaling := &Scaling{Mean: []float64{1, 2, 3}, Deviation: []float64{0.5, 0, 2}}
	must(t, WriteFeatures(filepath.Join(dir, "trial-00", "features.parquet"), &Features{Names: smallNames, Scaling: scaling}))
	got := must1(load(t, dir, BinaryLabels))
	checkSmall(t, got)
	if !slices.Equal(got.Train.IDs, []string{"007", "1-Mar", "é"}) || !slices.Equal(got.Valid.IDs, []string{"NAN"}) || !slices.Equal(got.Test.IDs, []string{" "}) {
		t.Errorf("ids %q, %q, %q", got.Train.IDs, got.Valid.IDs, got.Test.IDs)
	}
	if !slices.Equal(got.Train.Patient, []int32{0, 0, 2}) || !slices.Equal(got.Valid.Patient, []int32{1}) || !slices.Equal(got.Test.Patient, []int32{0}) {
		t.Errorf("patients %v, %v, %v, want numbers by first appearance", got.Train.Patient, got.Valid.Patient, got.Test.Patient)
	}
	if s := got.Features.Scaling; s == nil || !slices.Equal(s.Mean, scaling.Mean) || !slices.Equal(s.Deviation, scaling.Deviation) {
		t.Errorf("scaling %+v", s)
	}
	dst := make([]float64, 3)
	if scaling.Apply(dst, []float64{2, 9, 4}); !slices.Equal(dst, []float64{2, 0, 0.5}) {
		t.Errorf("scaled %v", dst)
	}
}
