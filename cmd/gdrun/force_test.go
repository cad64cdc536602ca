package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
)

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
			if c.name == "plan.json" { // which is read first, as that of another run
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
