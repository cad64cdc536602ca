package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs"
	"graphda/jobs/report"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "tell how far a run has come",
		ArgsUsage: "RUN",
		Description: "Counts cells from the result files. Exits with 3 while cells are missing.\n\n" +
			"  gdrun status runs/table1 --format json",
		Flags: []cli.Flag{command.FormatFlag("text", "json", "csv")},
		Action: func(c *cli.Context) error {
			format, err := command.Format(c, "text", "json", "csv")
			if err != nil {
				return err
			}
			run, err := openRun(c)
			if err != nil {
				return err
			}
			status, err := run.Status()
			if err != nil {
				return err
			}
			if err := printStatus(c, status, format); err != nil {
				return err
			}
			if status.Total.Missing > 0 {
				return fmt.Errorf("%d of %d cells are missing: %w", status.Total.Missing, status.Total.Cells, command.ErrIncomplete)
			}
			return nil
		},
	}
}

func printStatus(c *cli.Context, s *jobs.Status, format string) error {
	if format == "json" {
		return command.JSON(c.App.Writer, s)
	}
	t := &report.Table{
		Title:    fmt.Sprintf("%s: %d of %d cells done, %d failed, %d missing", s.Dir, s.Total.Done, s.Total.Cells, s.Total.Failed, s.Total.Missing),
		Subtitle: fmt.Sprintf("%d of %d tasks sealed, %d begun; about %s of CPU time left", s.Sealed, s.Tasks, s.Begun, command.Duration(s.Left)),
		Columns: []report.Column{
			{Key: "dataset", Head: "Dataset", Left: true}, {Key: "method", Head: "Method", Left: true},
			{Key: "cells", Head: "Cells"}, {Key: "done", Head: "Done"}, {Key: "failed", Head: "Failed"}, {Key: "missing", Head: "Missing"},
		},
	}
	for _, g := range s.Groups {
		row := []report.Value{{Text: g.Dataset, Data: g.Dataset}, {Text: g.Method, Data: g.Method}}
		for _, n := range []int{g.Cells, g.Done, g.Failed, g.Missing} {
			row = append(row, report.Value{Text: strconv.Itoa(n), Data: strconv.Itoa(n)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t.Write(c.App.Writer, format)
}
