package tuning

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/jobs/metrics"
	"graphda/jobs/stats"
	"graphda/learners"
)

// A split is one trial of a dataset, standardised, with what settings are made of.
type split struct {
	problem            *learners.Problem
	loss               learners.Loss
	train, valid, test samples.Block
	covariates         []samples.Covariate // nil: there is nothing to adjust for
	design             samples.Design      // of them, by the training samples
	alone              *learners.Model     // of them alone, whose scores are the offsets; nil without any
	scaling            *samples.Scaling    // that was applied here; nil: the dataset is standardised already

	center, scale float64 // of the targets, y = center + scale·z for the z that is learned; 0 and 1 of labels
	variance      float64 // mean variance of the training features; 1 if flat
	flat          bool    // no training feature varies
	lambdaMax     float64
}

// newSplit standardises a trial by its training samples, unless its dataset is standardised.
func newSplit(t *samples.Trial, loss learners.Loss) (*split, error) {
	sp := &split{
		problem: &learners.Problem{P: len(t.Features.Names), Graph: t.Graph, Groups: t.Features.Groups},
		loss:    loss, train: t.Train, valid: t.Valid, test: t.Test, scale: 1, covariates: t.Covariates,
	}
	return sp, sp.prepare(t.Features.Scaling == nil)
}

// weigh brings the weights of each block's samples to mean 1.
func (sp *split) weigh() error {
	for s, b := range sp.blocks() {
		if b.Weight == nil || b.Rows() == 0 {
			continue
		}
		mean := stat.Mean(b.Weight, nil)
		if mean == 0 {
			return fmt.Errorf("all %v samples of a split have weight 0, want one above 0", samples.Split(s))
		}
		b.Weight = slices.Clone(b.Weight)
		floats.Scale(1/mean, b.Weight)
	}
	return nil
}

// prepare standardises targets, and features if they are not, by the training samples, and adjusts for covariates.
func (sp *split) prepare(features bool) error {
	if err := sp.weigh(); err != nil {
		return err
	}
	if features {
		sp.scaling = samples.NewScaling(sp.train.P, sp.train.Rows(), sp.train.Row)
		for _, b := range sp.blocks() {
			apply(sp.scaling, b)
		}
	}
	if !sp.loss.Classifies() {
		sp.center, sp.scale = stat.PopMeanStdDev(sp.train.Y, sp.train.Weight)
		if sp.scale == 0 {
			sp.scale = 1 // nothing is there to learn
		}
		for _, b := range sp.blocks() {
			y := make([]float64, len(b.Y))
			for i, v := range b.Y {
				y[i] = (v - sp.center) / sp.scale
			}
			b.Y = y
		}
	}
	return sp.adjust()
}

// adjust fits a model of the covariates alone to the training samples, unpenalised. Its scores are the offsets from
// which features are learned: its errors over the training samples go together with no covariate.
func (sp *split) adjust() (err error) {
	defer sp.measure()
	if sp.covariates == nil {
		return nil
	}
	sp.design = samples.NewDesign(sp.covariates, sp.train.Covariates)
	for _, b := range sp.blocks() {
		b.Adjusted = make([][]float64, b.Rows())
		for i, texts := range b.Covariates {
			b.Adjusted[i] = sp.design.Row(texts, nil)
		}
	}
	if sp.alone, err = learners.RidgeBeside(sp.loss, 0, sp.train.Row, sp.train.Adjusted, sp.train.Y, sp.train.Weight,
		nil, 0); err != nil {
		return fmt.Errorf("the model of the covariates alone: %w", err)
	}
	for _, b := range sp.blocks() {
		b.Offset = make([]float64, b.Rows())
		for i := range b.Offset {
			b.Offset[i] = sp.alone.ScoreBeside(nil, b.Adjusted[i])
		}
	}
	return nil
}

// with returns a model that was learned from the offsets with the intercept of the model that makes them.
func (sp *split) with(m *learners.Model) *learners.Model {
	if sp.alone == nil {
		return m
	}
	sum := *m
	sum.Intercept += sp.alone.Intercept
	return &sum
}

// told are the covariates of a model's file, of which a refit has the weights; nil if there are none.
func (sp *split) told(ridge *learners.Model) *model.Covariates {
	if sp.alone == nil {
		return nil
	}
	c := &model.Covariates{Terms: sp.design, Intercept: sp.center + sp.scale*sp.alone.Intercept,
		Alone: slices.Clone(sp.alone.Beside), Ridge: slices.Clone(ridge.Beside)}
	floats.Scale(sp.scale, c.Alone)
	floats.Scale(sp.scale, c.Ridge)
	return c
}

// units tells whose each sample of a block is: a patient's, where they are told, else its own.
func units(b *samples.Block) []int32 {
	if b.Patient != nil {
		return b.Patient
	}
	own := make([]int32, b.Rows())
	for i := range own {
		own[i] = int32(i)
	}
	return own
}

func (sp *split) blocks() []*samples.Block { return []*samples.Block{&sp.train, &sp.valid, &sp.test} }

