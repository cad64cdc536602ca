package tuning

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"graphda/graph"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/jobs/own/calibrating"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/online"
	"graphda/jobs/plan"
	"graphda/jobs/stats"
	"graphda/learners"
)

// An Expectation is how well weights of a name predict the test samples of the splits. These took no part in
// learning, nor in choosing the setting: see tuner.expect.
type Expectation struct {
	Weights string // by their name in package model
	Means   Measures
	Std     Measures // standard deviations over the splits
	Low     Measures // ends of the 95 % intervals of the means
	High    Measures
}

// A Feature is what the splits and the model say of a feature.
type Feature struct {
	Name      string
	Frequency float64 // share of the splits in which the chosen setting selected it
	Mean      float64 // of its weight in w over these splits; 0 if there are none
	Selected  bool    // by the model
	W, Ridge  float64 // weights of the model
	OddsRatio float64 // see explaining.OddsRatio
	Component int     // of the selected features' graph, the largest is 1; 0 if not selected or there is no graph
	Degree    int     // edges of the network at it
	Known     bool    // the truth about features is known …
	True      bool    // … and it is one of them
}

// expect measures what can be expected of new samples. In each split the setting that is best on the split's own
// validation samples learns from these and the training samples, and predicts the test samples. The chosen setting
// would not do: it is chosen by samples that other splits test on. Refits are calibrated by the test samples of the
// other splits, without the split's own. The refit of a single split is calibrated by the folds, as the model is.
func (t *tuner) expect(ctx context.Context) error {
	a, trials := t.answer, t.dataset.Trials
	tests := make([][]calibrating.Scored, len(trials))
	kinds := []string{model.Ridge, model.W, model.Wbar}
	if a.Adjusted != "" {
		kinds = append(kinds, CovariatesAlone)
	}
	found := make([][]Measures, len(kinds)) // by kind, then trial
	overlap := 0.0
	t.crew.total += len(trials)
	for i, trial := range trials {
		data, err := t.read(trial)
		if err != nil {
			return err
		}
		sp, err := newSplit(joinUpTo(data, samples.Valid), a.Loss)
		if err != nil {
			return err
		}
		setting := t.bestOn(i)
		overlap = t.overlap(sp.test, sp.train)
		var l *learned
		var failed error
		err = t.crew.parallel(ctx, 1, func() func(int) {
			return func(int) { l, failed = sp.models(learners.NewWorkspace(sp.problem), setting, a.Passes) }
		})
		if err != nil {
			return err
		}
		if failed != nil {
			return fmt.Errorf("%v on split %d: %w", setting, trial, failed)
		}
		tests[i] = score(&sp.test, l.fits)
		none := func([]float64) float64 { return 0 }
		for k, score := range []func([]float64) float64{l.w.Score, l.average.Score, none}[:len(kinds)-1] {
			found[k+1] = append(found[k+1], sp.predict(score, &sp.test, &metrics.Evaluator{}))
		}
	}
	var err error
	if found[0], err = t.calibrated(tests); err != nil {
		return err
	}
	if a.Adjusted != "" {
		kinds, found = append(kinds, Gain), append(found, gains(found[0], found[len(kinds)-1]))
	}
	for k, name := range kinds {
		a.Expected = append(a.Expected, expectation(name, found[k], overlap))
	}
	t.find()
	t.calibration, err = calibrating.Calibrate(a.Loss, t.held, t.doubt(found[0], overlap))
	return err
}

// What is measured beside weights, where there are covariates.
const (
	CovariatesAlone = "covariates" // a model of the covariates without features
	Gain            = "gain"       // what the refitted weights have more than that, by split
)

// gains are the differences of the measures of trials.
func gains(with, without []Measures) []Measures {
	more := make([]Measures, len(with))
	for i := range with {
		for _, m := range measures {
			*m.of(&more[i]) = *m.of(&with[i]) - *m.of(&without[i])
		}
	}
	return more
}

// A learned is a setting that was learned on a split.
type learned struct {
	learner *learners.Learner
	w       *learners.Model
	average learners.Model
	fits    []*learners.Model // refits by penalty
}

// models learns a setting on a split.
func (sp *split) models(ws *learners.Workspace, s Setting, passes int) (*learned, error) {
	l, err := sp.learn(ws, s, passes)
	if err != nil {
		return nil, err
	}
	of := &learned{learner: l, w: l.Model()}
	l.Average(&of.average)
	of.fits, err = sp.refits(supportOf(l.Model()))
	return of, err
}

