package reports

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
)

// figureExperiment is an experiment on two datasets with a method that has two series and a
// method without a sparsity.
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

// drawnRun is a finished run of figureExperiment with these reports. The datasets differ in
// the seed that they were drawn with, 3 and 8.
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

// tryPrint merges a run and makes its reports by a rule, by name.
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

// printOf is tryPrint of reports that can be printed.
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

// number returns a row's value of a parameter.
func number(r *results.Row, param string) float64 {
	return r.Params[slices.IndexFunc(plan.Layout(), func(c results.ParamColumn) bool { return c.Name == param })]
}

// A cut tells which rows belong to a point of a figure.
type cut func(*results.Row) bool

func ofMethod(dataset, method string, checkpoint int) cut {
	return func(r *results.Row) bool {
		return r.Dataset == dataset && r.Method == method && r.Checkpoint == checkpoint
	}
}

func (c cut) and(param string, value float64) cut {
	return func(r *results.Row) bool { return c(r) && number(r, param) == value }
}

// choose returns, by trial, the rows in c with the best validation accuracy of the model, of
// equals that of the fewest mistakes, of those the first. It is rule validation again, as
// short as can be.
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

// meanStd returns the mean and the population's standard deviation of a figure of rows.
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

// wantLines sees to it that a panel has Adam's line and those of GraphDA's two series.
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

// seriesCut returns the rows of the k-th line of a panel at a checkpoint.
func seriesCut(k int, dataset string, checkpoint int) cut {
	if k == 0 {
		return ofMethod(dataset, "adam", checkpoint)
	}
	return ofMethod(dataset, "graphda", checkpoint).and("search", float64(k-1))
}

func TestOverCheckpoints(t *testing.T) {
	grid, printed := printOf(t, drawnRun(t,
		"name: f1, kind: checkpoints, measure: f1, models: [w, wbar]",
		"name: ratio, kind: checkpoints, measure: nonzero_percent, datasets: [two], methods: [graphda], log: true",
		"name: error, kind: checkpoints, measure: test_error, columns: 1, models: [wbar]"), "")
	chart := chartOf(t, printed, "f1")
	if chart.Title != "Drawn (f1)" || chart.Columns != 2 || !strings.Contains(chart.Caption, "rule validation") {
		t.Errorf("chart %+v", chart.Info)
	}
	var titles []string
	for i := range chart.Panels {
		p := &chart.Panels[i]
		titles = append(titles, p.Title)
		wantLines(t, p)
		dataset, model := []string{"one", "two"}[i%2], selection.Models[i/2]
		for k := range p.Lines {
			for j, checkpoint := range []int{10, 20, 40} {
				rows := choose(grid, seriesCut(k, dataset, checkpoint), model)
				wantPoint(t, p.Title, &p.Lines[k], j, float64(checkpoint), rows, func(r *results.Row) float64 { return model.Of(r).F1 })
			}
		}
	}
	if want := []string{"one, w", "two, w", "one, w̄", "two, w̄"}; !slices.Equal(titles, want) {
		t.Errorf("panels %q, want %q", titles, want)
	}

	chart = chartOf(t, printed, "ratio")
	if len(chart.Panels) != 1 || len(chart.Panels[0].Lines) != 2 || !chart.Panels[0].LogY {
		t.Fatalf("%d panels, want one of dataset two with graphda's lines on a logarithmic axis", len(chart.Panels))
	}
	rows := choose(grid, seriesCut(2, "two", 20), selection.W)
	wantPoint(t, "ratio", &chart.Panels[0].Lines[1], 1, 20, rows, func(r *results.Row) float64 { return 100 * r.W.Nonzeros / 16 })

	chart = chartOf(t, printed, "error")
	if len(chart.Panels) != 2 || chart.Columns != 1 || chart.Panels[0].Title != "one" {
		t.Fatalf("%d panels in %d columns, the first called %q", len(chart.Panels), chart.Columns, chart.Panels[0].Title)
	}
	rows = choose(grid, seriesCut(0, "one", 40), selection.Wbar)
	wantPoint(t, "error", &chart.Panels[0].Lines[0], 2, 40, rows, func(r *results.Row) float64 { return 1 - r.Wbar.TestAccuracy })
}

// For each s the other parameters are chosen anew. Adam, which has no s, is a level line.
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

// A parameter that is not tuned tells series apart, but not along its own axis.
func TestOverASetting(t *testing.T) {
	text := jobstest.Replace(t, figureExperiment, "[one, two]", "[grid]")
	text = jobstest.Replace(t, text, "search: [paper, warm]", "search: [paper, warm]\n    omega: [0.1, 0.5]")
	text += "  - {name: by-omega, kind: parameter, measure: f1, parameter: omega}\n"
	grid, printed := printOf(t, finished(t, dataFolder(t, jobstest.Spec{Trials: 3}), text), "")
	p := &chartOf(t, printed, "by-omega").Panels[0]
	wantLines(t, p)
	for k := range p.Lines {
		for j, omega := range []float64{0.1, 0.5} {
			c := seriesCut(k, "grid", 40)
			if k > 0 {
				c = c.and("omega", omega)
			}
			wantPoint(t, "by-omega", &p.Lines[k], j, omega, choose(grid, c, selection.W), func(r *results.Row) float64 { return r.W.F1 })
		}
	}
}

