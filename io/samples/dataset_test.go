package samples

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/seal"
)

func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	for _, trial := range []string{"trial-10", "trial-02", "trial-100"} {
		writeSmall(t, dir)
		writeSmallSamples(t, filepath.Join(dir, trial))
	}
	must(t, os.WriteFile(filepath.Join(dir, "trial-99"), nil, 0o666)) // a file
	must(t, os.Mkdir(filepath.Join(dir, "trial-x"), 0o777))
	d := must1(Open(dir))
	if want := []int{0, 2, 10, 100}; d.Name != "mine" || d.Dir != dir || !slices.Equal(d.Trials, want) {
		t.Errorf("got %q at %q with trials %v, want mine at %q with %v", d.Name, d.Dir, d.Trials, dir, want)
	}
	t.Chdir(dir)
	d = must1(Open("."))
	if d.Name != "mine" {
		t.Errorf("the current directory is named %q, want mine", d.Name)
	}
	trial := must1(d.Load(100, AnyLabels))
	checkSmall(t, trial)
	if trial.Dataset != "mine" || trial.Trial != 100 || trial.Metadata["seed"] != "7" || len(trial.Metadata) != 1 {
		t.Errorf("got dataset %q trial %d metadata %q", trial.Dataset, trial.Trial, trial.Metadata)
	}
}

// TestEarlyImport checks that splits from an early version of import are refused, because they do not record that
// they share samples.
func TestEarlyImport(t *testing.T) {
	dir := small(t)
	path := filepath.Join(dir, "trial-00", "samples.parquet")
	for split, refused := range map[string]bool{"0.6,0.2,0.2": true, "column": false} {
		w := must1(NewSamplesWriter(path, SamplesHeader{Features: 3, Metadata: map[string]string{"generator": "import", "split": split}}))
		for i, x := range smallX {
			must(t, w.Append(Sample{Split: smallSplit[i], Y: smallY[i], X: x}))
		}
		must(t, w.Close())
		_, err := must1(Open(dir)).Load(0, AnyLabels)
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), path+": was imported by an early graphda 0.1.0") {
			t.Errorf("split %s: error %v", split, err)
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	tests := map[string]struct {
		change  func(dir string)
		missing bool
		want    []string
	}{
		"directory": {func(dir string) { os.RemoveAll(dir) }, true, []string{"set"}},
		"trials":    {func(dir string) { os.RemoveAll(filepath.Join(dir, "trial-00")) }, true, []string{"trial-00"}},
		"samples": {func(dir string) {
			os.Rename(filepath.Join(dir, "trial-00", "samples.parquet"), filepath.Join(dir, "samples.parquet"))
		}, true, []string{"trial-00", "samples.parquet"}},
		"samples of one trial": {func(dir string) { os.Mkdir(filepath.Join(dir, "trial-03"), 0o777) }, true, []string{"trial-03", "samples.parquet"}},
		"both formats": {func(dir string) { os.WriteFile(filepath.Join(dir, "graph.arrow"), nil, 0o666) }, false,
			[]string{filepath.Join("set", "graph.parquet"), filepath.Join("set", "graph.arrow")}},
		"trial twice": {func(dir string) { writeSmallSamples(t, filepath.Join(dir, "trial-000")) }, false,
			[]string{filepath.Join("set", "trial-00"), filepath.Join("set", "trial-000")}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "set")
			writeSmall(t, dir)
			test.change(dir)
			_, err := Open(dir)
			if err == nil || errors.Is(err, fs.ErrNotExist) != test.missing {
				t.Fatalf("error %v, want one of something missing: %v", err, test.missing)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not name %s", err, want)
				}
			}
		})
	}
	dir := small(t)
	d := must1(Open(dir))
	if _, err := d.Load(5, AnyLabels); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no trial 5") {
		t.Errorf("a trial that is not there: %v", err)
	}
}

