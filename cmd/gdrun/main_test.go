package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/io/results"
	"graphda/jobs"
	"graphda/jobs/jobstest"
	"graphda/learners"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// An outcome is what a program leaves behind.
type outcome struct {
	code           int
	stdout, stderr string
}

// gdrun runs the program.
func gdrun(tb testing.TB, args ...string) outcome {
	tb.Helper()
	return gdrunIn(tb, context.Background(), args...)
}

func gdrunIn(tb testing.TB, ctx context.Context, args ...string) outcome {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	code := command.Execute(ctx, run, append([]string{"gdrun"}, args...), &stdout, &stderr)
	o := outcome{code, stdout.String(), stderr.String()}
	if strings.ContainsRune(o.stdout+o.stderr, '\r') {
		tb.Errorf("gdrun %q writes a carriage return to what is no terminal", args)
	}
	if strings.Contains(o.stderr, "goroutine ") {
		tb.Errorf("gdrun %q writes a stack trace: %s", args, o.stderr)
	}
	return o
}

// ok runs the program and sees to it that it succeeds.
func ok(tb testing.TB, args ...string) outcome {
	tb.Helper()
	o := gdrun(tb, args...)
	if o.code != 0 {
		tb.Fatalf("gdrun %q: exit code %d: %s", args, o.code, o.stderr)
	}
	return o
}

// refused runs the program and sees to it that it fails with the code, prints nothing
// but one line on stderr, and that this line says all of these.
func refused(tb testing.TB, code int, args []string, want ...string) {
	tb.Helper()
	o := gdrun(tb, args...)
	if o.code != code {
		tb.Errorf("gdrun %q: exit code %d, want %d: %s", args, o.code, code, o.stderr)
	}
	if o.stdout != "" {
		tb.Errorf("gdrun %q prints on stdout: %s", args, o.stdout)
	}
	if !strings.HasPrefix(o.stderr, "gdrun: ") || strings.Count(o.stderr, "\n") != 1 || !strings.HasSuffix(o.stderr, "\n") {
		tb.Errorf("gdrun %q: stderr %q, want one line that begins with gdrun:", args, o.stderr)
	}
	for _, part := range want {
		if !strings.Contains(o.stderr, part) {
			tb.Errorf("gdrun %q: stderr %q does not say %q", args, o.stderr, part)
		}
	}
}

// workplace makes a folder with the dataset data/grid and the experiment tiny.yaml and
// goes there.
func workplace(t *testing.T, s jobstest.Spec, experiment string) {
	t.Helper()
	t.Chdir(t.TempDir())
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), s)
	jobstest.WriteFile(t, ".", "tiny.yaml", experiment)
}

// planned makes a workplace with a plan in runs/tiny.
func planned(t *testing.T) {
	t.Helper()
	workplace(t, jobstest.Spec{Trials: 2}, jobstest.Experiment)
	ok(t, "plan", "tiny.yaml")
}

var cellArgs = []string{"cell", "--dataset", "data/grid", "--method", "da-iht", "--set", "gamma=5,s=4"}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"help"}, {"-h"}} {
		o := ok(t, args...)
		for _, name := range []string{"simulate", "import", "cell", "plan", "local", "task", "submit", "status", "cancel", "methods", "Exit codes"} {
			if !strings.Contains(o.stdout, name) {
				t.Errorf("gdrun %q does not tell of %s", args, name)
			}
		}
	}
	for _, name := range []string{"import", "cell", "plan", "local", "task", "submit", "status", "cancel", "methods"} {
		if o := ok(t, name, "--help"); !strings.Contains(o.stdout, "gdrun "+name) || o.stderr != "" {
			t.Errorf("gdrun %s --help: %q", name, o.stdout)
		}
	}
	if o := ok(t, "simulate"); !strings.Contains(o.stdout, "benchmark") {
		t.Errorf("gdrun simulate: %q", o.stdout)
	}
	if o := ok(t, "--version"); !strings.HasPrefix(o.stdout, "gdrun version "+jobs.Version+" (revision ") {
		t.Errorf("gdrun --version: %q", o.stdout)
	}
}

