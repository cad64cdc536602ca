package selection

import (
	"cmp"
	"math"
	"strings"

	"graphda/io/results"
)

// The names of the rules.
const (
	Validation     = "validation"
	ValidationLast = "validation-last"
	OracleF1       = "oracle-f1"
	Paper          = "paper"
)

// A Model is one of the two vectors a learner is judged by.
type Model uint8

const (
	W    Model = iota // the last iterate w
	Wbar              // the running average w̄
)

// Models are both models, in the order tables print them.
var Models = [...]Model{W, Wbar}

// String returns the model's symbol.
func (m Model) String() string {
	if m == Wbar {
		return "w̄"
	}
	return "w"
}

// Name is what experiment files and data columns call the model.
func (m Model) Name() string {
	if m == Wbar {
		return "wbar"
	}
	return "w"
}

// Suffix is what the model's columns append to a metric's name.
func (m Model) Suffix() string {
	if m == Wbar {
		return results.WbarSuffix
	}
	return ""
}

// Of returns the measures of the model in a row.
func (m Model) Of(r *results.Row) *results.Metrics {
	if m == Wbar {
		return &r.Wbar
	}
	return &r.W
}

// Ranked returns the measures that rules rank rows by; the others are NaN.
func Ranked(m *results.Metrics) results.Metrics {
	r := results.NoMetrics()
	r.ValidAccuracy, r.ValidMSE, r.F1, r.Mistakes = m.ValidAccuracy, m.ValidMSE, m.F1, m.Mistakes
	return r
}

// A Rule chooses one row among the cells of a (dataset, trial, method, checkpoint).
// The zero Rule is not usable; Parse makes one.
type Rule struct {
	name    string
	reading string
	truth   bool   // it chooses by what a user of the method would not know
	mixed   bool   // measures of w̄ that are not held out are read from the cell of w
	labels  bool   // rows have mistakes, as under a loss that classifies
	means   string // what the rule chooses by, as Describe says it

	measure  func(*results.Metrics) float64 // larger is better; NaN is not defined
	mistakes bool                           // equals are ranked by fewer mistakes
	last     bool                           // of the remaining equals the last one wins
}

// Name returns the rule's name as given to Parse.
func (r Rule) Name() string { return r.name }

// String returns the rule's name, with its reading where it has one.
func (r Rule) String() string {
	if r.reading == "" {
		return r.name
	}
	return r.name + " (" + r.reading + ")"
}

// Describe says in a sentence how the rule chooses hyperparameters.
func (r Rule) Describe() string {
	s := "w and w̄ each have the hyperparameters of " + r.means
	switch {
	case r.mixed:
		s += ", but mistakes and nonzeros of w̄ are read from the cell chosen for w, as in the published tables"
	case r.last:
		s += ", of equals the last in plan order"
	case r.mistakes && r.labels:
		s += ", of equals those with the fewest mistakes on the way"
	}
	if r.name == Paper {
		s += " (the reading that gave the published numbers)"
	}
	return s + "."
}

// score is the criterion of a row for a model; NaN of a row that the rule cannot choose at all: it failed, or its
// criterion is not defined.
func (r Rule) score(row *results.Row, m Model) float64 {
	if row == nil || row.Failed() {
		return math.NaN()
	}
	return r.measure(m.Of(row))
}

// usable tells whether the rule can choose the row at all for a model.
func (r Rule) usable(row *results.Row, m Model) bool { return !math.IsNaN(r.score(row, m)) }

// better tells whether row, which comes later in plan order, replaces best as the
// choice for a model. A nil best is replaced by any usable row.
func (r Rule) better(row, best *results.Row, m Model) bool {
	c := r.compare(row, best, m)
	return c < 0 || c == 0 && r.last && r.usable(row, m)
}

// compare ranks two rows, the better one first; of equals, between which only their places in the plan
// decide, and of two rows that are not usable, it returns 0.
func (r Rule) compare(row, other *results.Row, m Model) int {
	ours, theirs := r.score(row, m), r.score(other, m)
	if ours == theirs && r.mistakes { // NaN, which Compare takes for the least, is more than any number of mistakes
		return cmp.Compare(-m.Of(other).Mistakes, -m.Of(row).Mistakes)
	}
	return cmp.Compare(theirs, ours)
}

// Best returns the index of the row the rule chooses for a model, or −1 if it can
// choose none. The rows are those of one (dataset, trial, method, checkpoint) in plan
// order; nil stands for a cell without a result.
func (r Rule) Best(rows []*results.Row, m Model) int {
	best := -1
	var chosen *results.Row
	for i, row := range rows {
		if r.better(row, chosen, m) {
			best, chosen = i, row
		}
	}
	return best
}

// Ties returns the indices of the rows besides the best that have its score: settings that ties alone
// decide between. The rows are those given to Best.
func (r Rule) Ties(rows []*results.Row, best int, m Model) (tied []int) {
	if best < 0 {
		return nil
	}
	for i, row := range rows {
		if i != best && r.score(row, m) == r.score(rows[best], m) {
			tied = append(tied, i)
		}
	}
	return tied
}

// CellOf tells from whose cell a table reads a measure of model m: that chosen for w or
// that chosen for w̄. It is always m's own, except in the paper's benchmark tables.
func (r Rule) CellOf(m Model, metric string) Model {
	heldOut := strings.HasPrefix(metric, "test_") || strings.HasPrefix(metric, "valid_")
	if r.mixed && !heldOut {
		return W
	}
	return m
}

// SeesTruth tells whether the rule chooses by the truth.
func (r Rule) SeesTruth() bool { return r.truth }
