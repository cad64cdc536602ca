package metrics

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"graphda/io/results"
)

// A Measure is one of the numbers that models are judged by.
type Measure struct {
	Name   string // of its column in results, or of what is derived from one
	Head   string // above its column in tables; "" for a measure that no table has
	Axis   string // beside the axis of a figure; see Label
	Unit   Unit   // what its values are
	Better int    // lower or higher
	Of     prediction
}

// A Unit tells how values are printed.
type Unit uint8

const (
	Share   Unit = iota // of one
	Percent             // a share of a hundred
	Count
	Scale // of the targets; without a natural one
)

// Range returns the least and the largest value there can be.
func (u Unit) Range() (least, largest float64) {
	switch u {
	case Share:
		return 0, 1
	case Percent:
		return 0, 100
	case Count:
		return 0, math.Inf(1)
	}
	return math.Inf(-1), math.Inf(1)
}

// Which of two values of a measure is better.
const (
	lower  = -1
	higher = +1
)

// A prediction is what a measure is about, without which it is not defined.
type prediction uint8

const (
	anything prediction = iota
	labels              // of losses that classify
	targets             // of all other losses
)

// The measures that are derived from columns, and those that others are told apart from.
const (
	NonzeroPercent = "nonzero_percent" // the nonzero ratio |S|/p in percent
	TestError      = "test_error"      // share of test samples whose sign is predicted wrongly: Figure 5 of the paper

	rightFeatures = "right_features" // selected ones of the true support
	wrongFeatures = "wrong_features" // other selected ones

	TestAccuracy = "test_accuracy"
)

// measures are all measures, first those of tables in the order of the paper's columns. A new
// one is a column of results, or derived from one in Measure.Value, and a line here.
var measures = []Measure{
	{"precision", "Pre", "", Share, higher, anything},
	{"recall", "Rec", "", Share, higher, anything},
	{"f1", "F1", "F1", Share, higher, anything},
	{"test_balanced_accuracy", "BalAcc", "balanced test accuracy", Share, higher, labels},
	{"test_auc", "AUC", "test AUC", Share, higher, labels},
	{TestAccuracy, "Acc", "", Share, higher, labels},
	{"test_mse", "Test MSE", "test MSE", Scale, lower, targets},
	{"mistakes", "Miss", "", Count, lower, labels},
	{NonzeroPercent, "NR %", "nonzeros, %", Percent, lower, anything},
	{TestError, "", "test error", Share, lower, labels},
	{"valid_accuracy", "", "", Share, higher, labels},
	{"valid_balanced_accuracy", "", "", Share, higher, labels},
	{"valid_auc", "", "", Share, higher, labels},
	{"valid_mse", "", "", Scale, lower, targets},
	{"cumulative_loss", "", "", Scale, lower, anything},
	{"regret", "", "", Scale, lower, anything},
	{"nonzeros", "", "", Count, lower, anything},
	{rightFeatures, "", "", Count, higher, anything},
	{wrongFeatures, "", "", Count, lower, anything},
}

// MeasureOf returns the measure of a name. One that is not among measures is a programming
// error, and panics.
func MeasureOf(name string) *Measure {
	for i := range measures {
		if measures[i].Name == name {
			return &measures[i]
		}
	}
	panic("metrics: no such measure: " + name)
}

// MeasureNames are the names of all measures.
func MeasureNames() []string {
	names := make([]string, len(measures))
	for i := range measures {
		names[i] = measures[i].Name
	}
	return names
}

// Label is how the measure is called beside an axis.
func (m *Measure) Label() string { return cmp.Or(m.Axis, strings.ReplaceAll(m.Name, "_", " ")) }

// Under tells whether the measure is defined under a loss that classifies, or under another.
func (m *Measure) Under(classifies bool) bool {
	return m.Of == anything || (m.Of == labels) == classifies
}

// madeOf are the columns of results that a derived measure is made of.
var madeOf = map[string][]string{
	NonzeroPercent: {"nonzeros"},
	TestError:      {TestAccuracy},
	rightFeatures:  {"precision", "recall", "nonzeros"},
	wrongFeatures:  {"precision", "recall", "nonzeros"},
}

// Copy copies the columns that the measure is made of.
func (m *Measure) Copy(to, from *results.Metrics) {
	names := madeOf[m.Name]
	for _, c := range results.MetricColumns {
		if c.Name == m.Name || slices.Contains(names, c.Name) {
			*c.At(to) = *c.At(from)
		}
	}
}

// Value is the measure in a row's metrics, of a model with so many features.
func (m *Measure) Value(row *results.Metrics, features int) float64 {
	switch m.Name {
	case NonzeroPercent:
		return 100 * row.Nonzeros / float64(features)
	case TestError:
		return 1 - row.TestAccuracy
	case rightFeatures, wrongFeatures:
		right := row.Recall * row.Nonzeros // 0 of none; not defined without a truth
		if row.Nonzeros > 0 {
			right = math.Round(row.Precision * row.Nonzeros)
		}
		if m.Name == wrongFeatures {
			return row.Nonzeros - right
		}
		return right
	}
	for _, c := range results.MetricColumns {
		if c.Name == m.Name {
			return *c.At(row)
		}
	}
	panic("metrics: no column of results: " + m.Name)
}