func TestUsageErrors(t *testing.T) {
	planned(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"locl"}, []string{`unknown command "locl"`, "simulate, import, experiments, reproduce, cell, plan, local"}},
		{[]string{"--bogus"}, []string{"bogus"}},
		{[]string{"simulate", "mnits"}, []string{`unknown command "mnits"`, "benchmark"}},
		{[]string{"simulate", "benchmark", "--bogus"}, []string{"bogus"}},
		{[]string{"simulate", "benchmark", "--mu", "x"}, []string{`"x"`, "mu"}},
		{[]string{"simulate", "benchmark", "--mu", "NaN"}, []string{"mu = NaN"}},
		{[]string{"simulate", "benchmark", "--mu", "-0.3"}, []string{"mu = -0.3, want a number above 0"}},
		{[]string{"simulate", "benchmark", "--graph", "5", "--trials", "0"}, []string{"graph = 5, want 1 to 4; trials = 0"}},
		{[]string{"simulate", "benchmark", "extra"}, []string{`"extra"`}},
		{[]string{"cell"}, []string{"--dataset is missing", "gdrun cell --help"}},
		{[]string{"cell", "--dataset", "data/grid"}, []string{"--method is missing"}},
		{[]string{"cell", "--dataset"}, []string{"--dataset needs a value"}},
		{append(slices.Clone(cellArgs), "--bogus"), []string{"bogus"}},
		{append(slices.Clone(cellArgs), "extra"), []string{`"extra"`}},
		{append(slices.Clone(cellArgs), "--format", "xml"), []string{`format = "xml", want text, json, csv`}},
		{append(slices.Clone(cellArgs), "--set", "gamma"), []string{`set "gamma", want name=value`}},
		{append(slices.Clone(cellArgs), "--set", "gamma=6"), []string{"gamma is given twice"}},
		{append(slices.Clone(cellArgs), "--set", "eta=6"), []string{`unknown parameter "eta"`, "da-iht has gamma, s"}},
		{append(slices.Clone(cellArgs), "--trial", "1x"), []string{`"1x"`}},
		{append(slices.Clone(cellArgs), "--trial", "2"), []string{"grid has no trial 2"}},
		{append(slices.Clone(cellArgs), "--trial", "-1"), []string{"grid has no trial -1"}},
		{append(slices.Clone(cellArgs), "--loss", "hinge"), []string{`"hinge"`, "least_squares"}},
		{append(slices.Clone(cellArgs), "--checkpoints", "20,10"), []string{`"20,10"`, "ascending"}},
		{append(slices.Clone(cellArgs), "--checkpoints", "0"), []string{"from 1"}},
		{append(slices.Clone(cellArgs), "--checkpoints", "41"), []string{"checkpoint 41, but only 40"}},
		{append(slices.Clone(cellArgs), "--out", "no/such/cell.arrow"), []string{"no/such"}},
		{[]string{"cell", "--dataset", "data/gird", "--method", "adam", "--set", "alpha=1"}, []string{"data/gird"}},
		{[]string{"cell", "--dataset", "data/grid", "--method", "grapda"}, []string{`unknown method "grapda"`, `did you mean "graphda"`}},
		{[]string{"cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=0"}, []string{"gamma = 0, want a number above 0"}},
		{[]string{"cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=NaN,s=4"}, []string{"gamma = NaN"}},
		{[]string{"cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=1,s=17"}, []string{"17", "16"}},
		{[]string{"plan"}, []string{"want one argument, an experiment", "gdrun plan --help"}},
		{[]string{"plan", "tiny.yaml", "again"}, []string{"want one argument", "again"}},
		{[]string{"plan", "table7"}, []string{"table7", "built in are benchmark, figure2"}},
		{[]string{"plan", "table1", "--scale", "half"}, []string{`"half"`, "full, quick"}},
		{[]string{"reproduce", "tiny.yaml"}, []string{"tiny.yaml", "benchmark"}},
		{[]string{"reproduce", "table1", "--until", "noon"}, []string{`"noon"`, "data, plan, run, report"}},
		{[]string{"plan", "quik.yaml"}, []string{"quik.yaml"}},
		{[]string{"plan", "tiny.yaml", "--data", "elsewhere"}, []string{`dataset "grid"`, "elsewhere/grid", "--data"}},
		{[]string{"plan", "tiny.yaml", "--trials", "0-x"}, []string{`trials = "0-x", want numbers and ranges`}},
		{[]string{"plan", "tiny.yaml", "--trials", "0-99999999999"}, []string{"trials = "}},
		{[]string{"plan", "tiny.yaml", "--trials", "0,0"}, []string{"trial 0 is given twice"}},
		{[]string{"plan", "tiny.yaml", "--trials", "5"}, []string{"no trial 5"}},
		{[]string{"plan", "tiny.yaml", "--target-time", "1"}, []string{`"1"`, "target-time"}},
		{[]string{"plan", "tiny.yaml", "--target-time", "10ms"}, []string{"target-time = 10ms, want at least 1s"}},
		{[]string{"plan", "tiny.yaml", "--trials", "1"}, []string{"runs/tiny already holds another plan", "11 cells, not 22"}},
		{[]string{"local"}, []string{"want one argument, the folder of a run"}},
		{[]string{"local", "runs/tiny", "runs/tiny"}, []string{"got 2"}},
		{[]string{"local", "runs/none"}, []string{"runs/none holds no plan", "gdrun plan"}},
		{[]string{"local", "runs/tiny", "-j", "0"}, []string{"jobs = 0, want at least 1"}},
		{[]string{"local", "runs/tiny", "-j"}, []string{"-j needs a value"}},
		{[]string{"local", "runs/tiny", "--workers", "2"}, []string{"workers"}},
		{[]string{"task", "runs/tiny"}, []string{"--index is missing"}},
		{[]string{"task", "runs/tiny", "--index", "99"}, []string{"no task 99"}},
		{[]string{"task", "runs/tiny", "--index", "0", "--offset", "-1"}, []string{"no task -1"}},
		{[]string{"status", "runs/none"}, []string{"runs/none"}},
		{[]string{"status", "runs/tiny", "--format", "markdown"}, []string{"want text, json, csv"}},
		{[]string{"methods", "extra"}, []string{`"extra"`}},
		{[]string{"methods", "--format", "csv"}, []string{"want text, json"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) { refused(t, command.Usage, c.args, c.want...) })
	}
}

