package plan

import (
	"path/filepath"
	"testing"
	"time"

	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
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
	e := must1(experiment.Parse("test.yaml", []byte(yaml), experiment.ScaleFull))
	return must1(NewPlan(e, PlanOptions{Data: data}))
}

// testRates make a cell of graphda on the 4 × 4 grid take about a second by estimate.
func testRates() Rates { return Rates{Entry: 1e-5, Edge: 5e-5} }

// A stored plan is one in a folder.
type stored struct {
	*Created
	Dir string
}

// newRun plans an experiment over a data folder into a new directory.
func newRun(tb testing.TB, data, yaml string, target time.Duration) *stored {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "run")
	made := must1(planOf(tb, data, yaml).Create(dir, target, testRates))
	if !made.New {
		tb.Fatal("the run was there before")
	}
	return &stored{made, dir}
}

// tinyRun plans the tiny experiment on two trials.
func tinyRun(tb testing.TB) *stored {
	tb.Helper()
	return newRun(tb, dataFolder(tb, jobstest.Spec{Trials: 2}), jobstest.Experiment, 3*time.Second)
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
