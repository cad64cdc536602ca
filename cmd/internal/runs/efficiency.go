package runs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/io/table"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/run"
	"graphda/slurm"
)

// efficiency prints what the jobs of a run used of what they held.
func efficiency(c *cli.Context, s *run.Status, format string) error {
	e, err := journal.MeasureEfficiency(s)
	switch {
	case err != nil:
		return err
	case format == "json":
		return command.JSON(c.App.Writer, e)
	case e.Attempts == 0 && format == "text":
		_, err := fmt.Fprintf(c.App.Writer, "%s: no job has noted what it took\n", s.Dir)
		return err
	}
	t := &table.Table{
		Title:    fmt.Sprintf("%s: %s at tasks: %s", s.Dir, plain.Count(e.Attempts, "attempt"), ends(e)),
		Subtitle: "lost: held by jobs that ran out of memory or time before a cell was finished",
		Columns: []table.Column{
			{Key: "dataset", Head: "Dataset", Words: true}, {Key: "memory", Head: "Memory", Words: true},
			{Key: "attempts", Head: "Attempts"}, {Key: "core_hours_held", Head: "Core-hours held"},
			{Key: "core_hours_used", Head: "Used"}, {Key: "core_hours_lost", Head: "Lost"},
			{Key: "memory_gib_hours_held", Head: "GiB-hours held"}, {Key: "memory_gib_hours_used", Head: "Used"},
		},
	}
	for i := range e.Kinds {
		t.Rows = append(t.Rows, useRow(e.Kinds[i].Dataset, e.Kinds[i].Memory, &e.Kinds[i].Use))
	}
	return command.Tables(c, "", t)
}

// useRow is the row of one kind of tasks.
func useRow(dataset string, memory int, u *journal.Use) []table.Cell {
	asked := "all"
	if memory > 0 {
		asked = slurm.FormatMemory(memory)
	}
	row := []table.Cell{table.Word(dataset), table.Word(asked), table.Count(u.Attempts)}
	for _, v := range []float64{u.Held, u.Used, u.Lost, u.MemoryHeld, u.MemoryUsed} {
		row = append(row, table.Of(v, hours))
	}
	return row
}

// hours writes an amount to three digits, and none below a thousandth, which is seconds.
func hours(v float64) string {
	if v > 0 && v < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3g", v)
}

// ends counts how attempts have ended.
func ends(e *journal.Efficiency) string {
	var parts []string
	for _, end := range e.Ends {
		parts = append(parts, fmt.Sprintf("%d %s", end.Attempts, cmp.Or(string(end.Cause), "running, or not known")))
	}
	return strings.Join(parts, ", ")
}