// apply standardises a block into rows of its own.
func apply(s *samples.Scaling, b *samples.Block) {
	x := make([]float64, len(b.X))
	for i := range b.Rows() {
		s.Apply(x[i*b.P:(i+1)*b.P], b.Row(i))
	}
	b.X = x
}

// measure takes what settings are made of from the training samples.
func (sp *split) measure() {
	n, p := float64(sp.train.Rows()), sp.train.P
	gradient, sums, squares := make([]float64, p), make([]float64, p), make([]float64, p)
	for i, y := range sp.train.Y {
		row := sp.train.Row(i)
		_, dz := sp.loss.Eval(sp.train.OffsetOf(i), y)
		floats.AddScaled(gradient, sp.train.WeightOf(i)*dz/n, row)
		for j, v := range row {
			sums[j] += v / n
			squares[j] += v * v / n
		}
	}
	for j := range squares {
		sp.variance += (squares[j] - sums[j]*sums[j]) / float64(p)
		sp.lambdaMax = max(sp.lambdaMax, math.Abs(gradient[j]))
	}
	if sp.flat = !(sp.variance > 0); sp.flat {
		sp.variance = 1
	}
	if sp.lambdaMax == 0 {
		sp.lambdaMax = 1
	}
}

// Measures of predictions are those of a loss; the others are NaN.
type Measures struct {
	Accuracy, BalancedAccuracy, AUC, LogLoss float64 // of labels
	R2                                       float64 // of numbers: 0 is that of the training mean

	chance float64 // variance of the AUC where scores say nothing; see stats.AreaInterval
}

// chance is the mean of what chance makes of the area of each of the trials.
func chance(found []Measures) (mean float64) {
	for i := range found {
		mean += found[i].chance / float64(len(found))
	}
	return mean
}

// score is what settings are chosen by.
func (m *Measures) score(loss learners.Loss) float64 {
	if loss.Classifies() {
		return m.AUC
	}
	return m.R2
}

// predict measures the predictions of a model, such as Model.Score of learners, on a block. They are added to its
// offsets.
func (sp *split) predict(score func(x []float64) float64, b *samples.Block, e *metrics.Evaluator) Measures {
	scores := make([]float64, b.Rows())
	for i := range scores {
		scores[i] = score(b.Row(i)) + b.OffsetOf(i)
	}
	return measured(sp.loss, scores, b.Y, b.Weight, 0, e)
}

// effective is how many samples of equal weight tell as much as those of these weights: (Σw)²/Σw² (Kish, Survey
// Sampling, 1965).
func effective(weights []float64) float64 {
	sum := floats.Sum(weights)
	if sum == 0 {
		return 0
	}
	return sum * sum / floats.Dot(weights, weights)
}

// measured measures scores of samples of these weights, nil: of equal ones. A score of at least the threshold predicts
// the label +1.
func measured(loss learners.Loss, scores, targets, weights []float64, threshold float64,
	e *metrics.Evaluator) Measures {
	weight := (&samples.Block{Weight: weights}).WeightOf
	nan := math.NaN()
	if !loss.Classifies() { // the training mean, 0 here, has R² = 0
		error, total := 0.0, 0.0
		for i, y := range targets {
			error += weight(i) * (scores[i] - y) * (scores[i] - y)
			total += weight(i) * y * y
		}
		return Measures{nan, nan, nan, nan, 1 - error/total, 0}
	}
	m := Measures{R2: nan}
	above, total := make([]float64, len(scores)), float64(len(scores))
	if weights != nil {
		total = floats.Sum(weights)
	}
	var of [2][]float64 // weights, by class
	for i, y := range targets {
		l, _ := loss.Eval(scores[i], y)
		m.LogLoss += weight(i) * l / total
		above[i] = scores[i] - threshold
		of[int(1+y)/2] = append(of[int(1+y)/2], weight(i))
	}
	positive := effective(of[1])
	m.chance = stats.AreaVariance(effective(of[0])+positive, positive)
	c := e.ClassifyWeighted(above, targets, weights)
	m.Accuracy, m.BalancedAccuracy, m.AUC = c.Accuracy, c.BalancedAccuracy, c.AUC
	return m
}

// learn takes a setting through the training samples, passes times, and returns its learner.
func (sp *split) learn(ws *learners.Workspace, s Setting, passes int) (*learners.Learner, error) {
	n := sp.train.Rows()
	passes = s.passes(passes)
	settings, err := s.fill(sp, passes*n)
	if err != nil {
		return nil, err
	}
	l, err := ws.NewLearner(settings, sp.loss)
	if err != nil {
		return nil, err
	}
	return l, sp.pass(l, passes)
}

// pass takes a learner through the training samples so many times.
func (sp *split) pass(l *learners.Learner, passes int) error {
	for range passes {
		for i, y := range sp.train.Y {
			if err := l.LearnFrom(sp.train.OffsetOf(i), sp.train.WeightOf(i), sp.train.Row(i), y); err != nil {
				return err
			}
		}
	}
	return l.CheckFinite()
}

// supportOf returns the features of nonzero weight.
func supportOf(m *learners.Model) []int32 {
	var support []int32
	for j, w := range m.W {
		if w != 0 {
			support = append(support, int32(j))
		}
	}
	return support
}
