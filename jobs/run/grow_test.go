package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// larger is the tiny experiment with a value of each parameter more, the first of them before the
// others, so that no old cell stays at its place.
func larger(t *testing.T) string {
	t.Helper()
	text := jobstest.Replace(t, jobstest.Experiment, "gamma: [5, 10, 20]", "gamma: [2, 5, 10, 20]")
	return jobstest.Replace(t, text, "alpha: 0.01", "alpha: [0.5, 0.01]")
}

// A run that grows computes the new cells alone, and has the same rows as one that was planned
// whole.
func TestGrow(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	r := runtest.New(t, data, jobstest.Experiment, 3*time.Second)
	old := len(r.Plan.Cells)
	for _, task := range r.Tasks[1:] { // one is left for later
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
	must(t, runOne(t, r.Dir, left.Number)) // an element that was queued before
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

	// A second growth.
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

// Wherever growing is interrupted, the old run or the new one is there, and planning again
// completes it.
func TestGrowIsInterrupted(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	r := runtest.New(t, data, jobstest.Experiment, 3*time.Second)
	runtest.Finish(t, r, 2)
	grown, _, err := run.Create(r.Dir, runtest.Plan(t, data, larger(t)), 3*time.Second, runtest.Rates)
	must(t, err)
	must(t, os.Remove(filepath.Join(r.Dir, "tasks-0002.parquet")))
	if _, err := run.Open(r.Dir); !errors.Is(err, plan.ErrPlan) || !strings.Contains(err.Error(), "plan again") {
		t.Errorf("%v, want what to do", err)
	}
	again, _, err := run.Create(r.Dir, runtest.Plan(t, data, larger(t)), 3*time.Second, runtest.Rates)
	must(t, err)
	if again.Added != grown.Added {
		t.Errorf("%d cells added, want %d", again.Added, grown.Added)
	}
	if outcome := runtest.Finish(t, again, 2); outcome.Computed != again.Added {
		t.Errorf("%d cells computed, want %d", outcome.Computed, again.Added)
	}
}
