package figurekinds

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"graphda/io/table"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/reports/figures"
	"graphda/jobs/reports/source"
	"graphda/jobs/reports/tablekinds"
	"graphda/jobs/selection"
)

// A costed is a series with what it costs and reaches on a dataset.
type costed struct {
	source.Series
	group   *merge.Group
	seconds []float64 // of the chosen cells, by trial
	grid    []float64 // of all cells, by trial
	score   merge.Stat
	onFront bool // no other that does not know the truth is as fast and better, or as good and faster
}

// Costs shows what methods cost, in seconds of the cells that the rule chose, and what these reach: a
// table for each dataset, and a panel with a point for each method and the front of methods that none
// beats in both.
func Costs(mk *source.Source, r *experiment.Report) ([]source.Printed, error) {
	e := tablekinds.Of(selection.W, r.Measure)
	caption := fmt.Sprintf("%s of w after %d training samples over the seconds that learning from them took, of the "+
		"cells that were chosen: means over trials; bars are the standard deviation of the %[1]s. Dotted: the Pareto "+
		"front, of the methods that none beats in both.", e.Label(), mk.Checkpoint(r))
	datasets := mk.Datasets(r)
	chart := &figures.Chart{Info: info(mk, r, caption), Columns: r.Columns, SharedY: comparable(r.Measure)}
	chart.Name, chart.Title = r.Name+"-front", mk.Title(r)+": front"
	var printed []source.Printed
	for _, d := range datasets {
		found := costedOn(mk, r, d.Name, e)
		panel := figures.Panel{Name: d.Name, XLabel: "seconds of a cell", LogX: true, YLabel: e.Label()}
		if len(datasets) > 1 {
			panel.Title = source.DatasetLabel(d.Name)
		}
		for i := range found {
			c := &found[i]
			l := lineOf(c.Series, figures.Bars)
			l.Points = []figures.Point{{X: tablekinds.MeanOf(c.seconds), Y: c.score.Mean, Err: c.score.Std}}
			panel.Lines = append(panel.Lines, l)
		}
		panel.Lines = append(panel.Lines, front(found))
		chart.Panels = append(chart.Panels, panel)
		printed = append(printed, source.TableOf(r, d.Name,
			costTable(tablekinds.OptionsOf(mk, r, d.Name), e, found, mk.Grid.Overlap(d.Name))))
	}
	return append(printed, source.Printed{Report: *r, Figures: []figures.Figure{chart}}), nil
}

// costedOn finds the series that have results on a dataset, the fastest first.
func costedOn(mk *source.Source, r *experiment.Report, dataset string, e tablekinds.Entry) []costed {
	var found []costed
	for _, s := range mk.Series(r) {
		g := s.Group(mk.Summary, dataset, mk.Checkpoint(r))
		if g == nil {
			continue
		}
		c := costed{Series: s, group: g, score: e.Stat(g)}
		grid := mk.Grid.SecondsOf(g.Series, g.Checkpoint)
		for i := range g.Choices {
			if row := g.Choices[i].Row(selection.W); row != nil {
				c.seconds, c.grid = append(c.seconds, row.Seconds), append(c.grid, grid[i])
			}
		}
		if len(c.seconds) > 0 {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b costed) int {
		return cmp.Or(cmp.Compare(tablekinds.MeanOf(a.seconds), tablekinds.MeanOf(b.seconds)),
			cmp.Compare(float64(e.Better)*b.score.Mean, float64(e.Better)*a.score.Mean))
	})
	markFront(found, e.Better)
	return found
}

// markFront finds the front of series. The fastest comes first, of equals the best.
func markFront(found []costed, better int) {
	best := math.Inf(-1)
	for i := range found {
		c := &found[i]
		merit := float64(better) * c.score.Mean
		if !source.Oracle(c.Method) && merit > best && !math.IsNaN(c.seconds[0]) { // NaN is not better
			c.onFront, best = true, merit
		}
	}
}

// front is the line of what is reached within some seconds: level from one method of the front to the
// next.
func front(found []costed) figures.Line {
	l := figures.Line{Key: "Pareto front", Label: "Pareto front"}
	for i := range found {
		c := &found[i]
		if !c.onFront {
			continue
		}
		x := tablekinds.MeanOf(c.seconds)
		if n := len(l.Points); n > 0 {
			l.Points = append(l.Points, figures.Point{X: x, Y: l.Points[n-1].Y})
		}
		l.Points = append(l.Points, figures.Point{X: x, Y: c.score.Mean})
	}
	return l
}

// costTable has a line for each series, the fastest first.
func costTable(o tablekinds.Options, e tablekinds.Entry, found []costed, overlap float64) *table.Table {
	t := &table.Table{Name: o.Name, Title: o.Title,
		Subtitle: fmt.Sprintf("%s, %d training samples; means over trials", o.Dataset, o.Checkpoint),
		Columns: []table.Column{{Key: "method", Head: "Method", Words: true}, {Key: "variant", Words: true, DataOnly: true},
			{Key: "trials", DataOnly: true},
			{Key: "seconds", Head: "Seconds", Estimate: true}, {Key: "cells", Group: "Grid", Head: "cells"},
			{Key: "grid_seconds", Group: "Grid", Head: "seconds", Estimate: true},
			{Key: e.Name, Head: cmp.Or(e.Head, e.Label()), Estimate: true}, {Key: "front", Head: "Front", Words: true}},
		Notes: []string{
			"Seconds: elapsed while one core learned from the training samples up to the checkpoint, without " +
				"evaluation; of the chosen cell. Cells of a method that ran in one pass over the samples share its time equally.",
			"Grid: all cells of the method in a trial.",
			"Front: no other method that does not know the truth is both as fast and better, or as good and faster."}}
	e.Spread = true
	for i := range found {
		c := &found[i]
		mark := ""
		if c.onFront {
			mark = "yes"
		}
		cells := float64(c.group.Cells) / float64(len(c.group.Choices))
		t.Rows = append(t.Rows, []table.Cell{table.Label(c.Legend(), c.Name), table.Word(c.Variant),
			table.Count(len(c.seconds)), secondsCell(c.seconds), table.Of(cells, table.Shortest),
			secondsCell(c.grid), e.Cell(tablekinds.Line{Group: c.group}, overlap), table.Word(mark)})
	}
	return t
}

// secondsCell is the mean of seconds over trials, with its deviation.
func secondsCell(seconds []float64) table.Cell {
	mean, std := stat.PopMeanStdDev(seconds, nil)
	digits := func(n int) func(float64) string {
		return func(v float64) string { return strconv.FormatFloat(v, 'g', n, 64) }
	}
	return table.Cell{Number: &table.Number{Value: mean, Std: std, Low: math.NaN(), High: math.NaN(), N: len(seconds),
		Print: digits(3), PrintStd: digits(2)}}
}