func TestDigest(t *testing.T) {
	one, two := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")
	writeSmall(t, one)
	writeSmall(t, two)
	digestOf := func(dir string, trial int) string {
		t.Helper()
		d := must1(Open(dir))
		sum := must1(d.Digest(trial))
		loaded := must1(d.Load(trial, AnyLabels))
		if loaded.Digest != sum || len(sum) != 64 {
			t.Errorf("Digest %s, Load's %s", sum, loaded.Digest)
		}
		return sum
	}
	sum := digestOf(one, 0)
	if got := digestOf(two, 0); got != sum {
		t.Error("equal datasets have different digests")
	}
	writeSmallSamples(t, filepath.Join(two, "trial-01"))
	g := must1(graph.New(3, []graph.Edge{{U: 0, V: 2}}, nil))
	must(t, WriteGraph(filepath.Join(two, "trial-01", "graph.parquet"), g, nil))
	if got := digestOf(two, 0); got != sum {
		t.Error("another trial changes the digest")
	}
	other := digestOf(two, 1)
	if other == sum {
		t.Error("another graph does not change the digest")
	}
	must(t, os.Rename(filepath.Join(two, "trial-01", "graph.parquet"), filepath.Join(two, "graph.parquet")))
	if got := digestOf(two, 1); got != other {
		t.Error("the digest depends on where the graph is")
	}
	// The same bytes in another role must have another digest.
	if digest(map[string]string{graphRole: "a", featuresRole: "b"}) == digest(map[string]string{graphRole: "b", featuresRole: "a"}) {
		t.Error("the digest does not depend on the roles")
	}
	const want = "fa0c7bf6f173a018367ec0963f6f613f173cc5e5f12bca5b52ceff74cbc90010" // printf 'graph a\nfeatures b\nsamples c\n' | sha256sum
	if got := digest(map[string]string{graphRole: "a", featuresRole: "b", samplesRole: "c"}); got != want {
		t.Errorf("the digest of a, b, c is %s, want %s", got, want)
	}
}

func TestDigestOfDamaged(t *testing.T) {
	dir := small(t)
	d := must1(Open(dir))
	damage(t, filepath.Join(dir, "trial-00", "samples.parquet"), 100)
	if _, err := d.Digest(0); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("the digest of a damaged trial: %v", err)
	}
}

func damage(t *testing.T, path string, at int) {
	t.Helper()
	content := must1(os.ReadFile(path))
	content[at] ^= 4
	must(t, os.WriteFile(path, content, 0o666))
}

// TestLoadStructure checks that LoadStructure returns what Load returns, even if a trial has its own files, and
// opens no samples.
func TestLoadStructure(t *testing.T) {
	dir := small(t)
	must(t, WriteFeatures(filepath.Join(dir, "features.parquet"), &Features{
		Names: smallNames, Truth: []float64{0, -2, 1}, Row: []float64{0, 1, 2}, Col: []float64{2, 1, 0}, Groups: [][]int32{{0, 2}, {1}},
	}))
	own := filepath.Join(dir, "trial-01")
	writeSmallSamples(t, own)
	frame{edges, `[{"source": 2, "target": 0, "cost": 9}]`}.write(t, filepath.Join(own, "graph.arrow"))
	d := must1(Open(dir))
	for trial, want := range [][]graph.Edge{{{U: 0, V: 1}, {U: 2, V: 1}}, {{U: 2, V: 0}}} {
		whole := must1(d.Load(trial, AnyLabels))
		check := countMemory(t)
		f, g, err := d.LoadStructure(trial)
		must(t, err)
		check()
		if e := g.Edges(); !slices.Equal(e, want) || !slices.Equal(e, whole.Graph.Edges()) {
			t.Errorf("trial %d has edges %v, want %v", trial, e, want)
		}
		if !slices.Equal(f.Truth, []float64{0, -2, 1}) || !slices.Equal(f.Names, smallNames) || !slices.Equal(f.Row, []float64{0, 1, 2}) ||
			!slices.Equal(f.Col, []float64{2, 1, 0}) || len(f.Groups) != 2 || !slices.Equal(f.Groups[0], []int32{0, 2}) || f.X != nil {
			t.Errorf("trial %d has features %+v", trial, f)
		}
	}
	must(t, os.WriteFile(filepath.Join(own, "samples.parquet"), []byte("no table"), 0o666))
	if _, _, err := d.LoadStructure(1); err != nil {
		t.Errorf("with samples that cannot be read: %v", err)
	}
	if _, _, err := d.LoadStructure(7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no trial: %v", err)
	}
	damage(t, filepath.Join(dir, "features.parquet"), 100)
	if _, _, err := d.LoadStructure(0); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("of damaged features: %v", err)
	}
}
