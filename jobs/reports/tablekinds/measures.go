package tablekinds

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/metrics"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// TestMSE is the mean squared test error. Only this measure depends on the scale of the data.
const TestMSE = "test_mse"

// An Entry is a column of a table: a measure of w or of w̄.
type Entry struct {
	*metrics.Measure
	Model  selection.Model
	Spread bool // also show standard deviations
}

// Print formats a value of the measure.
func (e *Entry) Print(v float64) string {
	switch e.Unit {
	case metrics.Percent:
		return percent(v)
	case metrics.Count:
		return count(v)
	case metrics.Scale:
		return table.Significant(v)
	}
	return table.Fixed(3)(v)
}

// Stat returns the measure's statistics in the group g.
func (e *Entry) Stat(g *merge.Group) merge.Stat { return g.Stat(e.Name, e.Model) }

// Cell returns a cell with the measure's mean in the line l, its deviation and its interval.
func (e *Entry) Cell(l Line, overlap float64) table.Cell {
	return e.estimate(e.Stat(l.Group), l.Values(e.Name, e.Model), overlap)
}

// estimate returns a cell with the mean and deviation in s, and an interval computed from values.
func (e *Entry) estimate(s merge.Stat, values []float64, overlap float64) table.Cell {
	interval := stats.MeanInterval(Defined(values), overlap)
	least, largest := e.Unit.Range()
	n := &table.Number{
		Value: s.Mean, Std: s.Std, N: s.N, Print: e.Print,
		Low: math.Max(least, interval.Low), High: math.Min(largest, interval.High), // NaN without an interval
	}
	switch {
	case e.Spread && e.Name == TestMSE: // the data's scale decides the number of digits
		n.PrintStd = table.SpreadOf(s.Mean)
	case e.Spread: // two digits, as in the paper
		n.PrintStd = table.Fixed(2)
	}
	return table.Cell{Number: n}
}

// Of returns the entry for a measure of the given model.
func Of(model selection.Model, name string) Entry {
	return Entry{Measure: metrics.MeasureOf(name), Model: model}
}

func withStd(model selection.Model, name string) Entry {
	e := Of(model, name)
	e.Spread = true
	return e
}

func pair(name string) []Entry {
	return []Entry{Of(selection.W, name), Of(selection.Wbar, name)}
}

// count formats a mean with two decimals, or fewer for a large mean.
func count(v float64) string {
	switch {
	case v < 1000:
		return table.Fixed(2)(v)
	case v < 10000:
		return table.Fixed(1)(v)
	}
	return table.Fixed(0)(v)
}

// percent formats a percentage with two decimals, except 100.0, as the paper does.
func percent(v float64) string {
	if s := table.Fixed(2)(v); s != "100.00" {
		return s
	}
	return "100.0"
}

// Merits returns the numbers by which lines are compared, one for each of the line's choices. Usually this is the
// measure's value. For nonzeros with a known truth, it is the distance from the true percentage. A line that selects
// nothing in some trial has only NaN for nonzeros.
func (e *Entry) Merits(l Line) []float64 {
	values := l.Values(e.Name, e.Model)
	if e.Name != metrics.NonzeroPercent {
		return values
	}
	if slices.Contains(values, 0) {
		return slices.Repeat([]float64{math.NaN()}, len(values))
	}
	for i := range values {
		if c := &l.Choices[i]; c.Support > 0 {
			values[i] = math.Abs(values[i] - 100*float64(c.Support)/float64(c.Features))
		}
	}
	return values
}

// Defined returns the values without NaN.
func Defined(values []float64) []float64 { return slices.DeleteFunc(values, math.IsNaN) }

// MeanOf returns the mean of the values, or NaN without values. The mean of equal values is exact.
func MeanOf(values []float64) float64 {
	if len(values) > 0 && slices.Min(values) == slices.Max(values) {
		return values[0]
	}
	return stat.Mean(values, nil)
}

// Exact returns a cell with the number v in its shortest exact form.
func Exact(v float64) table.Cell { return table.Of(v, table.Shortest) }

// DataColumns returns columns of a table for programs. words names the columns of texts.
func DataColumns(words []string, keys ...string) []table.Column {
	columns := make([]table.Column, len(keys))
	for i, key := range keys {
		columns[i] = table.Column{Key: key, Head: key, Words: slices.Contains(words, key)}
	}
	return columns
}
