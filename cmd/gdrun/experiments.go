package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/csvfile"
	"graphda/io/plain"
	"graphda/jobs/experiment"
)

func experimentsCommand() *cli.Command {
	return &cli.Command{
		Name:  "experiments",
		Usage: "list the built-in experiments with the tables and figures they give",
		UsageText: `gdrun experiments
gdrun reproduce figure6 --scale quick`,
		Description: `Each can be planned by name and run in full or reduced, as gdrun reproduce does in one go. One run of
benchmark, mnist or kegg gives all that the smaller experiments of its data give.`,
		Flags: []cli.Flag{command.FormatFlag("text", "names", "json", "csv")},
		Action: func(c *cli.Context) error {
			format := c.String("format")
			entries, err := experiment.Catalog()
			if err != nil {
				return err
			}
			switch format {
			case "names":
				for _, e := range entries {
					fmt.Fprintln(c.App.Writer, e.Name)
				}
				return nil
			case "json":
				return command.JSON(c.App.Writer, entries)
			case "csv":
				return catalogCSV(c.App.Writer, entries)
			}
			for _, e := range entries {
				printEntry(c.App.Writer, e)
			}
			return nil
		},
	}
}

// experimentNames are those that a shell may complete; none if they cannot be read.
func experimentNames() (names []string) {
	entries, _ := experiment.Catalog()
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

func printEntry(w io.Writer, e experiment.CatalogEntry) {
	fmt.Fprintf(w, "%-10s %s\n", e.Name, e.Title)
	for _, scale := range experiment.Scales() {
		s := e.Scales[scale]
		fmt.Fprintf(w, "           %-5s  %s: %s of %s\n", scale, plain.Count(s.Cells, "cell"),
			plain.Count(s.Datasets, "dataset"), plain.Count(s.Trials, "trial"))
	}
	for _, r := range e.Reports {
		others := slices.DeleteFunc(slices.Clone(r.ServedBy), func(name string) bool { return name == e.Name })
		also := ""
		if len(others) > 0 {
			also = "; also from runs of " + strings.Join(others, ", ")
		}
		fmt.Fprintf(w, "           gives  %s (%s)%s\n", r.Name, r.Kind, also)
	}
	if len(e.Raw) > 0 {
		fmt.Fprintf(w, "           needs  the files of %s (--raw)\n", strings.Join(e.Raw, ", "))
	}
}

func catalogCSV(w io.Writer, entries []experiment.CatalogEntry) error {
	rows := [][]string{{"experiment", "title", "scale", "datasets", "trials", "cells", "reports", "raw"}}
	for _, e := range entries {
		var reports []string
		for _, r := range e.Reports {
			reports = append(reports, r.Name)
		}
		for _, scale := range experiment.Scales() {
			s := e.Scales[scale]
			rows = append(rows, []string{e.Name, e.Title, scale, strconv.Itoa(s.Datasets), strconv.Itoa(s.Trials),
				strconv.Itoa(s.Cells),
				strings.Join(reports, " "), strings.Join(e.Raw, " ")})
		}
	}
	return csvfile.WriteAll(w, rows)
}
