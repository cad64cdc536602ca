package reports

import (
	"cmp"
	"fmt"
	"strings"

	"graphda/io/table"
	"graphda/jobs/reports/page"
)

// This file makes the chapter on the core-hours and the memory of attempts at tasks. A run by gdrun local does not have
// this chapter.

// Builds returns a warning if programs of different revisions made the results, else "". Write must have run before.
func (b *Book) Builds() string {
	if b.spending == nil || len(b.spending.Built) < 2 {
		return ""
	}
	return "these results come from programs that were built from different revisions: " +
		strings.Join(b.spending.Built, ", ")
}

// spentSection returns the page's section on what the run has cost. It is empty if the run had no attempts.
func (b *Book) spentSection() page.Section {
	s := page.Section{ID: "spent", Title: "Where the hours went"}
	tables, e := b.spentTables(), b.spending
	if tables == nil {
		return s
	}
	s.Intro = fmt.Sprintf("Jobs made %d attempts at tasks. They held processors for %.3g core-hours and used %.3g of "+
		"them, %.0f %%. Of the others, %.3g were idle in attempts that finished a task, and %.3g were lost in attempts "+
		"that ran out of memory or time before they finished anything. The largest memory of a process was %.3g MiB. Only "+
		"attempts that finished tasks report are counted; gdrun status --efficiency also says what attempts asked for.",
		e.Attempts, e.Held, e.Used, 100*e.Used/max(e.Held, 1e-300), e.Idle, e.Lost, float64(e.LargestPeak)/(1<<20))
	for _, t := range tables {
		s.Tables = append(s.Tables, page.Table{Table: t})
	}
	return s
}

func (b *Book) spentTables() []*table.Table {
	if b.spending == nil || b.spending.Attempts == 0 {
		return nil
	}
	ends := &table.Table{Name: "efficiency-ends", Title: "How attempts ended", Columns: []table.Column{
		{Key: "end", Head: "End", Words: true}, {Key: "attempts", Head: "Attempts"}, {Key: "core_hours", Head: "Core-hours"},
	}}
	for _, e := range b.spending.Ends {
		cause := cmp.Or(string(e.Cause), "killed, or requeued")
		ends.Rows = append(ends.Rows, []table.Cell{table.Word(cause), table.Count(e.Attempts),
			table.Of(e.Hours, threeDigits)})
	}
	learning := &table.Table{Name: "efficiency-learning", Title: "Learning, by method", Columns: []table.Column{
		{Key: "dataset", Head: "Dataset", Words: true}, {Key: "method", Head: "Method", Words: true},
		{Key: "variant", Head: "Variant", Words: true}, {Key: "core_hours", Head: "Core-hours"},
	}}
	checkpoints := b.run.Plan.Checkpoints
	for _, g := range b.grid.Summarize(b.rule).Groups {
		if g.Checkpoint != checkpoints[len(checkpoints)-1] {
			continue
		}
		hours := 0.0
		for _, s := range b.grid.SecondsOf(g.Series, g.Checkpoint) {
			hours += s / 3600
		}
		learning.Rows = append(learning.Rows, []table.Cell{table.Word(g.Dataset), table.Word(g.Method),
			table.Word(g.Variant), table.Of(hours, threeDigits)})
	}
	return []*table.Table{ends, learning}
}

func threeDigits(v float64) string { return fmt.Sprintf("%.3g", v) }
