package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/selection"
	"graphda/learners"
)

// modelsOf reads the models of a sealed task.
func modelsOf(t *testing.T, run *Run, task *Task) []results.Model {
	t.Helper()
	models, err := results.ReadModels(filepath.Join(run.folder(task), results.ModelsName(task.Number)))
	must(t, err)
	return models
}

// sameModels compares all bits of two lists of models.
func sameModels(t *testing.T, got, want []results.Model) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d models, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if g, w := fmt.Sprintf("%x", got[i]), fmt.Sprintf("%x", want[i]); g != w {
			t.Errorf("model %d is\n%s\nwant\n%s", i, g, w)
		}
	}
}

// brute returns the (cell, checkpoint) pairs that the rules choose among rows, each with
// the place of its cell in the plan.
func brute(rules []selection.Rule, rows []results.Row, place map[string]int) map[modelKey]bool {
	type group struct {
		method     string
		checkpoint int
	}
	groups := map[group][]*results.Row{}
	for i := range rows {
		g := group{rows[i].Method, rows[i].Checkpoint}
		groups[g] = append(groups[g], &rows[i])
	}
	chosen := map[modelKey]bool{}
	for _, members := range groups {
		slices.SortFunc(members, func(a, b *results.Row) int { return place[a.Cell] - place[b.Cell] })
		for _, rule := range rules {
			for _, m := range selection.Models {
				if i := rule.Best(members, m); i >= 0 {
					chosen[modelKey{members[i].Cell, members[i].Checkpoint}] = true
				}
			}
		}
	}
	return chosen
}

// randomRows returns rows of several methods and checkpoints with many ties, some failed,
// some without a defined criterion.
func randomRows(rng *rand.Rand) (rows []results.Row, place map[string]int) {
	place = map[string]int{}
	figure := func() float64 {
		if rng.IntN(12) == 0 {
			return nan
		}
		return float64(rng.IntN(4)) / 4
	}
	for cell := range 1 + rng.IntN(25) {
		id := fmt.Sprintf("cell-%d", cell)
		place[id] = cell
		method := []string{"adam", "graphda"}[rng.IntN(2)]
		failedFrom := rng.IntN(12)
		for k, checkpoint := range []int{10, 20, 30} {
			r := results.Row{Cell: id, Method: method, Checkpoint: checkpoint}
			for _, m := range []*results.Metrics{&r.W, &r.Wbar} {
				*m = results.NoMetrics()
				m.ValidAccuracy, m.ValidMSE, m.Mistakes, m.F1 = figure(), figure(), float64(rng.IntN(3)), figure()
			}
			if k >= failedFrom {
				r.W, r.Wbar, r.Error = results.NoMetrics(), results.NoMetrics(), "failed"
			}
			rows = append(rows, r)
		}
	}
	return rows, place
}

func TestKeeperAgainstBruteForce(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		loss := []string{"logistic", "least_squares"}[rng.IntN(2)]
		names := selection.Names()
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		var rules []selection.Rule
		reading := selection.Readings()[rng.IntN(len(selection.Readings()))]
		for _, name := range names[:1+rng.IntN(len(names))] {
			rule, err := selection.Parse(name, reading, loss)
			must(t, err)
			rules = append(rules, rule)
		}
		rows, place := randomRows(rng)
		want := brute(rules, rows, place)

		k := newKeeper(rules)
		for _, i := range rng.Perm(len(rows)) {
			if k.offer(&rows[i], place[rows[i].Cell]) {
				k.keep(results.Model{Cell: rows[i].Cell, Checkpoint: rows[i].Checkpoint})
			}
		}
		got := map[modelKey]bool{}
		for _, key := range k.chosen() {
			if got[key] {
				t.Errorf("seed %d: %v is chosen twice", seed, key)
			}
			got[key] = true
			if m, ok := k.model(key); !ok || m.Cell != key.cell || m.Checkpoint != key.checkpoint {
				t.Errorf("seed %d: the model of %v is not kept", seed, key)
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, rules %v: chosen %v, want %v", seed, rules, got, want)
		}
		if len(k.models) != len(want) {
			t.Errorf("seed %d: %d models are held for %d choices", seed, len(k.models), len(want))
		}
	}
}

