package tuning

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/model"
	"graphda/jobs/jobstest"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/learning"
	"graphda/learners"
)

var must = jobstest.Must

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// dataset writes a dataset of 6 × 6 features, four of which matter.
func dataset(t *testing.T, s jobstest.Spec) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mine")
	s.Side, s.Train, s.Valid, s.Test = 6, 120, 60, 60
	jobstest.WriteDataset(t, dir, s)
	return dir
}

func tune(t *testing.T, req Request) *Answer {
	t.Helper()
	return must1(Tune(context.Background(), req))
}

// The answer is the same on one worker and on four.
func TestWorkers(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	var files [2][]byte
	for i, workers := range []int{1, 4} {
		a := tune(t, Request{Dataset: dir, Workers: workers})
		path := filepath.Join(t.TempDir(), "m.parquet")
		must(t, a.Model.Write(path))
		files[i] = must1(os.ReadFile(path))
	}
	if !slices.Equal(files[0], files[1]) {
		t.Error("the models differ")
	}
}

// The scores of a known and of a constant prediction are right. R² is 0 for the training mean.
func TestScores(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Targets: true})
	a := tune(t, Request{Dataset: dir, Methods: []string{"da-iht"}, Passes: 20})
	if a.Chosen.Score < 0.9 || a.Expected[0].Means.R2 < 0.95 {
		t.Errorf("score %v, expected %+v of targets with a hundredth of noise", a.Chosen.Score, a.Expected[0].Means)
	}
	if w := a.Model.Find(model.Ridge); math.Abs(w.Intercept) > 0.3 {
		t.Errorf("intercept %v", w.Intercept)
	}
}

func TestStability(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		supports [][]int32
		p        int
		want     float64
	}{
		{[][]int32{{0, 1}, {0, 1}, {0, 1}}, 10, 1},
		{[][]int32{{0, 1}, {0, 2}}, 10, (1 - 4.0/10) / (2 - 4.0/10)}, // Kuncheva: (r − k²/p)/(k − k²/p)
		{[][]int32{{0}, {1}}, 2, -1},
		{[][]int32{{0, 1}}, 10, nan},
		{[][]int32{{}, {}}, 10, nan},
		{[][]int32{{0, 1}, {0, 1}}, 2, nan},
	} {
		if got := choice.Stability(test.supports, test.p, test.p); math.Abs(got-test.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("%v of %d: %v, want %v", test.supports, test.p, got, test.want)
		}
	}
}

// A setting is dropped if the best setting is better on the same splits: significantly by pairs, and by more than the
// standard error of the best score.
func TestRace(t *testing.T) {
	of := func(f float64, valid ...float64) Tried {
		s := Tried{Setting: learning.Setting{F: f}, valid: valid}
		for range valid {
			s.supports = append(s.supports, []int32{0})
		}
		return s
	}
	empty, failed := of(7, 0.99, 0.99, 0.99), of(8, 0.9)
	empty.supports[1], failed.Failed = nil, "split 1: diverged"
	tried := []Tried{
		of(1, 0.90, 0.80, 0.85),    // the best, with a standard error of 0.029
		of(2, 0.89, 0.79, 0.84),    // always worse than the best, but by less than that
		of(3, 0.80, 0.70, 0.75),    // worse by more than that
		of(4, 0.60, 0.84, 0.75),    // worse by more than that, but by less than twice its own standard error
		of(5, 0.80, 0.699, 0.7501), // nearly the same as the best
		empty, failed,              // cannot be chosen, so they drop no other setting
	}
	running := []int{0, 1, 2, 3, 4, 5, 6}
	tu := &Tuner{varying: 9, rows: 9, Answer: &Answer{Trials: make([]int, 5)}}
	tu.Crew.Total = 35
	if on := tu.race(tried, running, 3); !slices.Equal(on, []int{0, 1, 3, 5}) || tu.Crew.Total != 29 {
		t.Errorf("%v go on, with %d jobs in all", on, tu.Crew.Total)
	}
	if on := tu.race(tried, running, 2); !slices.Equal(on, running[:6]) {
		t.Errorf("%v go on after two splits", on)
	}
	tu.Answer.Tried, tu.Answer.Overlap = []Tried{of(9, 0.95, 0.81, 0.86, 0, 0)}, 1 // a setting that was tried before on these splits
	if on := tu.race(tried, []int{1, 2}, 3); !slices.Equal(on, []int{1}) {
		t.Errorf("%v go on beside the best of before", on)
	}
	tu.unraced = true
	if on := tu.race(tried, []int{1, 2, 6}, 3); !slices.Equal(on, []int{1, 2}) {
		t.Errorf("%v go on without a race", on)
	}
}

