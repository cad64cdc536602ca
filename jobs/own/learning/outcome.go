package learning

import (
	"graphda/io/samples"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
	"graphda/learners"
	"graphda/learners/cox"
)

// An Outcome is a kind of what is predicted. Samples are learned from one by one, or, if they are times, by the partial
// likelihood of all of them: see times.go.
type Outcome struct {
	Measure string // what settings are chosen by, and findings are told by
	Guess   float64
	Passes  int  // over the training samples, where nothing else is said
	Area    bool // the measure is a share of pairs of samples, whose variance by chance is known: Measures.Chance
	Score   func(*Measures) float64
}

// The kinds of outcomes.
var (
	Classes = &Outcome{"AUC", 0.5, 1, true, func(m *Measures) float64 { return m.AUC }}
	Numbers = &Outcome{"R²", 0, 20, false, func(m *Measures) float64 { return m.R2 }}
	Times   = &Outcome{"C-index", 0.5, 50, true, func(m *Measures) float64 { return m.C }}
)

// OutcomeOf returns the kind that a loss is of.
func OutcomeOf(loss learners.Loss) *Outcome {
	switch {
	case loss == cox.Loss{}:
		return Times
	case loss.Classifies():
		return Classes
	}
	return Numbers
}

// LossFor returns the loss for a trial: that of the name, or, where labels are times, Cox's partial likelihood.
func LossFor(t *samples.Trial, name string) (learners.Loss, error) {
	if !samples.Times(t.Metadata) {
		return plan.LossFor(t, name)
	}
	if name != "" {
		return nil,
			userinput.Errorf("loss = %q: %s has times of an event, for which there is Cox's partial likelihood alone; "+
				"leave the loss out", name, t.Dataset)
	}
	return cox.Loss{}, nil
}
