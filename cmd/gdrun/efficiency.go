package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs"
	"graphda/jobs/cluster"
	"graphda/jobs/reports/tables"
	"graphda/slurm"
)

// efficiency prints what the jobs of a run used of what they held.
func efficiency(c *cli.Context, s *jobs.Status, format string) error {
	e, err := cluster.MeasureEfficiency(s)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return command.JSON(c.App.Writer, e)
	case "csv":
		return groupTable(e).Write(c.App.Writer, format)
	}
	if e.Attempts == 0 {
		fmt.Fprintf(c.App.Writer, "%s: no job has noted what it took\n\n", s.Dir)
		return groupTable(e).Write(c.App.Writer, format)
	}
	printEfficiency(c.App.Writer, s.Dir, e)
	if err := endTable(e).Write(c.App.Writer, format); err != nil {
		return err
	}
	fmt.Fprintln(c.App.Writer)
	if len(e.Submissions) > 1 {
		if err := submissionTable(e).Write(c.App.Writer, format); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer)
	}
	return groupTable(e).Write(c.App.Writer, format)
}

func printEfficiency(w io.Writer, dir string, e *cluster.Efficiency) {
	fmt.Fprintf(w, "%s: jobs made %s at tasks\n", dir, plain.Count(e.Attempts, "attempt"))
	fmt.Fprintf(w, "processors: used %s of the %s core-hours held, %s; %s idle in the jobs that sealed a task\n",
		hours(e.Used), hours(e.Held), share(e.Used, e.Held), hours(e.Idle))
	fmt.Fprintf(w, "memory: used %s of the %s GiB-hours held, %s; at most %s\n", hours(e.MemoryUsed),
		hours(e.MemoryHeld), share(e.MemoryUsed, e.MemoryHeld), slurm.FormatMemory(int(e.LargestPeak>>20)))
	fmt.Fprintf(w, "time limits: the jobs held %s of the %s core-hours that theirs allow, %s; those of the next jobs "+
		"would allow %s\n", hours(e.Held), hours(e.Asked), share(e.Held, e.Asked), hours(e.AskedRight))
	fmt.Fprintf(w, "queue: half of the jobs waited no longer than %s, 95 %% no longer than %s\n",
		command.Duration(e.WaitMedian), command.Duration(e.WaitMost))
	fmt.Fprintf(w, "asking rightly would have saved %s GiB-hours of memory, and %s core-hours of jobs that finished "+
		"nothing before they ran out of memory or time\n\n", hours(max(0, e.MemoryHeld-e.MemoryRight)), hours(e.Lost))
}

// hours writes an amount to three digits.
func hours(v float64) string { return fmt.Sprintf("%.3g", v) }

func share(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*part/whole)
}

// endTable lists how attempts have ended.
func endTable(e *cluster.Efficiency) *tables.Table {
	t := &tables.Table{Title: "How attempts ended", Columns: []tables.Column{
		{Key: "cause", Head: "End", Words: true}, {Key: "attempts", Head: "Attempts"},
		{Key: "core_hours", Head: "Core-hours"},
	}}
	for _, end := range e.Ends {
		t.Rows = append(t.Rows, []tables.Cell{tables.Word(cmp.Or(string(end.Cause), "running, or not known")),
			tables.Count(end.Attempts), tables.Of(end.Hours, hours)})
	}
	return t
}

// submissionTable compares what submissions asked for: later ones know what earlier ones took.
func submissionTable(e *cluster.Efficiency) *tables.Table {
	t := &tables.Table{Title: "Submissions, with what a task asked for, and the hours of all", Columns: []tables.Column{
		{Key: "submission", Head: "Submission"}, {Key: "attempts", Head: "Attempts"},
		{Key: "memory", Head: "Memory", Words: true}, {Key: "memory_gib_hours_held", Head: "GiB-hours"},
		{Key: "memory_used", Head: "Used", Words: true}, {Key: "core_hours_asked", Head: "Core-hours asked"},
		{Key: "core_hours_held", Head: "Held"}, {Key: "core_hours_idle", Head: "Idle"},
		{Key: "core_hours_used", Head: "Used"}, {Key: "wait_seconds_median", Head: "Waited", Words: true},
	}}
	for i := range e.Submissions {
		u := &e.Submissions[i]
		memory := "all"
		if u.Memory > 0 {
			memory = slurm.FormatMemory(u.Memory)
		}
		t.Rows = append(t.Rows, []tables.Cell{tables.Count(u.Number), tables.Count(u.Attempts), tables.Word(memory),
			tables.Of(u.MemoryHeld, hours), tables.Word(share(u.MemoryUsed, u.MemoryHeld)), tables.Of(u.Asked, hours),
			tables.Of(u.Held, hours), tables.Of(u.Idle, hours), tables.Of(u.Used, hours),
			tables.Word(command.Duration(u.WaitMedian))})
	}
	return t
}

// groupTable lists the time of each method on each dataset.
func groupTable(e *cluster.Efficiency) *tables.Table {
	t := &tables.Table{Title: "Learning", Columns: []tables.Column{
		{Key: "dataset", Head: "Dataset", Words: true}, {Key: "method", Head: "Method", Words: true},
		{Key: "cells", Head: "Cells"}, {Key: "core_hours", Head: "Core-hours"},
	}}
	for _, g := range e.Groups {
		t.Rows = append(t.Rows, []tables.Cell{tables.Word(g.Dataset), tables.Word(g.Method), tables.Count(g.Cells),
			tables.Of(g.Hours, hours)})
	}
	return t
}