// A race ends in the same way with any number of workers, and after an interruption with a journal.
func TestRaceIsDeterministic(t *testing.T) {
	dir, path := dataset(t, jobstest.Spec{Trials: 5}), filepath.Join(t.TempDir(), "journal")
	req := Request{Dataset: dir, Methods: []string{"da-iht", "l1-rda"}}
	one := tune(t, req)
	if one.dropped() == 0 {
		t.Fatal("nothing is dropped")
	}
	if lead := fmt.Sprintf("%d settings dropped out early.", one.dropped()); !strings.Contains(one.Printed().Lead(), lead) {
		t.Errorf("%s: want %q", one.Printed().Lead(), lead)
	}
	ctx, stop := context.WithCancel(context.Background())
	journal := func() *learning.Journal { return must1(learning.OpenJournal(path, func(err error) { t.Error(err) })) }
	req.Journal, req.Progress = journal(), func(done, _ int) {
		if done == 4*len(one.Tried) {
			stop()
		}
	}
	if _, err := Tune(ctx, req); err != context.Canceled {
		t.Fatal(err)
	}
	req.Journal.Close()
	req.Workers, req.Journal, req.Progress = 4, journal(), func(done, total int) {
		if done > total {
			t.Errorf("%d of %d are done", done, total)
		}
	}
	if kept := req.Journal.Len(); kept < 3*len(one.Tried) {
		t.Errorf("the journal has %d records", kept)
	}
	if four := tune(t, req); fmt.Sprint(four.Tried, four.Expected, four.Notes) != fmt.Sprint(one.Tried, one.Expected, one.Notes) {
		t.Error("the answer is another")
	}
}

// If the best settings fail on a late split, the settings that they had outrun are tried on all splits.
func TestOutrun(t *testing.T) {
	ctx := context.Background()
	tu := must1(New(Request{Dataset: dataset(t, jobstest.Spec{Trials: 5}), Methods: []string{"l1-rda"}}))
	must(t, tu.Choose(ctx))
	n := tu.Answer.dropped()
	for _, s := range tu.eligible() {
		s.Failed = "split 4: diverged"
	}
	must(t, tu.tryOutrun(ctx))
	must(t, tu.choose())
	if n == 0 || tu.Answer.dropped() != 0 || tu.Answer.Chosen.Splits != 5 || tu.Crew.Total < len(tu.Answer.Tried)*3 {
		t.Errorf("%d outrun, then %d; chosen is %+v", n, tu.Answer.dropped(), tu.Answer.Chosen)
	}
}

