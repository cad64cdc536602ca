package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/reporting"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports"
	"graphda/jobs/run"
)

// stamps returns the content and the time of every file below these folders.
func stamps(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, dir := range dirs {
		must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			must(t, err)
			info, err := d.Info()
			must(t, err)
			found[path] = fmt.Sprint(info.ModTime().UnixNano(), " ", string(content))
			return nil
		}))
	}
	return found
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func wantAll(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

// From nothing to the report, a step more each time; what is there is left alone.
func TestReproduce(t *testing.T) {
	if testing.Short() {
		t.Skip("draws four benchmarks")
	}
	t.Chdir(t.TempDir())
	args := []string{"reproduce", "figure2", "--scale", "quick"}
	until := func(step string) outcome { return ok(t, append(args, "--until", step)...) }

	o := until("data")
	wantAll(t, o.stderr, "── gdrun simulate benchmark --graph 4 --mu 0.3 --trials 1 --seed 1 --out data", "4 of 4 trials")
	if there("runs") || there("report") || o.stdout != "" {
		t.Errorf("--until data goes on: %q", o.stdout)
	}
	data := stamps(t, "data")
	if len(data) != 4*3 {
		t.Errorf("%d files of data, want 12", len(data))
	}

	o = until("plan")
	wantAll(t, o.stdout, "4 cells (1 a trial, 4 trials)", "figure2")
	wantAll(t, o.stderr, "── gdrun plan figure2 --scale quick --data data --trials 0 --out runs/figure2-quick")
	if strings.Contains(o.stderr, "simulate") || there("report") || there("runs/figure2-quick/results") {
		t.Errorf("--until plan draws or runs: %q", o.stderr)
	}

	o = until("run")
	wantAll(t, o.stdout, "planned before", "runs/figure2-quick: 4 cells done, 0 failed")
	if there("report") {
		t.Error("--until run reports")
	}

	o = ok(t, args...)
	wantAll(t, o.stderr, "── gdmerge runs/figure2-quick --out report/figure2-quick", "report/figure2-quick/report.html")
	for _, name := range []string{"figure2.svg", "figure2.png", "figure2.pdf", "figure2.csv", "results.parquet", "report.html"} {
		if !there("report/figure2-quick/" + name) {
			t.Errorf("%s is missing", name)
		}
	}
	html, err := os.ReadFile("report/figure2-quick/report.html")
	must(t, err)
	wantAll(t, string(html), "Figure 2: the four subgraphs, reduced", "This is the reduced form")

	all := stamps(t, "runs")
	o = ok(t, args...)
	wantAll(t, o.stdout, "planned before", "4 cells done, 0 failed")
	if strings.Contains(o.stderr, "simulate") || !maps.Equal(stamps(t, "data"), data) || !maps.Equal(stamps(t, "runs"), all) {
		t.Errorf("the second time changes data or runs: %q", o.stderr)
	}
	again, err := os.ReadFile("report/figure2-quick/report.html")
	must(t, err)
	if !bytes.Equal(again, html) {
		t.Error("the second report has other bytes")
	}
	if o = gdrun(t, append(args, "--seed", "2", "--runs", "other runs")...); o.code != command.Usage || there("other runs") {
		t.Errorf("data of seed 1 for seed 2: exit code %d", o.code)
	}
	wantAll(t, o.stderr, "--out 'other runs/figure2-quick'", "graph01-mu0.3", `seed "1", not 2`, "another --data")
}

// Trials that are missing are drawn, the others come out as they were; what is more is left.
func TestReproduceCompletesData(t *testing.T) {
	if testing.Short() {
		t.Skip("draws benchmarks")
	}
	t.Chdir(t.TempDir())
	ok(t, "simulate", "benchmark", "--trials", "1", "--out", "data")
	one, err := os.ReadFile("data/graph01-mu0.3/trial-00/samples.parquet")
	must(t, err)
	args := []string{"reproduce", "table1", "--scale", "quick", "--until", "plan"}
	o := ok(t, args...)
	wantAll(t, o.stdout, "174 cells (87 a trial, 2 trials)")
	wantAll(t, o.stderr, "2 of 2 trials")
	first, err := os.ReadFile("data/graph01-mu0.3/trial-00/samples.parquet")
	must(t, err)
	if !bytes.Equal(first, one) {
		t.Error("trial 0 is another one after trial 1 was drawn")
	}

	// Killed between a trial's folder and its samples.
	two := stamps(t, "data/graph01-mu0.3/trial-00")
	must(t, os.Remove("data/graph01-mu0.3/trial-01/samples.parquet"))
	o = ok(t, args...)
	wantAll(t, o.stdout, "planned before")
	wantAll(t, o.stderr, "2 of 2 trials")
	if len(two) != 1 || !there("data/graph01-mu0.3/trial-01/samples.parquet") {
		t.Error("trial 1 was not drawn again")
	}

	// More than are needed.
	ok(t, "simulate", "benchmark", "--trials", "3", "--out", "data")
	three := stamps(t, "data")
	o = ok(t, args...)
	wantAll(t, o.stdout, "planned before", "174 cells (87 a trial, 2 trials)")
	if !maps.Equal(stamps(t, "data"), three) {
		t.Error("a dataset with more trials than needed was changed")
	}
}

func TestReproduceInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o := gdrunIn(t, ctx, "reproduce", "figure2", "--scale", "quick"); o.code != command.Stopped {
		t.Errorf("exit code %d, want %d: %s", o.code, command.Stopped, o.stderr)
	}
}

// ownExperiment takes loss, rules and titles from Table 1, and has its own data and methods.
const ownExperiment = `name: mine
title: Table 1 on my own data
like: table1
datasets: [grid]
checkpoints: [20, 40]
methods:
  - {method: graphda, gamma: [5, 20], s: [4, 5]}
  - {method: adam, alpha: [0.001, 0.1]}
reports:
  - {name: mine, kind: classification}
  - {name: mine-f1, kind: checkpoints, measure: f1}
quick: {trials: [0, 1]}
`

// A user's own experiment like a built-in one, from the file to the report.
func TestOwnExperimentLikeABuiltInOne(t *testing.T) {
	for _, scale := range []string{"full", "quick"} {
		workplace(t, jobstest.Spec{Trials: 3}, ownExperiment)
		o := ok(t, "plan", "tiny.yaml", "--scale", scale, "--out", "runs/mine")
		want := map[string]string{"full": "18 cells (6 a trial, 3 trials)", "quick": "12 cells (6 a trial, 2 trials)"}[scale]
		wantAll(t, o.stdout, want, "gives mine, mine-f1")
		ok(t, "local", "runs/mine")
		r, err := run.Open("runs/mine")
		must(t, err)
		var stdout, stderr bytes.Buffer
		must(t, reporting.Make(t.Context(), &stdout, &stderr, r, reporting.Options{Out: "report", Format: "text"}))
		wantAll(t, stdout.String(), "Table 1 on my own data", "Adam", "GraphDA")
		if strings.Contains(stdout.String(), "published") {
			t.Errorf("the table is compared with published ones:\n%s", stdout.String())
		}
		for _, name := range []string{"mine.tex", "mine-f1.svg", "report.html"} {
			if !there("report/" + name) {
				t.Errorf("%s is missing", name)
			}
		}
		// The other rule of Table 1.
		must(t, reporting.Make(t.Context(), &stdout, &stderr, r, reporting.Options{Options: reports.Options{Selection: "paper"}, Format: "text"}))
		wantAll(t, stderr.String(), "1 figure not shown here")
	}
}
