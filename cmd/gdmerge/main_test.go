package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/cmd/internal/command"
	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/running"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// An outcome is what a program leaves behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// gdmerge runs the program.
func gdmerge(tb testing.TB, args ...string) outcome {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	code := command.Execute(context.Background(), program, append([]string{"gdmerge"}, args...), &stdout, &stderr)
	o := outcome{code, stdout.String(), stderr.String()}
	if strings.ContainsRune(o.stdout+o.stderr, '\r') || strings.Contains(o.stderr, "goroutine ") {
		tb.Errorf("gdmerge %q: stderr %q", args, o.stderr)
	}
	return o
}

// ok runs the program and sees to it that it succeeds.
func ok(tb testing.TB, args ...string) outcome {
	tb.Helper()
	o := gdmerge(tb, args...)
	if o.code != 0 {
		tb.Fatalf("gdmerge %q: exit code %d: %s", args, o.code, o.stderr)
	}
	return o
}

// planned makes a folder with a plan in runs/NAME of an experiment on the dataset
// data/grid, goes there, and returns the run.
func planned(t *testing.T, s jobstest.Spec, text string) *run.Run {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	e := must1(experiment.Parse("tiny.yaml", []byte(text), experiment.ScaleFull))
	p := must1(plan.NewPlan(e, plan.PlanOptions{Data: "data"}))
	rates := func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} }
	r, _, err := run.Create("runs/"+e.Name, p, 3*time.Second, rates)
	must(t, err)
	return r
}

// finish runs tasks.
func finish(t *testing.T, r *run.Run, tasks []*plan.Task) {
	t.Helper()
	must1((&running.Runner{Run: r, Workers: 2}).RunTasks(context.Background(), tasks))
}

// tiny is a finished run of the tiny experiment on five trials.
func tiny(t *testing.T) *run.Run {
	t.Helper()
	r := planned(t, jobstest.Spec{Trials: 5}, jobstest.Experiment)
	finish(t, r, r.Tasks)
	return r
}

func read(t *testing.T, path string) string {
	t.Helper()
	data := must1(os.ReadFile(path))
	return string(data)
}

// A finished task, and cells of another that were done before it was stopped, are taken
// as they are.
func TestPartial(t *testing.T) {
	r := planned(t, jobstest.Spec{Trials: 2}, jobstest.Experiment)
	finish(t, r, r.Tasks[:1])
	ctx, cancel := context.WithCancel(context.Background())
	runner := running.Runner{Run: r, Workers: 1, Notify: func(e running.Event) {
		if e.Kind == running.CellDone {
			cancel()
		}
	}}
	if _, err := runner.RunTasks(ctx, r.Tasks[1:2]); !errors.Is(err, running.ErrStopped) {
		t.Fatal(err)
	}
	done := len(r.Tasks[0].Cells) + 1

	o := gdmerge(t, "runs/tiny", "--out", "report")
	missing := 2 * (len(r.Plan.Cells) - done)
	if o.code != command.Incomplete || o.stdout != "" || !strings.Contains(o.stderr, "missing: ") ||
		!strings.Contains(o.stderr, "more are missing") || !strings.Contains(o.stderr, "--allow-partial") {
		t.Errorf("exit code %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
	}
	if want := fmt.Sprintf("\ngdmerge: %d of %d results are missing; ", missing, 2*len(r.Plan.Cells)); !strings.Contains(o.stderr, want) {
		t.Errorf("stderr %q does not say %q", o.stderr, want)
	}
	if _, err := os.Stat("report"); err == nil {
		t.Error("an incomplete report was written")
	}

	o = ok(t, "runs/tiny", "--allow-partial", "--out", "report", "--csv")
	if !strings.Contains(o.stdout, "A tiny experiment: means over 1 of 2 trials, too few for tests") || !strings.Contains(o.stderr, "missing: ") {
		t.Errorf("stdout %q, stderr %q", o.stdout, o.stderr)
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
	if o.code != command.Incomplete || !strings.Contains(o.stdout, "GraphDA has the best F1") || !strings.Contains(o.stderr, lost[1]+" is missing") ||
		!strings.Contains(o.stderr, "gdrun local") || !strings.Contains(read(t, "report/report.html"), "misses is not drawn") {
		t.Errorf("exit code %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
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
	r, _, err := run.Create("runs/kegg", p, time.Hour, func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} })
	must(t, err)
	o := gdmerge(t, r.Dir, "--out", "report", "--allow-partial")
	const want = "dataset grid: generator kegg drew it in version 1, and draws otherwise in version 2"
	if !strings.Contains(o.stderr, want) || !strings.Contains(read(t, "report/report.html"), want) {
		t.Errorf("stderr %q, and the page, want %q", o.stderr, want)
	}
}

// Trials that were drawn with other settings are not averaged.
func TestUnlikeTrials(t *testing.T) {
	planned(t, jobstest.Spec{Trials: 3}, jobstest.Experiment)
	must(t, os.RemoveAll("runs"))
	e, err := experiment.Parse("tiny.yaml", []byte(jobstest.Experiment), experiment.ScaleFull)
	must(t, err)
	p, err := plan.NewPlan(e, plan.PlanOptions{Data: "data"})
	must(t, err)
	p.Datasets[0].Trials[1].Metadata["seed"] = "7" // as planning let pass once
	_, _, err = run.Create("runs/tiny", p, time.Hour, func() plan.Rates { return plan.Rates{Entry: 1e-5, Edge: 5e-5} })
	must(t, err)
	o := gdmerge(t, "runs/tiny", "--allow-partial", "--out", "report")
	if o.code != command.Failed || o.stdout != "" || strings.Count(o.stderr, "\n") != 1 ||
		!strings.Contains(o.stderr, `dataset grid`) || !strings.Contains(o.stderr, `seed is "0" in trials 0, 2, "7" in trial 1`) ||
		!strings.Contains(o.stderr, "--trials") {
		t.Errorf("exit code %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
	}
	if _, err := os.Stat("report"); err == nil {
		t.Error("a report was written")
	}
}

// An interrupt while results are collected leaves no folder and no temporary file.
func TestInterrupt(t *testing.T) {
	tiny(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&running.SignalError{Signal: os.Interrupt})
	var stdout, stderr bytes.Buffer
	code := command.Execute(ctx, program, []string{"gdmerge", "runs/tiny", "--out", "report"}, &stdout, &stderr)
	if code != command.Stopped || stdout.Len() > 0 || !strings.Contains(stderr.String(), "stopped early") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
	if _, err := os.Lstat("report"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the report: %v", err)
	}
}