// A fault of the experiment file is told with its line, and nothing is left behind.
func TestPlanOfABadExperiment(t *testing.T) {
	workplace(t, jobstest.Spec{}, jobstest.Replace(t, jobstest.Experiment, "gamma: [5, 10, 20]", "gamma: [5, 0]"))
	refused(t, command.Usage, []string{"plan", "tiny.yaml"}, "tiny.yaml:13: graphda: gamma = 0, want a number above 0")
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a folder of runs was made")
	}
}

func TestMethods(t *testing.T) {
	text := ok(t, "methods").stdout
	var list []struct {
		Name, Label, Source, Update string
		Params                      []struct{ Name, Symbol, Doc, Range, Default string }
	}
	must(t, json.Unmarshal([]byte(ok(t, "methods", "--format", "json").stdout), &list))
	if len(list) != len(learners.Methods) {
		t.Fatalf("%d methods, want %d", len(list), len(learners.Methods))
	}
	for i, m := range learners.Methods {
		if list[i].Name != m.Name || list[i].Label != m.Label || len(list[i].Params) != len(m.Params) {
			t.Errorf("method %d is %+v, want %s", i, list[i], m.Name)
		}
		for k := range m.Params {
			if p := &m.Params[k]; list[i].Params[k].Range != p.Range() || (list[i].Params[k].Default == "") != p.Required() {
				t.Errorf("%s: parameter %+v", m.Name, list[i].Params[k])
			}
			if !strings.Contains(text, "  "+m.Params[k].Name+" ") {
				t.Errorf("the text does not tell of %s's %s", m.Name, m.Params[k].Name)
			}
		}
		if !strings.Contains(text, m.Name+"  "+m.Label) {
			t.Errorf("the text does not tell of %s", m.Name)
		}
	}
}

