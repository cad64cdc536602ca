package merge

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
	"graphda/jobs/selection"
)

// drawn makes trials drawn alike.
func drawn(n int) []Trial {
	var trials []Trial
	for k := range n {
		trials = append(trials, Trial{
			Trial: k, Train: 1000, Features: 10, Edges: 12, Support: 4,
			Metadata: map[string]string{"generator": "benchmark", "mu": "0.3", "seed": "1", "trial": string(rune('0' + k))},
		})
	}
	return trials
}

func withTrials(trials []Trial) Plan {
	plan := testPlan
	plan.Trials = map[string][]Trial{"d": trials}
	return plan
}

func TestTrialsDrawnAlike(t *testing.T) {
	trials := drawn(2)
	grid := collect(t, withTrials(trials), testRows())
	if d := grid.Unlike("d"); d != nil {
		t.Errorf("differences %v", d)
	}
}

func TestTrialsDrawnOtherwiseAreRefused(t *testing.T) {
	trials := drawn(8)
	for _, k := range []int{3, 4, 7} {
		trials[k].Metadata["mu"] = "0.5"
	}
	trials[2].Metadata["seed"] = "9"
	delete(trials[6].Metadata, "seed")
	_, err := Collect(withTrials(trials), testRows())
	jobstest.WantError(t, err, "dataset d ", `mu is "0.3" in trials 0–2, 5, 6, "0.5" in trials 3, 4, 7`,
		`seed is "1" in trials 0, 1, 3–5, 7, "9" in trial 2, not given in trial 6`, "--trials")
	if strings.Contains(err.Error(), "generator") {
		t.Errorf("%q", err)
	}
	// Every trial another seed: the list is cut short.
	for k := range trials {
		trials[k].Metadata = maps.Clone(drawn(1)[0].Metadata)
		trials[k].Metadata["seed"] = string(rune('a' + k))
	}
	_, err = Collect(withTrials(trials), testRows())
	jobstest.WantError(t, err, `"d" in trial 3, and 4 more`)
}

func TestTrialsOfOtherSizes(t *testing.T) {
	trials := drawn(3)
	trials[1].Train, trials[1].Support = 900, 0 // 0 is not known
	trials[2].Features, trials[2].Edges = 20, 30
	got := collect(t, withTrials(trials), testRows()).Unlike("d")
	want := []string{
		"the number of training samples is 1000 in trials 0, 2, 900 in trial 1",
		"the number of features is 10 in trials 0, 1, 20 in trial 2",
		"the number of edges is 12 in trials 0, 1, 30 in trial 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("differences\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The nonzero ratio of a trial is of its own features.
func TestNonzeroPercentOfUnequalTrials(t *testing.T) {
	trials := drawn(2)
	trials[1].Features = 20
	b := collect(t, withTrials(trials), testRows()).Summarize(rule(t, selection.Validation)).Group("d", 10, "b")
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
	s := collect(t, testPlan, rows).Summarize(rule(t, selection.Paper))
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

func TestOverlap(t *testing.T) {
	split := func(train, test int, pool string) Trial { return Trial{Train: train, Test: test, Pool: pool} }
	for name, c := range map[string]struct {
		trials []Trial
		want   float64
	}{
		"samples of their own":         {[]Trial{split(60, 20, "a"), split(60, 20, "b")}, 0},
		"not known":                    {[]Trial{split(60, 20, ""), split(60, 20, "")}, 0},
		"one trial":                    {[]Trial{split(60, 20, "a")}, 0},
		"splits of the same samples":   {[]Trial{split(60, 15, "a"), split(60, 15, "a")}, 0.25},
		"the largest":                  {[]Trial{split(60, 15, "a"), split(60, 30, "a"), split(60, 15, "a")}, 0.5},
		"some of them":                 {[]Trial{split(60, 15, "a"), split(60, 15, "b"), split(60, 15, "a")}, 0.25},
		"sizes an earlier plan lacks":  {[]Trial{{Train: 60, Pool: "a"}, split(60, 15, "a")}, math.NaN()},
		"sizes of independent samples": {[]Trial{{Train: 60}, {Train: 50}}, 0},
	} {
		for i := range c.trials {
			c.trials[i].Trial = i
		}
		got := collect(t, withTrials(c.trials), testRows()).Overlap("d")
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Of method a's three settings two tie for w in both trials, and none for w̄.
func TestTiesOfTrials(t *testing.T) {
	g := collect(t, testPlan, testRows()).Summarize(rule(t, selection.Validation)).Group("d", 5, "a")
	if median, most := g.Ties(selection.W); median != 1 || most != 1 {
		t.Errorf("w: %v ties in the median trial, %d at most, want 1 and 1", median, most)
	}
	g.Choices[1].Ties[selection.Wbar] = 5
	if median, most := g.Ties(selection.Wbar); median != 2.5 || most != 5 {
		t.Errorf("w̄: %v ties in the median trial, %d at most, want 2.5 and 5", median, most)
	}
}

func TestConstants(t *testing.T) {
	trials := []Trial{{Trial: 0, ZeroMSE: 4, MeanMSE: []float64{3, 2}}, {Trial: 1, ZeroMSE: 6, MeanMSE: []float64{5, 4}}}
	got := collect(t, withTrials(trials), testRows()).Constants("d", 10)
	if len(got) != 2 || got[0].Stat() != (Stat{5, 1, 2}) || got[1].Stat() != (Stat{3, 1, 2}) {
		t.Errorf("%+v, want means 5 and 3 of two trials", got)
	}
	trials[1].MeanMSE = nil // no errors are known
	if got := collect(t, withTrials(trials), testRows()).Constants("d", 10); got != nil {
		t.Errorf("%+v although one trial's errors are not known", got)
	}
}
