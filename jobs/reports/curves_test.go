package reports

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
)

// figureExperiment is an experiment on two datasets with a method that has two series and a method without a sparsity.
const figureExperiment = `name: drawn
title: Drawn
loss: logistic
datasets: [one, two]
checkpoints: [10, 20, 40]
selection: [validation, oracle-f1]
methods:
  - method: graphda
    gamma: [5, 20]
    s: [2, 4, 6]
    search: [paper, warm]
  - method: adam
    alpha: [0.0005, 0.001, 0.1]
reports:
`

// drawnRun returns a finished run of figureExperiment with the given reports. The datasets differ only in
// their seeds, 3 and 8.
func drawnRun(t *testing.T, reports ...string) *run.Run {
	t.Helper()
	data := t.TempDir()
	for name, seed := range map[string]uint64{"one": 3, "two": 8} {
		jobstest.WriteDataset(t, filepath.Join(data, name), jobstest.Spec{Trials: 3, Seed: seed})
	}
	text := figureExperiment
	for _, r := range reports {
		text += "  - {" + r + "}\n"
	}
	return finished(t, data, text)
}

// tryPrint merges a run and makes its reports by the named rule.
func tryPrint(t *testing.T, r *run.Run, ruleName string) (*runtest.Merged, map[string]source.Printed, error) {
	t.Helper()
	grid := runtest.Merge(t, r)
	printed, err := printReports(r, grid.Grid, must1(r.Plan.Experiment.Rule(ruleName)), nil)
	byName := map[string]source.Printed{}
	for _, p := range printed {
		byName[p.Report.Name] = p
	}
	return grid, byName, err
}

// printOf is like tryPrint, but the reports must succeed.
func printOf(t *testing.T, r *run.Run, ruleName string) (*runtest.Merged, map[string]source.Printed) {
	t.Helper()
	grid, printed, err := tryPrint(t, r, ruleName)
	must(t, err)
	return grid, printed
}

// figureOf returns the only figure of a report.
func figureOf[T figures.Figure](t *testing.T, printed map[string]source.Printed, name string) T {
	t.Helper()
	if n := len(printed[name].Figures); n != 1 {
		t.Fatalf("report %s has %d figures, want 1", name, n)
	}
	f := printed[name].Figures[0]
	if called := f.Describe().Name; called != name {
		t.Errorf("the figure of report %s is called %s", name, called)
	}
	return f.(T)
}

var chartOf = figureOf[*figures.Chart]

func number(r *results.Row, param string) float64 {
	return r.Params[slices.IndexFunc(plan.Layout(), func(c results.ParamColumn) bool { return c.Name == param })]
}

// A cut reports whether a row belongs to a point of a figure.
type cut func(*results.Row) bool

func ofMethod(dataset, method string, checkpoint int) cut {
	return func(r *results.Row) bool {
		return r.Dataset == dataset && r.Method == method && r.Checkpoint == checkpoint
	}
}

func (c cut) and(param string, value float64) cut {
	return func(r *results.Row) bool { return c(r) && number(r, param) == value }
}

// choose returns, by trial, the row in c with the best validation accuracy of the model. Ties go to the fewest
// mistakes, then to the first row. This is the rule "validation" again, as short as possible.
func choose(grid *runtest.Merged, c cut, m selection.Model) []*results.Row {
	best := map[int]*results.Row{}
	var trials []int
	for _, r := range grid.Rows {
		if !c(r) {
			continue
		}
		b := best[r.Trial]
		if b == nil {
			trials = append(trials, r.Trial)
		}
		x := m.Of(r)
		if b == nil || x.ValidAccuracy > m.Of(b).ValidAccuracy ||
			x.ValidAccuracy == m.Of(b).ValidAccuracy && x.Mistakes < m.Of(b).Mistakes {
			best[r.Trial] = r
		}
	}
	var chosen []*results.Row
	for _, trial := range trials {
		chosen = append(chosen, best[trial])
	}
	return chosen
}

// meanStd returns the mean and the population standard deviation of a number in rows.
func meanStd(rows []*results.Row, figure func(*results.Row) float64) (mean, std float64) {
	for _, r := range rows {
		mean += figure(r) / float64(len(rows))
	}
	for _, r := range rows {
		std += (figure(r) - mean) * (figure(r) - mean) / float64(len(rows))
	}
	return mean, math.Sqrt(std)
}

