// Package runtest plans and runs small experiments for tests.
package runtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/safefile"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// Plan plans an experiment, given as YAML, with datasets in the folder data.
func Plan(tb testing.TB, data, yaml string) *plan.Plan {
	tb.Helper()
	e := jobstest.Must1(experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull))
	return jobstest.Must1(plan.NewPlan(e, plan.PlanOptions{Data: data}))
}

// Rates returns rates by which a cell of graphda on the 4 × 4 grid takes about a second.
func Rates() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} }

// New plans an experiment, given as YAML, into a new folder.
func New(tb testing.TB, data, yaml string, target time.Duration) *run.Run {
	tb.Helper()
	r, created, err := run.Create(filepath.Join(tb.TempDir(), "run"), Plan(tb, data, yaml), target, Rates)
	jobstest.Must(tb, err)
	if !created {
		tb.Fatal("the run was there before")
	}
	return r
}

// Tiny plans the experiment "tiny" with two trials.
func Tiny(tb testing.TB) *run.Run {
	tb.Helper()
	return New(tb, jobstest.Folder(tb, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
}

// Diverging plans an experiment in which some cells fail.
func Diverging(tb testing.TB) *run.Run {
	tb.Helper()
	return New(tb, jobstest.Folder(tb, jobstest.Spec{Targets: true}), jobstest.Diverging, time.Hour)
}

// Copy copies the plan of a run, without results, to another folder.
func Copy(tb testing.TB, r *run.Run) *run.Run {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "run")
	jobstest.Must(tb, os.MkdirAll(dir, 0o777))
	names := jobstest.Must1(filepath.Glob(filepath.Join(r.Dir, "*.*")))
	for _, name := range names {
		data := jobstest.Must1(safefile.ReadFile(name))
		jobstest.Must(tb, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666))
	}
	return jobstest.Must1(run.Open(dir))
}

// Finish runs all missing cells.
func Finish(tb testing.TB, r *run.Run, workers int) executor.Outcome {
	tb.Helper()
	return jobstest.Must1((&executor.Runner{Run: r, Workers: workers}).RunTasks(context.Background(), r.Tasks))
}

// Finished returns a finished run of the experiment "tiny".
func Finished(tb testing.TB) *run.Run {
	tb.Helper()
	r := Tiny(tb)
	Finish(tb, r, 2)
	return r
}

// StopAfter runs tasks until the given number of cells is done. stopped is false if the tasks end first.
func StopAfter(tb testing.TB, r *run.Run, cells, workers int) (done int, stopped bool) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	runner := executor.Runner{Run: r, Workers: workers, Notify: func(e executor.Event) {
		if e.Kind == executor.CellDone || e.Kind == executor.CellFailed {
			if done++; done == cells {
				cancel()
			}
		}
	}}
	_, err := runner.RunTasks(ctx, r.Tasks)
	if err != nil && !errors.Is(err, executor.ErrStopped) {
		tb.Fatal(err)
	}
	return done, err != nil
}

// Status returns the status of a run.
func Status(tb testing.TB, r *run.Run) *run.Status {
	tb.Helper()
	return jobstest.Must1(r.Status(false))
}

// A Merged is a run's grid with all rows, in plan order.
type Merged struct {
	*merge.Grid
	Rows []*results.Row
}

// Merge merges a run.
func Merge(tb testing.TB, r *run.Run) *Merged {
	tb.Helper()
	m := &Merged{}
	var err error
	m.Grid, err = r.Collect(func(t *merge.TrialRows) error {
		for _, row := range t.Rows {
			own := *row // a copy, because merging overwrites the trial's rows
			own.Params = slices.Clone(row.Params)
			m.Rows = append(m.Rows, &own)
		}
		return nil
	})
	jobstest.Must(tb, err)
	return m
}

// CSV merges a run and returns its rows as gdmerge writes them.
func CSV(tb testing.TB, r *run.Run) string {
	tb.Helper()
	m := Merge(tb, r)
	if m.Missing.N > 0 {
		tb.Fatalf("%d results are missing", m.Missing.N)
	}
	var b bytes.Buffer
	w := export.NewCSV(&b, plan.Layout(), r.Plan.Experiment.FreeColumns()...)
	jobstest.Must(tb, errors.Join(w.Write(m.Rows), w.Close()))
	return b.String()
}

// SameResults fails the test unless both runs have the same results.
func SameResults(tb testing.TB, r, undisturbed *run.Run) {
	tb.Helper()
	if CSV(tb, r) != CSV(tb, undisturbed) {
		tb.Error("the results differ from those of an undisturbed run")
	}
}

