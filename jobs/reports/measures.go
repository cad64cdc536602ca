package reports

import (
	"math"

	"graphda/io/table"
	"graphda/jobs/merge"
	"graphda/jobs/selection"
	"graphda/jobs/stats"
)

// testMSE is the one measure in tables without a natural scale.
const testMSE = "test_mse"

// An entry is one printed column: a measure of a model.
type entry struct {
	*merge.Measure
	model  selection.Model
	spread bool // printed with its standard deviation
}

// print prints a value of the measure.
func (e *entry) print(v float64) string {
	switch e.Unit {
	case merge.Percent:
		return percent(v)
	case merge.Count:
		return count(v)
	case merge.Scale:
		return table.Significant(v)
	}
	return table.Fixed(3)(v)
}

// stat returns the entry's statistics in a group.
func (e *entry) stat(g *merge.Group) merge.Stat { return g.Stat(e.Name, e.model) }

// cell is the entry's mean in a line, with its deviation and interval, over trials of an
// overlap.
func (e *entry) cell(l line, overlap float64) table.Cell {
	return e.estimate(e.stat(l.Group), l.Values(e.Name, e.model), overlap)
}

// estimate is a mean of the measure, with its deviation and the interval of the values that are
// defined.
func (e *entry) estimate(s merge.Stat, values []float64, overlap float64) table.Cell {
	interval := stats.MeanInterval(defined(values), overlap)
	least, largest := e.Unit.Range()
	n := &table.Number{
		Value: s.Mean, Std: s.Std, N: s.N, Print: e.print,
		Low: math.Max(least, interval.Low), High: math.Min(largest, interval.High), // NaN stays
	}
	if e.spread {
		n.PrintStd = e.printStd(s.Mean)
	}
	return table.Cell{Number: n}
}

// printStd prints a standard deviation: with two decimals as the paper does, but where the
// measure has no natural scale with those of its printed mean.
func (e *entry) printStd(mean float64) func(float64) string {
	if e.Name == testMSE {
		return table.SpreadOf(mean)
	}
	return table.Fixed(2)
}

// of makes an entry of a model.
func of(model selection.Model, name string) entry {
	return entry{Measure: merge.MeasureOf(name), model: model}
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

// count prints a mean count: two decimals, fewer where it would not fit its column.
func count(v float64) string {
	switch {
	case v < 1000:
		return table.Fixed(2)(v)
	case v < 10000:
		return table.Fixed(1)(v)
	}
	return table.Fixed(0)(v)
}

// percent prints as the paper does: two decimals, but 100.0.
func percent(v float64) string {
	if s := table.Fixed(2)(v); s != "100.00" {
		return s
	}
	return "100.0"
}
