package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
	_ "graphda/jobs/reports" // its kinds of report
	"graphda/jobs/runtest"
)

var must = jobstest.Must

// told are the lines of what is at a path.
func told(t *testing.T, path string) string {
	t.Helper()
	lines, err := Inspect(path, false)
	must(t, err)
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s: %s\n", l.About, l.Text)
	}
	return b.String()
}

// wantTold sees to it that each of these is told.
func wantTold(t *testing.T, path string, want ...string) {
	t.Helper()
	text := told(t, path)
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%s: %q is not told:\n%s", path, w, text)
		}
	}
}

func TestEachKind(t *testing.T) {
	run := runtest.Tiny(t)
	wantTold(t, run.Dir, "run: tiny", fmt.Sprintf("cells: %d in %d tasks: 0 done", len(run.Plan.Cells), len(run.Tasks)))
	wantTold(t, run.Plan.Datasets[0].Dir, "dataset: grid, 2 trials", "features: 16", "4 in the true support")
	runtest.Finish(t, run, 1)
	wantTold(t, run.Dir, fmt.Sprintf("%d done, 0 failed, 0 missing", len(run.Plan.Cells)))
	wantTold(t, filepath.Join(run.Folder(run.Tasks[0]), "task-00000.arrow"), "shard: ", "grid, trial 0")
	wantTold(t, filepath.Join(run.Dir, "plan.parquet"), fmt.Sprintf("table: %d rows", len(run.Plan.Cells)))
	if _, err := Inspect(filepath.Join(run.Dir, "nothing"), false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.parquet")
	m := &model.Model{Features: []string{"A", "B", "C"}, Frequency: []float64{0.25, 0, 1}, Loss: "logistic", Negative: "no",
		Positive: "yes", Weights: []model.Weights{{Name: model.Ridge, W: []float64{0.5, 0, -2}, Intercept: 0.125}, {Name: model.W,
			W: []float64{0, 0, -1}}}, Scaling: &samples.Scaling{Mean: []float64{0, 0, 0}, Deviation: []float64{1, 1, 1}},
		Made: map[string]string{"method": "graphda", model.Found: "NOTHING FOUND: no"}}
	must(t, m.Write(path))
	if text := told(t, path); !strings.HasPrefix(text, "found: NOTHING FOUND: no\n") || strings.Count(text, "NOTHING") != 1 {
		t.Errorf("what was found is not told first:\n%s", text)
	}
	wantTold(t, path, `model: 3 features, logistic loss; scores of at least 0 are "yes", the others "no"; it standardises`,
		"ridge: 2 features of weight other than 0: A, C", "w: 1 feature of weight other than 0: C", "made by: method=graphda")

	m = &model.Model{Features: []string{"A"}, Loss: "least_squares", Weights: []model.Weights{{Name: model.W, W: []float64{0}}}}
	must(t, m.Write(path))
	if text := told(t, path); strings.Contains(text, "scores") || strings.Contains(text, "standardises") {
		t.Errorf("of a model without classes: %s", text)
	}

	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o666))
	if _, err := Inspect(path, false); !errors.Is(err, seal.ErrDamaged) {
		t.Errorf("a damaged model: %v", err)
	}
}
