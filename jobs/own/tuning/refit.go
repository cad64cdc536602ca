package tuning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/samples"
	"graphda/jobs/metrics"
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
		m, err := learners.RidgeBeside(sp.loss, sp.train.P, sp.train.Row, sp.train.Adjusted, sp.train.Y, support,
			penalty)
		if err != nil {
			return nil, err
		}
		fits = append(fits, m)
	}
	return fits, nil
}

// A scored is a sample that took no part in the refits, nor in the selection, with its scores.
type scored struct {
	z  []float64 // by penalty
	y  float64
	id string // "" if it has none
}

// score scores the samples of a block by refits with each penalty.
func score(b *samples.Block, fits []*learners.Model) (all []scored) {
	for i, y := range b.Y {
		s := scored{y: y}
		if b.IDs != nil {
			s.id = b.IDs[i]
		}
		for _, m := range fits {
			s.z = append(s.z, m.ScoreBeside(b.Row(i), b.Beside(i)))
		}
		all = append(all, s)
	}
	return all
}

// under returns the scores under a penalty, and the labels or targets.
func under(penalty int, held []scored) (z, y []float64) {
	for _, s := range held {
		z, y = append(z, s.z[penalty]), append(y, s.y)
	}
	return z, y
}

// A calibration turns scores z of refits with a penalty into slope·z + intercept: of labels, the log-odds of the
// positive class at its share among the samples. Platt, Probabilistic outputs for support vector machines, 1999.
type calibration struct {
	penalty   int // its place in penalties
	slope     float64
	intercept float64
	threshold float64 // log-odds of the share of positives: samples that are likelier positive than that are labelled so
}

// leastSlope keeps the order of the scores where held-out samples show none, or the reverse; what is predicted then
// is the share of the class, or the mean target.
const leastSlope = 1e-6

// calibrate returns the calibration of the penalty under which the held-out samples have the least loss. The slope of
// the least loss is shrunk by the factor 1 − k/χ². χ² is twice what the slope takes off the loss; k = 2 counts the
// slope and the penalty. A clear signal loses next to nothing, and noise keeps hardly any slope (van Houwelingen and
// le Cessie, Predictive value of statistical models, 1990). Where the doubt is above k/χ², the factor is 1 − doubt; 0:
// there is none.
func calibrate(loss learners.Loss, held []scored, doubt float64) (best calibration, err error) {
	const slight = 1e-3 // penalty of the slope on scores of deviation 1, which separate classes would raise without end
	const chosen = 2
	z, y := under(0, held)
	constant := calibration{intercept: middle(loss, 0, z, y)}
	none, least := constant.loss(loss, z, y), math.Inf(1)
	for k := range held[0].z {
		z, _ := under(k, held)
		mean, deviation := stat.PopMeanStdDev(z, nil) // a large penalty leaves scores that hardly differ
		if deviation == 0 {
			deviation = 1
		}
		unit := slices.Clone(z)
		for i := range unit {
			unit[i] = (z[i] - mean) / deviation
		}
		line, err := learners.Ridge(loss, 1, func(i int) []float64 { return unit[i : i+1] }, y, []int32{0}, slight)
		if err != nil {
			return best, err
		}
		slope := line.W[0] / deviation
		c := calibration{k, slope, line.Intercept - slope*mean, constant.intercept}
		if with := c.loss(loss, z, y); with < least {
			least, best = with, c
		}
	}
	share := 1.0
	if gain := 2 * (none - least); gain > chosen {
		share = max(chosen/gain, doubt)
	}
	best.slope = max(best.slope*(1-share), leastSlope)
	z, _ = under(best.penalty, held)
	best.intercept = middle(loss, best.slope, z, y)
	return best, nil
}

// loss returns the sum of the losses of calibrated scores z.
func (c calibration) loss(loss learners.Loss, z, y []float64) (sum float64) {
	for i := range y {
		l, _ := loss.Eval(c.slope*z[i]+c.intercept, y[i])
		sum += l
	}
	return sum
}

// middle returns the intercept of the least loss for a given slope, by halving.
func middle(loss learners.Loss, slope float64, z, y []float64) float64 {
	const end = 40 // log-odds beyond which probabilities are 0 and 1; targets are standardised
	low, high := -end-slope*slices.Max(z), end-slope*slices.Min(z)
	for range 100 {
		at, gradient := (low+high)/2, 0.0
		for i := range y {
			_, dz := loss.Eval(slope*z[i]+at, y[i])
			gradient += dz
		}
		switch {
		case gradient == 0:
			return at
		case gradient > 0:
			high = at
		default:
			low = at
		}
	}
	return (low + high) / 2
}

// apply returns the calibrated model.
func (c *calibration) apply(m *learners.Model) *learners.Model {
	calibrated := &learners.Model{W: slices.Clone(m.W), Support: m.Support, Sparse: m.Sparse,
		Intercept: c.slope*m.Intercept + c.intercept, Beside: slices.Clone(m.Beside)}
	floats.Scale(c.slope, calibrated.W)
	floats.Scale(c.slope, calibrated.Beside)
	return calibrated
}

// calibrated measures the refits of splits by the scores of their test samples.
func (t *tuner) calibrated(tests [][]scored) (found []Measures, err error) {
	loss, positive := t.answer.Loss, map[bool]bool{}
	for k, test := range tests {
		own := map[string]bool{}
		for _, s := range test {
			own[s.id] = s.id != "" && !t.answer.Independent
		}
		others := slices.DeleteFunc(slices.Concat(slices.Concat(tests[:k]...), slices.Concat(tests[k+1:]...)),
			func(s scored) bool { return own[s.id] })
		if len(others) == 0 {
			others = t.held
		}
		c, err := calibrate(loss, others, 0)
		if err != nil {
			return nil, err
		}
		scores, y := under(c.penalty, test)
		for i, z := range scores {
			scores[i] = c.slope*z + c.intercept
			positive[scores[i] >= c.threshold] = true
		}
		found = append(found, measured(loss, scores, y, c.threshold, &metrics.Evaluator{}))
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
	parts, failures := make([][]scored, folds), make([]error, folds)
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
func (sp *split) scoreFold(ws *learners.Workspace, s Setting, passes int, fold []int, f int) ([]scored, error) {
	var blocks [2]samples.Block // the others, and the fold
	for k := range blocks {
		blocks[k].P = sp.train.P
	}
	for i, of := range fold {
		b := &blocks[0]
		if of == f {
			b = &blocks[1]
		}
		b.X, b.Y = append(b.X, sp.train.Row(i)...), append(b.Y, sp.train.Y[i])
		if sp.covariates != nil {
			b.Covariates = append(b.Covariates, sp.train.Covariates[i])
		}
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