// measures are what is measured, under losses that classify or under others, with the ends of its values.
var measures = []struct {
	key, head   string
	labels      bool
	least, most float64
	of          func(*Measures) *float64
}{
	{"accuracy", "Accuracy", true, 0, 1, func(m *Measures) *float64 { return &m.Accuracy }},
	{"balanced_accuracy", "Balanced accuracy", true, 0, 1, func(m *Measures) *float64 { return &m.BalancedAccuracy }},
	{"auc", "AUC", true, 0, 1, func(m *Measures) *float64 { return &m.AUC }},
	{"log_loss", "Log-loss", true, 0, math.Inf(1), func(m *Measures) *float64 { return &m.LogLoss }},
	{"r2", "R²", false, math.Inf(-1), 1, func(m *Measures) *float64 { return &m.R2 }},
}

// expectation sums up measures of all trials.
func expectation(name string, found []Measures, overlap float64) Expectation {
	e := Expectation{Weights: name}
	for _, m := range measures {
		values := make([]float64, len(found))
		for k := range found {
			values[k] = *m.of(&found[k])
		}
		*m.of(&e.Means), *m.of(&e.Std) = stat.PopMeanStdDev(values, nil)
		interval := stats.MeanInterval(values, overlap)
		if name == Gain { // which may be below 0
			*m.of(&e.Low), *m.of(&e.High) = interval.Low, interval.High
			continue
		}
		if m.key == "auc" {
			interval = stats.AreaInterval(values, overlap, chance(found))
		}
		*m.of(&e.Low), *m.of(&e.High) = max(interval.Low, m.least), min(interval.High, m.most)
	}
	return e
}

// fit learns the chosen setting from all samples of the first trial, and completes the answer.
func (t *tuner) fit() error {
	a := t.answer
	data, sp, n := t.first, t.whole, t.whole.train.Rows()
	a.FitOn, a.Alike = fmt.Sprintf("all %d samples", n), importing.Alike(data.Metadata)
	if a.Independent {
		a.FitOn += fmt.Sprintf(" of trial %d", data.Trial)
	}
	a.Learned, a.Positives = 1-float64(data.Test.Rows())/float64(n), (1+stat.Mean(sp.train.Y, sp.train.Weight))/2
	l, err := sp.models(learners.NewWorkspace(sp.problem), a.Chosen.Setting, a.Passes)
	if err != nil {
		return fmt.Errorf("%v on %s: %w", a.Chosen.Setting, a.FitOn, err)
	}
	c := t.calibration
	m := &model.Model{Features: data.Features.Names, Scaling: sp.scaling, Median: t.median, Loss: a.Loss.Name(),
		Made: t.made(data, n)}
	if a.Loss.Classifies() {
		m.Negative, m.Positive = importing.Classes(data.Metadata)
	}
	ridge := c.Apply(l.fits[c.Penalty])
	m.Covariates = sp.told(ridge)
	for name, of := range []*learners.Model{ridge, sp.with(l.w), sp.with(&l.average)} {
		m.Weights = append(m.Weights, online.NewWeights([]string{model.Ridge, model.W, model.Wbar}[name], of, sp.center,
			sp.scale))
	}
	if a.Loss.Classifies() {
		m.Weights[0].Threshold = c.Threshold
		of := int(math.Round(float64(n) * (1 + stat.Mean(sp.train.Y, nil)) / 2))
		a.FitOn += fmt.Sprintf(", %d of class %q and %d of %q", of, m.Positive, n-of, m.Negative)
	}
	settings, err := a.Chosen.fill(sp, a.Passes*n)
	if err != nil {
		return err
	}
	m.State = online.NewState(l.learner, settings, sp.problem, sp.center, sp.scale)
	if missed := l.learner.Searches().Unbracketed; missed > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("Of %d projections of the model %d have missed s: no forest was of that size.",
			2*a.Passes*n, missed)) // a head and a tail for each sample
	}
	frequency, mean := t.selections()
	if a.Found.Decided() {
		m.Frequency = frequency
	}
	a.Model = m
	return t.sumUp(data.Graph, frequency, mean)
}

