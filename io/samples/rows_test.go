package samples

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"graphda/io/seal/sealtest"
)

// writeShared writes a dataset of four samples that a trial has by a list of these rows.
func writeShared(t *testing.T, rows []int32, splits []Split, f *Features) string {
	t.Helper()
	dir := small(t)
	trial := filepath.Join(dir, "trial-00")
	must(t, os.Remove(filepath.Join(trial, "samples.parquet")))
	must(t, WriteFeatures(filepath.Join(trial, "features.parquet"), f))
	w := must1(NewSamplesWriter(filepath.Join(dir, "samples.parquet"), SamplesHeader{Features: 3, IDs: true, Shared: true}))
	for i, x := range [][]float64{{1, 2, 3}, {4, math.NaN(), 6}, {7, 8, 10}, {0, 1, math.NaN()}} {
		must(t, w.Append(Sample{ID: string(rune('a' + i)), Y: float64(1 - 2*(i%2)), X: x}))
	}
	must(t, w.Close())
	must(t, WriteRows(filepath.Join(trial, "rows.parquet"), rows, splits, map[string]string{"seed": "7"}))
	return dir
}

// A trial of common samples has its rows in its order, filled in and then standardised by its features.
func TestSharedSamples(t *testing.T) {
	f := &Features{Names: smallNames, Fill: []float64{9, 5, 7}, Scaling: &Scaling{Mean: []float64{1, 1, 1}, Deviation: []float64{2, 0.5, 0}}}
	got := must1(load(t, writeShared(t, []int32{3, 1, 0}, []Split{Train, Test, Valid}, f), BinaryLabels))
	for _, c := range []struct {
		b  Block
		id string
		x  []float64
	}{{got.Train, "d", []float64{-0.5, 0, 0}}, {got.Valid, "a", []float64{0, 2, 0}}, {got.Test, "b", []float64{1.5, 8, 0}}} {
		if !slices.Equal(c.b.IDs, []string{c.id}) || !slices.Equal(c.b.X, c.x) {
			t.Errorf("%q: %v, want %q: %v", c.b.IDs, c.b.X, c.id, c.x)
		}
	}
	if got.Metadata["seed"] != "7" || got.Train.Y[0] != -1 {
		t.Errorf("metadata %v, labels %v", got.Metadata, got.Train.Y)
	}
}

// The digest is of what the trial has: its rows and the samples.
func TestSharedDigest(t *testing.T) {
	f := &Features{Names: smallNames, Fill: []float64{9, 5, 7}}
	splits := []Split{Train, Test, Valid}
	digests := map[string]bool{}
	for _, rows := range [][]int32{{3, 1, 0}, {1, 3, 0}, {3, 1, 0}} {
		dir := writeShared(t, rows, splits, f)
		got := must1(load(t, dir, BinaryLabels))
		ds := must1(Open(dir))
		if sum, err := ds.Digest(0); err != nil || sum != got.Digest {
			t.Errorf("%s, %v, loaded %s", sum, err, got.Digest)
		}
		digests[got.Digest] = true
	}
	if len(digests) != 2 {
		t.Errorf("%d digests of two contents", len(digests))
	}
}

func TestSharedRefuses(t *testing.T) {
	full := &Features{Names: smallNames, Fill: []float64{9, 5, 7}}
	for _, c := range map[string]struct {
		rows   []int32
		splits []Split
		f      *Features
		want   string
	}{
		"twice":    {[]int32{3, 1, 3}, []Split{Train, Test, Valid}, full, `row 2 (counting from 0), column "row": is 3, want each row of`},
		"beyond":   {[]int32{3, 1, 4}, []Split{Train, Test, Valid}, full, "from 0 to 3"},
		"a gap":    {[]int32{3, 1, 0}, []Split{Train, Test, Valid}, &Features{Names: smallNames}, "is NaN, filled in and standardised"},
		"no split": {[]int32{3, 1}, []Split{Train, Valid}, full, `no row is "test"`},
	} {
		sealtest.WantError(t, sealtest.Err(load(t, writeShared(t, c.rows, c.splits, c.f), BinaryLabels)), c.want)
	}
}