// Settings mean the same for features of another scale.
func TestScaleFree(t *testing.T) {
	s := learning.Setting{Method: must1(learners.Lookup("l1-rda")), F: 3, R: 0.5}
	sp := &learning.Split{Variance: 1, LambdaMax: 2}
	one := must1(s.Fill(sp, 100))
	sp.Variance, sp.LambdaMax = 9, 6 // as if x were 3 times as large
	three := must1(s.Fill(sp, 100))
	if one.Get("gamma") != 30 || three.Get("gamma") != 270 || one.Get("lambda") != 1 || three.Get("lambda") != 3 {
		t.Errorf("γ %v and %v, λ %v and %v", one.Get("gamma"), three.Get("gamma"), one.Get("lambda"), three.Get("lambda"))
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Tune(ctx, Request{Dataset: dataset(t, jobstest.Spec{})}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// If all features are constant, or too large to compute with, the error says so.
func TestFlat(t *testing.T) {
	tu := must1(New(Request{Dataset: dataset(t, jobstest.Spec{}), Methods: []string{"da-iht"}}))
	for _, factor := range []float64{0, 1e-310, 1e300} {
		first := must1(tu.Read(0))
		for i := range first.Train.X {
			first.Train.X[i] *= factor
		}
		jobstest.WantError(t, tu.newGrids(first), "no feature varies over the training samples of split 0")
	}
}

// If the refit of a split fails, the error says why.
func TestExpectFails(t *testing.T) {
	tu := must1(New(Request{Dataset: dataset(t, jobstest.Spec{Targets: true}), Methods: []string{"da-iht"}}))
	tu.Answer.Tried = []Tried{{Setting: tu.grids[0].Settings()[0], valid: []float64{1}, supports: [][]int32{{0}}}}
	tu.Answer.Tried[0].F = 1e-200
	jobstest.WantError(t, tu.expect(context.Background()), "on split 0: ")
}

// A root is selected even if it says little.
func TestRoot(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 2})
	free := tune(t, Request{Dataset: dir, Methods: []string{"graphda"}})
	root := slices.Index(free.Model.Find(model.W).W, 0)
	last := len(free.Model.Features) - 1 - slices.Index(reversed(free.Model.Find(model.W).W), 0)
	if root < 1 || last == root {
		t.Fatalf("features %d and %d are no roots to try", root, last)
	}
	for _, j := range []int{root, last} {
		name := free.Model.Features[j]
		a := tune(t, Request{Dataset: dir, Root: name})
		w := a.Model.Find(model.W).W
		if w[j] == 0 || a.Subgraph.Parts != 1 || a.Model.Made["root"] != name || !strings.Contains(a.Printed().Lead(), "select "+name) {
			t.Errorf("root %s has weight %v in %d parts: %s, %v", name, w[j], a.Subgraph.Parts, a.Printed().Lead(), a.Model.Made)
		}
		for i := range a.Features {
			if f := &a.Features[i]; f.Name == name && f.Frequency != 1 {
				t.Errorf("root %+v", f)
			}
		}
	}
	for want, req := range map[string]Request{
		"did you mean": {Root: free.Model.Features[0] + "x"}, "l1-rda has no root": {Root: free.Model.Features[0], Methods: []string{"l1-rda"}},
	} {
		req.Dataset = dir
		jobstest.WantError(t, jobstest.Err(Tune(context.Background(), req)), want)
	}
}

func reversed(values []float64) []float64 {
	back := slices.Clone(values)
	slices.Reverse(back)
	return back
}

// A dataset that changes while a command runs is refused, whichever trial has changed.
func TestChangedDataset(t *testing.T) {
	dir := dataset(t, jobstest.Spec{Trials: 3})
	other := dataset(t, jobstest.Spec{Trials: 3, Seed: 7})
	for trial := -1; trial < 3; trial++ {
		tuner := must1(New(Request{Dataset: dir, Methods: []string{"da-iht"}}))
		if trial >= 0 {
			name := fmt.Sprintf("trial-%02d", trial)
			must(t, os.RemoveAll(filepath.Join(dir, name)))
			must(t, os.Rename(filepath.Join(other, name), filepath.Join(dir, name)))
		}
		err := tuner.Choose(context.Background())
		want := fmt.Sprintf("trial %d was changed", trial)
		if changed := err != nil && strings.Contains(err.Error(), want); changed != (trial >= 0) {
			t.Errorf("trial %d changed: %v", trial, err)
		}
	}
}
