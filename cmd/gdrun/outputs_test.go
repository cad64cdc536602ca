package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/tuning"
)

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// unprinted runs gdrun with a standard output that takes nothing.
func unprinted(t *testing.T, args ...string) {
	t.Helper()
	var notes bytes.Buffer
	code := command.Execute(context.Background(), program, append([]string{"gdrun"}, args...), full{}, &notes)
	if code != command.Failed {
		t.Errorf("gdrun %q: exit code %d, want %d: %s", args, code, command.Failed, &notes)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must1(os.ReadDir(dir))
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// What cannot be printed is written all the same; each output is looked at before anything is computed, and a model
// that has learned on is kept.
func TestOutputsBeforePrinting(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	jobstest.WriteDataset(t, at("grid"), jobstest.Spec{Trials: 2})
	tune := []string{"tune", at("grid"), "--method", "da-iht", "--out", at("out")}
	for _, lost := range []bool{true, false} {
		must(t, os.RemoveAll(at("out")))
		if lost {
			unprinted(t, tune...)
		} else {
			ok(t, tune...)
		}
		got := names(t, at("out"))
		for _, name := range got {
			if name != modelFile && !slices.Contains(tuning.FileNames, name) {
				t.Errorf("%s is written, and not looked at before", name)
			}
		}
		for _, name := range []string{modelFile, "report.html", "expected.csv", "features.csv", "settings.csv"} {
			if !slices.Contains(got, name) {
				t.Errorf("lost %v: there is no %s", lost, name)
			}
		}
	}
	unprinted(t, "confidence", at("grid"), "--s", "3", "--f", "3", "--draws", "1", "--out", at("c.csv"))
	content(t, at("c.csv"))

	before := content(t, at("out/"+modelFile))
	jobstest.WriteFile(t, dir, "out/settings.csv", "mine\n")
	refused(t, command.Usage, tune, "settings.csv") // and not after computing
	must(t, os.RemoveAll(at("out")))
	jobstest.WriteFile(t, dir, "out/"+modelFile, before)
	m := must1(model.Read(at("out/" + modelFile)))
	m.State.Learned = 3000
	must(t, m.Write(at("out/"+modelFile)))
	refused(t, command.Usage, tune, "model.parquet has learned 3,000 samples")
	ok(t, append(tune, "--force")...)
}

// A dataset whose name cannot stand in the metadata of a model is refused before anything is computed.
func TestNamesInUTF8(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d\xff")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Skip("the file system has no such names")
	}
	jobstest.WriteDataset(t, dir, jobstest.Spec{})
	for _, args := range [][]string{{"tune", dir}, {"import", "--samples", "s", "--edges", "e", "--out", dir + "2"}} {
		refused(t, command.Usage, args, "the name of the folder is not UTF-8")
	}
}

// What a terminal would obey is printed as text, be it of an id or of a class.
func TestPredictPrintsText(t *testing.T) {
	dir := t.TempDir()
	m := &model.Model{Features: []string{"a"}, Loss: "logistic", Negative: "\x1b[31mno", Positive: "\x1b[32myes",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{1}}}}
	must(t, m.Write(filepath.Join(dir, modelFile)))
	must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte("id,a\n\x1b]0;P1\a,1\nP2\x7f,-1\n"), 0o666))
	out := ok(t, "predict", "--model", filepath.Join(dir, modelFile), "--samples", filepath.Join(dir, "s.csv")).Stdout
	if strings.ContainsAny(out, "\x1b\a\x7f") || !strings.Contains(out, `\x1b[32myes`) || !strings.Contains(out, `P2\x7f,`) {
		t.Errorf("%q", out)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	return string(must1(os.ReadFile(path)))
}

