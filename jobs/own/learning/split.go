package learning

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"graphda/io/model"
	"graphda/io/samples"
	"graphda/learners"
	"graphda/learners/cox"
)

// A Split is one standardised trial of a dataset.
type Split struct {
	Problem            *learners.Problem
	Loss               learners.Loss
	Train, Valid, Test samples.Block
	Covariates         []samples.Covariate // may be nil
	Design             samples.Design      // converts covariates to numbers; estimated from the training samples
	Alone              *learners.Model     // model of the covariates alone; its scores are the offsets; may be nil
	Scaling            *samples.Scaling    // the scaling that prepare applied; nil if the dataset was standardised already

	TargetUnits
	Variance  float64 // mean variance of the training features; 1 if Flat
	Flat      bool    // whether every feature is constant in the training samples
	Each      bool    // GraphDA finds a support after each sample (see Setting.Fill)
	LambdaMax float64

	risks *cox.Risks // risk sets of the training samples; nil unless the labels are times
}

// TargetUnits are the units of standardised targets, (y − Center)/Scale. For classes and times, these are 0 and 1.
type TargetUnits struct{ Center, Scale float64 }

// In converts a target or a score from the units u to the units v.
func (u TargetUnits) In(v TargetUnits, y float64) float64 {
	return (u.Center + u.Scale*y - v.Center) / v.Scale
}

// Convert converts samples in place from the units u to the units v.
func (u TargetUnits) Convert(v TargetUnits, held []Scored) {
	for i := range held {
		held[i].Y = u.In(v, held[i].Y)
		for k, z := range held[i].Z {
			held[i].Z[k] = u.In(v, z)
		}
	}
}

// NewSplit standardises the trial t by its training samples, unless t is standardised. It overwrites t's features.
func NewSplit(t *samples.Trial, loss learners.Loss) (*Split, error) {
	sp := &Split{
		Problem: &learners.Problem{P: len(t.Features.Names), Graph: t.Graph, Groups: t.Features.Groups},
		Loss:    loss, TargetUnits: TargetUnits{Scale: 1},
		Train: t.Train, Valid: t.Valid, Test: t.Test, Covariates: t.Covariates,
	}
	return sp, sp.prepare(t.Features.Scaling == nil)
}