// The seed of the samples' metadata is what the datasets differ in.
func TestOverDatasets(t *testing.T) {
	grid, printed := printOf(t, drawnRun(t, "name: by-seed, kind: datasets, measure: test_auc, parameter: seed, models: [w, wbar], "+
		"checkpoint: 20, datasets: [two, one]"), "")
	chart := chartOf(t, printed, "by-seed")
	if len(chart.Panels) != 2 {
		t.Fatalf("%d panels, want one a model", len(chart.Panels))
	}
	for i := range chart.Panels {
		p, model := &chart.Panels[i], selection.Models[i]
		if p.Title != model.String() || p.XLabel != "seed" || p.YLabel != "test AUC" {
			t.Errorf("panel %q over %q of %q", p.YLabel, p.XLabel, p.Title)
		}
		wantLines(t, p)
		auc := func(r *results.Row) float64 { return model.Of(r).TestAUC }
		for k := range p.Lines {
			wantPoint(t, p.Title, &p.Lines[k], 0, 8, choose(grid, seriesCut(k, "two", 20), model), auc)
			wantPoint(t, p.Title, &p.Lines[k], 1, 3, choose(grid, seriesCut(k, "one", 20), model), auc)
		}
	}

	_, _, err := tryPrint(t, drawnRun(t, "name: by-mu, kind: datasets, measure: test_auc, parameter: mu"), "")
	wantError(t, err, "report by-mu: ", "dataset one", `mu = ""`, "want a number")
}

// The number of mistakes at a checkpoint on the way is that of the chosen cell's row there.
func TestMistakeCurves(t *testing.T) {
	run := drawnRun(t, "name: misses, kind: mistakes", "name: early, kind: mistakes, checkpoint: 20, datasets: [two], methods: [adam]")
	grid, printed := printOf(t, run, "")
	chart := chartOf(t, printed, "misses")
	if len(chart.Panels) != 2 {
		t.Fatalf("%d panels, want one a dataset", len(chart.Panels))
	}
	rowOf := map[string]*results.Row{}
	for _, r := range grid.Rows {
		rowOf[fmt.Sprint(r.Cell, r.Checkpoint)] = r
	}
	check := func(l *figures.Line, c cut, last int) {
		t.Helper()
		if len(l.Points) != last {
			t.Fatalf("%s has %d points, want %d", l.Label, len(l.Points), last)
		}
		chosen := choose(grid, c, selection.W)
		for i := range l.Points {
			if l.Points[i].X != float64(i+1) || i > 0 && (l.Points[i].Y < l.Points[i-1].Y || l.Points[i].Y > l.Points[i-1].Y+1) {
				t.Errorf("%s: point %d is (%v, %v) after %v", l.Label, i, l.Points[i].X, l.Points[i].Y, l.Points[max(i-1, 0)].Y)
			}
		}
		for _, at := range []int{10, 20, 40} {
			if at > last {
				continue
			}
			mean, _ := meanStd(chosen, func(r *results.Row) float64 { return rowOf[fmt.Sprint(r.Cell, at)].W.Mistakes })
			if math.Abs(l.Points[at-1].Y-mean) > 1e-12 {
				t.Errorf("%s: %v mistakes after %d samples, the rows say %v", l.Label, l.Points[at-1].Y, at, mean)
			}
		}
	}
	for i := range chart.Panels {
		wantLines(t, &chart.Panels[i])
		for k := range chart.Panels[i].Lines {
			check(&chart.Panels[i].Lines[k], seriesCut(k, []string{"one", "two"}[i], 40), 40)
		}
	}
	early := chartOf(t, printed, "early").Panels
	if len(early) != 1 || len(early[0].Lines) != 1 {
		t.Fatalf("early has %d panels", len(early))
	}
	check(&early[0].Lines[0], seriesCut(0, "two", 20), 20)

	// Of trials whose models are not there, no mean of the others stands for all.
	_, printed = printOf(t, run, "validation-last")
	why := printed["misses"].NotDrawn
	wantError(t, errors.New(why), "on one, trial ", "at 40", "rule validation-last", "validation, oracle-f1")
}

// With --allow-partial, what failed or is not sealed yet is left out.
func TestMistakesOfWhatIsThere(t *testing.T) {
	text := jobstest.Replace(t, figureExperiment, "[one, two]", "[grid]") + "  - {name: misses, kind: mistakes}\n"
	text = jobstest.Replace(t, text, "alpha: [0.0005, 0.001, 0.1]", "alpha: 1e308")
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), text, 3*time.Second)
	var first []*plan.Task
	for _, task := range run.Tasks {
		if task.Trial == 0 {
			first = append(first, task)
		}
	}
	must1((&executor.Runner{Run: run, Workers: 2}).RunTasks(context.Background(), first))
	grid, printed := printOf(t, run, "")
	if grid.Missing.N == 0 || grid.Failed.N == 0 {
		t.Fatalf("%d results are missing, %d failed, want some of both", grid.Missing.N, grid.Failed.N)
	}
	lines := chartOf(t, printed, "misses").Panels[0].Lines
	if len(lines[0].Points) != 0 {
		t.Errorf("%s has %d points, but all its cells failed", lines[0].Label, len(lines[0].Points))
	}
	chosen := choose(grid, ofMethod("grid", "graphda", 40).and("search", 0), selection.W)
	if len(chosen) != 1 || len(lines[1].Points) != 40 || lines[1].Points[39].Y != chosen[0].W.Mistakes {
		t.Errorf("%s has %v", lines[1].Label, lines[1].Points)
	}
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
		// Within a norm the best model suffers at least what the best of any norm does.
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

