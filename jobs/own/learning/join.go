package learning

import (
	"graphda/io/samples"
)

// Join joins the training, validation and test samples of a trial into one block.
func Join(t *samples.Trial) *samples.Trial { return JoinUpTo(t, samples.Test) }

// JoinUpTo joins a trial's training, validation and test samples into one block for learning. With samples.Valid it
// omits the test samples. The joined samples have their measured values, without the dataset's scaling.
func JoinUpTo(t *samples.Trial, last samples.Split) *samples.Trial {
	joined, features := *t, *t.Features
	joined.Features = &features
	blocks := []*samples.Block{&joined.Train, &joined.Valid, &joined.Test}
	for _, b := range blocks {
		*b = samples.Block{P: t.Train.P}
	}
	of, total := []samples.Block{t.Train, t.Valid, t.Test}, 0
	for _, b := range of[:last+1] {
		total += len(b.X)
	}
	joined.Train.X = make([]float64, 0, total)
	for i, b := range of {
		to := blocks[i]
		if i <= int(last) {
			to = &joined.Train
		}
		to.X, to.Y, to.Patient = append(to.X, b.X...), append(to.Y, b.Y...), append(to.Patient, b.Patient...)
		to.IDs, to.Covariates = append(to.IDs, b.IDs...), append(to.Covariates, b.Covariates...)
		to.Weight, to.Strata = append(to.Weight, b.Weight...), append(to.Strata, b.Strata...)
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
