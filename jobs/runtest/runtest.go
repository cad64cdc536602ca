// Package runtest plans and runs small experiments for the tests of packages that work on
// runs: merging, reports, clusters. The tests of package jobs have their own.
package runtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/io/regular"
	"graphda/io/results"
	"graphda/jobs"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/running"
)

// Plan expands an experiment over a data folder.
func Plan(tb testing.TB, data, yaml string) *jobs.Plan {
	tb.Helper()
	e, err := experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull)
	jobstest.Must(tb, err)
	plan, err := jobs.NewPlan(e, jobs.PlanOptions{Data: data})
	jobstest.Must(tb, err)
	return plan
}

// Rates make a cell of graphda on the 4 × 4 grid take about a second by estimate.
func Rates() jobs.Rates { return jobs.Rates{Entry: 1e-5, Edge: 5e-5} }

// New plans an experiment over a data folder into a new directory.
func New(tb testing.TB, data, yaml string, target time.Duration) *jobs.Run {
	tb.Helper()
	run, created, err := jobs.Create(filepath.Join(tb.TempDir(), "run"), Plan(tb, data, yaml), target, Rates)
	jobstest.Must(tb, err)
	if !created {
		tb.Fatal("the run was there before")
	}
	return run
}

// Tiny plans the tiny experiment on two trials.
func Tiny(tb testing.TB) *jobs.Run {
	tb.Helper()
	return New(tb, jobstest.Folder(tb, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
}

// Diverging plans the experiment some of whose cells fail.
func Diverging(tb testing.TB) *jobs.Run {
	tb.Helper()
	return New(tb, jobstest.Folder(tb, jobstest.Spec{Targets: true}), jobstest.Diverging, time.Hour)
}

// Copy plans a run anew into another directory.
func Copy(tb testing.TB, run *jobs.Run) *jobs.Run {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "run")
	jobstest.Must(tb, os.MkdirAll(dir, 0o777))
	names, err := filepath.Glob(filepath.Join(run.Dir, "*.*"))
	jobstest.Must(tb, err)
	for _, name := range names {
		data, err := regular.ReadFile(name)
		jobstest.Must(tb, err)
		jobstest.Must(tb, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
	again, err := jobs.Open(dir)
	jobstest.Must(tb, err)
	return again
}

// Finish runs all that is missing of a run.
func Finish(tb testing.TB, run *jobs.Run, workers int) running.Outcome {
	tb.Helper()
	outcome, err := (&running.Runner{Run: run, Workers: workers}).RunTasks(context.Background(), run.Tasks)
	jobstest.Must(tb, err)
	return outcome
}

// StopAfter runs a run's tasks until so many cells are done, and tells whether it was stopped.
func StopAfter(tb testing.TB, run *jobs.Run, cells, workers int) (done int, stopped bool) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	runner := running.Runner{Run: run, Workers: workers, Notify: func(e running.Event) {
		if e.Kind == running.CellDone || e.Kind == running.CellFailed {
			if done++; done == cells {
				cancel()
			}
		}
	}}
	_, err := runner.RunTasks(ctx, run.Tasks)
	if err != nil && !errors.Is(err, running.ErrStopped) {
		tb.Fatal(err)
	}
	return done, err != nil
}

// Status takes stock of a run.
func Status(tb testing.TB, run *jobs.Run) *jobs.Status {
	tb.Helper()
	s, err := run.Status()
	jobstest.Must(tb, err)
	return s
}

// A Merged run is its grid with all rows, in plan order.
type Merged struct {
	*merge.Grid
	Rows []*results.Row
}

// Merge merges a run.
func Merge(tb testing.TB, run *jobs.Run) *Merged {
	tb.Helper()
	m := &Merged{}
	var err error
	m.Grid, err = run.Collect(func(p *merge.Placed) error { m.Rows = append(m.Rows, p.Rows...); return nil })
	jobstest.Must(tb, err)
	return m
}

// CSV merges a run and returns its rows as gdmerge writes them.
func CSV(tb testing.TB, run *jobs.Run) string {
	tb.Helper()
	m := Merge(tb, run)
	if m.Missing.N > 0 {
		tb.Fatalf("%d results are missing", m.Missing.N)
	}
	var b bytes.Buffer
	jobstest.Must(tb, results.WriteCSV(&b, m.Params(), m.Rows))
	return b.String()
}

// resultsDir is the folder of a run's results.
const resultsDir = "results"

// WantSealed sees to it that every task has its shard and models and nothing else is left in
// its folder.
func WantSealed(tb testing.TB, run *jobs.Run) {
	tb.Helper()
	want := map[string]bool{}
	for _, t := range run.Tasks {
		folder := results.ShardDir(filepath.Join(run.Dir, resultsDir), t.Number)
		want[filepath.Join(folder, results.ShardName(t.Number))] = true
		want[filepath.Join(folder, results.ModelsName(t.Number))] = true
	}
	for _, path := range jobstest.FilesBelow(tb, filepath.Join(run.Dir, resultsDir)) {
		if !want[path] {
			tb.Errorf("%s is left", path)
		}
		delete(want, path)
	}
	for path := range want {
		tb.Errorf("%s is missing", path)
	}
}

// Rows invents the results of a task, whose cells took twice as long as expected.
func Rows(run *jobs.Run, t *jobs.Task) []results.Row {
	params := make([]float64, len(jobs.Layout()))
	rows := make([]results.Row, 0, len(t.Cells)*len(run.Plan.Checkpoints))
	for _, planned := range t.Cells {
		c := &run.Plan.Cells[planned.Cell]
		row := results.Row{
			Cell: c.ID, Dataset: run.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Params: params, W: results.NoMetrics(), Wbar: results.NoMetrics(), Host: "n1", Attempt: "a",
		}
		for k, checkpoint := range run.Plan.Checkpoints {
			row.Checkpoint = checkpoint
			row.Seconds = 2 * planned.Seconds * float64(k+1) / float64(len(run.Plan.Checkpoints))
			rows = append(rows, row)
		}
	}
	return rows
}

// Seal writes the shard of a task.
func Seal(tb testing.TB, run *jobs.Run, t *jobs.Task, rows []results.Row) {
	tb.Helper()
	folder := results.ShardDir(filepath.Join(run.Dir, resultsDir), t.Number)
	jobstest.Must(tb, os.MkdirAll(folder, 0o777))
	info := results.ShardInfo{Task: t.Number, Plan: run.Plan.Hash, Version: jobs.Version}
	jobstest.Must(tb, results.WriteShard(filepath.Join(folder, results.ShardName(t.Number)), info, jobs.Layout(), rows))
}

// Models reads the models of a sealed task.
func Models(tb testing.TB, run *jobs.Run, t *jobs.Task) []results.Model {
	tb.Helper()
	models, err := run.Models(t)
	jobstest.Must(tb, err)
	return models
}

// ModelsPath is the file of a task's models.
func ModelsPath(run *jobs.Run, t *jobs.Task) string {
	return filepath.Join(run.Folder(t), results.ModelsName(t.Number))
}

// Learn learns the model of a planned cell in a pass of its own.
func Learn(tb testing.TB, run *jobs.Run, id string, checkpoint int) (model results.Model) {
	tb.Helper()
	i := slices.IndexFunc(run.Plan.Cells, func(c jobs.Cell) bool { return c.ID == id })
	c := &run.Plan.Cells[i]
	request := running.CellRequest{
		Dataset: run.Plan.Dataset(c).Dir, Trial: c.Trial, Method: c.Method.Name,
		Loss: run.Plan.Experiment.Loss, Checkpoints: []int{checkpoint},
		Learned: func(_ []string, m results.Model) error { model = m; return nil },
	}
	for k := range c.Method.Params {
		p := &c.Method.Params[k]
		request.Params = append(request.Params, jobs.Param{Name: p.Name, Value: p.Format(c.Values[k])})
	}
	_, err := running.RunCell(tb.Context(), request)
	jobstest.Must(tb, err)
	return model
}
