package reports

import (
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/selection"
)

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

// A cut reports whether a row belongs to a point of a figure.
type cut func(*results.Row) bool

func ofMethod(dataset, method string, checkpoint int) cut {
	return func(r *results.Row) bool {
		return r.Dataset == dataset && r.Method == method && r.Checkpoint == checkpoint
	}
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
