package learning

import (
	"graphda/io/samples"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
	"graphda/learners/cox"
)

// An Outcome is a kind of label: class, number or time. Classes and numbers are learned sample by sample. Times are
// learned from all samples at once (times.go).
type Outcome struct {
	Measure string // name of the measure by which settings are chosen
	Guess   float64
	Passes  int  // default number of passes over the training samples
	Area    bool // set if Measure is a share of pairs in the right order; Measures.Chance is then known
	Score   func(*Measures) float64
}

var (
	Classes = &Outcome{"AUC", 0.5, 1, true, func(m *Measures) float64 { return m.AUC }}
	Numbers = &Outcome{"R²", 0, 20, false, func(m *Measures) float64 { return m.R2 }}
	Times   = &Outcome{"C-index", 0.5, 50, true, func(m *Measures) float64 { return m.C }}
)

// OutcomeOf returns the kind of outcome that the given loss predicts.
func OutcomeOf(loss learners.Loss) *Outcome {
	switch {
	case loss == cox.Loss{}:
		return Times
	case loss.Classifies():
		return Classes
	}
	return Numbers
}

// LossFor returns the loss of the given name or, if labels are times, Cox's partial likelihood.
func LossFor(t *samples.Trial, name string) (learners.Loss, error) {
	if !samples.Times(t.Metadata) {
		return plan.LossFor(t, name)
	}
	if name != "" {
		return nil,
			userinput.Errorf("loss = %q: %s has times of an event, whose only loss is Cox's partial likelihood; leave out "+
				"--loss", name, t.Dataset)
	}
	return cox.Loss{}, nil
}