func TestSimulate(t *testing.T) {
	t.Chdir(t.TempDir())
	o := ok(t, "simulate", "benchmark", "--graph", "2", "--mu", "1", "--trials", "2", "--train", "10", "--valid", "4", "--test=4", "--seed", "7", "--out", "d")
	if want := "d/graph02-mu1.0: 2 trials of 18 samples, 46 nodes of 1089 raised by 1\n"; o.stdout != want {
		t.Errorf("stdout %q, want %q", o.stdout, want)
	}
	if !strings.HasPrefix(o.stderr, "2 of 2 trials in ") {
		t.Errorf("stderr %q", o.stderr)
	}
	for _, name := range []string{"graph.parquet", "features.parquet", "trial-00/samples.parquet", "trial-01/samples.parquet"} {
		if _, err := os.Stat(filepath.Join("d/graph02-mu1.0", name)); err != nil {
			t.Error(err)
		}
	}
	o = gdrun(t, "simulate", "benchmark", "--graph", "2", "--mu", "1", "--trials", "1", "--out", "d")
	if o.code != command.Usage || o.stdout != "" || !strings.Contains(o.stderr, "trial-01") {
		t.Errorf("exit code %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
	}
}

// cellColumns are the names that DESIGN.md gives.
var cellColumns = strings.Fields(`cell dataset trial method gamma s checkpoint
	test_accuracy valid_accuracy test_balanced_accuracy valid_balanced_accuracy test_auc valid_auc
	test_mse valid_mse mistakes cumulative_loss regret nonzeros precision recall f1
	test_accuracy_wbar valid_accuracy_wbar test_balanced_accuracy_wbar valid_balanced_accuracy_wbar test_auc_wbar valid_auc_wbar
	test_mse_wbar valid_mse_wbar mistakes_wbar cumulative_loss_wbar regret_wbar nonzeros_wbar precision_wbar recall_wbar f1_wbar
	seconds solves unbracketed host attempt started finished error`)

func TestCellJSON(t *testing.T) {
	workplace(t, jobstest.Spec{}, jobstest.Experiment)
	o := ok(t, append(slices.Clone(cellArgs), "--checkpoints", "10,40", "--format", "json")...)
	if o.stderr != "" {
		t.Errorf("stderr %q", o.stderr)
	}
	dec := json.NewDecoder(strings.NewReader(o.stdout))
	for range 2 {
		var row map[string]any
		must(t, dec.Decode(&row))
		for _, name := range cellColumns {
			v, there := row[name]
			if !there {
				t.Errorf("%s is missing", name)
			}
			switch v.(type) {
			case map[string]any, []any:
				t.Errorf("%s is %v: the object is not flat", name, v)
			}
			delete(row, name)
		}
		if len(row) > 0 {
			t.Errorf("the object also has %v", row)
		}
	}
	if dec.More() {
		t.Error("there are more than two objects")
	}
	var row struct {
		Method                              string
		Dataset                             string
		Trial, Checkpoint                   int
		Gamma, S                            float64
		TestMSE                             *float64 `json:"test_mse"`
		TestAccuracy                        *float64 `json:"test_accuracy"`
		Mistakes, Nonzeros, Recall          float64
		MistakesWbar                        float64 `json:"mistakes_wbar"`
		Cell, Host, Attempt, Started, Error string
	}
	must(t, json.NewDecoder(strings.NewReader(o.stdout)).Decode(&row))
	if row.Method != "da-iht" || row.Dataset != "grid" || row.Checkpoint != 10 || row.Gamma != 5 || row.S != 4 || row.TestMSE != nil ||
		row.TestAccuracy == nil || row.Mistakes > 10 || row.Nonzeros != 4 || len(row.Cell) != 64 || row.Error != "" {
		t.Errorf("row %+v", row)
	}
}

// The four ways to see a cell's row tell the same.
func TestCellFormats(t *testing.T) {
	workplace(t, jobstest.Spec{}, jobstest.Experiment)
	args := append(slices.Clone(cellArgs), "--checkpoints", "10,40")
	out := ok(t, append(args, "--format", "csv", "--out", "cell.arrow")...)
	rows, err := results.ReadTable("cell.arrow", jobs.Layout())
	must(t, err)
	lines, err := csv.NewReader(strings.NewReader(out.stdout)).ReadAll()
	must(t, err)
	if len(rows) != 2 || len(lines) != 3 {
		t.Fatalf("%d rows in the file and %d lines of CSV, want 2 and 3", len(rows), len(lines))
	}
	at := func(name string) int { return slices.Index(lines[0], name) }
	for i, r := range rows {
		for _, m := range results.MetricColumns {
			for _, c := range []struct {
				name  string
				value float64
			}{{m.Name, *m.At(&r.W)}, {m.Name + results.WbarSuffix, *m.At(&r.Wbar)}} {
				want := ""
				if !math.IsNaN(c.value) {
					want = fmt.Sprint(c.value)
				}
				if got := lines[i+1][at(c.name)]; got != want {
					t.Errorf("row %d: %s is %q in CSV, %q in the file", i, c.name, got, want)
				}
			}
		}
		if lines[i+1][at("cell")] != r.Cell || lines[i+1][at("checkpoint")] != fmt.Sprint(r.Checkpoint) || r.Dataset != "grid" || r.Host == "" {
			t.Errorf("row %d: CSV %v, file %+v", i, lines[i+1], r)
		}
	}
	text := ok(t, args...).stdout
	for _, want := range []string{"da-iht gamma=5 s=4", "grid, trial 0, after 10 samples", "after 40 samples", "test_accuracy", "f1", "w̄", "learned in"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "mse") {
		t.Error("the text tells of figures that are not defined")
	}
}

// A library's own parsing would cut at commas and ignore flags after arguments.
func TestSetFlag(t *testing.T) {
	workplace(t, jobstest.Spec{}, jobstest.Experiment)
	base := []string{"cell", "--dataset", "data/grid", "--method", "da-iht", "--format", "csv"}
	want := ok(t, append(slices.Clone(base), "--set", "gamma=5,s=4")...).stdout
	for _, set := range [][]string{
		{"--set", "gamma=5", "--set", "s=4"}, {"--set=gamma=5,s=4"}, {"-set", "s=4, gamma=5.0"}, {"--set", "gamma=0.5e1,s=4"},
	} {
		if got := ok(t, append(slices.Clone(base), set...)...).stdout; got != want {
			t.Errorf("%q gives another row", set)
		}
	}
}

func TestFailedCell(t *testing.T) {
	workplace(t, jobstest.Spec{Targets: true}, jobstest.Diverging)
	o := gdrun(t, "cell", "--dataset", "data/grid", "--method", "stoiht", "--set", "eta=1e20,s=4", "--loss", "least_squares", "--checkpoints", "2,40", "--format", "json", "--out", "cell.arrow")
	if o.code != command.Failed || !strings.Contains(o.stderr, "no longer finite") || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("exit code %d, stderr %q", o.code, o.stderr)
	}
	dec := json.NewDecoder(strings.NewReader(o.stdout))
	for _, failed := range []bool{false, true} {
		var row map[string]any
		must(t, dec.Decode(&row))
		if (row["error"] != nil && row["error"] != "") != failed || (row["test_mse"] == nil) != failed {
			t.Errorf("row %v, want failed = %v", row, failed)
		}
	}
	rows, err := results.ReadTable("cell.arrow", jobs.Layout())
	must(t, err)
	if len(rows) != 2 || rows[0].Failed() || !rows[1].Failed() {
		t.Errorf("the file has %+v", rows)
	}
}

