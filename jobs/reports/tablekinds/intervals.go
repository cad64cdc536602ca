package tablekinds

import (
	"fmt"
	"math"
	"slices"

	"graphda/io/table"
	"graphda/jobs/stats"
)

// intervals returns a table with three lines for each row of t: the means, and the lower and upper ends of their
// intervals. It returns nil if no mean has an interval.
func intervals(t *table.Table, overlap float64) *table.Table {
	ends := []struct {
		name string
		of   func(*table.Number) float64
	}{
		{"mean", func(n *table.Number) float64 { return n.Value }},
		{"from", func(n *table.Number) float64 { return n.Low }},
		{"to", func(n *table.Number) float64 { return n.High }},
	}
	shown := &table.Table{
		Name: t.Name, Title: t.Title + ": 95 % intervals of the means", Subtitle: t.Subtitle, PerGroup: len(ends),
		Notes: append([]string{intervalNote(overlap)}, overlapNotes(overlap)...),
	}
	at := slices.DeleteFunc(t.Printed(), func(i int) bool { return !t.Columns[i].Words && !t.Columns[i].Estimate })
	for _, i := range at {
		c := t.Columns[i]
		c.Estimate = false
		shown.Columns = append(shown.Columns, c)
		if c.Words { // the column of methods
			shown.Columns = append(shown.Columns, table.Column{Key: "end", Words: true})
		}
	}
	some := false
	for _, from := range t.Rows {
		for k, end := range ends {
			var row []table.Cell
			for _, i := range at {
				n := from[i].Number
				switch {
				case t.Columns[i].Words && k == 0:
					row = append(row, from[i], table.Word(end.name))
				case t.Columns[i].Words:
					row = append(row, table.Label("", from[i].ID), table.Word(end.name))
				case n == nil:
					row = append(row, table.Cell{})
				default:
					some = some || !math.IsNaN(n.Low)
					row = append(row, table.Of(end.of(n), n.Print))
				}
			}
			shown.Rows = append(shown.Rows, row)
		}
	}
	if !some {
		return nil
	}
	return shown
}

func intervalNote(overlap float64) string {
	const note = "Such an interval contains the mean of all possible trials in 95 % of cases. If all trials agree, the " +
		"interval is a single number. "
	if overlap != 0 {
		return note + "Student's t."
	}
	return note + fmt.Sprintf("Student's t for fewer than %d trials, otherwise a bootstrap (BCa).", stats.BootstrapFrom)
}