// wantModels sees to it that a task's file holds the models of the cells that the rules
// choose among the task's rows, in plan order, equal to those of a pass of their own.
func wantModels(t *testing.T, run *Run, task *Task) {
	t.Helper()
	rows, err := run.readShard(task, Layout())
	must(t, err)
	place := map[string]int{}
	for i := range run.Plan.Cells {
		place[run.Plan.Cells[i].ID] = i
	}
	want := brute(run.Plan.Experiment.Rules(), rows, place)
	models := modelsOf(t, run, task)
	if len(models) != len(want) {
		t.Errorf("task %d: %d models, want %d", task.Number, len(models), len(want))
	}
	last := -1
	for _, m := range models {
		if !want[modelKey{m.Cell, m.Checkpoint}] {
			t.Errorf("task %d: the model of %s at %d is chosen by no rule", task.Number, run.DescribeCell(m.Cell), m.Checkpoint)
		}
		if at := place[m.Cell]*1000 + m.Checkpoint; at <= last {
			t.Errorf("task %d: models are not in plan order", task.Number)
		} else {
			last = at
		}
		sameModels(t, []results.Model{m}, []results.Model{modelOf(t, run, m.Cell, m.Checkpoint)})
	}
}

// modelOf learns the model of a cell in a pass of its own.
func modelOf(t *testing.T, run *Run, id string, checkpoint int) (model results.Model) {
	t.Helper()
	i := slices.IndexFunc(run.Plan.Cells, func(c Cell) bool { return c.ID == id })
	c := &run.Plan.Cells[i]
	ds, err := samples.Open(run.Plan.Dataset(c).Dir)
	must(t, err)
	data, err := loadTrial(ds, c.Trial, run.Plan.Experiment.Loss)
	must(t, err)
	loss, err := learners.LookupLoss(run.Plan.Experiment.Loss)
	must(t, err)
	alone := &cellRun{id: id, settings: c.Settings(), layout: Layout()}
	must(t, newWorker(data, loss).run(context.Background(), []*cellRun{alone}, []int{checkpoint}, func(_ int, _ results.Row, snap snapshot) error {
		model = snap()
		return nil
	}))
	return model
}

func TestModels(t *testing.T) {
	run := tinyRun(t)
	finish(t, run, 2)
	for _, task := range run.Tasks {
		wantModels(t, run, task)
	}
}

// The model counts what the row counts.
func TestModelsAgreeWithRows(t *testing.T) {
	run := tinyRun(t)
	finish(t, run, 2)
	for _, task := range run.Tasks {
		rows, err := run.readShard(task, Layout())
		must(t, err)
		for _, m := range modelsOf(t, run, task) {
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
	run := divergingRun(t)
	finish(t, run, 1)
	for _, m := range modelsOf(t, run, run.Tasks[0]) {
		if name := run.DescribeCell(m.Cell); name != "stoiht eta=0.01 s=4 on grid, trial 0" && name != "stoiht eta=0.02 s=4 on grid, trial 0" {
			t.Errorf("the model of %s is kept", name)
		}
	}
	wantModels(t, run, run.Tasks[0])
}

// The cell that a rule chooses was computed by an attempt that is gone: its model is
// learned again.
func TestModelsAfterResuming(t *testing.T) {
	undisturbed := newRun(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment, 1<<40)
	finish(t, undisturbed, 1)
	for stop := 1; stop < len(undisturbed.Plan.Cells); stop++ {
		run := copyOf(t, undisturbed)
		stopAfter(t, run, stop, 1)
		var taken int
		runner := Runner{Run: run, Workers: 1, Notify: func(e Event) {
			if e.Kind == TaskTakenOver {
				taken = e.Cells
			}
		}}
		_, err := runner.RunTasks(context.Background(), run.Tasks)
		must(t, err)
		if taken < stop { // more, where the cell that was stopped after ended with its batch
			t.Errorf("%d cells were taken over, want %d", taken, stop)
		}
		for i, task := range run.Tasks {
			sameModels(t, modelsOf(t, run, task), modelsOf(t, undisturbed, undisturbed.Tasks[i]))
		}
	}
}
