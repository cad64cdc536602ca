package experiment

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/jobs/paper"
)

func TestQuick(t *testing.T) {
	table := must1(ReadBuiltIn("table2", ScaleQuick))
	if table.RunName() != "table2-quick" || !slices.Equal(table.Trials, []int{0, 1}) {
		t.Errorf("%s, trials %v", table.RunName(), table.Trials)
	}
	if want := []string{"validation", "paper"}; !slices.Equal(table.Selection, want) {
		t.Errorf("rules %v, want %v of the experiment it is like", table.Selection, want)
	}
	if !slices.Equal(table.Checkpoints, []int{400}) || !slices.Equal(table.Datasets, []string{"graph02-mu0.3"}) {
		t.Errorf("checkpoints %v, datasets %v: its own come before the other's quick form", table.Checkpoints, table.Datasets)
	}
	own := must1(Parse("mine.yaml", []byte("name: mine\nlike: table2\ntrials: [0, 1, 2]\n"), ScaleQuick))
	if !slices.Equal(own.Trials, []int{0, 1, 2}) {
		t.Errorf("trials %v, want its own", own.Trials)
	}
	// Inherited grids for other datasets are dropped.
	e := must1(ReadBuiltIn("figure5", ScaleFull))
	if len(e.Methods) != 5 {
		t.Fatalf("%d grids, want Adam's and one a graph", len(e.Methods))
	}
	text := "name: mine\nlike: figure5\ndatasets: [graph02-mu0.3]\n"
	e = must1(Parse("mine.yaml", []byte(text), ScaleFull))
	if len(e.Methods) != 2 || e.Methods[1].Axes[1].Values[0] != "5" {
		t.Errorf("grids %+v, want Adam's and that of graph02", e.Methods)
	}
}

// Comments in the built-in experiments give the number of cells per trial of a dataset.
func TestCellsThatCommentsTell(t *testing.T) {
	told := regexp.MustCompile(`([\d,]+) cells\s+a trial`)
	for _, name := range paper.Names() {
		text := must1(paper.Experiment(name))
		full, quick, _ := strings.Cut(string(text), "\nquick:")
		for scale, part := range map[string]string{ScaleFull: full, ScaleQuick: quick} {
			for _, m := range told.FindAllStringSubmatch(part, -1) {
				scope := must1(must1(ReadBuiltIn(name, scale)).scope())
				cells := strconv.Itoa(scope.Cells / (scope.Datasets * scope.Trials))
				if strings.ReplaceAll(m[1], ",", "") != cells {
					t.Errorf("%s.yaml tells of %q at scale %s, it has %s", name, m[0], scale, cells)
				}
			}
		}
	}
}

// A grid may be for some datasets and trials only.
func TestGridsForTrials(t *testing.T) {
	e := must1(ReadBuiltIn("table1", ScaleFull))
	e.Methods[0].Trials, e.Methods[1].Datasets = []int{3}, []string{"elsewhere"}
	if n, want := must1(e.scope()).Cells, 8+20*(3093-8-1512); n != want {
		t.Errorf("%d cells, want %d", n, want)
	}
}
