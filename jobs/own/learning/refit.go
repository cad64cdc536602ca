package learning

import (
	"graphda/io/samples"
	"graphda/learners"
)

// A Learned is the result of Split.Models.
type Learned struct {
	Learner *learners.Learner
	W       *learners.Model
	Average learners.Model
	Fits    []*learners.Model // one refit for each of Penalties
}

// Models learns the setting s from the split's training samples, and refits the weights of the selected features.
func (sp *Split) Models(ws *learners.Workspace, s Setting, passes int) (*Learned, error) {
	l, err := sp.Learn(ws, s, passes)
	if err != nil {
		return nil, err
	}
	of := &Learned{Learner: l, W: l.Model()}
	l.Average(&of.Average)
	of.Fits, err = sp.Refits(Support(l.Model()))
	return of, err
}

// Penalties lists the ridge penalties of refits. Powers of ten are close enough, because calibration corrects the
// shrinkage.
var Penalties = []float64{0.01, 0.1, 1, 10}

// Refits fits the weights of the features in support, once for each penalty. Covariates are not penalised.
func (sp *Split) Refits(support []int32) (fits []*learners.Model, err error) {
	for _, penalty := range Penalties {
		m, err := sp.fit(sp.Train.P, support, penalty)
		if err != nil {
			return nil, err
		}
		fits = append(fits, m)
	}
	return fits, nil
}

// Score returns the samples of b with one score for each fit.
func Score(b *samples.Block, fits []*learners.Model) (all []Scored) {
	for i, y := range b.Y {
		s := Scored{Y: y, Weight: b.WeightOf(i)}
		if b.IDs != nil {
			s.ID = b.IDs[i]
		}
		if b.Strata != nil {
			s.Stratum = b.Strata[i]
		}
		for _, m := range fits {
			s.Z = append(s.Z, m.ScoreBeside(b.Row(i), b.Beside(i)))
		}
		all = append(all, s)
	}
	return all
}

// Folds is the number of folds that calibrate the final model. A model fits its own samples too well, so a selection
// and a refit on the other folds score each fold.
const Folds = 10

// Dealt returns the fold of each training sample. Folds are stratified by class, and do not split patients.
func (sp *Split) Dealt() []int {
	fold, next, of := make([]int, sp.Train.Rows()), map[float64]int{}, map[int32]int{}
	for i, patient := range Units(&sp.Train) {
		class := sp.Class(i)
		if _, known := of[patient]; !known {
			of[patient] = next[class] % Folds
			next[class]++
		}
		fold[i] = of[patient]
	}
	return fold
}

// ScoreFold standardises and learns the samples outside fold f. Then it scores the samples in fold f, in sp's units.
func (sp *Split) ScoreFold(ws *learners.Workspace, s Setting, passes int, fold []int, f int) ([]Scored,
	error) {
	var rows [2][]int // rows outside the fold, and rows of the fold
	for i, of := range fold {
		k := 0
		if of == f {
			k = 1
		}
		rows[k] = append(rows[k], i)
	}
	if len(rows[1]) == 0 {
		return nil, nil // fewer samples than folds
	}
	p := sp.Train.P
	part := &Split{Problem: sp.Problem, Loss: sp.Loss, TargetUnits: TargetUnits{Scale: 1}, Covariates: sp.Covariates}
	for k, b := range []*samples.Block{&part.Train, &part.Test} {
		b.P, b.X = p, make([]float64, len(rows[k])*p)
		for to, from := range rows[k] {
			b.Take(&sp.Train, from)
			copy(b.Row(to), sp.Train.Row(from))
		}
	}
	if err := part.prepare(true); err != nil {
		return nil, err
	}
	l, err := part.Models(ws, s, passes)
	if err != nil {
		return nil, err
	}
	scored := Score(&part.Test, l.Fits)
	part.Convert(TargetUnits{Scale: 1}, scored)
	for k, i := range rows[1] {
		scored[k].Weight = sp.Train.WeightOf(i) // the weight in sp's units, because part.prepare rescales weights
	}
	return scored, nil
}
