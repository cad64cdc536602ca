package experiment

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/jobs/paper"
)

// graphs are the names of the benchmark's datasets.
func graphs(k ...int) []string {
	var names []string
	for _, i := range k {
		names = append(names, "graph0"+string(rune('0'+i))+"-mu0.3")
	}
	return names
}

func builtIn(t *testing.T, name, scale string) *Experiment {
	t.Helper()
	return must1(ReadBuiltIn(name, scale))
}

// An experiment has what it says, and else what the one it is like says.
func TestLike(t *testing.T) {
	table, benchmark := builtIn(t, "table3", ScaleFull), builtIn(t, "benchmark", ScaleFull)
	if table.Loss != "logistic" || table.Paper != "benchmark" || !slices.Equal(table.Selection, benchmark.Selection) {
		t.Errorf("got %+v", table)
	}
	if !slices.Equal(table.Datasets, graphs(3)) || !slices.Equal(table.Checkpoints, []int{400}) {
		t.Errorf("datasets %v, checkpoints %v, want its own", table.Datasets, table.Checkpoints)
	}
	if len(table.Reports) != 1 || table.Reports[0].Published != "graph03" {
		t.Errorf("reports %+v, want that of its name", table.Reports)
	}
	scope := must1(table.scope())
	if want := (Scope{Datasets: 1, Trials: 20, Cells: 20 * 3093}); scope != want {
		t.Errorf("scope %+v, want %+v", scope, want)
	}
}

func TestQuick(t *testing.T) {
	table := builtIn(t, "table2", ScaleQuick)
	if table.RunName() != "table2-quick" || !slices.Equal(table.Trials, []int{0, 1}) {
		t.Errorf("%s, trials %v", table.RunName(), table.Trials)
	}
	if !slices.Equal(table.Checkpoints, []int{400}) || !slices.Equal(table.Datasets, graphs(2)) {
		t.Errorf("checkpoints %v, datasets %v: its own come before the other's quick form", table.Checkpoints, table.Datasets)
	}
	own := must1(Parse("mine.yaml", []byte("name: mine\nlike: table2\ntrials: [0, 1, 2]\n"), ScaleQuick))
	if !slices.Equal(own.Trials, []int{0, 1, 2}) {
		t.Errorf("trials %v, want its own", own.Trials)
	}
	// Grids for other datasets go, and so do datasets that are gone.
	e := builtIn(t, "figure5", ScaleFull)
	if len(e.Methods) != 5 {
		t.Fatalf("%d grids, want Adam's and one a graph", len(e.Methods))
	}
	text := "name: mine\nlike: figure5\ndatasets: [graph02-mu0.3]\n"
	e = must1(Parse("mine.yaml", []byte(text), ScaleFull))
	if len(e.Methods) != 2 || e.Methods[1].Axes[1].Values[0] != "5" {
		t.Errorf("grids %+v, want Adam's and that of graph02", e.Methods)
	}
}

