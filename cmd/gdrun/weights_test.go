package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/metrics"
)

// readWeights returns the columns of a file of `gdrun cell --weights`, the intercept last.
func readWeights(t *testing.T, path string) (names []string, w, wbar []float64) {
	t.Helper()
	lines := must1(csv.NewReader(strings.NewReader(content(t, path))).ReadAll())
	if got := strings.Join(lines[0], " "); got != "name weight weight_wbar" {
		t.Fatalf("the columns are %s", got)
	}
	for _, l := range lines[1:] {
		a, errA := strconv.ParseFloat(l[1], 64)
		b, errB := strconv.ParseFloat(l[2], 64)
		if errA != nil || errB != nil {
			t.Fatalf("%q: %v, %v", l, errA, errB)
		}
		names, w, wbar = append(names, l[0]), append(w, a), append(wbar, b)
	}
	return names, w, wbar
}

// A person who has only the file scores the test samples as the program does.
func TestWeightsScoreTheTestSplit(t *testing.T) {
	for _, c := range []struct {
		loss    string
		targets bool
	}{{"logistic", false}, {"least_squares", true}} {
		workplace(t, jobstest.Spec{Train: 7, Test: 200, Targets: c.targets, Seed: 3}, "")
		o := ok(t, "cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=10,s=4", "--loss", c.loss, "--weights", "w.csv", "--format", "json")
		var row map[string]any
		must(t, json.Unmarshal([]byte(o.Stdout), &row))
		names, w, wbar := readWeights(t, "w.csv")
		trial := must1(must1(samples.Open(filepath.Join("data", "grid"))).Load(0, samples.AnyLabels))
		p := trial.Test.P
		if len(names) != p+1 || names[0] != trial.Features.Names[0] || names[p] != "(intercept)" {
			t.Fatalf("%d rows, %q to %q, want %d features and the intercept", len(names), names[0], names[len(names)-1], p)
		}
		for suffix, weights := range map[string][]float64{"": w, "_wbar": wbar} {
			scores, without := make([]float64, trial.Test.Rows()), make([]float64, trial.Test.Rows())
			for i := range scores {
				without[i] = floats.Dot(trial.Test.Row(i), weights[:p])
				scores[i] = without[i] + weights[p]
			}
			measure, of := "test_accuracy", func(scores []float64) float64 { return new(metrics.Evaluator).Classify(scores, trial.Test.Y).Accuracy }
			if c.targets {
				measure, of = "test_mse", func(scores []float64) float64 { return metrics.MSE(scores, trial.Test.Y) }
			}
			want := row[measure+suffix].(float64)
			if got := of(scores); math.Abs(got-want) > 1e-12*want || suffix == "" && of(without) == got {
				t.Errorf("%s%s %v by the file (%v without the intercept), the program says %v", measure, suffix, got, of(without), want)
			}
		}
		if selected := metrics.SupportOf(w[:p], nil).Nonzeros; row["nonzeros"] != float64(selected) {
			t.Errorf("%v features are selected, the program says %v", selected, row["nonzeros"])
		}
	}
}