func TestPlan(t *testing.T) {
	workplace(t, jobstest.Spec{Trials: 3}, jobstest.Experiment)
	o := ok(t, "plan", "tiny.yaml")
	if !strings.HasPrefix(o.stdout, "33 cells (11 a trial, 3 trials), about ") || !strings.HasSuffix(o.stdout, "run them with: gdrun local runs/tiny\n") {
		t.Errorf("stdout %q", o.stdout)
	}
	if o.stderr != "" {
		t.Errorf("stderr %q", o.stderr)
	}
	if again := ok(t, "plan", "tiny.yaml"); !strings.HasPrefix(again.stdout, "runs/tiny: planned before; nothing changed\n33 cells") {
		t.Errorf("stdout %q", again.stdout)
	}
	must(t, os.Rename("data", "elsewhere"))
	for _, args := range [][]string{ // flags before and after the argument
		{"plan", "tiny.yaml", "--data", "elsewhere", "--trials", "0,2", "--out", "a"},
		{"plan", "--trials=0,2", "--data", "elsewhere", "--out=b", "tiny.yaml"},
		{"plan", "--data", "elsewhere", "tiny.yaml", "--out", "c", "--trials", "0,2-2"},
		{"plan", "--data", "elsewhere", "--out", "d", "--trials", "0,2", "--", "tiny.yaml"},
	} {
		if o := ok(t, args...); !strings.HasPrefix(o.stdout, "22 cells (11 a trial, 2 trials)") {
			t.Errorf("gdrun %q: %q", args, o.stdout)
		}
	}
	a, err := os.ReadFile("a/plan.parquet")
	must(t, err)
	b, err := os.ReadFile("b/plan.parquet")
	must(t, err)
	if !bytes.Equal(a, b) {
		t.Error("two plans of one experiment differ")
	}
}

func TestBuiltInPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a benchmark")
	}
	t.Chdir(t.TempDir())
	ok(t, "simulate", "benchmark", "--trials", "2", "--train", "400", "--valid", "20", "--test", "20")
	if o := ok(t, "plan", "table1", "--scale", "quick"); !strings.HasPrefix(o.stdout, "172 cells (86 a trial, 2 trials), about ") {
		t.Errorf("stdout %q", o.stdout)
	}
}

func TestLocal(t *testing.T) {
	planned(t)
	o := ok(t, "local", "runs/tiny", "-j", "2")
	if o.stdout != "runs/tiny: 22 cells done, 0 failed\n" || !strings.HasPrefix(o.stderr, "22 of 22 cells in ") || strings.Count(o.stderr, "\n") != 1 {
		t.Errorf("stdout %q, stderr %q", o.stdout, o.stderr)
	}
	for _, args := range [][]string{{"local", "runs/tiny"}, {"local", "-j2", "runs/tiny"}, {"local", "runs/tiny", "--jobs=1"}} {
		if o := ok(t, args...); o.stdout != "runs/tiny: 22 cells done, 0 failed\n" {
			t.Errorf("gdrun %q: %q", args, o.stdout)
		}
	}
}

func TestTask(t *testing.T) {
	planned(t)
	run, err := jobs.Open("runs/tiny")
	must(t, err)
	for i, task := range run.Tasks {
		if o := gdrun(t, "status", "runs/tiny"); o.code != command.Incomplete {
			t.Errorf("status: exit code %d before task %d", o.code, i)
		}
		want := fmt.Sprintf("runs/tiny: %s done, 0 failed\n", command.Count(len(task.Cells), "cell"))
		if o := ok(t, "task", "runs/tiny", "--offset", "-3", "--index", fmt.Sprint(i+3)); o.stdout != want {
			t.Errorf("task %d: stdout %q, want %q", i, o.stdout, want)
		}
	}
	ok(t, "status", "runs/tiny")
}

