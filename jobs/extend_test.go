package jobs

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
)

// edgy has grids of three values: of γ and λ, and of sizes up to all 16 features. Method da-iht is for the
// second trial only.
const edgy = `name: edgy
loss: logistic
datasets: [grid]
checkpoints: [20, 40]
methods:
  - method: l1-rda
    lambda: [0, 0.01, 0.1]
    gamma: [5, 10, 20]
    rho: 0
  - method: graphda
    gamma: [5, 10, 20]
    s: [4, 8, 16]
    search: [paper, warm]
  - {method: da-iht, gamma: [1, 2, 4], s: [1, 2, 3], trials: [1]}
reports:
  - {name: early, kind: classification, checkpoint: 20}
`

// sealWith seals all tasks with rows whose validation accuracy is as told, at the checkpoint.
func sealWith(t *testing.T, run *Run, accuracy func(c *Cell, checkpoint int) float64) {
	t.Helper()
	layout := Layout()
	for _, task := range run.Tasks {
		var rows []results.Row
		for _, planned := range task.Cells {
			c := &run.Plan.Cells[planned.Cell]
			for _, k := range run.Plan.Checkpoints {
				row := results.Row{Cell: c.ID, Dataset: run.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
					Checkpoint: k, Params: spread(layout, c.settings()), W: results.NoMetrics(), Wbar: results.NoMetrics()}
				row.W.ValidAccuracy, row.Wbar.ValidAccuracy = accuracy(c, k), accuracy(c, k)
				rows = append(rows, row)
			}
		}
		must(t, run.makeFolder(task))
		info := results.ShardInfo{Task: task.Number, Plan: run.Plan.Hash, Version: Version}
		must(t, results.WriteShard(run.shardPath(task), info, layout, rows))
	}
}

// best lets the settings with these values win, more surely the more of them they have.
func best(values map[string]float64) func(c *Cell, checkpoint int) float64 {
	return func(c *Cell, checkpoint int) float64 {
		accuracy := 0.5
		if checkpoint == 40 {
			return accuracy
		}
		for k := range c.Method.Params {
			if v, given := values[c.Method.Name+"."+c.Method.Params[k].Name]; given && v == c.Values[k] {
				accuracy += 0.1
			}
		}
		return accuracy
	}
}

// Choices at the edge of a grid are extended, with the corner of two edges, in every trial that the
// grid is for, and for one series of the method only; a parameter's own bound is no edge. What is added is
// what a plan of the same grids has, and nothing that is done is computed again.
func TestExtend(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	run := newRun(t, data, edgy, time.Hour)
	sealWith(t, run, best(map[string]float64{
		"l1-rda.lambda": 0, "l1-rda.gamma": 10, // λ goes no lower
		"graphda.gamma": 5, "graphda.s": 4, "graphda.search": 0,
		"da-iht.gamma": 4, "da-iht.s": 1, // nor does s
	}))
	x, err := run.Extend(ExtendOptions{Values: 2})
	must(t, err)
	type found struct {
		Method, Variant, Parameter, Side string
		Values                           []float64
		Cells                            int
	}
	var got []found
	for _, e := range x.Extensions {
		if e.Dataset != "grid" || e.Checkpoint != 20 || max(e.ChoseW, e.ChoseWbar) != e.Trials {
			t.Errorf("%+v", e)
		}
		got = append(got, found{e.Method, e.Variant, e.Parameter, e.Side, e.Values, e.Cells})
	}
	want := []found{
		{"graphda", "search=paper", "gamma", "smallest", []float64{2.5, 1.25}, 2 * 2 * 3},
		{"graphda", "search=paper", "s", "smallest", []float64{2, 1}, 2 * 2 * 5}, // 5: with 2.5 and 1.25
		{"graphda", "search=warm", "gamma", "smallest", []float64{2.5, 1.25}, 2 * 2 * 3},
		{"graphda", "search=warm", "s", "smallest", []float64{2, 1}, 2 * 2 * 5},
		{"da-iht", "", "gamma", "largest", []float64{8, 16}, 2 * 3},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("extensions\n%v, want\n%v", got, want)
	}
	if entries, err := os.ReadDir(run.Dir); err != nil || len(entries) != 4 {
		t.Errorf("proposing has left %v, %v", entries, err)
	}

	grown, err := x.Grow(testRates.self)
	must(t, err)
	if grown.Added != x.Cells || len(grown.Plan.Cells) != len(run.Plan.Cells)+x.Cells {
		t.Errorf("%d cells added, %d proposed", grown.Added, x.Cells)
	}
	// The same grids in an experiment of their own give the same plan.
	e := *grown.Plan.Experiment
	whole, err := NewPlan(&e, PlanOptions{Data: data})
	must(t, err)
	must(t, grown.Plan.sameAs(whole))
	again, created, err := Create(run.Dir, whole, time.Hour, testRates.self)
	if err != nil || created || again.Added != 0 {
		t.Errorf("planned again: %v, %v, %d cells", err, created, again.Added)
	}
	_, err = grown.Extend(ExtendOptions{Values: 2})
	if !errors.Is(err, ErrIncomplete) {
		t.Errorf("%v, want ErrIncomplete: the new cells have no results", err)
	}
	if outcome := finish(t, grown, 1); outcome.Computed != x.Cells {
		t.Errorf("%d cells computed, want %d", outcome.Computed, x.Cells)
	}
}

// What is chosen at a checkpoint that no report shows is left alone, and so is what fewer than a third of the
// trials choose.
func TestExtendByReports(t *testing.T) {
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 4}), jobstest.Replace(t, edgy, "trials: [1]", "trials: [0, 1]"), time.Hour)
	sealWith(t, run, func(c *Cell, checkpoint int) float64 {
		edge, middle := c.Values[0] == 5, c.Values[0] == 10
		switch { // the first parameter of graphda is γ
		case c.Method.Name != "graphda" || c.Values[1] != 8:
			return 0.5
		case edge && (checkpoint == 40 || c.Trial == 0), middle && checkpoint == 20 && c.Trial > 0:
			return 0.9
		}
		return 0.5
	})
	x, err := run.Extend(ExtendOptions{Values: 1})
	must(t, err)
	if slices.ContainsFunc(x.Extensions, func(e Extension) bool { return e.Method == "graphda" }) {
		t.Errorf("%+v", x.Extensions)
	}
	_, err = run.Extend(ExtendOptions{Selection: "no-rule"})
	wantError(t, err, "no-rule")
}

// Wherever growing is interrupted, it can be completed without the experiment's file.
func TestExtendIsInterrupted(t *testing.T) {
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), edgy, time.Hour)
	sealWith(t, run, best(map[string]float64{"graphda.gamma": 20}))
	x, err := run.Extend(ExtendOptions{Values: 1})
	must(t, err)
	_, err = x.Grow(testRates.self)
	must(t, err)
	must(t, os.Remove(filepath.Join(run.Dir, "tasks-0002.parquet")))
	_, err = Open(run.Dir)
	wantError(t, err, "gdrun extend --grow")
	whole, err := Complete(run.Dir, testRates.self)
	must(t, err)
	if whole.Added != x.Cells || x.Cells == 0 {
		t.Errorf("%d cells added, want %d", whole.Added, x.Cells)
	}
	if again, err := Complete(run.Dir, testRates.self); err != nil || again.Added != 0 || len(again.Tasks) != len(whole.Tasks) {
		t.Errorf("%v, %d cells added to a run that lacks nothing", err, again.Added)
	}
}
