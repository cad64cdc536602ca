package torture

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
)

// experiment has 20 cells in four tasks, a table, and figures that need kept models.
const experiment = `name: small
loss: logistic
datasets: [a, b]
checkpoints: [20, 40]
methods:
  - {method: graphda, gamma: [5, 20], s: 4}
  - {method: adam, alpha: [0.01, 0.1]}
  - {method: l1-rda, lambda: 0.01, gamma: 5, rho: 0}
reports:
  - {name: small, kind: classification}
  - {name: curve, kind: mistakes}
  - {name: weights, kind: models, datasets: [b]}
`

// Names in the folder that runs makes.
const (
	whole  = "whole"  // a finished run
	part   = "part"   // a run with two sealed tasks, and one task with half of its rows in a part
	fresh  = "fresh"  // a plan without results
	wanted = "wanted" // the report on whole
)

// runs makes, once, datasets, runs and the undisturbed report. Cases work on copies.
func runs(t *testing.T) (dir string) {
	t.Helper()
	built(t)
	dir = filepath.Join(programs, "runs")
	makeRuns.Do(func() {
		must(t, os.Mkdir(dir, 0o777))
		jobstest.WriteDataset(t, filepath.Join(dir, "data", "a"), jobstest.Spec{Trials: 2})
		jobstest.WriteDataset(t, filepath.Join(dir, "data", "b"), jobstest.Spec{Trials: 2, Seed: 1})
		jobstest.WriteFile(t, dir, "small.yaml", experiment)
		in(t, dir, "gdrun", "plan", "small.yaml", "--out", fresh).must(t)
		copyTree(t, filepath.Join(dir, fresh), filepath.Join(dir, whole))
		in(t, dir, "gdrun", "local", whole).must(t)
		in(t, dir, "gdmerge", whole, "--csv", "--out", wanted).must(t)
		in(t, dir, "gdrun", cell...).must(t)
		in(t, dir, "gdrun", project...).must(t)
		copyTree(t, filepath.Join(dir, whole), filepath.Join(dir, part))
		interrupt(t, filepath.Join(dir, part))
	})
	if t.Failed() {
		t.FailNow()
	}
	return dir
}

var makeRuns sync.Once

// Commands that read a dataset's files. The last argument is the file that they write.
var (
	project = words("project --edges data/b/graph.parquet --weights data/b/features.parquet --column truth -s 4 -o p.csv")
	cell    = words("cell --dataset data/b --method graphda --set gamma=5,s=4 --weights w.csv")
)

// interrupt turns a whole run into a stopped one: task 2 has half of its rows in a part, and task 3 has none.
func interrupt(t *testing.T, run string) {
	t.Helper()
	folder := filepath.Join(run, "results", "000")
	shard := filepath.Join(folder, results.ShardName(2))
	rows, _, err := results.ReadShard(shard, plan.Layout())
	must(t, err)
	p := must1(results.CreatePart(folder, 2, "stopped", plan.Layout()))
	for i := range len(rows) / 2 {
		must(t, p.Append(rows[i]))
		must(t, p.Flush())
	}
	must(t, p.Close())
	for _, task := range []int{2, 3} {
		must(t, os.Remove(filepath.Join(folder, results.ShardName(task))))
		must(t, os.Remove(filepath.Join(folder, results.ModelsName(task))))
	}
}

// merged merges a run and reports whether that succeeded. The report must equal the undisturbed one.
func merged(t *testing.T, dir, run string) bool {
	t.Helper()
	out := filepath.Join(dir, "report")
	must(t, os.RemoveAll(out))
	o := in(t, dir, "gdmerge", run, "--csv", "--out", out)
	if o.code != 0 {
		return false
	}
	same(t, o.line, contents(t, out), contents(t, filepath.Join(programs, "runs", wanted)))
	return true
}

// contents returns the files below a folder by name. It skips files that differ between runs: files with times or
// attempts, pictures that are drawn anew, and unfinished files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		timed := name == "report.md" || name == "data/results.parquet" || // results.csv has the same rows without seconds
			strings.HasPrefix(name, "data/efficiency-")
		if !timed && !slices.Contains([]string{".html", ".pdf", ".png", ".part"}, filepath.Ext(name)) {
			files[name] = string(read(t, path))
		}
		return nil
	}))
	return files
}

// same checks that files equal the files of the undisturbed run.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range sortedKeys(want) {
		if text, ok := got[name]; !ok {
			t.Errorf("%s: there is no %s", what, name)
		} else if text != want[name] {
			t.Errorf("%s: WRONG: %s differs from that of an undisturbed run: %s", what, name, difference(text, want[name]))
		}
	}
	for _, name := range sortedKeys(got) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there", what, name)
		}
	}
}

// difference shows the first line that differs.
func difference(got, want string) string {
	g, w := bytes.Split([]byte(got), []byte("\n")), bytes.Split([]byte(want), []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return "line " + string(g[i]) + ", want " + string(w[i])
		}
	}
	return "one is longer"
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func words(line string) []string { return strings.Fields(line) }
