package tuning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/stats"
	"graphda/learners"
)

// calibrated calibrates the scores of each split's test samples by the other splits' test samples, and measures them in
// the split's units. tests is in the units of t.whole.
func (t *Tuner) calibrated(tests [][]learning.Scored, units []learning.TargetUnits) ([]learning.Measures, error) {
	var found []learning.Measures
	loss, positive := t.Answer.Loss, map[bool]bool{}
	for k, test := range tests {
		own := map[string]bool{}
		for _, s := range test {
			own[s.ID] = s.ID != "" && !t.Answer.Independent
		}
		others := slices.DeleteFunc(slices.Concat(slices.Concat(tests[:k]...), slices.Concat(tests[k+1:]...)),
			func(s learning.Scored) bool { return own[s.ID] })
		if len(others) == 0 {
			others = t.held
		}
		c, err := learning.Calibrate(loss, others, 0)
		if err != nil {
			return nil, err
		}
		scores, of := learning.Under(c.Penalty, test)
		for i, z := range scores {
			z, y, given := c.Slope*z+c.Intercept, of.Y[i], learning.TargetUnits{Scale: 1}
			t.Answer.scores = append(t.Answer.scores, t.whole.In(given, z))
			t.Answer.labels = append(t.Answer.labels, t.whole.In(given, y))
			scores[i], of.Y[i] = t.whole.In(units[k], z), t.whole.In(units[k], y)
			positive[z >= c.Threshold] = true
		}
		found = append(found, learning.Measured(loss, scores, of, c.Threshold, &metrics.Evaluator{}))
	}
	if negative, name := importing.Classes(t.first.Metadata); loss.Classifies() && len(positive) == 1 {
		if t.Answer.Never = name; positive[true] {
			t.Answer.Never = negative
		}
	}
	return found, nil
}

// calibrate fits the final model's calibration to the folds' held-out scores.
func (t *Tuner) calibrate(doubt float64) (err error) {
	t.calibration, err = learning.Calibrate(t.Answer.Loss, t.held, doubt)
	if learning.OutcomeOf(t.Answer.Loss) == learning.Numbers {
		t.calibration.Intercept = 0 // targets and refits have mean 0 on all samples
	}
	return err
}

// doubt returns the share of the calibration slope that may be chance: (e/d)². Here e is the standard error of the
// splits' mean score, and d is the mean score minus guessing. The folds cannot show this share: the setting was chosen
// on their samples, so they have a slope even for noise.
func (t *Tuner) doubt(found []learning.Measures, overlap float64) float64 {
	scores, guess := make([]float64, len(found)), learning.OutcomeOf(t.Answer.Loss).Guess
	for i := range found {
		scores[i] = found[i].Score(t.Answer.Loss)
	}
	off := stats.MeanError(scores, overlap, learning.Chance(found)) / max(stat.Mean(scores, nil)-guess, 0)
	if math.IsNaN(off) {
		return 0 // all test samples of a split belong to one class
	}
	return min(off*off, 1)
}

// crossValidate scores each fold by a model of the other folds.
func (t *Tuner) crossValidate(ctx context.Context) error {
	data, joined, err := t.ReadAll(t.dataset.Trials[0])
	if err != nil {
		return err
	}
	t.first = data
	t.median = samples.Medians(t.p, joined.Train.Rows(), joined.Train.Row, joined.Train.Weight)
	if t.whole, err = learning.NewSplit(joined, t.Answer.Loss); err != nil {
		return err
	}
	t.whole.Each = true // gdrun learn continues this model, and finds a support after each sample
	if err := t.limitModel(); err != nil {
		return err
	}
	parts, failures := make([][]learning.Scored, learning.Folds), make([]error, learning.Folds)
	s, fold := t.Answer.Chosen.Setting, t.whole.Dealt()
	t.Crew.Total += learning.Folds
	err = t.Crew.Parallel(ctx, learning.Folds, func() func(int) {
		ws := learners.NewWorkspace(t.whole.Problem)
		return func(f int) { parts[f], failures[f] = t.whole.ScoreFold(ws, s, t.Answer.Passes, fold, f) }
	})
	if err != nil {
		return err
	}
	for f, err := range failures {
		if err != nil {
			return fmt.Errorf("%v on fold %d of %d: %w", s, f+1, learning.Folds, err)
		}
	}
	t.held = slices.Concat(parts...)
	return nil
}

// limitModel chooses another setting if the final model selects more or fewer features than the user asked for.
func (t *Tuner) limitModel() error {
	for t.Size > 0 || t.MaxFeatures > 0 {
		l, err := t.whole.Learn(learners.NewWorkspace(t.whole.Problem), t.Answer.Chosen.Setting, t.Answer.Passes)
		if err != nil {
			return fmt.Errorf("%v on all samples: %w", t.Answer.Chosen.Setting, err)
		}
		n := len(learning.Support(l.Model()))
		if !t.unfit(t.Answer.Chosen.Setting, float64(n)) {
			break
		}
		t.Answer.Chosen.Unfit = true
		if err := t.choose(); err != nil {
			return err
		}
	}
	return nil
}