// join makes one block of all samples of a trial, to learn from.
func join(t *samples.Trial) *samples.Trial { return joinUpTo(t, samples.Test) }

// joinUpTo makes one block of a trial's samples of the splits up to the last, to learn from. Samples are as they
// were measured: a dataset's scaling is that of the trial's training samples alone, and is undone.
func joinUpTo(t *samples.Trial, last samples.Split) *samples.Trial {
	joined, features := *t, *t.Features
	joined.Features = &features
	blocks := []*samples.Block{&joined.Train, &joined.Valid, &joined.Test}
	for _, b := range blocks {
		*b = samples.Block{P: t.Train.P}
	}
	for i, b := range []samples.Block{t.Train, t.Valid, t.Test} {
		to := blocks[i]
		if i <= int(last) {
			to = &joined.Train
		}
		to.X, to.Y, to.Patient = append(to.X, b.X...), append(to.Y, b.Y...), append(to.Patient, b.Patient...)
		to.IDs, to.Covariates = append(to.IDs, b.IDs...), append(to.Covariates, b.Covariates...)
		to.Weight = append(to.Weight, b.Weight...)
	}
	if scaling := features.Scaling; scaling != nil {
		features.Scaling = nil
		for _, b := range blocks {
			for i := range b.Rows() {
				scaling.Undo(b.Row(i), b.Row(i))
			}
		}
	}
	return &joined
}

// made tells how the model was made, for its file.
func (t *tuner) made(data *samples.Trial, n int) map[string]string {
	a, c := t.answer, t.answer.Chosen
	made := map[string]string{
		"graphda": plan.Version, "dataset": a.Dataset, "dataset_digest": data.Digest, "samples": strconv.Itoa(n),
		"method": c.Method.Name, "passes": strconv.Itoa(c.passes(a.Passes)),
		"ridge_penalty": table.Shortest(penalties[t.calibration.Penalty]), "splits": strconv.Itoa(len(a.Trials)),
	}
	if c.F > 0 {
		made["f"] = table.Shortest(c.F)
	}
	if c.R > 0 {
		made[c.strength()] = table.Shortest(c.R)
	}
	if t.Root != "" {
		made["root"] = t.Root
	}
	if c.S > 0 {
		made["s"] = strconv.Itoa(c.S)
	}
	return made
}

// selections returns the share of the splits in which the chosen setting selects each feature, and the mean of its
// weight over these; 0 if there are none.
func (t *tuner) selections() (frequency, mean []float64) {
	frequency, mean = make([]float64, t.p), make([]float64, t.p)
	chosen := t.answer.Chosen
	for i, s := range chosen.supports {
		for k, j := range s {
			frequency[j]++
			mean[j] += chosen.weights[i][k]
		}
	}
	for j, n := range frequency {
		frequency[j] = n / float64(len(chosen.supports))
		mean[j] /= max(n, 1)
	}
	return frequency, mean
}

// sumUp tells of the features that the model selects, or more than half of the splits if these can tell.
func (t *tuner) sumUp(g *graph.Graph, frequency, mean []float64) (err error) {
	a, truth := t.answer, t.features.Truth
	if a.Subgraph, err = explaining.Select(a.Model); err != nil {
		return err
	}
	a.Model.Made[model.Found] = a.Verdict()
	part := map[int32]int{}
	for _, n := range a.Subgraph.Nodes {
		part[n.Feature] = n.Part
	}
	w, ridge := a.Model.Find(model.W).W, a.Model.Find(model.Ridge).W
	for j, name := range t.features.Names {
		f := Feature{Name: name, Frequency: frequency[j], Mean: mean[j], Selected: w[j] != 0, W: w[j], Ridge: ridge[j],
			OddsRatio: explaining.OddsRatio(a.Model, int32(j)), Known: truth != nil, True: truth != nil && truth[j] != 0}
		if !f.Selected && (f.Frequency <= 0.5 || !a.Found.Decided()) {
			continue
		}
		if g != nil {
			f.Degree = g.Degree(int32(j))
			if f.Selected {
				f.Component = part[int32(j)]
			}
		}
		a.Features = append(a.Features, f)
	}
	slices.SortStableFunc(a.Features, func(a, b Feature) int {
		return cmp.Or(cmp.Compare(b.Frequency, a.Frequency), cmp.Compare(math.Abs(b.Mean), math.Abs(a.Mean)))
	})
	return nil
}
