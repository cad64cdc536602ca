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
	_ "graphda/jobs/reports" // its kinds of report
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// What one task reads of a run is what the whole run says of it, and leads to the same
// results.
func TestOpenTask(t *testing.T) {
	origin := runtest.Tiny(t)
	again := []*plan.Task{{ // packed again: the last cells in another order
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

// A task refuses what Open refuses: damage anywhere, also far from its own rows, and files
// of another plan.
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
	// A cell of that list which this plan lacks.
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