// WantSealed fails the test unless each task has its shard, its models, and no other files.
func WantSealed(tb testing.TB, r *run.Run) {
	tb.Helper()
	want := map[string]bool{}
	for _, t := range r.Tasks {
		want[r.ShardPath(t)], want[r.ModelsPath(t)] = true, true
	}
	for _, path := range jobstest.FilesBelow(tb, filepath.Join(r.Dir, plan.ResultsDir)) {
		if !want[path] {
			tb.Errorf("%s is left", path)
		}
		delete(want, path)
	}
	for path := range want {
		tb.Errorf("%s is missing", path)
	}
}

// Rows invents the results of a task that took twice the expected time.
func Rows(r *run.Run, t *plan.Task) []results.Row {
	params := make([]float64, len(plan.Layout()))
	rows := make([]results.Row, 0, len(t.Cells)*len(r.Plan.Checkpoints))
	for _, planned := range t.Cells {
		c := &r.Plan.Cells[planned.Cell]
		row := results.Row{
			Cell: c.ID, Dataset: r.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Params: params, W: results.NoMetrics(), Wbar: results.NoMetrics(), Host: "n1", Attempt: "a",
		}
		for k, checkpoint := range r.Plan.Checkpoints {
			row.Checkpoint = checkpoint
			row.Seconds = 2 * planned.Seconds * float64(k+1) / float64(len(r.Plan.Checkpoints))
			rows = append(rows, row)
		}
	}
	return rows
}

// Seal writes a shard with the given rows and attempts, and an empty file of models.
func Seal(tb testing.TB, r *run.Run, t *plan.Task, rows []results.Row, attempts ...results.Attempt) {
	tb.Helper()
	jobstest.Must(tb, r.MakeFolder(t))
	jobstest.Must(tb, results.WriteModels(r.ModelsPath(t), nil))
	info := results.ShardInfo{Task: t.Number, Plan: r.Plan.Hash, Version: seal.Version, Attempts: attempts,
		Models: jobstest.Must1(seal.Digest(r.ModelsPath(t)))}
	jobstest.Must(tb, results.WriteShard(r.ShardPath(t), info, plan.Layout(), rows))
}

// Part writes rows as a part of the task t, like an interrupted attempt. It returns the part's path.
func Part(tb testing.TB, r *run.Run, t *plan.Task, attempt string, rows ...results.Row) string {
	tb.Helper()
	part := jobstest.Must1(results.CreatePart(r.Folder(t), t.Number, attempt, plan.Layout()))
	jobstest.Must(tb, errors.Join(part.Append(rows...), part.Close()))
	return part.Path()
}

// Models reads the models of a sealed task.
func Models(tb testing.TB, r *run.Run, t *plan.Task) []results.Model {
	tb.Helper()
	return jobstest.Must1(r.Models(t))
}

var ModelsPath = (*run.Run).ModelsPath

// Learn computes a cell again and returns its model.
func Learn(tb testing.TB, r *run.Run, id string, checkpoint int) (model results.Model) {
	tb.Helper()
	i := slices.IndexFunc(r.Plan.Cells, func(c plan.Cell) bool { return c.ID == id })
	c := &r.Plan.Cells[i]
	request := executor.CellRequest{
		Dataset: r.Plan.Dataset(c).Dir, Trial: c.Trial, Method: c.Method.Name,
		Loss: r.Plan.Experiment.Loss, Checkpoints: []int{checkpoint},
		Learned: func(_ []string, m results.Model) error { model = m; return nil },
	}
	for k := range c.Method.Params {
		p := &c.Method.Params[k]
		request.Params = append(request.Params, plan.Param{Name: p.Name, Value: p.Format(c.Values[k])})
	}
	_, err := executor.RunCell(tb.Context(), request)
	jobstest.Must(tb, err)
	return model
}

// DescribeCell describes the cell with the given id.
func DescribeCell(r *run.Run, id string) string {
	i := slices.IndexFunc(r.Plan.Cells, func(c plan.Cell) bool { return c.ID == id })
	return r.Plan.Describe(&r.Plan.Cells[i])
}

// SameModels fails the test unless both lists are equal, bit for bit.
func SameModels(tb testing.TB, got, want []results.Model) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Errorf("%d models, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if g, w := fmt.Sprintf("%x", got[i]), fmt.Sprintf("%x", want[i]); g != w {
			tb.Errorf("model %d is\n%s\nwant\n%s", i, g, w)
		}
	}
}
