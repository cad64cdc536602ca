package samples

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"graphda/graph"
)

func TestReadColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.parquet")
	g := graph.Grid(2, 2)
	if err := WriteGraph(path, g, []string{"a", "b", "c", "d"}); err != nil {
		t.Fatal(err)
	}
	got, err := ReadColumns(path, "source", "cost", "colour")
	if err != nil {
		t.Fatal(err)
	}
	if got.Rows != 4 || !slices.Equal(got.All, []string{"source", "target", "cost"}) || len(got.Found) != 2 {
		t.Fatalf("%+v", got)
	}
	source, cost := got.Found[0], got.Found[1]
	if source.Name != "source" || !slices.Equal(source.Texts, []string{"a", "a", "b", "c"}) || source.Ints != nil || source.Floats != nil {
		t.Errorf("%+v", source)
	}
	if cost.Name != "cost" || !slices.Equal(cost.Floats, []float64{1, 1, 1, 1}) {
		t.Errorf("%+v", cost)
	}
	if err := WriteGraph(path, g, nil); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadColumns(path, "target"); err != nil || !slices.Equal(got.Found[0].Ints, []int64{1, 2, 3, 3}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadColumnsRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadColumns(filepath.Join(dir, "gone.parquet"), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	path := filepath.Join(dir, "features.parquet")
	if err := WriteFeatures(path, &Features{Names: []string{"a", "b"}, Groups: [][]int32{{0}, {0, 1}}}); err != nil {
		t.Fatal(err)
	}
	var bad *RecordError
	if _, err := ReadColumns(path, "group"); !errors.As(err, &bad) || bad.Column != "group" || bad.Path != path {
		t.Errorf("a list: %v", err)
	}
}
