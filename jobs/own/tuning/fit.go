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
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/table"
	"graphda/jobs/metrics"
	"graphda/jobs/own/explaining"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/online"
	"graphda/jobs/stats"
	"graphda/learners"
)

// An Expectation says how well one kind of weights predicts the test samples of the splits (see Tuner.expect).
type Expectation struct {
	Weights string // a kind of weights: model.Ridge, model.W, model.Wbar, CovariatesAlone or Gain
	Means   learning.Measures
	Std     learning.Measures // standard deviations over the splits
	Low     learning.Measures // lower ends of the 95 % intervals of the means
	High    learning.Measures
}

// A Feature says how the splits and the final model use one feature.
type Feature struct {
	Name      string
	Frequency float64 // share of the splits on which the chosen setting selected the feature
	Mean      float64 // mean weight in w over the splits that selected the feature, or 0
	Selected  bool
	W, Ridge  float64 // the feature's weights in the final model
	Ratio     float64 // see explaining.Ratio
	Component int     // number of the feature's connected part (see explaining.Parts); 0 if there is none
	Degree    int
	Known     bool // whether the dataset says which features matter
	True      bool // whether the feature matters; false unless Known
}

// expect measures how well each split's own best setting predicts the split's test samples (see the package
// documentation). To calibrate a split's refit, it uses test samples of other splits, or, with a single split, the
// folds' held-out scores. If w predicts numbers better than the refits, as with many samples per patient, w
// replaces the refits.
func (t *Tuner) expect(ctx context.Context) (err error) {
	a, trials := t.Answer, t.dataset.Trials
	tests, units := make([][]learning.Scored, len(trials)), make([]learning.TargetUnits, len(trials))
	kinds := []string{model.Ridge, model.W, model.Wbar}
	if a.Adjusted != "" {
		kinds = append(kinds, CovariatesAlone)
	}
	found := make([][]learning.Measures, len(kinds)) // by kind, then trial
	var overlap, gain, growth float64
	t.Crew.Total += len(trials)
	for i, trial := range trials {
		data, err := t.Read(trial)
		if err != nil {
			return err
		}
		sp, err := learning.NewSplit(learning.JoinUpTo(data, samples.Valid), a.Loss)
		if err != nil {
			return err
		}
		best := t.bestOn(i)
		overlap = t.overlap(sp.Train, sp.Test)
		l, failed := (*learning.Learned)(nil), error(nil)
		err = t.Crew.Parallel(ctx, 1, func() func(int) {
			return func(int) { l, failed = sp.Models(learners.NewWorkspace(sp.Problem), best.Setting, a.Passes) }
		})
		if err != nil {
			return err
		}
		if failed != nil {
			return fmt.Errorf("%v on split %d: %w", best.Setting, trial, failed)
		}
		tests[i], units[i] = learning.Score(&sp.Test, l.Fits), sp.TargetUnits
		sp.Convert(t.whole.TargetUnits, tests[i])
		none := func([]float64) float64 { return 0 }
		for k, score := range []func([]float64) float64{l.W.Score, l.Average.Score, none}[:len(kinds)-1] {
			found[k+1] = append(found[k+1], sp.Predict(score, &sp.Test, &metrics.Evaluator{}))
		}
		gain += (found[1][i].Score(a.Loss) - best.test[i]) / float64(len(trials))
		growth = stats.Growth(gain, data.Train.Rows(), sp.Train.Rows(), t.whole.Train.Rows())
	}
	if found[0], err = t.calibrated(tests, units); err != nil {
		return err
	}
	if learning.OutcomeOf(a.Loss) == learning.Numbers {
		refit, w := expectation("", found[0], 0, 0).Means.R2, expectation("", found[1], 0, 0).Means.R2
		if w > max(refit, 0) {
			a.Unfitted, found[0] = true, found[1]
			a.Notes = append(a.Notes, fmt.Sprintf("The row ridge shows w, because refitted weights have R² %.3f on the test "+
				"samples.", refit))
		}
	}
	if a.Adjusted != "" {
		kinds, found = append(kinds, Gain), append(found, gains(found[0], found[len(kinds)-1]))
	}
	for k, name := range kinds {
		a.Expected = append(a.Expected, expectation(name, found[k], overlap, growth))
	}
	t.find()
	return t.calibrate(t.doubt(found[0], overlap))
}

// These are values of Expectation.Weights for models with covariates.
const (
	CovariatesAlone = "covariates" // a model of the covariates alone
	Gain            = "gain"       // the refitted weights minus CovariatesAlone
)

