package run_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	_ "graphda/jobs/reports" // registers its kinds of report
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// OpenTask reads the same as Open does for that task, and leads to the same results.
func TestOpenTask(t *testing.T) {
	origin := runtest.Tiny(t)
	again := []*plan.Task{{ // the last cells, packed again in another order
		Number: len(origin.Tasks), Dataset: 0, Trial: origin.Plan.Cells[len(origin.Plan.Cells)-1].Trial,
		Cells: []plan.TaskCell{{Cell: len(origin.Plan.Cells) - 1, Seconds: 2}, {Cell: len(origin.Plan.Cells) - 3, Seconds: 1}},
	}}
	must(t, origin.AddTasks(again))
	r := runtest.Copy(t, origin)
	whole := runtest.Copy(t, origin)
	for _, want := range whole.Tasks {
		one := must1(run.OpenTask(r.Dir, want.Number))
		if len(one.Tasks) != 1 || one.Plan.Hash != whole.Plan.Hash || len(one.Plan.Cells) != len(want.Cells) {
			t.Fatalf("task %d: %d tasks and %d cells", want.Number, len(one.Tasks), len(one.Plan.Cells))
		}
		got := one.Tasks[0]
		if got.Number != want.Number || got.Dataset != want.Dataset || got.Trial != want.Trial || got.Memory != want.Memory || len(got.Cells) != len(want.Cells) {
			t.Errorf("task %+v, want %+v", got, want)
		}
		for k, c := range got.Cells {
			a, b := &one.Plan.Cells[c.Cell], &whole.Plan.Cells[want.Cells[k].Cell]
			if a.ID != b.ID || a.Dataset != b.Dataset || a.Trial != b.Trial || a.Method != b.Method || !slices.Equal(a.Values, b.Values) || c.Seconds != want.Cells[k].Seconds {
				t.Errorf("task %d, cell %d: %+v, want %+v", want.Number, k, a, b)
			}
		}
		if !slices.IsSortedFunc(one.Plan.Cells, func(a, b plan.Cell) int { return placeOf(whole, a.ID) - placeOf(whole, b.ID) }) {
			t.Errorf("task %d: the cells are not in plan order", want.Number)
		}
		must1((&executor.Runner{Run: one, Workers: 1}).RunTasks(context.Background(), one.Tasks))
	}
	runtest.Finish(t, whole, 1)
	runtest.SameResults(t, r, whole)
}

func placeOf(r *run.Run, id string) int {
	return slices.IndexFunc(r.Plan.Cells, func(c plan.Cell) bool { return c.ID == id })
}

// OpenTask refuses what Open refuses: damage anywhere, even far from the task's rows, and files of another plan.
func TestOpenTaskChecks(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	r := runtest.New(t, data, jobstest.Experiment, 3*time.Second)
	other := runtest.New(t, data, jobstest.Replace(t, jobstest.Experiment, "gamma: [5, 10, 20]", "gamma: [5, 10, 30]"), 3*time.Second)
	for _, name := range []string{plan.PlanFile, "plan.parquet", "tasks-0001.parquet"} {
		path := filepath.Join(r.Dir, name)
		good := must1(os.ReadFile(path))
		for at := 0; at < len(good); at += max(1, len(good)/25) {
			bad := slices.Clone(good)
			bad[at] ^= 4
			must(t, os.WriteFile(path, bad, 0o666))
			_, err := run.OpenTask(r.Dir, 0)
			wantError(t, err, name)
		}
		must(t, os.Remove(path))
		if _, err := run.OpenTask(r.Dir, 0); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: error %v, want ErrNotExist", name, err)
		}
		foreign := must1(os.ReadFile(filepath.Join(other.Dir, name)))
		must(t, os.WriteFile(path, foreign, 0o666))
		if _, err := run.OpenTask(r.Dir, len(r.Tasks)-1); !errors.Is(err, plan.ErrPlan) && name != "tasks-0001.parquet" {
			t.Errorf("%s of another plan: error %v, want ErrPlan", name, err)
		}
		must(t, os.WriteFile(path, good, 0o666))
	}
	// Ask for a cell of the other plan that this plan lacks.
	for i := range other.Plan.Cells {
		if placeOf(r, other.Plan.Cells[i].ID) < 0 {
			foreign := run.Run{Dir: r.Dir, Plan: other.Plan}
			must(t, foreign.AddTasks([]*plan.Task{{Number: 99, Cells: []plan.TaskCell{{Cell: i}}}}))
			_, err := run.OpenTask(r.Dir, 99)
			if !errors.Is(err, plan.ErrPlan) {
				t.Errorf("a cell of another plan: error %v, want ErrPlan", err)
			}
			must1(run.OpenTask(r.Dir, 0))
			return
		}
	}
	t.Error("the plans have the same cells")
}

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// larger returns the tiny experiment with one more value for each parameter. The first parameter's new value comes
// first, so every old cell changes its place.
func larger(t *testing.T) string {
	t.Helper()
	text := jobstest.Replace(t, jobstest.Experiment, "gamma: [5, 10, 20]", "gamma: [2, 5, 10, 20]")
	return jobstest.Replace(t, text, "alpha: 0.01", "alpha: [0.5, 0.01]")
}

