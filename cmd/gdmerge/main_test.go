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
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// gdmerge runs the program.
func gdmerge(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return scenario.Call(tb, context.Background(), command.Gdmerge, append([]string{"gdmerge"}, args...)...)
}

// ok runs the program and sees to it that it succeeds.
func ok(tb testing.TB, args ...string) scenario.Outcome {
	tb.Helper()
	return gdmerge(tb, args...).Succeeds(tb)
}

// planned makes a folder with a plan in runs/NAME of an experiment on the dataset
// data/grid, goes there, and returns the run.
func planned(t *testing.T, s jobstest.Spec, text string) *run.Run {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	return create(t, "", newPlan(must1(experiment.Parse("tiny.yaml", []byte(text), experiment.ScaleFull))))
}

// newPlan plans an experiment on the folder data.
func newPlan(e *experiment.Experiment) *plan.Plan {
	return must1(plan.NewPlan(e, plan.PlanOptions{Data: "data"}))
}

// create makes a run of a plan, in runs/NAME unless a folder is named, without timing the machine.
func create(t *testing.T, dir string, p *plan.Plan) *run.Run {
	t.Helper()
	r, _, err := run.Create(cmp.Or(dir, "runs/"+p.Experiment.Name), p, 3*time.Second, func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} })
	must(t, err)
	return r
}

// finish runs tasks.
func finish(t *testing.T, r *run.Run, tasks []*plan.Task) {
	t.Helper()
	must1((&executor.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must1(os.ReadFile(path)))
}

// A finished task, and cells of another that were done before it was stopped, are taken
// as they are.
func TestPartial(t *testing.T) {
	r := planned(t, jobstest.Spec{Trials: 2}, jobstest.Experiment)
	finish(t, r, r.Tasks[:1])
	ctx, cancel := context.WithCancel(context.Background())
	runner := executor.Runner{Run: r, Workers: 1, Notify: func(e executor.Event) {
		if e.Kind == executor.CellDone {
			cancel()
		}
	}}
	if _, err := runner.RunTasks(ctx, r.Tasks[1:2]); !errors.Is(err, executor.ErrStopped) {
		t.Fatal(err)
	}
	done := len(r.Tasks[0].Cells) + 1

	gdmerge(t, "runs/tiny", "--out", "report").Fails(t, command.Incomplete, "missing: ", "more are missing", "--allow-partial",
		fmt.Sprintf("\ngdmerge: %d of %d results are missing; ", 2*(len(r.Plan.Cells)-done), 2*len(r.Plan.Cells)))
	if _, err := os.Stat("report"); err == nil {
		t.Error("an incomplete report was written")
	}

	o := ok(t, "runs/tiny", "--allow-partial", "--out", "report", "--csv")
	if !strings.Contains(o.Stdout, "A tiny experiment: means over 1 of 2 trials, too few for tests") || !strings.Contains(o.Stderr, "missing: ") {
		t.Errorf("stdout %q, stderr %q", o.Stdout, o.Stderr)
	}
	if lines := strings.Count(read(t, "report/data/results.csv"), "\n"); lines != 1+2*done {
		t.Errorf("results.csv has %d lines, want those of %d cells", lines, done)
	}
}

// Models are missing: what needs none is written, a figure of fewer trials only if that is
// allowed, and then says so.
func TestLostModels(t *testing.T) {
	r := planned(t, jobstest.Spec{Trials: 3}, jobstest.Experiment+"  - {name: misses, kind: mistakes}\n")
	finish(t, r, r.Tasks)
	ok(t, "runs/tiny", "--out", "report")
	must(t, os.WriteFile("report/data/misses.png", []byte("edited"), 0o666))
	early := func(w io.Writer) error { _, err := io.WriteString(w, "of an early version"); return err }
	must(t, seal.Output{}.Write("report/tiny.csv", early))
	lost := must1(filepath.Glob("runs/tiny/results/000/*.models.arrow"))
	for _, path := range lost[1:] {
		must(t, os.Remove(path))
	}
	o := gdmerge(t, "runs/tiny", "--out", "report")
	if o.Code != command.Incomplete || !strings.Contains(o.Stdout, "GraphDA has the best F1") || !strings.Contains(o.Stderr, lost[1]+" is missing") ||
		!strings.Contains(o.Stderr, "gdrun local") || !strings.Contains(read(t, "report/report.html"), "misses is not drawn") {
		t.Errorf("exit code %d, stdout %q, stderr %q", o.Code, o.Stdout, o.Stderr)
	}
	if left, _ := filepath.Glob("report/data/misses.*"); len(left) != 1 || read(t, left[0]) != "edited" {
		t.Errorf("a mean over fewer trials was drawn, or an earlier figure stayed, or the user's went: %v", left)
	}
	if _, err := os.Stat("report/tiny.csv"); err == nil {
		t.Error("a file of an early version stayed beside the page")
	}
	must(t, os.Remove("report/data/misses.png"))
	ok(t, "runs/tiny", "--out", "partial", "--allow-partial")
	if csv := read(t, "partial/data/misses.csv"); !strings.Contains(csv, "of 1 of 3 trials") {
		t.Errorf("the figure's data %.100q do not say of how many trials they are", csv)
	}
	finish(t, r, r.Tasks)
	ok(t, "runs/tiny", "--out", "report")
}

// A run on data that a generator draws otherwise now says so, on the terminal and on the page.
func TestOutdatedData(t *testing.T) {
	r := planned(t, jobstest.Spec{}, jobstest.Experiment)
	p := r.Plan
	maps.Copy(p.Datasets[0].Trials[0].Metadata, map[string]string{"generator": "kegg"})
	create(t, "runs/kegg", p)
	o := gdmerge(t, "runs/kegg", "--out", "report", "--allow-partial")
	const want = "dataset grid: generator kegg drew it in version 1, and draws otherwise in version 2"
	if !strings.Contains(o.Stderr, want) || !strings.Contains(read(t, "report/report.html"), want) {
		t.Errorf("stderr %q, and the page, want %q", o.Stderr, want)
	}
}

// An interrupt while results are collected leaves no folder and no temporary file.
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

// What gdmerge prints. testdata/scenarios has the texts.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata/scenarios", map[string]scenario.Command{
		"gdmerge": scenario.Program(command.Gdmerge), "grid": scenario.Grid, "plan": planFile, "finish": finishTasks,
	})
}

// planFile plans an experiment without timing the machine: $ plan tiny.yaml.
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