// A run that was planned without a report of regret has not kept what it is drawn from.
func TestRegretWithoutTraces(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment+"  - {name: misses, kind: mistakes}\n")
	reports := run.Plan.Experiment.Reports
	reports[len(reports)-1].Kind = "regret"
	_, printed := printOf(t, run, "")
	if why := printed["misses"].NotDrawn; !strings.Contains(why, "its plan has no report of kind regret") {
		t.Errorf("not drawn: %q", why)
	}
}

// The curves are the best and the median of all rows with a value, trial by trial; the table has
// their highest and lowest points.
func TestSensitivity(t *testing.T) {
	run := drawnRun(t, "name: depends, kind: sensitivity, measure: test_auc, checkpoint: 20, datasets: [one]",
		"name: errs, kind: sensitivity, measure: test_error, methods: [adam]")
	grid, _ := printOf(t, run, "")
	printed := reportsOf(t, run, "depends")
	if len(printed) != 2 || printed[0].Main() == nil || len(printed[1].Figures) != 1 {
		t.Fatalf("%d parts, want a table and a figure", len(printed))
	}
	chart := printed[1].Figures[0].(*figures.Chart)
	panels := []struct {
		title, param string
		of           cut
		values       []float64
	}{
		{"Adam: alpha", "alpha", seriesCut(0, "one", 20), []float64{0.0005, 0.001, 0.1}},
		{"GraphDA search=paper: gamma", "gamma", seriesCut(1, "one", 20), []float64{5, 20}},
		{"GraphDA search=paper: s", "s", seriesCut(1, "one", 20), []float64{2, 4, 6}},
		{"GraphDA search=warm: gamma", "gamma", seriesCut(2, "one", 20), []float64{5, 20}},
		{"GraphDA search=warm: s", "s", seriesCut(2, "one", 20), []float64{2, 4, 6}},
	}
	if len(chart.Panels) != len(panels) || len(printed[0].Main().Rows) != len(panels) {
		t.Fatalf("%d panels and %d lines, want %d", len(chart.Panels), len(printed[0].Main().Rows), len(panels))
	}
	for i, want := range panels {
		p := &chart.Panels[i]
		if p.Title != want.title || len(p.XLabels) != len(want.values) || len(p.Lines) != 2 {
			t.Fatalf("panel %q with %d values and %d lines, want %q with %d and 2", p.Title, len(p.XLabels), len(p.Lines),
				want.title, len(want.values))
		}
		row := printed[0].Main().Rows[i]
		for k, take := range []func([]float64) float64{slices.Max[[]float64], middle} {
			var means []float64
			for j, v := range want.values {
				reached := reachedOf(grid.Rows, want.of.and(want.param, v), take)
				mean := tablekinds.MeanOf(reached)
				if got := p.Lines[k].Points[j].Y; math.Abs(got-mean) > 1e-12 || len(reached) != 3 {
					t.Errorf("%s, %s, %s = %v: %v, want %v of 3 trials", want.title, p.Lines[k].Key, want.param, v, got, mean)
				}
				means = append(means, mean)
			}
			at, high, low := row[4+3*k].Number.Value, row[5+3*k].Number.Value, row[6+3*k].Number.Value
			if math.Abs(high-slices.Max(means)) > 1e-12 || math.Abs(low-slices.Min(means)) > 1e-12 ||
				math.Abs(means[slices.Index(want.values, at)]-high) > 1e-12 {
				t.Errorf("%s: highest %v at %v, lowest %v, of %v", want.title, high, at, low, means)
			}
		}
	}

	printed = reportsOf(t, run, "errs")
	if len(printed) != 3 || printed[0].Main().Name != "errs-one" || printed[0].Main().Columns[5].Head != "lowest" {
		t.Errorf("of two datasets there are %d parts, want two tables, of an error with the lowest first, and a figure",
			len(printed))
	}
}

// middle is the median.
func middle(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// reachedOf takes a value of the test AUC of the rows of each trial.
func reachedOf(rows []*results.Row, of cut, take func([]float64) float64) []float64 {
	byTrial := map[int][]float64{}
	for _, r := range rows {
		if of(r) {
			byTrial[r.Trial] = append(byTrial[r.Trial], r.W.TestAUC)
		}
	}
	var all []float64
	for trial := range len(byTrial) {
		all = append(all, take(byTrial[trial]))
	}
	return all
}
