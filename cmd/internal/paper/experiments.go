package paper

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/table"
	"graphda/jobs/experiment"
)

func experimentsCommand() *cli.Command {
	return &cli.Command{
		Name:  "experiments",
		Usage: "list the built-in experiments with their tables and figures",
		UsageText: `gdrun experiments
gdrun reproduce figure6 --scale quick`,
		Description: `gdrun plan plans each of these experiments by its name, in full or in a quick form. gdrun reproduce does
all steps. A run of benchmark, mnist or kegg also gives the results of the smaller experiments on its data.`,
		Flags: []cli.Flag{command.FormatFlag("text", "names", "markdown", "csv", "json")},
		Action: func(c *cli.Context) error {
			entries, err := experiment.Catalog()
			if err != nil {
				return err
			}
			switch c.String("format") {
			case "names":
				for _, e := range entries {
					fmt.Fprintln(c.App.Writer, e.Name)
				}
				return nil
			case "json":
				return table.JSON(c.App.Writer, entries)
			}
			return command.Tables(c, catalogTable(entries))
		},
	}
}

func catalogTable(entries []experiment.CatalogEntry) *table.Table {
	t := &table.Table{
		Title: "Built-in experiments",
		Columns: []table.Column{
			{Key: "experiment", Head: "Experiment", Words: true}, {Key: "scale", Head: "Scale", Words: true},
			{Key: "datasets", Head: "Datasets"}, {Key: "trials", Head: "Trials"}, {Key: "cells", Head: "Cells"},
			{Key: "reports", Head: "Gives", Words: true}, {Key: "raw", Head: "Needs", Words: true},
			{Key: "title", Head: "Title", Words: true, DataOnly: true},
		},
		Notes: []string{"Needs: the files that must be in the folder of --raw. If several experiments make a report, all " +
			"of them make the same one."},
	}
	for _, e := range entries {
		var reports []string
		for _, r := range e.Reports {
			reports = append(reports, r.Name)
		}
		for _, scale := range experiment.Scales() {
			s := e.Scales[scale]
			t.Rows = append(t.Rows, []table.Cell{table.Word(e.Name), table.Word(scale), table.Count(s.Datasets),
				table.Count(s.Trials), table.Count(s.Cells), table.Word(strings.Join(reports, " ")),
				table.Word(strings.Join(e.Raw, " ")), table.Word(e.Title)})
		}
	}
	return t
}
