package plan

import (
	"maps"
	"math"
	"strings"
	"testing"

	"graphda/jobs/jobstest"
)

// drawn makes trials drawn alike.
func drawn(n int) *Dataset {
	d := &Dataset{Name: "d", Features: 10}
	for k := range n {
		d.Trials = append(d.Trials, TrialSummary{
			Trial: k, Train: 1000, Features: 10, Edges: 12, Support: 4,
			Metadata: map[string]string{"generator": "benchmark", "mu": "0.3", "seed": "1", "trial": string(rune('0' + k))},
		})
	}
	return d
}

func TestTrialsDrawnOtherwiseAreRefused(t *testing.T) {
	d := drawn(8)
	trials := d.Trials
	for _, k := range []int{3, 4, 7} {
		trials[k].Metadata["mu"] = "0.5"
	}
	trials[2].Metadata["seed"] = "9"
	delete(trials[6].Metadata, "seed")
	if err := drawn(8).CheckTrials(); err != nil {
		t.Errorf("trials drawn alike: %v", err)
	}
	err := d.CheckTrials()
	jobstest.WantError(t, err, "dataset d ", `mu is "0.3" in trials 0–2, 5, 6, "0.5" in trials 3, 4, 7`,
		`seed is "1" in trials 0, 1, 3–5, 7, "9" in trial 2, not given in trial 6`, "--trials")
	if strings.Contains(err.Error(), "generator") {
		t.Errorf("%q", err)
	}
	// Every trial another seed: the list is cut short.
	for k := range trials {
		trials[k].Metadata = maps.Clone(drawn(1).Trials[0].Metadata)
		trials[k].Metadata["seed"] = string(rune('a' + k))
	}
	err = d.CheckTrials()
	jobstest.WantError(t, err, `"d" in trial 3, and 4 more`)
}

func TestOverlap(t *testing.T) {
	split := func(train, test int, pool string) TrialSummary {
		return TrialSummary{Train: train, Test: test, Samples: pool}
	}
	for name, c := range map[string]struct {
		trials []TrialSummary
		want   float64
	}{
		"samples of their own":         {[]TrialSummary{split(60, 20, "a"), split(60, 20, "b")}, 0},
		"not known":                    {[]TrialSummary{split(60, 20, ""), split(60, 20, "")}, 0},
		"one trial":                    {[]TrialSummary{split(60, 20, "a")}, 0},
		"splits of the same samples":   {[]TrialSummary{split(60, 15, "a"), split(60, 15, "a")}, 0.25},
		"the largest":                  {[]TrialSummary{split(60, 15, "a"), split(60, 30, "a"), split(60, 15, "a")}, 0.5},
		"some of them":                 {[]TrialSummary{split(60, 15, "a"), split(60, 15, "b"), split(60, 15, "a")}, 0.25},
		"sizes an earlier plan lacks":  {[]TrialSummary{{Train: 60, Samples: "a"}, split(60, 15, "a")}, math.NaN()},
		"sizes of independent samples": {[]TrialSummary{{Train: 60}, {Train: 50}}, 0},
	} {
		got := (&Dataset{Trials: c.trials}).Overlap()
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
