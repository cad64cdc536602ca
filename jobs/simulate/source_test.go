package simulate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/simulate/simulatetest"
)

// Every kind of datasets must pass this test.
func TestKinds(t *testing.T) {
	raw := simulatetest.Raw(t)
	for _, k := range kinds() {
		t.Run(k.example, func(t *testing.T) {
			if testing.Short() {
				t.Skip("it writes whole datasets")
			}
			named := func(trials int, seed uint64) Source {
				return must1(Named(k.example, Options{Trials: trials, Seed: seed, Raw: raw}))
			}
			dir := must1(named(2, 1).Write(t.TempDir(), seal.Output{}, nil))
			first, second := loaded(t, dir, 0), loaded(t, dir, 1)
			if filepath.Base(dir) != k.example || len(supportOf(first.Features.Truth)) == 0 {
				t.Errorf("wrote %s of support %v", dir, supportOf(first.Features.Truth))
			}
			if slices.Equal(first.Train.X, second.Train.X) {
				t.Error("two trials have the same samples")
			}
			again := must1(named(1, 1).Write(t.TempDir(), seal.Output{}, nil))
			if loaded(t, again, 0).Digest != first.Digest {
				t.Error("trial 0 has other bytes when it is drawn alone")
			}
			other := must1(named(1, 2).Write(t.TempDir(), seal.Output{}, nil))
			if slices.Equal(loaded(t, other, 0).Train.X, first.Train.X) {
				t.Error("another seed gives the same samples")
			}
			if _, err := named(1, 1).Write(filepath.Dir(dir), seal.Output{}, nil); !errors.Is(err, fs.ErrExist) {
				t.Errorf("a dataset of more trials is overwritten: error %v", err)
			}
			testSurplus(t, named(2, 1))
		})
	}
}

func loaded(t *testing.T, dir string, trial int) *samples.Trial {
	t.Helper()
	return must1(must1(samples.Open(dir)).Load(trial, samples.AnyLabels))
}

// checkWritten writes a source of two trials. It reads them back and checks the directory's name, sizes and
// metadata. look gets each trial.
func checkWritten(t *testing.T, s Source, sizes sizes, metadata map[string]string,
	look func(trial int, got *samples.Trial)) (dir string) {
	t.Helper()
	var done []int
	dir = must1(s.Write(t.TempDir(), seal.Output{}, func(trial int) { done = append(done, trial) }))
	if filepath.Base(dir) != s.Name() || !slices.Equal(done, []int{0, 1}) || !slices.Equal(must1(samples.Open(dir)).Trials, done) {
		t.Errorf("wrote %s and trials %v", dir, done)
	}
	for trial := range 2 {
		got := loaded(t, dir, trial)
		if sizes != [3]int{got.Train.Rows(), got.Valid.Rows(), got.Test.Rows()} {
			t.Errorf("%d, %d and %d samples", got.Train.Rows(), got.Valid.Rows(), got.Test.Rows())
		}
		metadata["trial"] = strconv.Itoa(trial)
		for key, want := range metadata {
			if got.Metadata[key] != want {
				t.Errorf("trial %d: metadata %s = %q, want %q", trial, key, got.Metadata[key], want)
			}
		}
		look(trial, got)
	}
	return dir
}

// checkDrawn compares the samples of a trial with what was drawn.
func checkDrawn(t *testing.T, got *samples.Trial, x, y []float64) {
	t.Helper()
	if !slices.Equal(slices.Concat(got.Train.X, got.Valid.X, got.Test.X), x) || !slices.Equal(slices.Concat(got.Train.Y, got.Valid.Y, got.Test.Y), y) {
		t.Error("the file does not hold what was drawn")
	}
}

// testSurplus checks that a trial beyond the source's own is found in any place.
func testSurplus(t *testing.T, s Source) {
	t.Helper()
	out := t.TempDir()
	surplus := filepath.Join(out, s.Name(), "trial-07")
	must(t, os.MkdirAll(surplus, 0o777))
	if _, err := s.Write(out, seal.Output{}, nil); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), surplus) {
		t.Errorf("error %v, want fs.ErrExist and %s", err, surplus)
	}
	if entries, _ := os.ReadDir(filepath.Join(out, s.Name())); len(entries) != 1 {
		t.Errorf("%v were written", entries)
	}
}

// Standardised knows what generators do and what imports record.
func TestStandardised(t *testing.T) {
	for _, c := range []struct{ generator, noted, want string }{
		{"benchmark", "", overAllSplits}, {"kegg", "", overAllSplits}, {"mnist", "", ""}, {"", "", ""},
		{"import", "no", ""}, {"import", "by mean and deviation of the training samples", "by mean and deviation of the training samples"},
	} {
		if got := Standardised(map[string]string{generatorKey: c.generator, "standardised": c.noted}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// realData returns the folder of the real raw files, or skips the test.
func realData(t *testing.T) string {
	t.Helper()
	raw := os.Getenv(RawVariable)
	if raw == "" {
		t.Skip(RawVariable + " names no folder of the real files")
	}
	return raw
}
