package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/jobs/metrics"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/learning"
	"graphda/jobs/stats"
	"graphda/learners"
)

const (
	extensions = 3   // largest number of extensions of a grid
	worthIt    = 0.5 // standard errors by which an extension must raise the best score before the next extension
)

// search tries the settings of grids. If a best value is at an end of its grid, search extends the grid and tries the
// new settings. It also extends a grid whose settings were all dropped, because the best value may lie beyond an end.
func (t *Tuner) search(ctx context.Context, grids []*choice.Grid) error {
	var wanted []learning.Setting
	for _, g := range grids {
		wanted = append(wanted, g.Settings()...)
	}
	before := map[*choice.Grid]Tried{} // for each grid: its best setting at the last extension
	for round := 0; len(wanted) > 0; round++ {
		if err := t.try(ctx, wanted); err != nil {
			return err
		}
		wanted = nil
		if round == extensions {
			break
		}
		for _, g := range grids {
			best := best(t.Answer.Tried, g.Method)
			if last, again := before[g]; best == nil || again && !best.better(&last) {
				continue
			}
			before[g] = *best
			t.Answer.Notes = append(t.Answer.Notes, g.Extend(best.Setting)...)
			for _, s := range g.Settings() {
				if !slices.ContainsFunc(t.Answer.Tried, func(tried Tried) bool { return tried.Setting == s }) {
					wanted = append(wanted, s)
				}
			}
		}
	}
	return nil
}

// better tells whether t is better than other by worthIt standard errors, on the splits that both ran on.
func (t *Tried) better(other *Tried) bool {
	n := min(len(t.valid), len(other.valid))
	return other.Unfit && !t.Unfit || stat.Mean(t.valid[:n], nil) >= stat.Mean(other.valid[:n], nil)+worthIt*t.Error
}

func (t *Tuner) finish(ctx context.Context) error {
	if err := t.tryOutrun(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(t.Answer.Tried, func(a, b Tried) int {
		return cmp.Compare(t.order(a.Method), t.order(b.Method))
	})
	return t.choose()
}

func (t *Tuner) order(m *learners.Method) int {
	return slices.IndexFunc(t.grids, func(g *choice.Grid) bool { return g.Method == m })
}

// bestOf returns the setting with the highest score, or nil if there is none. It skips failed settings, and settings
// for which able is false. Ties go to the first setting.
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

// best returns the method's setting with the highest validation score, among the settings that ran on the most splits.
// If all are unfit, it returns the setting that selects the fewest features. If all have failed, it returns nil.
func best(tried []Tried, m *learners.Method) *Tried {
	most, fit := 0, false
	for i := range tried {
		if s := &tried[i]; s.Method == m && s.Failed == "" {
			fit = fit || !s.Unfit
		}
	}
	for i := range tried {
		if s := &tried[i]; s.Method == m && s.Failed == "" && s.Unfit != fit {
			most = max(most, s.Splits)
		}
	}
	return bestOf(tried, func(t *Tried) (float64, bool) {
		score := t.Valid
		if !fit {
			score = -t.Size
		}
		return score, t.Method == m && t.Unfit != fit && t.Splits == most
	})
}

// bestOn returns the best setting on the validation samples of a split, among the settings that select features there.
// It returns an unfit setting only if all are unfit. There is always such a setting, because the chosen setting selects
// features on every split.
func (t *Tuner) bestOn(split int) (best *Tried) {
	for _, limited := range []bool{true, false} {
		best = cmp.Or(best, bestOf(t.Answer.Tried, func(s *Tried) (float64, bool) {
			if split >= len(s.valid) || len(s.supports[split]) == 0 {
				return 0, false
			}
			return s.valid[split], !limited || !t.unfit(s.Setting, float64(len(s.supports[split])))
		}))
	}
	return best
}

// unfit tells whether a setting cannot be chosen because of `size`, its mean number of features: it differs from the
// request, is nearly all features within reach, or exceeds a split's training samples.
func (t *Tuner) unfit(s learning.Setting, size float64) bool {
	switch {
	case t.Size > 0:
		return math.Abs(size-float64(t.Size)) >= 0.5
	case t.MaxFeatures > 0 && size > float64(t.MaxFeatures):
		return true
	}
	return t.Answer.Network.TakesAll(s, size, t.varying) || size > float64(t.rows)
}

func (t *Tuner) split(trial int) (*learning.Split, error) {
	data, err := t.Read(trial)
	if err != nil {
		return nil, err
	}
	return learning.NewSplit(data, t.Answer.Loss)
}

// try learns the settings split by split, until the race drops them, and adds them to Answer.Tried.
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
		sp, err := t.split(trial)
		if err != nil {
			return err
		}
		err = t.onSplit(ctx, trial, len(running), func() func(int) outcome {
			ws, e := learners.NewWorkspace(sp.Problem), &metrics.Evaluator{}
			return func(i int) outcome { return outcomeOf(sp, ws, e, settings[running[i]], t.Answer.Passes) }
		}, func(i int) *Tried { return &tried[running[i]] })
		if err != nil {
			return err
		}
		running = t.race(tried, running, k+1)
	}
	for i := range tried {
		t.settle(&tried[i])
		if tried[i].Failed != "" {
			t.Answer.Notes = append(t.Answer.Notes, fmt.Sprintf("%v failed: %s", tried[i].Setting, tried[i].Failed))
		}
	}
	t.Answer.Tried = append(t.Answer.Tried, tried...)
	return nil
}

