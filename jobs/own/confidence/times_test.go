package confidence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/network"
	"graphda/io/samples"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/cohort"
	"graphda/jobs/own/fitting"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/tuning"
	"graphda/learners/cox"
)

// lives imports 120 samples of 6 × 6 features, of which four neighbours raise the hazard, in two strata, with an age.
func lives(t *testing.T, trials int) string {
	t.Helper()
	dir, rng, g := t.TempDir(), rand.New(rand.NewPCG(8, 8)), graph.Grid(6, 6)
	table, edges := "id,days,died,site,age", "source,target\n"
	for j := range 36 {
		table += fmt.Sprintf(",g%d", j)
	}
	for _, e := range g.Edges() {
		edges += fmt.Sprintf("g%d,g%d\n", e.U, e.V)
	}
	for i := range 120 {
		genes, score, age := "", 0.0, rng.NormFloat64()
		for j := range 36 {
			x := rng.NormFloat64()
			if genes += fmt.Sprintf(",%.4f", x); j >= 20 && j < 24 {
				score += x
			}
		}
		time, seen := 500*rng.ExpFloat64()*math.Exp(-score-age), 1500*rng.Float64()
		died := 0
		if time < seen {
			died = 1
		}
		table += fmt.Sprintf("\nS%03d,%.0f,%d,%s,%.2f%s", i, math.Ceil(min(time, seen)), died, []string{"a", "b"}[i%2], age, genes)
	}
	must(t, os.WriteFile(filepath.Join(dir, "s.csv"), []byte(table+"\n"), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "e.csv"), []byte(edges), 0o666))
	r := importing.Request{
		Table: cohort.Table{Samples: filepath.Join(dir, "s.csv"), Label: "days", Event: "died", Strata: "site", Covariates: []string{"age"}, Task: cohort.Survival},
		Edges: network.EdgeRequest{Path: filepath.Join(dir, "e.csv")}, Trials: trials, Standardise: true, Out: filepath.Join(dir, "lives"),
	}
	must1(importing.Import(context.Background(), r, nil))
	return r.Out
}

// Permuted are times by their martingale residuals, halves have as many events each, and a feature's association is the
// derivative of the partial likelihood.
func TestTimesPermuted(t *testing.T) {
	data := must1(must1(samples.Open(lives(t, 1))).Load(0, samples.AnyLabels))
	whole := must1(fitting.NewSplit(fitting.Join(data), cox.Loss{}))
	rest, y := whole.Rest(), whole.Train.Y
	p := newPatients(whole)
	for _, half := range p.halves(rand.New(rand.NewPCG(1, 1)), 3) {
		events, all := 0, 0
		for i := range y {
			if y[i] > 0 {
				all++
			}
		}
		for _, i := range half {
			if y[i] > 0 {
				events++
			}
		}
		if events < all/2 || events > all/2+1 {
			t.Errorf("%d of %d events in a half", events, all)
		}
	}
	product, squares := 0.0, 0.0
	for i, k := range p.balanced(rand.New(rand.NewPCG(1, 1))) {
		product += rest[i] * rest[k]
		squares += rest[i] * rest[i]
	}
	if math.Abs(product) > 0.01*squares {
		t.Errorf("residuals correlate with themselves by %v", product/squares)
	}
	scores := make([]float64, len(y))
	at := func(j int, w float64) float64 {
		for i := range scores {
			scores[i] = whole.Train.OffsetOf(i) + w*whole.Train.Row(i)[j]
		}
		return cox.New(y, whole.Train.Strata).Residuals(make([]float64, len(y)), scores)
	}
	for j, size := range newAssociation(whole).of(nil) {
		const h = 1e-4
		if want := math.Abs(at(j, h)-at(j, -h)) / (2 * h); math.Abs(size-want) > 1e-5 {
			t.Errorf("feature %d: %v, want %v", j, size, want)
		}
	}
}

// From file to answer: the four are found beside age and in strata, and the words are of the hazard.
func TestTimesFound(t *testing.T) {
	dir := lives(t, 5)
	a := tuned(t, tuning.Request{Dataset: dir, Methods: []string{"graphda"}})
	jobstest.WantText(t, a.Verdict()+a.Lead(), "Found: gain in C-index over the covariates alone", "Adjusted for age.", "events make",
		`with an event ("died")`, `times are compared within each "site"`)
	for j, w := range a.Model.Find(model.Ridge).W {
		if (w > 0.3) != (j >= 20 && j < 24) {
			t.Errorf("weight %v of feature %d", w, j)
		}
	}
	if s := a.Model.Survival; s.Strata != "site" || len(s.Baselines) != 2 || a.Model.Positive != "" || a.Model.Find(model.Ridge).Intercept != 0 {
		t.Errorf("%+v, %q", s, a.Model.Positive)
	}
	c := must1(Find(context.Background(), Request{Dataset: dir, False: 1, F: 3, S: 8, Draws: 2}))
	kept := 0
	for i := range c.Features {
		if f := &c.Features[i]; f.Kept && f.Name >= "g20" && f.Name <= "g23" {
			kept++
		}
	}
	if text := c.Lead(); kept < 3 || !strings.Contains(text, `related to the hazard of "died"`) || strings.Contains(text, "label") {
		t.Errorf("%d kept: %s", kept, text)
	}
}
