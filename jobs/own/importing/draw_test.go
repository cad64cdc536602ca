package importing

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/own/sampletable"
)

// drawableSamples writes samples whose first feature is their number, sorted by label.
func drawableSamples(t *testing.T, positive, negative int) {
	t.Helper()
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("y,a,b\n")
	for i := range positive + negative {
		y := 0
		if i < positive {
			y = 1
		}
		fmt.Fprintf(&b, "%d,%d,%d\n", y, i, i*i)
	}
	write(t, "samples.csv", b.String())
	write(t, "edges.csv", "source,target\na,b\n")
}

func drawRequest() Request {
	return Request{
		Table: sampletable.Table{Samples: "samples.csv", Label: "y", Task: sampletable.Classification},
		Edges: network.EdgeRequest{Path: "edges.csv"}, Out: "data/mine", Trials: 3, Seed: 5,
	}
}

// In every repeat, each sample is tested once and validated once. Folds are alike in size and classes.
func TestFolds(t *testing.T) {
	drawableSamples(t, 17, 46)
	r := drawRequest()
	r.Folds, r.Trials = 4, 8
	run(t, r)
	for repeat := range 2 {
		var tested, validated []int
		for fold := range 4 {
			got := load(t, "data/mine", 4*repeat+fold)
			train, valid, test := rows(got.Train), rows(got.Valid), rows(got.Test)
			all := slices.Concat(train, valid, test)
			if slices.Sort(all); len(all) != 63 || !slices.Equal(slices.Compact(all), all) {
				t.Errorf("repeat %d, fold %d is no partition: %v", repeat, fold, all)
			}
			positives := 0
			for _, i := range test {
				if i < 17 {
					positives++
				}
			}
			if n := len(test); n < 15 || n > 16 || positives < 4 || positives > 5 {
				t.Errorf("repeat %d, fold %d tests %d samples, %d of them positive", repeat, fold, n, positives)
			}
			if slices.IsSorted(train) || got.Metadata["split"] != "4 folds" || !samples.SameSamples(got.Metadata) {
				t.Errorf("repeat %d, fold %d trains on %v, metadata %v", repeat, fold, train, got.Metadata)
			}
			tested, validated = append(tested, test...), append(validated, valid...)
		}
		for _, found := range [][]int{tested, validated} {
			if slices.Sort(found); len(found) != 63 || !slices.Equal(slices.Compact(found), found) {
				t.Errorf("repeat %d: %v, want each sample once", repeat, found)
			}
		}
	}
	first, second := load(t, "data/mine", 0), load(t, "data/mine", 4)
	if slices.Equal(rows(first.Test), rows(second.Test)) {
		t.Error("two repeats are alike")
	}
}

// rows returns the numbers of a block's samples.
func rows(b samples.Block) []int {
	var numbers []int
	for i := range b.Rows() {
		numbers = append(numbers, int(b.Row(i)[0]))
	}
	return numbers
}

func TestDraws(t *testing.T) {
	drawableSamples(t, 20, 45)
	result := run(t, drawRequest())
	if want := [3]Split{{39, 12}, {13, 4}, {13, 4}}; result.Splits != want || result.Trials != 3 {
		t.Errorf("%+v", result)
	}
	var firsts [][]int
	for trial := range 3 {
		got := load(t, "data/mine", trial)
		train := rows(got.Train)
		all := slices.Concat(train, rows(got.Valid), rows(got.Test))
		if slices.Sort(all); len(all) != 65 || !slices.Equal(slices.Compact(all), all) {
			t.Errorf("trial %d is no partition: %v", trial, all)
		}
		for i := range got.Train.Rows() {
			if x := got.Train.Row(i); x[1] != x[0]*x[0] || (got.Train.Y[i] == 1) != (x[0] < 20) {
				t.Errorf("trial %d: sample %v has label %v", trial, x, got.Train.Y[i])
			}
		}
		positives := 0
		for _, i := range train[:20] {
			if i < 20 {
				positives++
			}
		}
		if positives == 0 || positives > 11 || slices.IsSorted(train) {
			t.Errorf("trial %d: the order is not mixed: %v", trial, train)
		}
		if got.Metadata["seed"] != "5" || got.Metadata["split"] != "0.6,0.2,0.2" || !samples.SameSamples(got.Metadata) {
			t.Errorf("metadata %v", got.Metadata)
		}
		firsts = append(firsts, train)
	}
	if slices.Equal(firsts[0], firsts[1]) || slices.Equal(firsts[1], firsts[2]) {
		t.Error("two trials are alike")
	}
	// A trial depends on the samples, the seed and its number, and on nothing else.
	digest := load(t, "data/mine", 0).Digest
	for _, c := range []struct {
		out  string
		seed uint64
		same bool
	}{{"other/mine", 5, true}, {"other/yours", 5, true}, {"third/mine", 6, false}} {
		r := drawRequest()
		r.Out, r.Seed, r.Trials = filepath.FromSlash(c.out), c.seed, 1
		run(t, r)
		if got := load(t, r.Out, 0).Digest == digest; got != c.same {
			t.Errorf("%s with seed %d: same draw %v, want %v", c.out, c.seed, got, c.same)
		}
	}
}

// Over each trial's training samples, every feature has mean 0 and deviation 1. The other samples are scaled alike.
func TestStandardise(t *testing.T) {
	drawableSamples(t, 20, 20)
	plain, scaled := drawRequest(), drawRequest()
	plain.Out, scaled.Out, scaled.Standardise = "plain/mine", "scaled/mine", true
	run(t, plain)
	run(t, scaled)
	for trial := range 3 {
		a, b := load(t, plain.Out, trial), load(t, scaled.Out, trial)
		if !strings.Contains(b.Metadata["standardised"], "training") || a.Features.Scaling != nil || b.Features.Scaling == nil {
			t.Fatalf("metadata %v, scalings %v and %v", b.Metadata, a.Features.Scaling, b.Features.Scaling)
		}
		for i := range a.Test.Rows() { // the dataset's scaling gives the same bits again
			again := make([]float64, 2)
			if b.Features.Scaling.Apply(again, a.Test.Row(i)); !slices.Equal(again, b.Test.Row(i)) {
				t.Errorf("trial %d, test sample %d: %v by the scaling that is kept, want %v", trial, i, again, b.Test.Row(i))
			}
		}
		for j := range 2 {
			n := float64(a.Train.Rows())
			sum, squares, z, zz := 0.0, 0.0, 0.0, 0.0
			for i := range a.Train.Rows() {
				x, y := a.Train.Row(i)[j], b.Train.Row(i)[j]
				sum, squares, z, zz = sum+x, squares+x*x, z+y, zz+y*y
			}
			mean := sum / n
			deviation := math.Sqrt(squares/n - mean*mean)
			if math.Abs(z/n) > 1e-12 || math.Abs(zz/n-1) > 1e-12 {
				t.Errorf("trial %d, feature %d: mean %v, mean square %v", trial, j, z/n, zz/n)
			}
			for i := range a.Test.Rows() {
				if want, got := (a.Test.Row(i)[j]-mean)/deviation, b.Test.Row(i)[j]; math.Abs(got-want) > 1e-9 {
					t.Errorf("trial %d, test sample %d: %v, want %v", trial, i, got, want)
				}
			}
		}
	}
}