// weigh scales the samples' weights in each block to mean 1.
func (sp *Split) weigh() error {
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

// prepare standardises targets, and on request features, by the training samples, and adjusts for covariates.
func (sp *Split) prepare(features bool) error {
	if err := sp.weigh(); err != nil {
		return err
	}
	if features {
		sp.Scaling = samples.NewScaling(sp.Train.P, sp.Train.Rows(), sp.Train.Row, sp.Train.Weight)
		for _, b := range sp.blocks() {
			for i := range b.Rows() {
				sp.Scaling.Apply(b.Row(i), b.Row(i))
			}
		}
	}
	if OutcomeOf(sp.Loss) == Numbers {
		sp.Center, sp.Scale = stat.PopMeanStdDev(sp.Train.Y, sp.Train.Weight)
		if sp.Scale == 0 {
			sp.Scale = 1 // all targets are equal
		}
		for _, b := range sp.blocks() {
			y := make([]float64, len(b.Y))
			for i, v := range b.Y {
				y[i] = (v - sp.Center) / sp.Scale
			}
			b.Y = y
		}
	}
	return sp.adjust()
}

// adjust fits an unpenalised model of the covariates alone to the training samples. Its scores are the offsets when
// features are learned.
func (sp *Split) adjust() (err error) {
	defer sp.measure()
	if OutcomeOf(sp.Loss) == Times {
		sp.risks = cox.New(sp.Train.Y, sp.Train.Strata)
	}
	if sp.Covariates == nil {
		return nil
	}
	sp.Design = samples.NewDesign(sp.Covariates, sp.Train.Covariates, sp.Train.Weight)
	for _, b := range sp.blocks() {
		b.Adjusted = make([][]float64, b.Rows())
		for i, texts := range b.Covariates {
			b.Adjusted[i] = sp.Design.Row(texts, nil)
		}
	}
	if sp.Alone, err = sp.fit(0, nil, 0); err != nil {
		return fmt.Errorf("the model of the covariates alone: %w", err)
	}
	for _, b := range sp.blocks() {
		b.Offset = make([]float64, b.Rows())
		for i := range b.Offset {
			b.Offset[i] = sp.Alone.ScoreBeside(nil, b.Adjusted[i])
		}
	}
	return nil
}

// With returns the sum of m and sp.Alone. The model m must have been learned with Alone's scores as offsets.
func (sp *Split) With(m *learners.Model) *learners.Model {
	if sp.Alone == nil {
		return m
	}
	sum := *m
	sum.Intercept += sp.Alone.Intercept
	sum.Beside = sp.Alone.Beside
	return &sum
}

// Told returns the covariates and their weights for a model's file, or nil without covariates.
func (sp *Split) Told(ridge *learners.Model) *model.Covariates {
	if sp.Alone == nil {
		return nil
	}
	c := &model.Covariates{Terms: sp.Design, Intercept: sp.Center + sp.Scale*sp.Alone.Intercept,
		Alone: slices.Clone(sp.Alone.Beside), Ridge: slices.Clone(ridge.Beside)}
	floats.Scale(sp.Scale, c.Alone)
	floats.Scale(sp.Scale, c.Ridge)
	return c
}

// Units returns the number of each sample's patient. Without patients, each sample has its own number.
func Units(b *samples.Block) []int32 {
	if b.Patient != nil {
		return b.Patient
	}
	own := make([]int32, b.Rows())
	for i := range own {
		own[i] = int32(i)
	}
	return own
}

func (sp *Split) blocks() []*samples.Block { return []*samples.Block{&sp.Train, &sp.Valid, &sp.Test} }

func (sp *Split) measure() {
	n, p := float64(sp.Train.Rows()), sp.Train.P
	total := n
	if sp.Train.Weight != nil {
		total = floats.Sum(sp.Train.Weight)
	}
	gradient, sums, squares := make([]float64, p), make([]float64, p), make([]float64, p)
	for i, rest := range sp.Rest() {
		row, part := sp.Train.Row(i), total/sp.Train.WeightOf(i)
		floats.AddScaled(gradient, -rest/n, row)
		for j, v := range row {
			sums[j] += v / part
			squares[j] += v * v / part
		}
	}
	for j := range squares {
		sp.Variance += (squares[j] - sums[j]*sums[j]) / float64(p)
		sp.LambdaMax = max(sp.LambdaMax, math.Abs(gradient[j]))
	}
	if sp.Flat = !(sp.Variance > 0); sp.Flat {
		sp.Variance = 1
	}
	if sp.LambdaMax == 0 {
		sp.LambdaMax = 1
	}
}

// Learn learns the setting s from the training samples, in the given number of passes.
func (sp *Split) Learn(ws *learners.Workspace, s Setting, passes int) (*learners.Learner, error) {
	passes = s.Rounds(passes)
	settings, err := s.Fill(sp, sp.Rounds(passes))
	if err != nil {
		return nil, err
	}
	l, err := ws.NewLearner(settings, sp.Loss)
	if err != nil {
		return nil, err
	}
	l.Unaccounted()
	return l, sp.Pass(l, passes)
}

// Rounds returns the number of rounds in the given passes. A round learns one sample or, for times, all samples.
func (sp *Split) Rounds(passes int) int {
	if sp.risks != nil {
		return passes
	}
	return passes * sp.Train.Rows()
}

// Class returns the class of a training sample for stratified draws: −1 or +1. For times, an event is +1. For numbers,
// every class is 0.
func (sp *Split) Class(i int) float64 {
	if OutcomeOf(sp.Loss) == Numbers {
		return 0
	}
	return math.Copysign(1, sp.Train.Y[i])
}

// Pass lets the learner l learn from all training samples, in the given number of passes.
func (sp *Split) Pass(l *learners.Learner, passes int) error {
	if sp.risks != nil {
		return sp.descend(l, passes)
	}
	for range passes {
		for i, y := range sp.Train.Y {
			if err := l.LearnFrom(sp.Train.OffsetOf(i), sp.Train.WeightOf(i), sp.Train.Row(i), y); err != nil {
				return err
			}
		}
	}
	return l.CheckFinite()
}

// Support returns the indices of the features with nonzero weights.
func Support(m *learners.Model) []int32 {
	var support []int32
	for j, w := range m.W {
		if w != 0 {
			support = append(support, int32(j))
		}
	}
	return support
}

// Subset returns a split whose training samples are the given rows of sp. The new split may have other features: fill
// writes the features of row i to dst.
func (sp *Split) Subset(rows []int, problem *learners.Problem, fill func(dst []float64, i int)) (*Split, error) {
	sub := &Split{Problem: problem, Loss: sp.Loss, TargetUnits: TargetUnits{Scale: 1}, Covariates: sp.Covariates}
	sub.Train = samples.Block{P: problem.P, X: make([]float64, len(rows)*problem.P)}
	for k, i := range rows {
		fill(sub.Train.X[k*problem.P:(k+1)*problem.P], i)
		sub.Train.Take(&sp.Train, i)
	}
	return sub, sub.adjust()
}
