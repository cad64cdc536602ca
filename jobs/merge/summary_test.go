package merge

import (
	"math"
	"slices"
	"testing"

	"graphda/jobs/metrics"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
)

// The nonzero ratio of a trial is of its own features.
func TestNonzeroPercentOfUnequalTrials(t *testing.T) {
	p := testPlan()
	p.Datasets[0].Trials[1].Features = 20
	b := collect(t, p, testRows()).Summarize(rule(t, selection.Validation)).Group("d", 10, "b")
	wantStat(t, b, metrics.NonzeroPercent, selection.W, 75, 25, 2) // 10 of 10, 10 of 20
	if got := b.Values(metrics.NonzeroPercent, selection.W); !slices.Equal(got, []float64{100, 50}) {
		t.Errorf("values %v, want 100 and 50", got)
	}
}

// Values by hand from testRows; those of w̄ under the paper's rule are read from the cell
// that CellOf says.
func TestValues(t *testing.T) {
	rows := testRows()
	for i := range rows {
		if rows[i].Cell == "b10" {
			rows[i].Error = "diverged"
		}
	}
	s := collect(t, testPlan(), rows).Summarize(rule(t, selection.Paper))
	a, b := s.Group("d", 10, "a"), s.Group("d", 10, "b")
	for _, c := range []struct {
		g       *Group
		measure string
		m       selection.Model
		want    []float64
	}{
		{a, "valid_accuracy", selection.W, []float64{0.8, 0.6}},
		{a, "valid_accuracy", selection.Wbar, []float64{0.9, 0.7}},
		{a, "mistakes", selection.Wbar, []float64{3, 5}},
		{a, metrics.NonzeroPercent, selection.W, []float64{40, 10}},
		{a, "f1", selection.W, []float64{nan, nan}},
		{b, "mistakes", selection.W, []float64{5, nan}},
	} {
		got := c.g.Values(c.measure, c.m)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s of %v of %s: %v, want %v", c.measure, c.m, c.g.Method, got, c.want)
		}
	}
}

// Of method a's three settings two tie for w in both trials, and none for w̄.
func TestTiesOfTrials(t *testing.T) {
	g := collect(t, testPlan(), testRows()).Summarize(rule(t, selection.Validation)).Group("d", 5, "a")
	if median, most := g.Ties(selection.W); median != 1 || most != 1 {
		t.Errorf("w: %v ties in the median trial, %d at most, want 1 and 1", median, most)
	}
	g.Choices[1].Ties[selection.Wbar] = 5
	if median, most := g.Ties(selection.Wbar); median != 2.5 || most != 5 {
		t.Errorf("w̄: %v ties in the median trial, %d at most, want 2.5 and 5", median, most)
	}
}

func TestConstants(t *testing.T) {
	p := testPlan()
	p.Datasets[0].Trials = []plan.TrialSummary{{Trial: 0, ZeroMSE: 4, MeanMSE: []float64{3, 2}}, {Trial: 1, ZeroMSE: 6, MeanMSE: []float64{5, 4}}}
	got := collect(t, p, testRows()).Constants("d", 10)
	if len(got) != 2 || got[0].Stat() != (Stat{5, 1, 2}) || got[1].Stat() != (Stat{3, 1, 2}) {
		t.Errorf("%+v, want means 5 and 3 of two trials", got)
	}
	p.Datasets[0].Trials[1].MeanMSE = nil // no errors are known
	if got := collect(t, p, testRows()).Constants("d", 10); got != nil {
		t.Errorf("%+v although one trial's errors are not known", got)
	}
}
