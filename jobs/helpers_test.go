package jobs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
)

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
	filesBelow = jobstest.FilesBelow
)

// planOf expands an experiment over a data folder.
func planOf(tb testing.TB, data, yaml string) *Plan {
	tb.Helper()
	e, err := experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull)
	must(tb, err)
	plan, err := NewPlan(e, PlanOptions{Data: data})
	must(tb, err)
	return plan
}

// testRates make a cell of graphda on the 4 × 4 grid take about a second by estimate.
var testRates = Rates{Entry: 1e-5, Edge: 5e-5}

func (r Rates) self() Rates { return r }

// newRun plans an experiment over a data folder into a new directory.
func newRun(tb testing.TB, data, yaml string, target time.Duration) *Run {
	tb.Helper()
	run, created, err := Create(filepath.Join(tb.TempDir(), "run"), planOf(tb, data, yaml), target, testRates.self)
	must(tb, err)
	if !created {
		tb.Fatal("the run was there before")
	}
	return run
}

// tinyRun plans the tiny experiment on two trials.
func tinyRun(tb testing.TB) *Run {
	tb.Helper()
	return newRun(tb, dataFolder(tb, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
}

// copyOf plans a run anew into another directory.
func copyOf(tb testing.TB, run *Run) *Run {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "run")
	must(tb, os.MkdirAll(dir, 0o777))
	names, err := filepath.Glob(filepath.Join(run.Dir, "*.*"))
	must(tb, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		must(tb, err)
		must(tb, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
	again, err := Open(dir)
	must(tb, err)
	return again
}

// finish runs all that is missing of a run.
func finish(tb testing.TB, run *Run, workers int) Outcome {
	tb.Helper()
	outcome, err := (&Runner{Run: run, Workers: workers}).RunTasks(context.Background(), run.Tasks)
	must(tb, err)
	return outcome
}

// resultsCSV merges a run and returns its rows as gdmerge writes them.
func resultsCSV(tb testing.TB, run *Run) string {
	tb.Helper()
	var b bytes.Buffer
	csv := results.NewCSV(&b, Layout())
	grid, err := run.Collect(func(p *merge.Placed) error { return csv.Write(p.Rows) })
	must(tb, err)
	must(tb, csv.Close())
	if grid.Missing.N > 0 {
		tb.Fatalf("%d results are missing", grid.Missing.N)
	}
	return b.String()
}

// wantSealed sees to it that every task has its shard and models and nothing else is
// left in its folder.
func wantSealed(tb testing.TB, run *Run) {
	tb.Helper()
	want := map[string]bool{}
	for _, t := range run.Tasks {
		want[run.shardPath(t)] = true
		want[filepath.Join(run.Folder(t), results.ModelsName(t.Number))] = true
	}
	for _, path := range filesBelow(tb, filepath.Join(run.Dir, resultsDir)) {
		if !want[path] {
			tb.Errorf("%s is left", path)
		}
		delete(want, path)
	}
	for path := range want {
		tb.Errorf("%s is missing", path)
	}
}

// stripped returns a row without its cost and provenance as text that tells all bits of
// its numbers.
func stripped(r results.Row) string {
	var b strings.Builder
	for _, f := range results.Fields(Layout()) {
		if f.Role == results.RoleCost || f.Role == results.RoleProvenance {
			continue
		}
		switch v := f.Value(&r).(type) {
		case float64:
			fmt.Fprintf(&b, "%s=%x ", f.Name, v)
		default:
			fmt.Fprintf(&b, "%s=%v ", f.Name, v)
		}
	}
	return b.String() + r.Error
}

// strippedAll strips rows, by cell and checkpoint.
func strippedAll(rows []results.Row) map[string]string {
	out := map[string]string{}
	for _, r := range rows {
		out[fmt.Sprint(r.Cell, " ", r.Checkpoint)] = stripped(r)
	}
	return out
}