// A run that grows computes only the new cells. Its rows are the same as if the run had been planned whole.
func TestGrow(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	r := runtest.New(t, data, jobstest.Experiment, 3*time.Second)
	old := len(r.Plan.Cells)
	for _, task := range r.Tasks[1:] { // all but one task
		must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), []*plan.Task{task}))
	}
	left := r.Tasks[0]
	grown, created, err := run.Create(r.Dir, runtest.Plan(t, data, larger(t)), 3*time.Second, runtest.Rates)
	must(t, err)
	all := len(grown.Plan.Cells)
	if created || grown.Added != all-old || grown.Added == 0 {
		t.Fatalf("created %v, %d cells added, want %d", created, grown.Added, all-old)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "plan-0001.json")); err != nil {
		t.Error(err)
	}
	must(t, runOne(t, r.Dir, left.Number)) // an array element queued before the run grew
	outcome := runtest.Finish(t, grown, 2)
	if want := all - old; outcome.Computed != want || outcome.Done != all {
		t.Errorf("%d cells computed and %d done, want %d and %d", outcome.Computed, outcome.Done, want, all)
	}
	whole := runtest.New(t, data, larger(t), 3*time.Second)
	runtest.Finish(t, whole, 2)
	runtest.SameResults(t, grown, whole)
	s := must1(grown.Status(false))
	if s.Total.Done != all || len(s.Damaged) > 0 {
		t.Errorf("%+v, %q", s.Total, s.Damaged)
	}

	again, created, err := run.Create(r.Dir, runtest.Plan(t, data, larger(t)), time.Hour, runtest.Rates)
	must(t, err)
	if created || again.Added != 0 || len(again.Tasks) != len(grown.Tasks) {
		t.Errorf("planned again: %d cells added", again.Added)
	}
	_, _, err = run.Create(r.Dir, runtest.Plan(t, data, jobstest.Experiment), time.Hour, runtest.Rates)
	wantError(t, err, "another plan")

	twice := jobstest.Replace(t, larger(t), "gamma: [2, 5, 10, 20]", "gamma: [1, 2, 5, 10, 20]")
	if again, _, err = run.Create(r.Dir, runtest.Plan(t, data, twice), time.Hour, runtest.Rates); err != nil || len(again.Plan.Before) != 2 {
		t.Fatalf("%v, plans before: %+v", err, again)
	}
	if outcome := runtest.Finish(t, again, 2); outcome.Computed != again.Added {
		t.Errorf("%d cells computed, want %d", outcome.Computed, again.Added)
	}
}

// runOne runs a task as an array element does.
func runOne(t *testing.T, dir string, number int) error {
	t.Helper()
	one := must1(run.OpenTask(dir, number))
	_, err := (&executor.Runner{Run: one, Workers: 1}).RunTasks(t.Context(), one.Tasks)
	return err
}