// wantPoint compares the k-th point of a line with the means of chosen rows.
func wantPoint(t *testing.T, where string, l *figures.Line, k int, x float64, rows []*results.Row, figure func(*results.Row) float64) {
	t.Helper()
	if k >= len(l.Points) || l.Errors != figures.Bars {
		t.Fatalf("%s: %s has %d points with errors %v, want more than %d with bars", where, l.Label, len(l.Points), l.Errors, k)
	}
	if len(rows) != 3 {
		t.Fatalf("%s: %d rows chosen, want one a trial", where, len(rows))
	}
	mean, std := meanStd(rows, figure)
	if l.Points[k].X != x || math.Abs(l.Points[k].Y-mean) > 1e-12 || math.Abs(l.Points[k].Err-std) > 1e-12 {
		t.Errorf("%s: point %d of %s is (%v, %v ± %v), want (%v, %v ± %v)", where, k, l.Label, l.Points[k].X, l.Points[k].Y, l.Points[k].Err, x, mean, std)
	}
}

// wantLines checks that a panel has Adam's line and the lines of GraphDA's two series.
func wantLines(t *testing.T, p *figures.Panel) {
	t.Helper()
	var got []string
	for _, l := range p.Lines {
		got = append(got, l.Key+"|"+l.Label)
	}
	if want := []string{"adam|Adam", "graphda search=paper|GraphDA search=paper", "graphda search=warm|GraphDA search=warm"}; !slices.Equal(got, want) {
		t.Fatalf("panel %s has lines %q, want %q", p.Title, got, want)
	}
}

// seriesCut returns a cut for the k-th line of a panel at a checkpoint.
func seriesCut(k int, dataset string, checkpoint int) cut {
	if k == 0 {
		return ofMethod(dataset, "adam", checkpoint)
	}
	return ofMethod(dataset, "graphda", checkpoint).and("search", float64(k-1))
}

// For each s, the other parameters are chosen separately. Adam has no s, so its line is horizontal.
func TestOverParameter(t *testing.T) {
	grid, printed := printOf(t, drawnRun(t,
		"name: by-s, kind: parameter, measure: test_error, parameter: s, checkpoint: 20",
		"name: by-alpha, kind: parameter, measure: f1, parameter: alpha, models: [wbar], datasets: [two]"), "")
	chart := chartOf(t, printed, "by-s")
	testError := func(r *results.Row) float64 { return 1 - r.W.TestAccuracy }
	for i := range chart.Panels {
		p := &chart.Panels[i]
		wantLines(t, p)
		dataset := []string{"one", "two"}[i]
		if p.Title != dataset || p.XLabel != "s" || p.YLabel != "test error" {
			t.Errorf("panel %q over %q of %q", p.YLabel, p.XLabel, p.Title)
		}
		for k := 1; k <= 2; k++ {
			if len(p.Lines[k].Points) != 3 {
				t.Errorf("%s: %s has %d points, want 3", dataset, p.Lines[k].Label, len(p.Lines[k].Points))
			}
			for j, s := range []float64{2, 4, 6} {
				rows := choose(grid, seriesCut(k, dataset, 20).and("s", s), selection.W)
				wantPoint(t, dataset, &p.Lines[k], j, s, rows, testError)
			}
		}
		level := choose(grid, seriesCut(0, dataset, 20), selection.W)
		wantPoint(t, dataset, &p.Lines[0], 0, 2, level, testError)
		wantPoint(t, dataset, &p.Lines[0], 1, 6, level, testError)
		if len(p.Lines[0].Points) != 2 {
			t.Errorf("the level line has %d points", len(p.Lines[0].Points))
		}
	}
	if len(chart.Panels) != 2 {
		t.Errorf("%d panels, want one a dataset", len(chart.Panels))
	}

	p := &chartOf(t, printed, "by-alpha").Panels[0]
	f1 := func(r *results.Row) float64 { return r.Wbar.F1 }
	for j, alpha := range []float64{0.0005, 0.001, 0.1} {
		wantPoint(t, "by-alpha", &p.Lines[0], j, alpha, choose(grid, seriesCut(0, "two", 40).and("alpha", alpha), selection.Wbar), f1)
	}
	for k := 1; k <= 2; k++ {
		level := choose(grid, seriesCut(k, "two", 40), selection.Wbar)
		wantPoint(t, "by-alpha", &p.Lines[k], 0, 0.0005, level, f1)
		wantPoint(t, "by-alpha", &p.Lines[k], 1, 0.1, level, f1)
	}
}