// What a command reads is never replaced, files of others only with --force, its own always.
func TestOutputsReplaceOnlyTheirOwn(t *testing.T) {
	lineFiles(t)
	jobstest.WriteDataset(t, filepath.Join("data", "grid"), jobstest.Spec{Trials: 2})
	jobstest.WriteDataset(t, filepath.Join("other", "grid"), jobstest.Spec{Trials: 2, Seed: 3})
	jobstest.WriteFile(t, ".", "tiny.yaml", jobstest.Experiment)
	project := []string{"project", "--graph", "edges.csv", "--weights", "weights.csv", "--sparsity", "2", "--out"}
	simulate := []string{"simulate", "benchmark", "--trials", "1", "--train", "8", "--valid", "8", "--test", "8", "--out", "sim"}
	foreign := func(path string) string { return jobstest.WriteFile(t, ".", path, "of the user") }
	plan := []string{"plan", "tiny.yaml", "--out"}
	for _, c := range []struct {
		name, path string // what is in the way
		args       []string
		input      bool
	}{
		{"cell", foreign("cell.arrow"), append(slices.Clone(cellArgs), "--out", "cell.arrow"), false},
		{"weights", foreign("w.csv"), append(slices.Clone(cellArgs), "--weights", "w.csv"), false},
		{"a dataset", "other/grid/graph.parquet", append(slices.Clone(cellArgs), "--out", "other/grid/graph.parquet"), false},
		{"the cell's own dataset", "data/grid/graph.parquet", append(slices.Clone(cellArgs), "--out", "data/grid/../grid/graph.parquet"), true},
		{"another trial of it", "data/grid/trial-01/samples.parquet", append(slices.Clone(cellArgs), "--weights", "data/grid/trial-01/samples.parquet"), true},
		{"project", foreign("modules.json"), append(slices.Clone(project), "modules.json"), false},
		{"the project's graph", "edges.csv", append(slices.Clone(project), "edges.csv"), true},
		{"the project's weights", "weights.csv", append(slices.Clone(project), "./weights.csv"), true},
		{"plan.json", foreign("a/plan.json"), append(slices.Clone(plan), "a"), false},
		{"plan.parquet", foreign("b/plan.parquet"), append(slices.Clone(plan), "b"), false},
		{"tasks", foreign("c/tasks-0001.parquet"), append(slices.Clone(plan), "c"), false},
		{"simulate", foreign("sim/graph01-mu0.3/graph.parquet"), simulate, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := content(t, c.path)
			code := command.Usage
			if c.name == "plan.json" { // it is read first, and belongs to another run
				code = command.Failed
			}
			gdrun(t, c.args...).Fails(t, code, filepath.Base(c.path)) // progress may come first
			forced := append(slices.Clone(c.args), "--force")
			if c.input {
				gdrun(t, forced...).Fails(t, command.Usage, filepath.Base(c.path))
			}
			if content(t, c.path) != before {
				t.Fatalf("%s was replaced", c.path)
			}
			if c.input {
				return
			}
			ok(t, forced...)
			if content(t, c.path) == before {
				t.Errorf("%s was not replaced with --force", c.path)
			}
			ok(t, c.args...) // it is the command's own now
			for _, path := range jobstest.FilesBelow(t, ".") {
				if strings.HasSuffix(path, ".tmp") {
					t.Errorf("%s is left", path)
				}
			}
		})
	}
}

// Samples from standard input are predicted and evaluated like samples of a file. The error about what is no table
// names standard input.
func TestPredictStandardInput(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	comma := learnStream(16, 30)
	table, model := file("s.csv", comma), filepath.Join(dir, "m.parquet")
	jobstest.WriteDataset(t, filepath.Join(dir, "grid"), jobstest.Spec{Side: 4})
	ok(t, "learn", "--model", model, "--dataset", filepath.Join(dir, "grid"), "--method", "da-iht", "--set", "gamma=5,s=5",
		"--samples", table)
	in := func(path string) {
		f := must1(os.Open(path))
		before := os.Stdin
		os.Stdin = f
		t.Cleanup(func() { os.Stdin = before; f.Close() })
	}
	for _, command := range [][]string{{"predict"}, {"evaluate", "--label", "y", "--format", "csv"}} {
		args := append(command, "--model", model, "--samples")
		want := ok(t, append(args, table)...).Stdout
		for _, path := range []string{table, file("s.tsv", strings.ReplaceAll(comma, ",", "\t"))} {
			in(path)
			if got := ok(t, append(args, "-")...).Stdout; got != want || want == "" {
				t.Errorf("gdrun %s: %s\nwant %s", command[0], got, want)
			}
		}
	}
	in(model)
	refused(t, 1, []string{"predict", "--model", model, "--samples", "-"}, "standard input: ")
	in(file("none.csv", ""))
	refused(t, 1, []string{"predict", "--model", model, "--samples", "-"}, "standard input: is empty")
}
