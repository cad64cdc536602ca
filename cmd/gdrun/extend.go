package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs"
	"graphda/jobs/reports/tables"
	"graphda/jobs/selection"
	"graphda/jobs/usage"
)

// bestAtEdge is the one place where extend can extend grids.
const bestAtEdge = "best-at-edge"

// mostBeyond is more values beyond an edge than anyone wants at once.
const mostBeyond = 20

func extendCommand() *cli.Command {
	return &cli.Command{
		Name:      "extend",
		Usage:     "propose values beyond the edges of grids, where the choice sits at one",
		ArgsUsage: "RUN",
		Description: "Looks for parameters of which a third of the trials, for w or for w̄, chose the smallest or\n" +
			"largest of at least three values, at the checkpoints and on the datasets of the run's reports.\n" +
			"Beyond such an edge the grid goes on as it does before it: 1, 5, 10 with 50 and 100, and\n" +
			"10, 15, 20 with 25 and 30. A bound of the parameter is no edge: s = 1, s = all features,\n" +
			"lambda = 0, rho = 0. Nothing is changed without --grow, which adds the cells to the run's plan.\n" +
			"What is done stays, and counts; gdrun local or gdrun submit runs the new cells, and extend may\n" +
			"be asked again.\n\n" +
			"  gdrun extend runs/table1 --where best-at-edge\n" +
			"  gdrun extend runs/table1 --where best-at-edge --grow",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "where", Value: bestAtEdge, Usage: bestAtEdge + ": where the choice is at an edge of its " +
				"grid"},
			&cli.StringFlag{Name: "selection", Usage: "rule that chooses: " + strings.Join(selection.Names(), ", ") +
				" (default: the experiment's)"},
			&cli.IntFlag{Name: "values", Value: 2, Usage: "values beyond each edge"},
			&cli.BoolFlag{Name: "grow", Usage: "add the cells to the run's plan"},
			command.FormatFlag("text", "json", "csv"),
		},
		Action: command.AtOnce(extendRun),
	}
}

func extendRun(c *cli.Context) error {
	if c.String("where") != bestAtEdge {
		return usage.Errorf("where = %q, want %s", c.String("where"), bestAtEdge)
	}
	if n := c.Int("values"); n < 1 || n > mostBeyond {
		return usage.Errorf("values = %d, want 1 to %d", n, mostBeyond)
	}
	run, err := openToExtend(c)
	if err != nil {
		return err
	}
	x, err := run.Extend(jobs.ExtendOptions{Selection: c.String("selection"), Values: c.Int("values")})
	if err != nil {
		return err
	}
	if format := c.String("format"); format == "json" {
		err = command.JSON(c.App.Writer, x)
	} else {
		err = extensionTable(run, x).Write(c.App.Writer, format)
	}
	if err != nil || x.Cells == 0 {
		return err
	}
	if !c.Bool("grow") {
		command.Note(c.App.ErrWriter, "nothing was changed; --grow adds %s to the run", plain.Count(x.Cells, "cell"))
		return nil
	}
	grown, err := x.Grow(jobs.Calibrate)
	if err != nil || c.String("format") != "text" {
		return err
	}
	fmt.Fprintln(c.App.Writer)
	printPlan(c, grown, false)
	fmt.Fprintf(c.App.Writer, "run them with: gdrun local %s\n", grown.Dir)
	return nil
}

// openToExtend opens the run. To grow it, it first completes a growth that was interrupted.
func openToExtend(c *cli.Context) (*jobs.Run, error) {
	if !c.Bool("grow") {
		return openRun(c)
	}
	dir, err := command.One(c, "a run")
	if err != nil {
		return nil, err
	}
	run, err := jobs.Complete(dir, jobs.Calibrate)
	if err == nil && run.Added > 0 {
		command.Note(c.App.ErrWriter, "%s: %s of a growth that was interrupted are in tasks now", dir,
			plain.Count(run.Added, "cell"))
	}
	return run, err
}

// extensionTable says what is proposed, and why.
func extensionTable(run *jobs.Run, x *jobs.Extended) *tables.Table {
	t := &tables.Table{
		Title: fmt.Sprintf("%s: values beyond the edges of grids, by rule %s", run.Dir, x.Rule),
		Subtitle: fmt.Sprintf("%s more than the %d of the plan", plain.Count(x.Cells, "cell"),
			len(run.Plan.Cells)),
		Columns: []tables.Column{
			{Key: "dataset", Head: "Dataset", Words: true}, {Key: "method", Head: "Method", Words: true},
			{Key: "variant", Head: "Variant", Words: true}, {Key: "parameter", Head: "Parameter", Words: true},
			{Key: "edge", Head: "Edge"}, {Key: "side", Head: "Of its grid", Words: true},
			{Key: "checkpoint", Head: "Samples"}, {Key: "chose_w", Head: "Chose w"}, {Key: "chose_wbar", Head: "w̄"},
			{Key: "trials", Head: "Trials"}, {Key: "values", Head: "To try", Words: true}, {Key: "cells", Head: "Cells"},
		},
	}
	if len(x.Extensions) == 0 {
		t.Subtitle = "no choice is at an edge of its grid"
	}
	for _, e := range x.Extensions {
		var values []string
		for _, v := range e.Values {
			values = append(values, strconv.FormatFloat(v, 'g', -1, 64))
		}
		t.Rows = append(t.Rows, []tables.Cell{
			tables.Word(e.Dataset), tables.Word(e.Method), tables.Word(e.Variant), tables.Word(e.Parameter),
			tables.Of(e.Edge, tables.Shortest), tables.Word(e.Side), tables.Count(e.Checkpoint), tables.Count(e.ChoseW),
			tables.Count(e.ChoseWbar), tables.Count(e.Trials), tables.Word(strings.Join(values, ", ")), tables.Count(e.Cells),
		})
	}
	return t
}
