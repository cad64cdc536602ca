package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/paper"
)

// An experiment written as YAML is read as the same experiment at its scale, with the same cells, order and reports.
func TestYAMLIsReadAsItWas(t *testing.T) {
	for _, name := range paper.Names() {
		for _, scale := range Scales() {
			e, err := ReadBuiltIn(name, scale)
			if err != nil {
				continue // it has no quick form
			}
			text := must1(e.YAML())
			got, err := Parse(name+".yaml", text, scale)
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
				continue
			}
			for i := range e.Methods {
				e.Methods[i].Origin = Own
			}
			got.Quick, got.Like, e.Quick, e.Like = nil, "", nil, ""
			if !reflect.DeepEqual(got, e) {
				t.Errorf("%s, %s: read as\n%+v, want\n%+v", name, scale, got, e)
			}
		}
	}
	odd := `name: odd
title: "a: \"quoted\" title, μ < 1"
loss: least_squares
datasets: ["a b", c]
trials: [3, 1]
methods:
  - {method: graphda, datasets: [c], trials: [1], gamma: [1e-7, 10], s: 3, search: [lazy, paper]}
`
	e := must1(Parse("odd.yaml", []byte(odd), ScaleFull))
	text := must1(e.YAML())
	if got, err := Parse("odd.yaml", text, ScaleFull); err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("%v: read as %+v, want %+v\n%s", err, got, e, text)
	}
}

// Every page of full results names an experiment that plans the run again. That plan has as many cells as the page
// says, in the same datasets and trials, with the same settings. The commands on the page name the same experiment.
func TestResultsHaveTheirExperiments(t *testing.T) {
	folder := filepath.Join("..", "..", "docs", "results")
	pages, err := filepath.Glob(filepath.Join(folder, "*", "README.md"))
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, path := range pages {
		page := must1(os.ReadFile(path))
		name := filepath.Base(filepath.Dir(path))
		file := filepath.Join(folder, name+".yaml")
		beside := filepath.Join(folder, "..", "programs", name+".yaml") // the experiment lies in the folder of its programs
		if _, err := os.Stat(beside); err == nil {
			file = beside
		}
		e, err := Read(file, ScaleFull)
		if err != nil {
			t.Error(err)
			continue
		}
		cells, settings := 0, map[string]int{} // settings: number of settings, by the grids that run on a trial
		for _, d := range e.Datasets {
			for _, trial := range e.Trials {
				grids := slices.DeleteFunc(slices.Clone(e.Methods), func(g Grid) bool { return !g.RunsOn(d, trial) })
				key := fmt.Sprint(grids)
				if _, known := settings[key]; !known {
					settings[key] = countSettings(t, grids)
				}
				cells += settings[key]
			}
		}
		changed, searched := "", false
		for _, g := range e.Methods {
			searched = searched || g.Method == "graphda"
			for _, a := range g.Axes {
				if a.Name == "search" && !strings.Contains(changed, g.Method+": ") {
					changed += g.Method + ": search = " + a.Values[0]
				}
			}
		}
		for _, want := range []string{
			fmt.Sprintf("- Cells: %d\n", cells), "- Datasets: " + strings.Join(e.Datasets, ", ") + "\n",
			fmt.Sprintf("- Trials: %d\n", len(e.Trials)), "- Commands: gdrun plan " + name + ".yaml --scale full --data DATA",
		} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s: the page lacks %q", name, want)
			}
		}
		lazy := strings.Contains(changed, "graphda: search = lazy")
		if searches := strings.Contains(string(page), "search = lazy"); searches != lazy || lazy != searched {
			t.Errorf("%s: the experiment has %q, the page searches lazily: %v", name, changed, searches)
		}
	}
}

// countSettings counts the different settings of grids, which may overlap.
func countSettings(t *testing.T, grids []Grid) int {
	t.Helper()
	settings := map[string]bool{}
	for _, g := range grids {
		must(t, g.Expand(func(values []float64) { settings[fmt.Sprint(g.Method, values)] = true }))
	}
	return len(settings)
}
