package executor_test

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
	"graphda/learners"
)

// wantModels checks that a task's file holds the models of the cells that the rules choose among the task's rows.
// They must be in plan order and equal to the models of separate passes.
func wantModels(t *testing.T, r *run.Run, task *plan.Task) {
	t.Helper()
	place, list := map[string]int{}, selection.NewShortlist(r.Plan.Experiment.Rules())
	for i := range r.Plan.Cells {
		place[r.Plan.Cells[i].ID] = i
	}
	for _, row := range must1(r.ReadShard(task)) {
		list.Offer(&row, place[row.Cell], "")
	}
	want := list.Chosen()
	order := func(a, b results.Key) int {
		return cmp.Or(cmp.Compare(place[a.Cell], place[b.Cell]), cmp.Compare(a.Checkpoint, b.Checkpoint))
	}
	slices.SortFunc(want, order)
	var got []results.Key
	for _, m := range runtest.Models(t, r, task) {
		got = append(got, m.Key())
		runtest.SameModels(t, []results.Model{m}, []results.Model{runtest.Learn(t, r, m.Cell, m.Checkpoint)})
	}
	if !slices.Equal(got, want) {
		t.Errorf("task %d: models of %v, the rules choose %v", task.Number, got, want)
	}
}

func TestModels(t *testing.T) {
	run := runtest.Finished(t)
	for _, task := range run.Tasks {
		wantModels(t, run, task)
	}
}

// The mistakes and updates in a model agree with its row.
func TestModelsAgreeWithRows(t *testing.T) {
	run := runtest.Finished(t)
	for _, task := range run.Tasks {
		rows := must1(run.ReadShard(task))
		for _, m := range runtest.Models(t, run, task) {
			i := slices.IndexFunc(rows, func(r results.Row) bool { return r.Cell == m.Cell && r.Checkpoint == m.Checkpoint })
			r := rows[i]
			if m.Dataset != r.Dataset || m.Trial != r.Trial || m.Method != r.Method || m.P != 16 {
				t.Errorf("model %+v of row %+v", m, r)
			}
			if len(m.W.Index) != int(r.W.Nonzeros) || len(m.Wbar.Index) != int(r.Wbar.Nonzeros) {
				t.Errorf("%d and %d weights, the row counts %v and %v", len(m.W.Index), len(m.Wbar.Index), r.W.Nonzeros, r.Wbar.Nonzeros)
			}
			if len(m.Mistakes) != int(r.W.Mistakes) || len(m.MistakesWbar) != int(r.Wbar.Mistakes) {
				t.Errorf("%d and %d mistakes, the row counts %v and %v", len(m.Mistakes), len(m.MistakesWbar), r.W.Mistakes, r.Wbar.Mistakes)
			}
		}
	}
}

func TestModelsOfFailedCellsAreNotKept(t *testing.T) {
	run := runtest.Diverging(t)
	runtest.Finish(t, run, 1)
	for _, m := range runtest.Models(t, run, run.Tasks[0]) {
		if name := runtest.DescribeCell(run, m.Cell); name != "stoiht eta=0.01 s=4 on grid, trial 0" && name != "stoiht eta=0.02 s=4 on grid, trial 0" {
			t.Errorf("the model of %s is kept", name)
		}
	}
	wantModels(t, run, run.Tasks[0])
}

// If an earlier attempt computed the cell that a rule chooses, its model is learned again.
func TestModelsAfterResuming(t *testing.T) {
	undisturbed := runtest.New(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment, 1<<40)
	runtest.Finish(t, undisturbed, 1)
	for stop := 1; stop < len(undisturbed.Plan.Cells); stop++ {
		run := runtest.Copy(t, undisturbed)
		runtest.StopAfter(t, run, stop, 1)
		var taken int
		runner := executor.Runner{Run: run, Workers: 1, Notify: func(e executor.Event) {
			if e.Kind == executor.TaskTakenOver {
				taken = e.Cells
			}
		}}
		must1(runner.RunTasks(context.Background(), run.Tasks))
		if taken < stop { // may be more: the whole batch finishes
			t.Errorf("%d cells were taken over, want %d", taken, stop)
		}
		for i, task := range run.Tasks {
			runtest.SameModels(t, runtest.Models(t, run, task), runtest.Models(t, undisturbed, undisturbed.Tasks[i]))
		}
	}
}

