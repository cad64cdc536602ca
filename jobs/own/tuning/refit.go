package tuning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/own/calibrating"
	"graphda/jobs/own/importing"
	"graphda/jobs/stats"
	"graphda/learners"
)

// penalties are the ridge penalties that a refit is tried with; a list of decades is enough, since calibration
// makes good what a penalty shrinks too much or too little.
var penalties = []float64{0.01, 0.1, 1, 10}

// refits fits the weights of a selection again with each of the penalties, and those of covariates without.
func (sp *split) refits(support []int32) (fits []*learners.Model, err error) {
	for _, penalty := range penalties {
		m, err := learners.RidgeBeside(sp.loss, sp.train.P, sp.train.Row, sp.train.Adjusted, sp.train.Y,
			sp.train.Weight, support, penalty)
		if err != nil {
			return nil, err
		}
		fits = append(fits, m)
	}
	return fits, nil
}

// score scores the samples of a block by refits with each penalty.
func score(b *samples.Block, fits []*learners.Model) (all []calibrating.Scored) {
	for i, y := range b.Y {
		s := calibrating.Scored{Y: y, Weight: b.WeightOf(i)}
		if b.IDs != nil {
			s.ID = b.IDs[i]
		}
		for _, m := range fits {
			s.Z = append(s.Z, m.ScoreBeside(b.Row(i), b.Beside(i)))
		}
		all = append(all, s)
	}
	return all
}

// calibrated measures the refits of splits by the scores of their test samples.
func (t *tuner) calibrated(tests [][]calibrating.Scored) (found []Measures, err error) {
	loss, positive := t.answer.Loss, map[bool]bool{}
	for k, test := range tests {
		own := map[string]bool{}
		for _, s := range test {
			own[s.ID] = s.ID != "" && !t.answer.Independent
		}
		others := slices.DeleteFunc(slices.Concat(slices.Concat(tests[:k]...), slices.Concat(tests[k+1:]...)),
			func(s calibrating.Scored) bool { return own[s.ID] })
		if len(others) == 0 {
			others = t.held
		}
		c, err := calibrating.Calibrate(loss, others, 0)
		if err != nil {
			return nil, err
		}
		scores, y, weights := calibrating.Under(c.Penalty, test)
		for i, z := range scores {
			scores[i] = c.Slope*z + c.Intercept
			positive[scores[i] >= c.Threshold] = true
		}
		found = append(found, measured(loss, scores, y, weights, c.Threshold, &metrics.Evaluator{}))
	}
	if negative, name := importing.Classes(t.first.Metadata); loss.Classifies() && len(positive) == 1 {
		if t.answer.Never = name; positive[true] {
			t.answer.Never = negative
		}
	}
	return found, nil
}

// doubt returns how much of the slope of calibrated scores may be chance: the square of the standard error of the
// splits' score, as a share of how far the score is above guessing. The setting was chosen by the samples of the folds,
// so that their loss alone finds a slope in noise. The splits' test samples took no part in choosing.
func (t *tuner) doubt(found []Measures, overlap float64) float64 {
	scores, guess := make([]float64, len(found)), 0.0 // with covariates what is found is another measure
	if t.answer.Loss.Classifies() {
		guess = 0.5
	}
	for i := range found {
		scores[i] = found[i].score(t.answer.Loss)
	}
	off := stats.MeanError(scores, overlap, chance(found)) / max(stat.Mean(scores, nil)-guess, 0)
	if math.IsNaN(off) {
		return 0 // test samples of one class
	}
	return min(off*off, 1)
}

// folds is the number of parts that all samples are cut into, to calibrate the model that is fitted to all of them.
// Each part is scored by a selection and a refit of the others: a selection that has seen a sample's label favours
// it.
const folds = 10

// dealt deals the training samples to folds, in turn of each class; those of a patient go together.
func (sp *split) dealt() []int {
	fold, next, of := make([]int, sp.train.Rows()), map[float64]int{}, map[int32]int{}
	for i, patient := range units(&sp.train) {
		class := 0.0
		if sp.loss.Classifies() {
			class = sp.train.Y[i]
		}
		if _, known := of[patient]; !known {
			of[patient] = next[class] % folds
			next[class]++
		}
		fold[i] = of[patient]
	}
	return fold
}

// crossValidate scores all samples, to calibrate the model that is fitted to them: each fold by a model of the chosen
// setting that was learned from the other folds.
func (t *tuner) crossValidate(ctx context.Context) error {
	data, err := t.read(t.dataset.Trials[0])
	if err != nil {
		return err
	}
	joined := join(data)
	t.first = data
	if t.whole, err = newSplit(joined, t.answer.Loss); err != nil {
		return err
	}
	t.median = samples.Medians(t.p, joined.Train.Rows(), joined.Train.Row)
	parts, failures := make([][]calibrating.Scored, folds), make([]error, folds)
	s, fold := t.answer.Chosen.Setting, t.whole.dealt()
	t.crew.total += folds
	err = t.crew.parallel(ctx, folds, func() func(int) {
		ws := learners.NewWorkspace(t.whole.problem)
		return func(f int) { parts[f], failures[f] = t.whole.scoreFold(ws, s, t.answer.Passes, fold, f) }
	})
	if err != nil {
		return err
	}
	for f, err := range failures {
		if err != nil {
			return fmt.Errorf("%v on fold %d of %d: %w", s, f+1, folds, err)
		}
	}
	t.held = slices.Concat(parts...)
	return nil
}

// scoreFold scores the samples of a fold by a model of the others, standardised by these.
func (sp *split) scoreFold(ws *learners.Workspace, s Setting, passes int, fold []int, f int) ([]calibrating.Scored,
	error) {
	var blocks [2]samples.Block // the others, and the fold
	for k := range blocks {
		blocks[k].P = sp.train.P
	}
	for i, of := range fold {
		b := &blocks[0]
		if of == f {
			b = &blocks[1]
		}
		b.X = append(b.X, sp.train.Row(i)...)
		b.Take(&sp.train, i)
	}
	if len(blocks[1].Y) == 0 {
		return nil, nil // fewer samples than folds
	}
	part := &split{problem: sp.problem, loss: sp.loss, train: blocks[0], test: blocks[1], scale: 1,
		covariates: sp.covariates}
	if err := part.prepare(true); err != nil {
		return nil, err
	}
	l, err := part.models(ws, s, passes)
	if err != nil {
		return nil, err
	}
	return score(&part.test, l.fits), nil
}
