package learning

import (
	"slices"

	"graphda/learners"
	"graphda/learners/cox"
)

// descend makes one step along the partial likelihood's gradient in each pass.
func (sp *Split) descend(l *learners.Learner, passes int) error {
	n := len(sp.Train.Y)
	gradient, scores, rest := make([]float64, sp.Train.P), make([]float64, n), make([]float64, n)
	for range passes {
		for i := range scores {
			scores[i] = l.Model().Score(sp.Train.Row(i)) + sp.Train.OffsetOf(i)
		}
		sp.risks.Residuals(rest, scores)
		cox.Gradient(gradient, rest, sp.Train.Row)
		if err := l.Descend(gradient); err != nil {
			return err
		}
	}
	return l.CheckFinite()
}

// fit fits a model of the features in support and the covariates. The ridge penalty is on the features only.
func (sp *Split) fit(p int, support []int32, penalty float64) (*learners.Model, error) {
	b := &sp.Train
	if sp.risks == nil {
		return learners.RidgeBeside(sp.Loss, p, b.Row, b.Adjusted, b.Y, b.Weight, support, penalty)
	}
	rows := make([][]float64, len(b.Y))
	for i := range rows {
		for _, j := range support {
			rows[i] = append(rows[i], b.Row(i)[j])
		}
		rows[i] = append(rows[i], b.Beside(i)...)
	}
	d := len(rows[0])
	w, err := sp.risks.Ridge(d, d-len(support), func(i int) []float64 { return rows[i] }, penalty)
	if err != nil {
		return nil, err
	}
	m := &learners.Model{W: make([]float64, p), Support: slices.Clone(support), Sparse: true, Beside: w[len(support):]}
	for k, j := range support {
		m.W[j] = w[k]
	}
	return m, nil
}

// Rest returns the residuals of the training samples in the model of the covariates: the negative derivatives of each
// sample's loss by its score. For times these are martingale residuals.
func (sp *Split) Rest() []float64 {
	b, rest := &sp.Train, make([]float64, len(sp.Train.Y))
	if sp.risks != nil {
		offsets := make([]float64, len(rest))
		for i := range offsets {
			offsets[i] = b.OffsetOf(i)
		}
		sp.risks.Residuals(rest, offsets)
		return rest
	}
	for i, y := range b.Y {
		_, dz := sp.Loss.Eval(b.OffsetOf(i), y)
		rest[i] = -b.WeightOf(i) * dz
	}
	return rest
}