// TestTraces runs an experiment with a report of regret, and an experiment without.
func TestTraces(t *testing.T) {
	text := jobstest.Replace(t, jobstest.Experiment, "reports:", "reports:\n  - {name: loss, kind: regret, checkpoint: 20}")
	run := runtest.New(t, dataFolder(t, jobstest.Spec{Trials: 2}), text, 3*time.Second)
	runtest.Finish(t, run, 2)
	traced := 0
	for _, task := range run.Tasks {
		rows := must1(run.ReadShard(task))
		for _, m := range runtest.Models(t, run, task) {
			if m.Checkpoint != 20 {
				if len(m.Losses) != 0 {
					t.Errorf("a model at %d has a trace", m.Checkpoint)
				}
				continue
			}
			traced++
			i := slices.IndexFunc(rows, func(r results.Row) bool { return r.Key() == m.Key() })
			if got, want := floats.Sum(m.Losses), rows[i].W.CumulativeLoss; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: losses sum to %v, want %v", runtest.DescribeCell(run, m.Cell), got, want)
			}
			if got, want := floats.Sum(m.LossesWbar), rows[i].Wbar.CumulativeLoss; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: losses of the average sum to %v, want %v", runtest.DescribeCell(run, m.Cell), got, want)
			}
			last := math.Hypot(floats.Norm(m.W.Value, 2), m.W.Intercept)
			if m.LargestNorm < last*(1-1e-12) {
				t.Errorf("%s: largest norm %v, that of the last is %v", runtest.DescribeCell(run, m.Cell), m.LargestNorm, last)
			}
		}
	}
	if traced == 0 {
		t.Error("no model has a trace")
	}
}

// The regret is the online loss minus the loss of the best fixed model on the true support, a corner of four nodes. If
// the truth is unknown, the fixed model has all features. The regret does not depend on the other checkpoints.
func TestRegret(t *testing.T) {
	for _, c := range []struct {
		name    string
		spec    jobstest.Spec
		loss    string
		support []int32
	}{
		{"logistic", jobstest.Spec{Trials: 2}, "logistic", []int32{0, 1, 4, 5}},
		{"least squares", jobstest.Spec{Trials: 2, Targets: true}, "least_squares", []int32{0, 1, 4, 5}},
		{"unknown truth", jobstest.Spec{Trials: 2, NoTruth: true, Targets: true}, "least_squares", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(dataFolder(t, c.spec), "grid")
			ds := must1(samples.Open(dir))
			trial := must1(ds.Load(1, samples.AnyLabels))
			loss := must1(learners.LookupLoss(c.loss))
			req := executor.CellRequest{
				Dataset: dir, Trial: 1, Method: "da-iht", Loss: c.loss,
				Params: []plan.Param{{Name: "gamma", Value: "10"}, {Name: "s", Value: "5"}}, Checkpoints: []int{7, 20, 40},
			}
			together := must1(executor.RunCell(context.Background(), req))
			for k, n := range req.Checkpoints {
				least := must1(learners.Hindsight(loss, 16, trial.Train.Row, trial.Train.Y[:n], c.support))
				r := together[k]
				if got, want := r.W.Regret, r.W.CumulativeLoss-least; got != want || math.IsNaN(got) {
					t.Errorf("regret of w at %d is %v, want %v", n, got, want)
				}
				if got, want := r.Wbar.Regret, r.Wbar.CumulativeLoss-least; got != want || got == r.W.Regret {
					t.Errorf("regret of w̄ at %d is %v, want %v; that of w is %v", n, got, want, r.W.Regret)
				}
				alone := req
				alone.Checkpoints = []int{n}
				rows := must1(executor.RunCell(context.Background(), alone))
				if rows[0].W.Regret != r.W.Regret || rows[0].Wbar.Regret != r.Wbar.Regret {
					t.Errorf("regret at %d is %v with other checkpoints, %v without", n, r.W.Regret, rows[0].W.Regret)
				}
			}
		})
	}
}