func TestStatus(t *testing.T) {
	planned(t)
	check := func(code int, done float64) {
		t.Helper()
		o := gdrun(t, "status", "runs/tiny", "--format", "json")
		var s map[string]any
		must(t, json.Unmarshal([]byte(o.stdout), &s))
		total := s["total"].(map[string]any)
		if o.code != code || total["cells"] != 22. || total["done"] != done || total["missing"] != 22-done || total["failed"] != 0. || s["name"] != "tiny" {
			t.Errorf("exit code %d, %v", o.code, s)
		}
		lines, err := csv.NewReader(strings.NewReader(gdrun(t, "status", "--format", "csv", "runs/tiny").stdout)).ReadAll()
		must(t, err)
		if len(lines) != 4 || !slices.Equal(lines[0], []string{"dataset", "method", "cells", "done", "failed", "running", "queued", "missing"}) || lines[1][1] != "l1-rda" {
			t.Errorf("CSV %v", lines)
		}
		if text := gdrun(t, "status", "runs/tiny").stdout; !strings.HasPrefix(text, fmt.Sprintf("runs/tiny: %v of 22 cells done", done)) {
			t.Errorf("text %q", text)
		}
	}
	check(command.Incomplete, 0)
	if o := gdrun(t, "status", "runs/tiny"); !strings.HasSuffix(o.stderr, "gdrun: 22 of 22 cells are missing: incomplete\n") {
		t.Errorf("stderr %q", o.stderr)
	}
	ok(t, "local", "runs/tiny")
	check(command.OK, 22)
}

func TestFailedCellsOfARun(t *testing.T) {
	workplace(t, jobstest.Spec{Targets: true}, jobstest.Diverging)
	ok(t, "plan", "tiny.yaml")
	for range 2 {
		o := gdrun(t, "local", "runs/diverging")
		if o.code != command.Failed || o.stdout != "runs/diverging: 2 cells done, 2 failed\n" || !strings.Contains(o.stderr, "2 of 4 cells failed") {
			t.Errorf("exit code %d, stdout %q, stderr %q", o.code, o.stdout, o.stderr)
		}
	}
}

func TestStopped(t *testing.T) {
	planned(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{"local", "runs/tiny"}, {"task", "runs/tiny", "--index", "0"}} {
		o := gdrunIn(t, ctx, args...)
		if o.code != command.Stopped || o.stdout != "" || !strings.HasSuffix(o.stderr, "gdrun: stopped early; the same command goes on from here\n") {
			t.Errorf("gdrun %q: exit code %d, stdout %q, stderr %q", args, o.code, o.stdout, o.stderr)
		}
	}
	if o := gdrunIn(t, ctx, cellArgs...); o.code != command.Stopped {
		t.Errorf("cell: exit code %d, stderr %q", o.code, o.stderr)
	}
}

func TestChangedDataAndDamage(t *testing.T) {
	planned(t)
	for _, name := range []string{"plan.json", "plan.parquet", "tasks-0001.parquet"} {
		path := filepath.Join("runs/tiny", name)
		good, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, good[:len(good)-3], 0o666))
		refused(t, command.Failed, []string{"status", "runs/tiny"}, path)
		must(t, os.WriteFile(path, good, 0o666))
	}
	jobstest.WriteDataset(t, "data/grid", jobstest.Spec{Trials: 2, Seed: 5})
	o := gdrun(t, "local", "runs/tiny")
	if o.code != command.Usage || !strings.Contains(o.stderr, "the data have changed since the plan was made") {
		t.Errorf("exit code %d, stderr %q", o.code, o.stderr)
	}
}

// What cannot be written leaves nothing under its final name.
func TestNothingHalfWritten(t *testing.T) {
	planned(t)
	must(t, os.WriteFile("file", nil, 0o666))
	for _, args := range [][]string{
		append(slices.Clone(cellArgs), "--out", "file/cell.arrow"),
		append(slices.Clone(cellArgs), "--out", "data"),
		{"plan", "tiny.yaml", "--out", "file/run"},
		{"simulate", "benchmark", "--trials", "1", "--train", "2", "--valid", "2", "--test", "2", "--out", "file"},
	} {
		before := tree(t)
		o := gdrun(t, args...)
		if o.code == 0 || o.stdout != "" {
			t.Errorf("gdrun %q: exit code %d, stdout %q", args, o.code, o.stdout)
		}
		if after := tree(t); !slices.Equal(after, before) {
			t.Errorf("gdrun %q leaves %v, before there were %v", args, after, before)
		}
	}
}

// tree lists the files of the working directory.
func tree(t *testing.T) (paths []string) {
	t.Helper()
	must(t, filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	}))
	return paths
}