// gains subtracts the measures without features from the measures with features, trial by trial.
func gains(with, without []learning.Measures) []learning.Measures {
	more := make([]learning.Measures, len(with))
	for i := range with {
		for _, m := range measures {
			*m.of(&more[i]) = *m.of(&with[i]) - *m.of(&without[i])
		}
	}
	return more
}

// measures lists all measures with their smallest and largest possible values.
var measures = []struct {
	key, head   string
	outcome     *learning.Outcome
	least, most float64
	of          func(*learning.Measures) *float64
}{
	{"auc", "AUC", learning.Classes, 0, 1, func(m *learning.Measures) *float64 { return &m.AUC }},
	{"balanced_accuracy", "Balanced accuracy", learning.Classes, 0, 1,
		func(m *learning.Measures) *float64 { return &m.BalancedAccuracy }},
	{"accuracy", "Accuracy", learning.Classes, 0, 1, func(m *learning.Measures) *float64 { return &m.Accuracy }},
	{"log_loss", "Log-loss", learning.Classes, 0, math.Inf(1), func(m *learning.Measures) *float64 { return &m.LogLoss }},
	{"r2", "R²", learning.Numbers, math.Inf(-1), 1, func(m *learning.Measures) *float64 { return &m.R2 }},
	{"c_index", "C-index", learning.Times, 0, 1, func(m *learning.Measures) *float64 { return &m.C }},
}

// expectation summarises the trials' measures. It adds growth to the upper end of an AUC's or C-index's interval.
func expectation(name string, found []learning.Measures, overlap, growth float64) Expectation {
	e := Expectation{Weights: name}
	for _, m := range measures {
		values := make([]float64, len(found))
		for k := range found {
			values[k] = *m.of(&found[k])
		}
		*m.of(&e.Means), *m.of(&e.Std) = stat.PopMeanStdDev(values, nil)
		interval := stats.MeanInterval(values, overlap)
		if name == Gain { // a gain may be below 0
			*m.of(&e.Low), *m.of(&e.High) = interval.Low, interval.High
			continue
		}
		if m.outcome.Area && m.head == m.outcome.Measure {
			interval = stats.AreaInterval(values, overlap, learning.Chance(found))
			if name != CovariatesAlone {
				interval.High += growth
			}
		}
		*m.of(&e.Low), *m.of(&e.High) = max(interval.Low, m.least), min(interval.High, m.most)
	}
	return e
}

// fit learns the chosen setting from all samples of the first trial, and completes the answer.
func (t *Tuner) fit() error {
	a := t.Answer
	a.Network.Use(a.Chosen.Method)
	data, sp, n := t.first, t.whole, t.whole.Train.Rows()
	a.FitOn, a.Alike = fmt.Sprintf("all %d samples", n), importing.Alike(data.Metadata)
	if a.Independent {
		a.FitOn += fmt.Sprintf(" of trial %d", data.Trial)
	} else if data.Metadata["split"] == "column" {
		a.FitOn += ", including the test split"
	}
	a.fitted = sp.Train.Y
	a.Learned, a.Positives = 1-float64(data.Test.Rows())/float64(n), (1+stat.Mean(sp.Train.Y, sp.Train.Weight))/2
	l, err := sp.Models(learners.NewWorkspace(sp.Problem), a.Chosen.Setting, a.Passes)
	if err != nil {
		return fmt.Errorf("%v on %s: %w", a.Chosen.Setting, a.FitOn, err)
	}
	c := t.calibration
	m := &model.Model{Features: data.Features.Names, Probes: data.Features.Probes, Scaling: sp.Scaling,
		Median: t.median, Loss: a.Loss.Name(), Made: t.made(data, n)}
	ridge := c.Apply(l.Fits[c.Penalty])
	if a.Unfitted {
		ridge = sp.With(l.W)
	}
	a.Constant = learning.OutcomeOf(a.Loss) == learning.Numbers && c.Constant() && !a.Unfitted && a.Adjusted == ""
	switch learning.OutcomeOf(a.Loss) {
	case learning.Classes:
		m.Negative, m.Positive = importing.Classes(data.Metadata)
	case learning.Times:
		if m.Survival, err = t.survival(); err != nil {
			return err
		}
	}
	m.Covariates = sp.Told(ridge)
	for name, of := range []*learners.Model{ridge, sp.With(l.W), sp.With(&l.Average)} {
		m.Weights = append(m.Weights, online.NewWeights([]string{model.Ridge, model.W, model.Wbar}[name], of, sp.Center,
			sp.Scale))
	}
	if a.Loss.Classifies() {
		m.Weights[0].Threshold = c.Threshold
		of := int(math.Round(float64(n) * (1 + stat.Mean(sp.Train.Y, nil)) / 2))
		a.FitOn += fmt.Sprintf(", %d of class %q and %d of %q", of, m.Positive, n-of, m.Negative)
	}
	settings, err := a.Chosen.Fill(sp, sp.Rounds(a.Passes))
	if err != nil {
		return err
	}
	m.State = online.NewState(l.Learner, settings, sp.Problem, sp.Center, sp.Scale)
	m.State.Connectors = data.Features.Connectors
	if missed := l.Learner.Searches().Unbracketed; missed > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("In %d of %d projections of the model, no forest had s features; the nearest "+
			"size was used.", missed, 2*sp.Rounds(a.Passes))) // each round has a head and a tail projection
	}
	frequency, mean := t.selections()
	if a.Found.Decided() {
		m.Frequency = frequency
	}
	a.Model = m
	m.Trained, err = importing.Trained(t.dataset, data, learning.Support(ridge))
	return cmp.Or(err, t.sumUp(data.Graph, frequency, mean))
}