// If models of some trials are missing, the mean of the other trials is not shown as the mean.
func TestMistakesWithoutModels(t *testing.T) {
	_, printed := printOf(t, drawnRun(t, "name: misses, kind: mistakes"), "validation-last")
	why := printed["misses"].NotDrawn
	wantError(t, errors.New(why), "on one, trial ", "at 40", "rule validation-last", "validation, oracle-f1")
}

// A dataset may be given by its path, in an experiment and in its reports.
func TestReportsOnDatasetsByPath(t *testing.T) {
	path := filepath.Join(dataFolder(t, jobstest.Spec{}), "grid")
	text := strings.ReplaceAll(jobstest.Experiment, "grid", path)
	text += "  - {name: f1, kind: checkpoints, measure: f1, datasets: [" + path + "]}\n"
	text = jobstest.Replace(t, text, "checkpoint: 20}", "checkpoint: 20, datasets: ["+path+"]}")
	_, printed := printOf(t, finished(t, "", text), "")
	panel := chartOf(t, printed, "f1").Panels[0]
	if panel.Title != "grid" || len(panel.Lines) != 3 || len(panel.Lines[0].Points) != 2 {
		t.Errorf("panel %+v", panel)
	}
	if p := printed["tiny-early"]; p.Dataset != "grid" || len(p.Main().Rows) != 3 {
		t.Errorf("table of %q", p.Dataset)
	}
}

// TestRegretCurves draws the regret of a run, and compares its ends with the rows.
func TestRegretCurves(t *testing.T) {
	text := jobstest.Experiment + "  - {name: regret, kind: regret}\n"
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 3}), text)
	grid, printed := printOf(t, run, "")
	rule := must1(run.Plan.Experiment.Rule(""))
	chart := chartOf(t, printed, "regret")
	panel := chart.Panels[0]
	line := func(key string) *figures.Line {
		at := slices.IndexFunc(panel.Lines, func(l figures.Line) bool { return l.Key == key })
		if at < 0 {
			t.Fatalf("no line %q", key)
		}
		return &panel.Lines[at]
	}
	for _, method := range []string{"l1-rda", "graphda", "adam"} {
		l := line(method)
		last := len(l.Points) - 1
		if l.Points[0].X != 1 || l.Points[last].X != 40 || l.Errors != figures.Band {
			t.Errorf("%s: from %v to %v, errors %v; want 1 to 40 with a band", method, l.Points[0].X, l.Points[last].X, l.Errors)
		}
		// With a limited norm, the best model loses at least as much as with any norm.
		free, loss := 0.0, 0.0
		for _, c := range grid.Summarize(rule).Group("grid", 40, method).Choices {
			free += c.W.Measures[selection.W].Regret / 3
			loss += c.W.Measures[selection.W].CumulativeLoss / 3
		}
		if !(l.Points[last].Y <= free+1e-5 && l.Points[last].Y > -loss) {
			t.Errorf("%s: regret %v, want at most %v, that of any norm", method, l.Points[last].Y, free)
		}
	}
	zero := line("w = 0")
	if zero.Errors != figures.NoErrors || slices.ContainsFunc(zero.Points, func(p figures.Point) bool { return p.Y < 0 }) {
		t.Errorf("regret of w = 0 is %v, want no less than 0 and no errors", zero.Points)
	}
	root := line("√t")
	if last := len(root.Points) - 1; math.Abs(root.Points[last].Y-math.Sqrt(40)*zero.Points[0].Y) > 1e-9 {
		t.Errorf("√t ends at %v, want %v", root.Points[last].Y, math.Sqrt(40)*zero.Points[0].Y)
	}
	if !strings.Contains(chart.Caption, "neither the paper nor this figure shows a bound") {
		t.Errorf("caption %q", chart.Caption)
	}
}

// A run that was planned without a report of regret has not stored the losses for its figure.
func TestRegretWithoutTraces(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment+"  - {name: misses, kind: mistakes}\n")
	reports := run.Plan.Experiment.Reports
	reports[len(reports)-1].Kind = "regret"
	_, printed := printOf(t, run, "")
	if why := printed["misses"].NotDrawn; !strings.Contains(why, "its plan has no report of kind regret") {
		t.Errorf("not drawn: %q", why)
	}
}
