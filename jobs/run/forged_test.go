package run_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"graphda/io/results"
	"graphda/io/results/export"
	"graphda/io/seal"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

// published returns the metadata of a published file, which is read once for all cases.
var published = sync.OnceValues(func() (map[string]string, error) {
	_, metadata, err := export.ReadParquet(filepath.Join("../../docs/results/figure5", run.ChosenName), plan.Layout())
	return metadata, err
})

// forge writes a file without rows. Its plan is the plan of a published file, changed by edit. forge returns the path.
func forge(t *testing.T, edit func(footer map[string]any)) string {
	t.Helper()
	metadata, err := published()
	jobstest.Must(t, err)
	const key = "graphda.plan"
	var footer map[string]any
	jobstest.Must(t, json.Unmarshal([]byte(metadata[key]), &footer))
	edit(footer)
	text := string(jobstest.Must1(json.Marshal(footer)))
	path := filepath.Join(t.TempDir(), run.ChosenName)
	jobstest.Must(t, seal.Write(path, func(w io.Writer) error {
		out, err := export.NewSmallParquet(w, plan.Layout(), map[string]string{key: text})
		if err != nil {
			return err
		}
		return out.Close()
	}))
	return path
}

// A footer is checked like an experiment file: names must be valid, lists not empty, and counts must agree with
// the file.
func TestForged(t *testing.T) {
	if _, err := run.OpenToMerge(forge(t, func(map[string]any) {})); err != nil {
		t.Fatal(err)
	}
	experiment := func(f map[string]any) map[string]any { return f["experiment"].(map[string]any) }
	first := func(list any) map[string]any { return list.([]any)[0].(map[string]any) }
	for name, edit := range map[string]func(f map[string]any){
		"no experiment":    func(f map[string]any) { f["experiment"] = nil },
		"a path as name":   func(f map[string]any) { experiment(f)["name"] = "../x" },
		"an absolute name": func(f map[string]any) { experiment(f)["name"] = "/tmp/x" },
		"the name of rows": func(f map[string]any) { experiment(f)["name"] = "results" },
		"a path as report": func(f map[string]any) { first(experiment(f)["reports"])["name"] = "../../x" },
		"an unknown kind":  func(f map[string]any) { first(experiment(f)["reports"])["kind"] = "x" },
		"101 reports": func(f map[string]any) {
			all := []any{}
			for i := range 101 {
				all = append(all, map[string]any{"name": fmt.Sprint("r", i), "kind": "table"})
			}
			experiment(f)["reports"] = all
		},
		"a report of a dataset twice": func(f map[string]any) {
			d := experiment(f)["datasets"].([]any)[0]
			first(experiment(f)["reports"])["datasets"] = []any{d, d}
		},
		"no rule":            func(f map[string]any) { experiment(f)["selection"] = []any{} },
		"an unknown rule":    func(f map[string]any) { experiment(f)["selection"] = []any{"x"} },
		"an unknown loss":    func(f map[string]any) { experiment(f)["loss"] = "x" },
		"no methods":         func(f map[string]any) { experiment(f)["methods"] = nil },
		"no parameters":      func(f map[string]any) { first(experiment(f)["methods"])["axes"] = nil },
		"an unknown method":  func(f map[string]any) { first(experiment(f)["methods"])["method"] = "x" },
		"no values":          func(f map[string]any) { first(first(experiment(f)["methods"])["axes"])["values"] = []any{} },
		"a program's path":   func(f map[string]any) { program(first(experiment(f)["methods"]), "../x") },
		"no checkpoints":     func(f map[string]any) { f["checkpoints"] = []any{} },
		"other checkpoints":  func(f map[string]any) { f["checkpoints"] = []any{3, 2} },
		"no datasets":        func(f map[string]any) { f["datasets"] = nil },
		"more datasets":      func(f map[string]any) { f["datasets"] = append(f["datasets"].([]any), f["datasets"].([]any)...) },
		"a path as dataset":  func(f map[string]any) { first(f["datasets"])["name"] = "../x" },
		"a dataset twice":    func(f map[string]any) { d := experiment(f)["datasets"].([]any); d[1] = d[0] },
		"no trials":          func(f map[string]any) { first(f["datasets"])["trials"] = []any{} },
		"a negative trial":   func(f map[string]any) { first(first(f["datasets"])["trials"])["trial"] = -1 },
		"a later version":    func(f map[string]any) { f["version"] = "99.0.0" },
		"no version":         func(f map[string]any) { f["version"] = "\x1b[2J" },
		"a value":            func(f map[string]any) { first(first(experiment(f)["methods"])["axes"])["values"] = []any{"NaN"} },
		"a billion cells":    func(f map[string]any) { f["cells"] = 1_000_000_000 },
		"less than no cells": func(f map[string]any) { f["cells"] = -1 },
		"a title of 2 MiB":   func(f map[string]any) { experiment(f)["title"] = strings.Repeat("x ", 1<<20) },
		"10¹² settings": func(f map[string]any) {
			for _, a := range first(experiment(f)["methods"])["axes"].([]any) {
				values := make([]any, 1_000_000)
				for i := range values {
					values[i] = "1"
				}
				a.(map[string]any)["values"] = values
			}
		},
	} {
		if _, err := run.OpenToMerge(forge(t, edit)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A file without chosen rows is refused, and the message says where such a file comes from. A row of another plan is
// refused with its place.
func TestAlien(t *testing.T) {
	rows, metadata, err := export.ReadParquet(filepath.Join("../../docs/results/figure5", run.ChosenName), plan.Layout())
	jobstest.Must(t, err)
	write := func(metadata map[string]string) string {
		path := filepath.Join(t.TempDir(), run.ChosenName)
		jobstest.Must(t, seal.Write(path, func(w io.Writer) error {
			out, err := export.NewSmallParquet(w, plan.Layout(), metadata)
			return errors.Join(err, out.Write([]*results.Row{&rows[0]}), out.Close())
		}))
		return path
	}
	footer := map[string]string{"graphda.plan": metadata["graphda.plan"]}
	if _, err := run.OpenToMerge(write(footer)); err != nil {
		t.Fatal(err)
	}
	rows[0].Checkpoint++
	for path, want := range map[string]string{
		write(footer): "row 0 (counting from 0): is not in the file's plan", write(map[string]string{"a": "b"}): "want a chosen.parquet",
		"forged_test.go": "want a chosen.parquet",
	} {
		if _, err := run.OpenToMerge(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
}

// program turns a method into a program with a name.
func program(method map[string]any, name string) {
	method["method"] = name
	method["program"] = map[string]any{"command": []any{"x"}, "data": "npy", "processors": 1}
}

// Files with parts of an experiment give all their trials, in any order. A trial of other data is refused.
func TestParts(t *testing.T) {
	half := func(odd bool) string {
		return forge(t, func(f map[string]any) {
			cells := 0.0
			for _, d := range f["datasets"].([]any) {
				d := d.(map[string]any)
				var kept []any
				for i, trial := range d["trials"].([]any) {
					if i%2 == 1 == odd {
						kept = append(kept, trial)
					}
				}
				cells += f["cells"].(float64) / float64(len(f["datasets"].([]any))) * float64(len(kept)) / float64(len(d["trials"].([]any)))
				d["trials"] = kept
			}
			f["cells"] = cells
		})
	}
	whole := jobstest.Must1(run.OpenToMerge(forge(t, func(map[string]any) {})))
	a, b := half(false), half(true)
	for _, paths := range [][]string{{a, b}, {b, a}, {a, a, b}} {
		r, err := run.OpenToMerge(paths[0], paths[1:]...)
		jobstest.Must(t, err)
		if got, want := len(r.Plan.Cells), len(whole.Plan.Cells); got != want {
			t.Fatalf("%d cells, want %d", got, want)
		}
		for i := range r.Plan.Cells {
			if got, want := r.Plan.Cells[i].ID, whole.Plan.Cells[i].ID; got != want {
				t.Fatalf("cell %d is %.8s, want %.8s", i, got, want)
			}
		}
	}
	other := forge(t, func(f map[string]any) {
		f["datasets"].([]any)[0].(map[string]any)["trials"].([]any)[0].(map[string]any)["digest"] = "other"
	})
	if _, err := run.OpenToMerge(a, other); err == nil || !strings.Contains(err.Error(), "has other data") {
		t.Errorf("other data: error %v", err)
	}
}