// onSplit runs n jobs on one split. It adds the outcome of job i to the setting to(i).
func (t *Tuner) onSplit(ctx context.Context, trial, n int, newWorker func() func(int) outcome,
	to func(i int) *Tried) error {
	outcomes := make([]outcome, n)
	err := t.Crew.Keep(ctx, n, func() func(int) {
		do := newWorker()
		return func(i int) { outcomes[i] = do(i) }
	}, func(i int) []any { return outcomes[i].values() })
	if err != nil {
		return err
	}
	for i := range outcomes {
		if !outcomes[i].sound(t.p) {
			return learning.ErrChanged
		}
		to(i).add(trial, &outcomes[i])
	}
	return nil
}

// An outcome holds the results of a setting on one split.
type outcome struct {
	valid, test float64
	support     []int32
	weights     []float64
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

// sound tells whether all features of the outcome are below p, the number of features.
func (o *outcome) sound(p int) bool {
	return len(o.weights) == len(o.support) && !slices.ContainsFunc(o.support, func(j int32) bool {
		return j < 0 || int(j) >= p
	})
}

// values returns pointers to the values that the journal stores, or nil after an error.
func (o *outcome) values() []any {
	if o.err != nil {
		return nil
	}
	return []any{&o.valid, &o.test, &o.support, &o.weights}
}

func (t *Tried) add(trial int, o *outcome) {
	switch {
	case o.err != nil && t.Failed == "":
		t.Failed = fmt.Sprintf("split %d: %v", trial, o.err)
	case (math.IsNaN(o.valid) || math.IsNaN(o.test)) && t.Failed == "":
		t.Failed = fmt.Sprintf("split %d: its samples have only one class or value, so nothing can be measured", trial)
	}
	t.valid, t.test = append(t.valid, o.valid), append(t.test, o.test)
	t.supports, t.weights = append(t.supports, o.support), append(t.weights, o.weights)
}

// settle computes the means of s over its splits.
func (t *Tuner) settle(s *Tried) {
	s.Splits = len(s.valid)
	if s.Failed != "" {
		s.Score, s.Valid = math.Inf(-1), math.Inf(-1)
		return
	}
	both := make([]float64, s.Splits)
	for k := range both {
		both[k] = (s.valid[k] + s.test[k]) / 2
	}
	var std float64
	s.Score, std = stat.PopMeanStdDev(both, nil)
	s.Valid, s.Test = stat.Mean(s.valid, nil), stat.Mean(s.test, nil)
	if s.Splits > 1 {
		s.Error = stats.StandardError(std, s.Splits, t.overlapBoth)
	}
	s.Size = choice.MeanSize(s.supports)
	s.Stability, s.Unfit = choice.Stability(s.supports, t.p, t.reach(s.Setting)), t.unfit(s.Setting, s.Size)
}

// Choose tries settings on all splits and chooses a setting. It does not test whether the network helps.
func (t *Tuner) Choose(ctx context.Context) error {
	if err := t.search(ctx, t.grids); err != nil {
		return err
	}
	return t.finish(ctx)
}

// chooseWithGate is like Choose, but it tries GraphDA last, and only if the network passes the gate. It also tries
// GraphDA with several trees.
func (t *Tuner) chooseWithGate(ctx context.Context) error {
	on := slices.IndexFunc(t.grids, func(g *choice.Grid) bool { return g.Method.Needs&learners.NeedsGraph != 0 })
	if on < 0 {
		t.Answer.Network = nil
		return t.Choose(ctx)
	}
	g := t.grids[on]
	if err := t.search(ctx, slices.Delete(slices.Clone(t.grids), on, on+1)); err != nil {
		return err
	}
	if err := t.gate(ctx, g); err != nil {
		return err
	}
	if n := t.Answer.Network; !n.Dropped {
		if g.Root == 0 && n.Splits > 0 {
			g.Components, g.Shared = choice.Trees, n.F
		}
		if err := t.search(ctx, []*choice.Grid{g}); err != nil {
			return err
		}
	}
	return t.finish(ctx)
}

// selects tells whether the setting selects features on each of its splits.
func (t *Tried) selects() bool {
	return !slices.ContainsFunc(t.supports, func(s []int32) bool { return len(s) == 0 })
}

// eligible returns the settings that can be chosen. If all are unfit, it returns the unfit settings, unless the user
// asked for a number of features.
func (t *Tuner) eligible() (able []*Tried) {
	for _, unfit := range []bool{false, true} {
		for i := range t.Answer.Tried {
			s := &t.Answer.Tried[i]
			if s.Failed == "" && s.Splits == len(t.Answer.Trials) && s.selects() && s.Unfit == unfit {
				able = append(able, s)
			}
		}
		if len(able) > 0 || t.Size > 0 || t.MaxFeatures > 0 {
			break
		}
	}
	return able
}

// choose chooses the most stable of the settings whose score is within one standard error of the best score.
func (t *Tuner) choose() error {
	able := t.eligible()
	if len(able) == 0 {
		why := "none selects a feature on every split"
		switch {
		case t.Size > 0:
			why = fmt.Sprintf("none selects just %d features; %s can", t.Size, without)
		case t.MaxFeatures > 0:
			why = fmt.Sprintf("none selects at most %d features; %s can", t.MaxFeatures, without)
		}
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
		return cmp.Or(cmp.Compare(a.Stability, b.Stability), cmp.Compare(b.Size, a.Size)) // NaN sorts before all numbers
	})
	return nil
}
