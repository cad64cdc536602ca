package selection

import (
	"cmp"
	"math"
	"strings"

	"graphda/io/results"
)

const (
	Validation     = "validation"
	ValidationLast = "validation-last"
	OracleF1       = "oracle-f1"
	Paper          = "paper"
)

// A Model is one of a learner's two weight vectors, w and w̄.
type Model uint8

const (
	W    Model = iota // the weights after the last sample
	Wbar              // the mean of w over all samples so far
)

// Models lists both models in the order of tables.
var Models = [...]Model{W, Wbar}

// String returns w or w̄.
func (m Model) String() string {
	if m == Wbar {
		return "w̄"
	}
	return "w"
}

// Name returns the model's name in experiment files and data columns.
func (m Model) Name() string {
	if m == Wbar {
		return "wbar"
	}
	return "w"
}

// Suffix returns the ending of the model's column names, after the measure.
func (m Model) Suffix() string {
	if m == Wbar {
		return results.WbarSuffix
	}
	return ""
}

// Of returns the model's measures in a row.
func (m Model) Of(r *results.Row) *results.Metrics {
	if m == Wbar {
		return &r.Wbar
	}
	return &r.W
}

// Ranked returns a copy of m with only the measures by which rules rank rows. All others are NaN.
func Ranked(m *results.Metrics) results.Metrics {
	r := results.NoMetrics()
	r.ValidAccuracy, r.ValidMSE, r.F1, r.Mistakes = m.ValidAccuracy, m.ValidMSE, m.F1, m.Mistakes
	return r
}

// A Rule chooses among rows of one dataset, trial, method and checkpoint.
type Rule struct {
	name    string
	reading string
	truth   bool   // set if the rule uses the true support, which users do not know
	mixed   bool   // set if only measures on held-out samples come from the cell chosen for w̄
	labels  bool   // set if the loss classifies, so that rows have mistakes
	means   string // describes the rule's measure

	measure  func(*results.Metrics) float64 // the larger, the better; NaN if undefined
	mistakes bool                           // set if fewer mistakes break ties
	last     bool                           // set if the last row wins the remaining ties
}

// Name returns the rule's name.
func (r Rule) Name() string { return r.name }

// String returns the rule's name, with its reading in parentheses.
func (r Rule) String() string {
	if r.reading == "" {
		return r.name
	}
	return r.name + " (" + r.reading + ")"
}

// Means says what the chosen setting has, such as "the best accuracy on the validation split".
func (r Rule) Means() string {
	means, _, _ := strings.Cut(r.means, ".")
	return means
}

// Describe returns a sentence on how the rule chooses.
func (r Rule) Describe() string {
	s := "w and w̄ each use the setting with " + r.means
	switch {
	case r.mixed:
		s += ". But mistakes and nonzeros of w̄ come from the setting for w, as in the published tables"
	case r.last:
		s += ". Ties go to the last setting in plan order"
	case r.mistakes && r.labels:
		s += ". Ties go to the setting with the fewest training mistakes"
	}
	if r.name == Paper {
		s += ". This gives the published numbers"
	}
	return s + "."
}

// score returns a row's criterion for the model m, or NaN if the row failed or the criterion is undefined.
func (r Rule) score(row *results.Row, m Model) float64 {
	if row == nil || row.Failed() {
		return math.NaN()
	}
	return r.measure(m.Of(row))
}

func (r Rule) usable(row *results.Row, m Model) bool { return !math.IsNaN(r.score(row, m)) }

// better tells whether a row beats the best of the earlier rows. Any usable row beats nil.
func (r Rule) better(row, best *results.Row, m Model) bool {
	c := r.compare(row, best, m)
	return c < 0 || c == 0 && r.last && r.usable(row, m)
}

// compare returns a negative number if the first row is better, and a positive number if the second row is better. It
// returns 0 if the rows tie, or if neither row is usable.
func (r Rule) compare(row, other *results.Row, m Model) int {
	ours, theirs := r.score(row, m), r.score(other, m)
	if ours == theirs && r.mistakes { // the signs are negative so that NaN comes last
		return cmp.Compare(-m.Of(other).Mistakes, -m.Of(row).Mistakes)
	}
	return cmp.Compare(theirs, ours)
}

// Best returns the index of the chosen row for the model m, or −1. The rows belong to one (dataset, trial, method,
// checkpoint) and are in plan order. A nil row is a cell without a result.
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

// Ties returns the indices of the other rows with the same score as rows[best] (see Best).
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

// CellOf returns the model whose chosen cell gives the value of a metric in the row of m: m itself, except in the
// paper's benchmark tables.
func (r Rule) CellOf(m Model, metric string) Model {
	heldOut := strings.HasPrefix(metric, "test_") || strings.HasPrefix(metric, "valid_")
	if r.mixed && !heldOut {
		return W
	}
	return m
}

// SeesTruth tells whether the rule uses the true support.
func (r Rule) SeesTruth() bool { return r.truth }
