package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/scenario"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

func gdmerge(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return scenario.Call(tb, context.Background(), command.Gdmerge, append([]string{"gdmerge"}, args...)...)
}

// planned makes a folder with the dataset data/grid, plans an experiment on it in runs/NAME, changes to the
// folder, and returns the run.
func planned(t *testing.T, s jobstest.Spec, text string) *run.Run {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	return create(t, "", newPlan(must1(experiment.Parse("tiny.yaml", []byte(text), experiment.ScaleFull))))
}

// newPlan plans an experiment on the datasets in the folder data.
func newPlan(e *experiment.Experiment) *plan.Plan {
	return must1(plan.NewPlan(e, plan.PlanOptions{Data: "data"}))
}

// create makes a run of a plan without measuring the machine. The run is in dir, or in runs/NAME if dir is empty.
func create(t *testing.T, dir string, p *plan.Plan) *run.Run {
	t.Helper()
	r, _, err := run.Create(cmp.Or(dir, "runs/"+p.Experiment.Name), p, 3*time.Second, func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} })
	must(t, err)
	return r
}

func finish(t *testing.T, r *run.Run, tasks []*plan.Task) {
	t.Helper()
	must1((&executor.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must1(os.ReadFile(path)))
}

// If the generator of a run's data has changed, the terminal and the page say so.
func TestOutdatedData(t *testing.T) {
	r := planned(t, jobstest.Spec{}, jobstest.Experiment)
	p := r.Plan
	maps.Copy(p.Datasets[0].Trials[0].Metadata, map[string]string{"generator": "kegg"})
	create(t, "runs/kegg", p)
	o := gdmerge(t, "runs/kegg", "--out", "report", "--allow-partial")
	const want = "dataset grid: was drawn by version 1 of generator kegg, and version 2 draws it differently"
	if !strings.Contains(o.Stderr, want) || !strings.Contains(read(t, "report/report.html"), want) {
		t.Errorf("stderr %q, and the page, want %q", o.Stderr, want)
	}
}

// An interrupt during Collect leaves no folder and no temporary file.
func TestInterrupt(t *testing.T) {
	r := planned(t, jobstest.Spec{}, jobstest.Experiment)
	finish(t, r, r.Tasks)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&executor.SignalError{Signal: os.Interrupt})
	scenario.Call(t, ctx, command.Gdmerge, "gdmerge", "runs/tiny", "--out", "report").Fails(t, command.Stopped, "stopped early")
	if _, err := os.Lstat("report"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the report: %v", err)
	}
}

// The scenarios in testdata/scenarios show what gdmerge prints.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", map[string]scenario.Command{
		"gdmerge": scenario.Program(command.Gdmerge), "grid": scenario.Grid, "plan": planFile, "finish": finishTasks,
	})
}

// planFile plans an experiment without measuring the machine: $ plan tiny.yaml.
func planFile(t *testing.T, args []string, _, _ io.Writer) int {
	t.Helper()
	create(t, "", newPlan(must1(experiment.Read(args[1], experiment.ScaleFull))))
	return 0
}

// finishTasks runs all tasks of a run, or the first ones: $ finish runs/tiny 1.
func finishTasks(t *testing.T, args []string, stdout, _ io.Writer) int {
	t.Helper()
	r := must1(run.Open(args[1]))
	tasks := r.Tasks
	if len(args) > 2 {
		tasks = tasks[:must1(strconv.Atoi(args[2]))]
	}
	outcome := must1((&executor.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
	fmt.Fprintf(stdout, "%d of %d tasks: %d cells done, %d failed\n",
		len(tasks), len(r.Tasks), outcome.Done, outcome.Failed)
	return 0
}
