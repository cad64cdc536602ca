package predicting

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
)

// By hand: an age of mean 50 and deviation 10, two sites of equal shares as a batch, and a feature.
func TestCovariates(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "new.csv"), Words: []string{"status"}}
	m := &model.Model{Features: []string{"a"}, Loss: "logistic", Negative: "well", Positive: "ill",
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{2}, Intercept: 0.5}, {Name: model.W, W: []float64{1}, Intercept: -1}},
		Covariates: &model.Covariates{Terms: samples.Design{
			{Covariate: samples.Covariate{Name: "age", Number: true}, Mean: 50, Deviation: 10},
			{Covariate: samples.Covariate{Name: "site", Batch: true}, Levels: []string{"n", "s"}, Shares: []float64{0.5, 0.5}},
		}, Intercept: 0.25, Alone: []float64{1, 3, -3}, Ridge: []float64{4, 1, -1}}}
	must(t, m.Write(req.Model))
	write(t, req.Samples, [][]string{{"id", "site", "age", "a", "status"}, {"P1", "n", "60", "1", "ill"}, {"P2", "s", "45", "0", "well"},
		{"P3", "west", "NA", "1", "ill"}})
	for _, test := range []struct {
		batches     bool
		weights     string
		want, alone []float64
		notes       []string
	}{
		{false, model.Ridge, []float64{6.5, -1.5, 2.5}, []float64{1.25, -0.25, 0.25}, []string{`missing: "age" of 1 sample`, `batch "site" is at its`}},
		{true, model.Ridge, []float64{7.5, -2.5, 2.5}, []float64{4.25, -3.25, 0.25}, []string{`missing: "age" of 1 sample`, `"site" of 1 sample is none`}},
		{false, model.W, []float64{1, -1.5, 0}, []float64{1.25, -0.25, 0.25}, []string{`missing: "age"`, `batch "site"`}},
	} {
		req.Batches, req.Weights = test.batches, test.weights
		r := must1(Predict(context.Background(), req))
		for i, z := range r.Scores[0] {
			if math.Abs(z-test.want[i]) > 1e-12 || math.Abs(r.Alone[i]-test.alone[i]) > 1e-12 {
				t.Errorf("%+v: scores %v, alone %v", test, r.Scores[0], r.Alone)
			}
		}
		for _, note := range test.notes {
			if !slices.ContainsFunc(r.Notes(), func(s string) bool { return strings.HasPrefix(s, note) }) || len(r.Notes()) != 2 {
				t.Errorf("noted %q, want %q", r.Notes(), test.notes)
			}
		}
	}
	for want, lines := range map[string][][]string{
		`sample 1: column "age": is "old", want a finite decimal number`: {{"age", "a", "status"}, {"old", "1", "ill"}},
		`has no column "age"`: {{"a", "status"}, {"1", "ill"}},
	} {
		req.Batches = false
		write(t, req.Samples, lines)
		jobstest.WantError(t, jobstest.Err(Predict(context.Background(), req)), want)
	}
	m.Covariates = nil
	must(t, m.Write(req.Model))
	req.Batches = true
	jobstest.WantError(t, jobstest.Err(Predict(context.Background(), req)), "is adjusted for no batch")
}