func TestLikeRefuses(t *testing.T) {
	for _, c := range []struct {
		text, scale string
		want        []string
	}{
		{"name: mine\nlike: nothing\n", ScaleFull, []string{"mine.yaml:2: like:", `"nothing"`, "benchmark"}},
		{"name: mine\nlike: table1\n\"-\": x\n", ScaleFull, []string{"mine.yaml:3: ", `unknown key "-"`}},
		{"name: mine\nlike: table1\n", "half", []string{"mine.yaml: ", `"half"`, "full, quick"}},
		{"name: mine\nlike: table1\nreports: [{name: table9}]\n", ScaleFull, []string{"mine.yaml: ", `kind ""`, "classification"}},
		{"name: mine\nlike: table1\nmethods:\n  - {method: graphda, gamma: 1, s: 5, datasets: [x]}\n", ScaleFull, []string{"mine.yaml:4: ", `"x" is not one of the experiment's datasets: graph01-mu0.3`}},
		{"name: mine\nlike: table1\nmethods:\n  - {method: graphda, gamma: 1, s: 5}\n", ScaleQuick, []string{"mine.yaml: ", "no quick form"}},
		{"name: mine\nlike: benchmark\nreports: [{name: r, kind: truth, datasets: [x]}]\n", ScaleQuick, []string{"mine.yaml:3: report r: ", `"x" is not one of`}},
		{"name: mine\nlike: table1\nreports: [{name: table2}]\n", ScaleFull, []string{"mine.yaml: ", `kind ""`}},
		{"name: mine\nlike: benchmark\ndatasets: [graph01-mu0.3]\nreports: [{name: table2}]\n", ScaleFull, []string{"report table2: ", `"graph02-mu0.3" is not one of`}},
		{"name: mine\nlike: table1\nreports: [{name: table1, title: Mine}]\n", ScaleFull, []string{"mine.yaml: ", `report table1: unknown kind ""`}},
		{"name: mine\nlike: table1\nmethods:\n  - {method: graphda, gamma: 1, s: 5, datasets: []}\n", ScaleFull, []string{"mine.yaml:4: ", "a list of at least one entry"}},
		{"name: mine\nlike: table1\nmethods:\n  - {method: graphda, gamma: 1, s: 5, trials: [a]}\n", ScaleFull, []string{"mine.yaml:4: ", "want a whole number"}},
		{"name: mine\nloss: logistic\ndatasets: [a]\nmethods: [{method: adam, alpha: 1}]\n", ScaleQuick, []string{"mine.yaml: ", "no quick form"}},
		{"name: mine\nlike: regret\nreports: [{name: r, kind: checkpoints}]\n", ScaleFull, []string{"mine.yaml:3: ", "needs a measure"}},
		{"name: mine\nlike: regret\nreports: [{name: r, kind: checkpoints, measure: speed}]\n", ScaleFull, []string{"mine.yaml:3: ", `"speed"`, "regret"}},
		{"name: mine\nlike: regret\nreports: [{name: r, kind: truth, measure: f1}]\n", ScaleFull, []string{"mine.yaml:3: ", "kind truth has no measure"}},
	} {
		_, err := Parse("mine.yaml", []byte(c.text), c.scale)
		wantError(t, err, c.want...)
	}
}

// A grid may be for some datasets and trials only.
func TestGridsForTrials(t *testing.T) {
	e := builtIn(t, "table1", ScaleFull)
	e.Methods[0].Trials, e.Methods[1].Datasets = []int{3}, []string{"elsewhere"}
	scope := must1(e.scope())
	if want := 8 + 20*(3093-8-1512); scope.Cells != want {
		t.Errorf("%d cells, want %d", scope.Cells, want)
	}
}

// Each report of the catalog is served by its own experiment and by those that contain it.
func TestCatalog(t *testing.T) {
	entries := must1(Catalog())
	served := map[string][]string{}
	for _, e := range entries {
		for _, r := range e.Reports {
			served[r.Name] = r.ServedBy
			if !slices.Contains(r.ServedBy, e.Name) {
				t.Errorf("%s of %s is served by %v", r.Name, e.Name, r.ServedBy)
			}
		}
		if e.Scales[ScaleQuick].Cells > 5000 || e.Scales[ScaleQuick].Cells > e.Scales[ScaleFull].Cells {
			t.Errorf("%s: %+v", e.Name, e.Scales)
		}
	}
	for name, want := range map[string][]string{
		"table4": {"benchmark", "table4"}, "figure6": {"benchmark", "figure6"}, "figure8": {"figure8", "mnist"}, "figure12": {"figure12", "kegg"},
	} {
		if !slices.Equal(served[name], want) {
			t.Errorf("%s is served by %v, want %v", name, served[name], want)
		}
	}
}

// The comments of the built-in experiments tell how many cells a trial of a dataset has.
func TestCellsThatCommentsTell(t *testing.T) {
	told := regexp.MustCompile(`([\d,]+) cells\s+a trial`)
	for _, name := range paper.Names() {
		text := must1(paper.Experiment(name))
		full, quick, _ := strings.Cut(string(text), "\nquick:")
		for scale, part := range map[string]string{ScaleFull: full, ScaleQuick: quick} {
			for _, m := range told.FindAllStringSubmatch(part, -1) {
				scope := must1(builtIn(t, name, scale).scope())
				cells := strconv.Itoa(scope.Cells / (scope.Datasets * scope.Trials))
				if strings.ReplaceAll(m[1], ",", "") != cells {
					t.Errorf("%s.yaml tells of %q at scale %s, it has %s", name, m[0], scale, cells)
				}
			}
		}
	}
}
