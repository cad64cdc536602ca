package merge

import (
	"cmp"
	"strings"

	"graphda/io/results"
)

// A Measure is one of the numbers that models are judged by.
type Measure struct {
	Name   string // of its column in results, or of what is derived from one
	Head   string // above its column in tables; "" for a measure that no table has
	Axis   string // beside the axis of a figure; see Label
	Unit   Unit   // what its values are
	Better int    // Lower or Higher
	Of     Prediction
}

// A Unit tells how values are printed.
type Unit uint8

const (
	Share   Unit = iota // of one
	Percent             // a share of a hundred
	Count
	Scale // of the targets; without a natural one
)

// Which of two values of a measure is better.
const (
	Lower  = -1
	Higher = +1
)

// A Prediction is what a measure is about, without which it is not defined.
type Prediction uint8

const (
	Anything Prediction = iota
	Labels              // of losses that classify
	Targets             // of all other losses
)

// The measures that are derived from columns, and those that others are told apart from.
const (
	NonzeroPercent = "nonzero_percent" // the nonzero ratio |S|/p in percent
	TestError      = "test_error"      // share of test samples whose sign is predicted wrongly: Figure 5 of the paper

	testAccuracy = "test_accuracy"
)

// Measures are all measures, first those of tables in the order of the paper's columns. A new
// one is a column of results, or derived from one in Group.Values, and a line here.
var Measures = []Measure{
	{"precision", "Pre", "", Share, Higher, Anything},
	{"recall", "Rec", "", Share, Higher, Anything},
	{"f1", "F1", "F1", Share, Higher, Anything},
	{"test_balanced_accuracy", "BalAcc", "balanced test accuracy", Share, Higher, Labels},
	{"test_auc", "AUC", "test AUC", Share, Higher, Labels},
	{testAccuracy, "Acc", "", Share, Higher, Labels},
	{"test_mse", "Test MSE", "test MSE", Scale, Lower, Targets},
	{"mistakes", "Miss", "", Count, Lower, Labels},
	{NonzeroPercent, "NR %", "nonzeros, %", Percent, Lower, Anything},
	{TestError, "", "test error", Share, Lower, Labels},
	{"valid_accuracy", "", "", Share, Higher, Labels},
	{"valid_balanced_accuracy", "", "", Share, Higher, Labels},
	{"valid_auc", "", "", Share, Higher, Labels},
	{"valid_mse", "", "", Scale, Lower, Targets},
	{"cumulative_loss", "", "", Scale, Lower, Anything},
	{"regret", "", "", Scale, Lower, Anything},
	{"nonzeros", "", "", Count, Lower, Anything},
}

// MeasureOf returns the measure of a name. One that is not among Measures is a programming
// error, and panics.
func MeasureOf(name string) *Measure {
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i]
		}
	}
	panic("merge: no such measure: " + name)
}

// MeasureNames are the names of all measures.
func MeasureNames() []string {
	names := make([]string, len(Measures))
	for i := range Measures {
		names[i] = Measures[i].Name
	}
	return names
}

// Label is how the measure is called beside an axis.
func (m *Measure) Label() string { return cmp.Or(m.Axis, strings.ReplaceAll(m.Name, "_", " ")) }

// Under tells whether the measure is defined under a loss that classifies, or under another.
func (m *Measure) Under(classifies bool) bool {
	return m.Of == Anything || (m.Of == Labels) == classifies
}

// value is the measure in a row's metrics, of a model with so many features.
func (m *Measure) value(row *results.Metrics, features int) float64 {
	switch m.Name {
	case NonzeroPercent:
		return 100 * row.Nonzeros / float64(features)
	case TestError:
		return 1 - row.TestAccuracy
	}
	for _, c := range results.MetricColumns {
		if c.Name == m.Name {
			return *c.At(row)
		}
	}
	panic("merge: no column of results: " + m.Name)
}