func (t *Tuner) survival() (*model.Survival, error) {
	s, metadata := importing.TimesOf(t.first.Metadata), t.first.Metadata
	told, err := samples.Covariates(metadata)
	if i := slices.IndexFunc(told, func(c samples.Covariate) bool { return c.Strata }); i >= 0 {
		s.Strata = told[i].Name
	}
	s.Baselines = t.calibration.Baselines(t.held)
	events := 0
	for i := range t.whole.Train.Rows() {
		if t.whole.Class(i) > 0 {
			events++
		}
	}
	t.Answer.FitOn += fmt.Sprintf(", %d with an event (%q) and %d censored", events, message.Text(s.Event),
		t.whole.Train.Rows()-events)
	if s.Strata != "" {
		t.Answer.FitOn += fmt.Sprintf("; times are compared within each %q", message.Text(s.Strata))
	}
	return s, err
}

func (t *Tuner) made(data *samples.Trial, n int) map[string]string {
	a, c := t.Answer, t.Answer.Chosen
	made := map[string]string{
		"dataset": a.Dataset, "dataset_digest": data.Digest, "samples": strconv.Itoa(n),
		"method": c.Method.Name, "passes": strconv.Itoa(c.Rounds(a.Passes)),
		"splits": strconv.Itoa(len(a.Trials)),
	}
	if !a.Unfitted {
		made["ridge_penalty"] = table.Shortest(learning.Penalties[t.calibration.Penalty])
	}
	if t.weight != "" {
		made[model.Weight] = t.weight
	}
	if c.F > 0 {
		made["f"] = table.Shortest(c.F)
	}
	if c.R > 0 {
		made[c.Strength()] = table.Shortest(c.R)
	}
	if t.Root != "" {
		made["root"] = t.Root
	}
	if c.S > 0 {
		made["s"] = strconv.Itoa(c.S)
	}
	if c.Components > 1 {
		made["components"] = strconv.Itoa(c.Components)
	}
	return made
}

// selections returns Feature.Frequency and Feature.Mean of each feature.
func (t *Tuner) selections() (frequency, mean []float64) {
	frequency, mean = make([]float64, t.p), make([]float64, t.p)
	chosen := t.Answer.Chosen
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

// sumUp lists the features that the model selects and, if there is a verdict, other features that most splits select.
func (t *Tuner) sumUp(g *graph.Graph, frequency, mean []float64) (err error) {
	a, truth := t.Answer, t.Features.Truth
	if a.Subgraph, err = explaining.Select(a.Model); err != nil {
		return err
	}
	a.Model.Made[model.Found] = a.Verdict()
	if f := &a.Found; f.Decided() {
		a.Model.Made[model.Expected] = fmt.Sprint(f.Mean, f.Low, f.High)
		a.Subgraph.Nothing = !f.Yes()
	}
	part := map[int32]int{}
	for _, n := range a.Subgraph.Nodes {
		part[n.Feature] = n.Part
	}
	w, ridge := a.Model.Find(model.W).W, a.Model.Find(model.Ridge).W
	for j, name := range t.Features.Names {
		f := Feature{Name: name, Frequency: frequency[j], Mean: mean[j], Selected: w[j] != 0, W: w[j], Ridge: ridge[j],
			Ratio: explaining.Ratio(a.Model, int32(j)), Known: truth != nil, True: truth != nil && truth[j] != 0}
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
