package report

import (
	"math"
	"strconv"
	"strings"

	"graphda/jobs/merge"
	"graphda/jobs/selection"
)

// A direction tells which of two values of a measure is better.
type direction int

const (
	lower  direction = -1
	higher direction = +1
)

// A measure is how tables show one of merge.Measures.
type measure struct {
	name   string
	head   string
	better direction
	print  func(float64) string
}

const testMSE = "test_mse"

// measures are the measures tables show. Their names are merge's.
var measures = map[string]measure{}

func init() {
	for _, f := range []measure{
		{"precision", "Pre", higher, fixed(3)},
		{"recall", "Rec", higher, fixed(3)},
		{"f1", "F1", higher, fixed(3)},
		{"test_balanced_accuracy", "BalAcc", higher, fixed(3)},
		{"test_auc", "AUC", higher, fixed(3)},
		{"test_accuracy", "Acc", higher, fixed(3)},
		{testMSE, "Test MSE", lower, significant},
		{"mistakes", "Miss", lower, count},
		{merge.NonzeroPercent, "NR %", lower, percent},
	} {
		measures[f.name] = f
	}
}

// An entry is one printed column: a measure of a model.
type entry struct {
	measure
	model  selection.Model
	spread bool // printed with its standard deviation
}

// stat returns the entry's statistics in a group.
func (e *entry) stat(g *merge.Group) merge.Stat { return g.Stat(e.name, e.model) }

// text prints the entry's statistics.
func (e *entry) text(s merge.Stat) string {
	switch {
	case s.N == 0:
		return "–"
	case e.spread:
		mean := e.print(s.Mean)
		return mean + "±" + e.deviation(mean, s.Std)
	}
	return e.print(s.Mean)
}

// of makes an entry of a model.
func of(model selection.Model, name string) entry {
	return entry{measure: measures[name], model: model}
}

// withStd makes an entry that is printed with its standard deviation.
func withStd(model selection.Model, name string) entry {
	e := of(model, name)
	e.spread = true
	return e
}

// pair makes the entries of both models.
func pair(name string) []entry {
	return []entry{of(selection.W, name), of(selection.Wbar, name)}
}

// fixed prints with a number of decimals.
func fixed(decimals int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
}

// count prints a mean count: two decimals, fewer where it would not fit its column.
func count(v float64) string {
	switch {
	case v < 1000:
		return fixed(2)(v)
	case v < 10000:
		return fixed(1)(v)
	}
	return fixed(0)(v)
}

// percent prints as the paper does: two decimals, but 100.0.
func percent(v float64) string {
	if s := fixed(2)(v); s != "100.00" {
		return s
	}
	return "100.0"
}

// significant prints four significant digits.
func significant(v float64) string {
	const digits = 4
	a := math.Abs(v)
	if a == 0 {
		return "0"
	}
	if a < 1e-3 || a >= 1e5 {
		return strconv.FormatFloat(v, 'e', digits-1, 64)
	}
	decimals := digits - 1 - int(math.Floor(math.Log10(a)))
	return fixed(max(decimals, 0))(v)
}

// deviation prints a standard deviation: with two decimals as the paper does, but where
// the measure has no natural scale with those of its printed mean.
func (e *entry) deviation(mean string, std float64) string {
	if e.name != testMSE {
		return fixed(2)(std)
	}
	if strings.Contains(mean, "e") {
		return strconv.FormatFloat(std, 'e', 1, 64)
	}
	_, fraction, _ := strings.Cut(mean, ".")
	return fixed(len(fraction))(std)
}

// exact prints for programs: the shortest form that reads back the same, nothing for NaN.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
