package metrics

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"graphda/io/results"
)

// A Measure is a number that says how good a model is.
type Measure struct {
	Name   string // name of a column of results, or of a derived measure
	Head   string // heading of the column in tables
	Axis   string // label of a figure's axis; see Label
	Unit   Unit   // how values are printed
	Better int    // lower or higher
	Of     prediction
}

// A Unit says how values are printed.
type Unit uint8

const (
	Share   Unit = iota // values from 0 to 1
	Percent             // values from 0 to 100
	Count
	Scale // values in the unit of the targets or of the loss
)

// Range returns the smallest and the largest possible value.
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

const (
	lower  = -1
	higher = +1
)

// A prediction says for which losses a measure is defined.
type prediction uint8

const (
	anything prediction = iota
	labels              // loss for classes
	targets             // any other loss
)

// These are names of measures that other packages use.
const (
	NonzeroPercent = "nonzero_percent" // |S|/p in percent, the paper's nonzero ratio
	TestError      = "test_error"      // share of mispredicted test samples, in the paper's Figure 5

	rightFeatures = "right_features" // number of selected features in the true support
	wrongFeatures = "wrong_features" // number of selected features outside the true support

	TestAccuracy = "test_accuracy"
)

// measures lists all measures, first the columns of the paper's tables. To add a measure, add a line here, and a column
// of results or a case in Measure.Value.
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
	{TestError, "Test error", "test error", Share, lower, labels},
	{"valid_accuracy", "Valid Acc", "", Share, higher, labels},
	{"valid_balanced_accuracy", "Valid BalAcc", "", Share, higher, labels},
	{"valid_auc", "Valid AUC", "", Share, higher, labels},
	{"valid_mse", "Valid MSE", "", Scale, lower, targets},
	{"cumulative_loss", "Loss", "", Scale, lower, anything},
	{"regret", "Regret", "", Scale, lower, anything},
	{"nonzeros", "Nonzeros", "", Count, lower, anything},
	{rightFeatures, "Right", "", Count, higher, anything},
	{wrongFeatures, "Wrong", "", Count, lower, anything},
}

// MeasureOf returns the measure with the given name. It panics if the name is unknown.
func MeasureOf(name string) *Measure {
	for i := range measures {
		if measures[i].Name == name {
			return &measures[i]
		}
	}
	panic("metrics: no such measure: " + name)
}

// MeasureNames returns the names of all measures.
func MeasureNames() []string {
	names := make([]string, len(measures))
	for i := range measures {
		names[i] = measures[i].Name
	}
	return names
}

// Label returns the measure's label on an axis.
func (m *Measure) Label() string { return cmp.Or(m.Axis, strings.ReplaceAll(m.Name, "_", " ")) }

// Under reports whether the measure is defined for a loss. `classifies` says whether this is a loss for classes.
func (m *Measure) Under(classifies bool) bool {
	return m.Of == anything || (m.Of == labels) == classifies
}

// madeOf lists the columns that each derived measure needs.
var madeOf = map[string][]string{
	NonzeroPercent: {"nonzeros"},
	TestError:      {TestAccuracy},
	rightFeatures:  {"precision", "recall", "nonzeros"},
	wrongFeatures:  {"precision", "recall", "nonzeros"},
}

// Copy copies the columns that the measure needs.
func (m *Measure) Copy(to, from *results.Metrics) {
	names := madeOf[m.Name]
	for _, c := range results.MetricColumns {
		if c.Name == m.Name || slices.Contains(names, c.Name) {
			*c.At(to) = *c.At(from)
		}
	}
}

// Value computes the measure from a row of metrics. `features` is the number p of all features.
func (m *Measure) Value(row *results.Metrics, features int) float64 {
	switch m.Name {
	case NonzeroPercent:
		return 100 * row.Nonzeros / float64(features)
	case TestError:
		return 1 - row.TestAccuracy
	case rightFeatures, wrongFeatures:
		right := row.Recall * row.Nonzeros // 0 if nothing is selected, NaN if the truth is unknown
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
