package reports

import (
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/reports/figures"
	"graphda/jobs/selection"
)

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
			free += c.Row(selection.W).W.Regret / 3
			loss += c.Row(selection.W).W.CumulativeLoss / 3
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
	if !strings.Contains(chart.Caption, "leaves the bound open") {
		t.Errorf("caption %q", chart.Caption)
	}
}

// A run that was planned without a report of regret has not kept what it is drawn from.
func TestRegretWithoutTraces(t *testing.T) {
	run := finished(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment+"  - {name: misses, kind: mistakes}\n")
	reports := run.Plan.Experiment.Reports
	reports[len(reports)-1].Kind = "regret"
	_, printed := printOf(t, run, "")
	if why := printed["misses"].NotDrawn; !strings.Contains(why, "planned without a report of kind regret") {
		t.Errorf("not drawn: %q", why)
	}
}
