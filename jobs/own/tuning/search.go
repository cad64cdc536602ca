package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/metrics"
	"graphda/jobs/own/learning"
	"graphda/jobs/stats"
	"graphda/jobs/userinput"
	"graphda/learners"
)

// extensions is how often a grid is extended at most. Again it is only if the last time has raised the
// best score by a share of its standard error.
const (
	extensions = 3
	worthIt    = 0.5
)

// search tries all settings, and those beyond the ends of the grids where the best is at one.
func (t *Tuner) search(ctx context.Context) error {
	var wanted []learning.Setting
	for _, g := range t.grids {
		wanted = append(wanted, g.settings()...)
	}
	before := map[*grid]Tried{} // the best when a grid was last extended
	for round := 0; len(wanted) > 0; round++ {
		if err := t.try(ctx, wanted); err != nil {
			return err
		}
		wanted = nil
		if round == extensions {
			break
		}
		for _, g := range t.grids {
			best := best(t.Answer.Tried, g.method)
			if best == nil || best.Splits < len(t.Answer.Trials) ||
				round > 0 && best.Score < before[g].Score+worthIt*best.Error {
				continue
			}
			before[g] = *best
			t.Answer.Notes = append(t.Answer.Notes, g.extend(best.Setting, t.p)...)
			for _, s := range g.settings() {
				if !slices.ContainsFunc(t.Answer.Tried, func(tried Tried) bool { return tried.Setting == s }) {
					wanted = append(wanted, s)
				}
			}
		}
	}
	if err := t.tryOutrun(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(t.Answer.Tried, func(a, b Tried) int {
		return cmp.Compare(t.order(a.Method), t.order(b.Method))
	})
	return nil
}

func (t *Tuner) order(m *learners.Method) int {
	return slices.IndexFunc(t.grids, func(g *grid) bool { return g.method == m })
}

// bestOf returns the setting with the highest score of those that have not failed, of equals the first; nil: all have.
func bestOf(tried []Tried, score func(*Tried) (score float64, able bool)) (best *Tried) {
	highest := 0.0
	for i := range tried {
		if tried[i].Failed != "" {
			continue
		}
		if at, able := score(&tried[i]); able && (best == nil || at > highest) {
			best, highest = &tried[i], at
		}
	}
	return best
}

// best returns the setting of a method with the highest score of those that were dropped last, nil if all failed.
func best(tried []Tried, m *learners.Method) *Tried {
	most := 0
	for i := range tried {
		if tried[i].Method == m && tried[i].Failed == "" {
			most = max(most, tried[i].Splits)
		}
	}
	return bestOf(tried, func(t *Tried) (float64, bool) { return t.Score, t.Method == m && t.Splits == most })
}

// bestOn returns the setting that is best on the validation samples of a split. There is one: the chosen setting
// selects features on every split.
func (t *Tuner) bestOn(split int) learning.Setting {
	return bestOf(t.Answer.Tried, func(t *Tried) (float64, bool) {
		if split >= len(t.valid) {
			return 0, false
		}
		return t.valid[split], len(t.supports[split]) > 0
	}).Setting
}

// try learns settings on the splits, one after the other, until the race drops them, and adds them to those tried.
func (t *Tuner) try(ctx context.Context, settings []learning.Setting) error {
	tried, running := make([]Tried, len(settings)), make([]int, len(settings))
	for i, s := range settings {
		tried[i].Setting, running[i] = s, i
	}
	t.Crew.Total += len(settings) * len(t.dataset.Trials)
	for k, trial := range t.dataset.Trials {
		if len(running) == 0 {
			break
		}
		data, err := t.Read(trial)
		if err != nil {
			return err
		}
		sp, err := learning.NewSplit(data, t.Answer.Loss)
		if err != nil {
			return err
		}
		outcomes := make([]outcome, len(running))
		err = t.Crew.Keep(ctx, len(running), func() func(int) {
			ws, e := learners.NewWorkspace(sp.Problem), &metrics.Evaluator{}
			return func(i int) { outcomes[i] = outcomeOf(sp, ws, e, settings[running[i]], t.Answer.Passes) }
		}, func(i int) []any { return outcomes[i].values() })
		if err != nil {
			return err
		}
		for i, of := range running {
			if !outcomes[i].sound(t.p) {
				return userinput.Errorf("what an earlier run has kept was changed: run the command again, which starts over")
			}
			tried[of].add(trial, &outcomes[i])
		}
		running = t.race(tried, running, k+1)
	}
	for i := range tried {
		tried[i].settle(t.p, t.Answer.Overlap)
		if tried[i].Failed != "" {
			t.Answer.Notes = append(t.Answer.Notes, fmt.Sprintf("%v failed: %s", tried[i].Setting, tried[i].Failed))
		}
	}
	t.Answer.Tried = append(t.Answer.Tried, tried...)
	return nil
}

// An outcome is what a setting does on one split.
type outcome struct {
	valid, test float64
	support     []int32
	weights     []float64 // of the support
	err         error
}

func outcomeOf(sp *learning.Split, ws *learners.Workspace, e *metrics.Evaluator, s learning.Setting,
	passes int) outcome {
	l, err := sp.Learn(ws, s, passes)
	if err != nil {
		return outcome{err: err}
	}
	valid := sp.Predict(l.Model().Score, &sp.Valid, e)
	test := sp.Predict(l.Model().Score, &sp.Test, e)
	o := outcome{valid: valid.Score(sp.Loss), test: test.Score(sp.Loss), support: learning.Support(l.Model())}
	for _, j := range o.support {
		o.weights = append(o.weights, l.Model().W[j])
	}
	return o
}

// sound tells whether an outcome can be one of p features.
func (o *outcome) sound(p int) bool {
	return len(o.weights) == len(o.support) && !slices.ContainsFunc(o.support, func(j int32) bool {
		return j < 0 || int(j) >= p
	})
}

// values are those that are kept.
func (o *outcome) values() []any {
	if o.err != nil {
		return nil
	}
	return []any{&o.valid, &o.test, &o.support, &o.weights}
}

// add enters what a setting did on a split.
func (t *Tried) add(trial int, o *outcome) {
	switch {
	case o.err != nil && t.Failed == "":
		t.Failed = fmt.Sprintf("split %d: %v", trial, o.err)
	case (math.IsNaN(o.valid) || math.IsNaN(o.test)) && t.Failed == "":
		t.Failed = fmt.Sprintf("split %d: nothing can be measured on a split of one class or value", trial)
	}
	t.valid, t.test = append(t.valid, o.valid), append(t.test, o.test)
	t.supports, t.weights = append(t.supports, o.support), append(t.weights, o.weights)
}

// settle sums up all splits, of p features and of an overlap.
func (t *Tried) settle(p int, overlap float64) {
	t.Splits = len(t.valid)
	if t.Failed != "" {
		t.Score = math.Inf(-1)
		return
	}
	var std float64
	t.Score, std = stat.PopMeanStdDev(t.valid, nil)
	t.Test = stat.Mean(t.test, nil)
	if len(t.valid) > 1 {
		t.Error = stats.StandardError(std, len(t.valid), overlap)
	}
	for _, s := range t.supports {
		t.Size += float64(len(s)) / float64(len(t.valid))
	}
	t.Stability = stability(t.supports, p)
}

// stability is the measure of Nogueira, Sechidis and Brown (2018): 1 if all selections are equal, 0 in the
// mean of selections by chance, NaN of fewer than two, or where none or all of the features are in each.
func stability(supports [][]int32, p int) float64 {
	m := float64(len(supports))
	counts, size := make([]float64, p), 0.0
	for _, s := range supports {
		for _, j := range s {
			counts[j]++
		}
		size += float64(len(s)) / m
	}
	chance := size / float64(p) * (1 - size/float64(p))
	if m < 2 || chance == 0 {
		return math.NaN()
	}
	variance := 0.0
	for _, c := range counts {
		variance += m / (m - 1) * (c / m) * (1 - c/m) / float64(p)
	}
	return 1 - variance/chance
}

// Choose tries settings on all splits and chooses one.
func (t *Tuner) Choose(ctx context.Context) error {
	if err := t.search(ctx); err != nil {
		return err
	}
	return t.choose()
}

// selects tells whether the setting selects features on every split that it was learned on.
func (t *Tried) selects() bool {
	return !slices.ContainsFunc(t.supports, func(s []int32) bool { return len(s) == 0 })
}

// eligible returns the settings that can be chosen.
func (t *Tuner) eligible() (able []*Tried) {
	for i := range t.Answer.Tried {
		if s := &t.Answer.Tried[i]; s.Failed == "" && s.Splits == len(t.Answer.Trials) && s.selects() {
			able = append(able, s)
		}
	}
	return able
}

// choose takes the most stable of the settings within one standard error of the best.
func (t *Tuner) choose() error {
	able := t.eligible()
	if len(able) == 0 {
		why := "none selects a feature on every split"
		if i := slices.IndexFunc(t.Answer.Tried, func(s Tried) bool { return s.Failed != "" }); i >= 0 {
			why = fmt.Sprintf("%v failed: %s", t.Answer.Tried[i].Setting, t.Answer.Tried[i].Failed)
		}
		return fmt.Errorf("%s: no setting can be chosen: %s", t.Answer.Dataset, why)
	}
	slices.SortStableFunc(able, func(a, b *Tried) int { return cmp.Compare(b.Score, a.Score) })
	best := able[0]
	n := 1
	for n < len(able) && able[n].Score >= best.Score-best.Error {
		n++
	}
	t.Answer.AsGood = able[:n]
	t.Answer.Chosen = slices.MaxFunc(t.Answer.AsGood, func(a, b *Tried) int {
		return cmp.Or(cmp.Compare(a.Stability, b.Stability), cmp.Compare(b.Size, a.Size)) // NaN is less than any
	})
	return nil
}
