package samples

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/io/tabular"
)

// readAll reads the named columns of a file: as numbers where the file has them, else as texts.
func readAll(t *testing.T, path string, names ...string) (texts map[string][]string, numbers map[string][]float64, rows int, err error) {
	t.Helper()
	table, err := tabular.OpenColumns(path, names...)
	if err != nil {
		return nil, nil, 0, err
	}
	texts, numbers = map[string][]string{}, map[string][]float64{}
	for ; table.Next(); rows++ {
		for i, name := range names {
			if !table.Real(i) {
				texts[name] = append(texts[name], table.Text(i))
				continue
			}
			x, err := table.Number(i)
			if err != nil || table.Row() != tabular.Index(rows) {
				t.Errorf("%v: %v", table.Row(), err)
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
	table, err := tabular.Open(path, tabular.Options{Wanted: func(name string) bool { return name != "target" }})
	if err != nil || !slices.Equal(table.Columns(), []string{"source", "target", "cost"}) {
		t.Fatalf("%+v, %v", table, err)
	}
	if missing, err := table.Find("colour"); missing != -1 || err != nil || !table.Next() || table.Text(0) != "a" || table.Text(1) != "" || table.Text(2) != "1" {
		t.Errorf("%d, %v, row %q, %q, %q", missing, err, table.Text(0), table.Text(1), table.Text(2))
	}
	texts, numbers, rows, err := readAll(t, path, "source", "cost")
	must(t, err)
	if rows != 4 || !slices.Equal(texts["source"], []string{"a", "a", "b", "c"}) || numbers["source"] != nil {
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
	if _, err := tabular.OpenColumns(filepath.Join(dir, "gone.parquet"), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	path := filepath.Join(dir, "features.parquet")
	must(t, WriteFeatures(path, &Features{Names: []string{"a", "b"}, Groups: [][]int32{{0}, {0, 1}}}))
	var bad *tabular.Error
	if _, err := tabular.OpenColumns(path, "group"); !errors.As(err, &bad) || bad.Column != "group" || bad.Path != path {
		t.Errorf("a list: %v", err)
	}
}

// Ids come back with their samples, and means and deviations with the features.
func TestIDsAndScaling(t *testing.T) {
	dir := small(t)
	w, err := NewSamplesWriter(filepath.Join(dir, "trial-00", "samples.parquet"), SamplesHeader{Features: 3, IDs: true, Patients: true})
	must(t, err)
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
