package predicting

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/learners/cox"
)

// By hand: two strata with hazards of their own, the one seen until 40, the other until 20. Survival is
// exp(−hazard·exp(score)); it is not known beyond, nor of a stratum of no training sample.
func TestSurvival(t *testing.T) {
	dir := t.TempDir()
	req := Request{Model: filepath.Join(dir, "model.parquet"), Samples: filepath.Join(dir, "new.csv"), At: []float64{5, 10, 30}}
	m := &model.Model{Features: []string{"a"}, Loss: cox.Loss{}.Name(),
		Weights: []model.Weights{{Name: model.Ridge, W: []float64{math.Ln2}}, {Name: model.W, W: []float64{1}}},
		Survival: &model.Survival{Time: "days", Event: "died", Is: "1", Censored: "0", Strata: "site", Baselines: []model.Baseline{
			{Stratum: "1", Times: []float64{10, 20}, Hazard: []float64{0.25, 1}, Last: 40},
			{Stratum: "2", Times: []float64{5}, Hazard: []float64{0.5}, Last: 20}}}}
	must(t, m.Write(req.Model))
	table := [][]string{{"id", "site", "a"}, {"P1", "1.0", "0"}, {"P2", "2", "1"}, {"P3", "3", "1"}}
	write(t, req.Samples, table)
	r := must1(Predict(context.Background(), req))
	nan := math.NaN()
	for i, want := range [][]float64{{1, math.Exp(-0.25), math.Exp(-1)}, {math.Exp(-1), math.Exp(-1), nan}, {nan, nan, nan}} {
		for k, p := range want {
			if got := r.Survival[i][k]; math.Abs(got-p) > 1e-12 || math.IsNaN(got) != math.IsNaN(p) {
				t.Errorf("sample %d: survival %v, want %v", i, r.Survival[i], want)
				break
			}
		}
	}
	if notes := r.Notes(); !slices.Equal(notes, []string{
		`survival at 30 is not known of 1 sample: no training sample of their "site" was seen so long, the last until 40`,
		`survival is not known of 1 sample: no training sample has their "site": 3`}) {
		t.Errorf("noted %q", notes)
	}
	var b strings.Builder
	must(t, r.Write(&b, "csv", 0))
	if want := "id,score_ridge,missing_ridge,survival_5,survival_10,survival_30,reason\nP1,0,0,1,"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("printed %s", b.String())
	}
	req.At = nil // and the strata are not needed
	write(t, req.Samples, [][]string{{"id", "a"}, {"P1", "0"}})
	r = must1(Predict(context.Background(), req))
	if r.Survival != nil || len(r.Notes()) > 0 {
		t.Errorf("%v, noted %q", r.Survival, r.Notes())
	}
	for want, change := range map[string]func(r *Request){
		`has no column "site"`:                func(r *Request) { r.At = []float64{1} },
		`at = [1 1], want times above 0 that`: func(r *Request) { r.At = []float64{1, 1} },
		`at = [-1], want times above 0`:       func(r *Request) { r.At = []float64{-1} },
		`weights ridge alone, and not by w`:   func(r *Request) { r.At, r.Weights = []float64{1}, model.W },
		`model.parquet is no model of times`: func(r *Request) {
			r.At, m.Survival = []float64{1}, nil
			must(t, m.Write(r.Model))
		},
	} {
		again := req
		must(t, m.Write(req.Model))
		kept := m.Survival
		change(&again)
		jobstest.WantError(t, jobstest.Err(Predict(context.Background(), again)), want)
		m.Survival = kept
	}
}

// A model's file has its baselines as they were.
func TestBaselinesInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.parquet")
	s := &model.Survival{Time: "days", Event: "died", Is: "1", Baselines: []model.Baseline{{Times: []float64{0.1, 3}, Hazard: []float64{0.1, 0.7}, Last: 3}}}
	m := &model.Model{Features: []string{"a"}, Loss: "cox", Weights: []model.Weights{{Name: model.Ridge, W: []float64{1}}}, Survival: s}
	must(t, m.Write(path))
	again := must1(model.Read(path))
	if b := again.Survival.Baseline("any"); !slices.Equal(b.Hazard, s.Baselines[0].Hazard) || again.Survival.Last() != 3 ||
		again.Survival.Is != "1" || again.Made["survival"] != "" {
		t.Errorf("%+v", again.Survival)
	}
	for _, b := range []model.Baseline{{Times: []float64{1}}, {Times: []float64{2, 1}, Hazard: []float64{1, 2}}} {
		m.Survival = &model.Survival{Baselines: []model.Baseline{b}}
		must(t, m.Write(path))
		jobstest.WantError(t, jobstest.Err(model.Read(path)), "not ascending")
	}
}
