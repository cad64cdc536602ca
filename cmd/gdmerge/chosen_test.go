package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
)

// overParameters are reports that need more rows than those chosen of whole grids.
const overParameters = `  - {name: along, kind: parameter, parameter: s, measure: f1}
  - {name: sensitive, kind: sensitivity, measure: nonzero_percent}
  - {name: curves, kind: checkpoints, measure: wrong_features, models: [w, wbar]}
`

// same compares the files of two reports, but for those that hold rows which only one of them has.
func same(t *testing.T, dir, other string) {
	t.Helper()
	paths := must1(filepath.Glob(dir + "/data/*"))
	if len(paths) < 30 {
		t.Errorf("%s has only %d files", dir, len(paths))
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "results.") {
			continue
		}
		if read(t, path) != read(t, filepath.Join(other, "data", name)) {
			t.Errorf("%s differs from that in %s", path, other)
		}
	}
}

// Of the chosen rows come the same tables and figures as of all rows, and the same chosen rows; so do they of files
// that have some trials each.
func TestChosen(t *testing.T) {
	curved := strings.Replace(jobstest.Experiment, "checkpoints: [20, 40]", "checkpoints: [10, 20, 40]", 1) // 10 for curves alone
	r := planned(t, jobstest.Spec{Trials: 5}, curved+overParameters)
	for _, half := range []string{"first", "second"} {
		part := create(t, "runs/"+half, r.Plan)
		for _, task := range part.Tasks {
			if task.Trial < 2 == (half == "first") {
				finish(t, part, []*plan.Task{task})
			}
		}
		ok(t, "runs/"+half, "--out", half, "--allow-partial")
	}
	finish(t, r, r.Tasks)
	ok(t, "runs/tiny", "--out", "all")
	o := ok(t, "all/data/chosen.parquet", "--out", "chosen", "--csv")
	if !strings.Contains(o.Stderr, "chosen.parquet has no models") {
		t.Errorf("stderr %q", o.Stderr)
	}
	same(t, "all", "chosen")
	ok(t, "first/data/chosen.parquet", "second/data/chosen.parquet", "--out", "both", "--csv")
	same(t, "all", "both")
	if read(t, "chosen/data/results.csv") != read(t, "both/data/results.csv") {
		t.Error("both halves give another results.csv than the one file")
	}
	ok(t, "runs/first", "second/data/chosen.parquet", "--out", "mixed")
	same(t, "all", "mixed")
	if page := read(t, "chosen/report.md"); strings.Contains(page, "Learning took") || !strings.Contains(page, "of chosen.parquet, in which") {
		t.Errorf("the page tells of seconds, or does not name the file that results.csv comes from:\n%s", page)
	}
	sizes := [2]int64{}
	for i, name := range []string{"all/data/results.parquet", "all/data/chosen.parquet"} {
		sizes[i] = must1(os.Stat(name)).Size()
	}
	if sizes[1] > sizes[0] {
		t.Errorf("all rows are %d bytes, the chosen ones %d", sizes[0], sizes[1])
	}
}
