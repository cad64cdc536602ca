package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs"
	"graphda/jobs/merge"
	"graphda/jobs/report"
	"graphda/jobs/selection"
)

func main() { command.Main(run) }

// run is the whole program; tests call it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return command.Run(ctx, &cli.App{
		Name:      "gdmerge",
		Usage:     "turn the results of a run into tables",
		ArgsUsage: "RUN",
		Version:   jobs.Version,
		Description: "Selects hyperparameters on the validation split, averages over trials, and prints the experiment's\n" +
			"tables, beside the published numbers where there are any. With --out it also writes results.csv,\n" +
			"which holds every row, and the tables as text, Markdown, LaTeX and CSV.\n\n" +
			"  gdmerge runs/table1 --out report --report table1\n\n" +
			"Exit codes: 0 done; 1 a cell failed or a file is bad; 2 usage; 3 cells are missing (0 with\n" +
			"--allow-partial).",
		Writer:    stdout,
		ErrWriter: stderr,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "folder to write results.csv and the tables to"},
			&cli.StringSliceFlag{Name: "report", Usage: "report to print; may be repeated (default: all)"},
			&cli.StringFlag{Name: "selection", Usage: strings.Join(selection.Names(), ", ") + " (default: the experiment's)"},
			&cli.BoolFlag{Name: "allow-partial", Usage: "report on what is there although cells are missing or failed"},
			&cli.BoolFlag{Name: "settings", Usage: "also print the hyperparameters that were chosen"},
			command.FormatFlag(report.Formats()...),
		},
		Action: mergeRun,
	}, args)
}

func mergeRun(c *cli.Context) error {
	dir, err := command.One(c, "the folder of a run")
	if err != nil {
		return err
	}
	format, err := command.Format(c, report.Formats()...)
	if err != nil {
		return err
	}
	r, err := jobs.Open(dir)
	if err != nil {
		return err
	}
	rule, err := r.Rule(c.String("selection"))
	if err != nil {
		return err
	}
	if err := r.CheckReports(c.StringSlice("report")); err != nil {
		return err
	}
	grid, err := r.Collect()
	if err != nil {
		return err
	}
	listGaps(c.App.ErrWriter, r, grid)
	if err := gapError(grid, c.Bool("allow-partial")); err != nil {
		return err
	}
	printed, err := r.Print(grid, rule, c.StringSlice("report"))
	if err != nil {
		return err
	}
	if err := printAll(c, printed, format); err != nil {
		return err
	}
	if out := c.String("out"); out != "" {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return err
		}
		paths, err := r.WriteReports(out, grid, printed)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.App.ErrWriter, "wrote %d files to %s\n", len(paths), out)
	}
	return nil
}

// printAll prints the tables; of a report with a published table the comparison.
func printAll(c *cli.Context, printed []jobs.Printed, format string) error {
	first := true
	show := func(t *report.Table) error {
		if !first {
			fmt.Fprintln(c.App.Writer)
		}
		first = false
		return t.Write(c.App.Writer, format)
	}
	for i := range printed {
		p := &printed[i]
		if err := show(p.Table); err != nil {
			return err
		}
		if p.Comparison != nil {
			beside := p.Comparison.Table()
			beside.Notes = slices.DeleteFunc(beside.Notes, func(note string) bool { return slices.Contains(p.Table.Notes, note) })
			if err := show(beside); err != nil {
				return err
			}
		}
		if c.Bool("settings") {
			if err := show(p.Settings); err != nil {
				return err
			}
		}
	}
	return nil
}

// shown is how many missing and failed cells are listed by name.
const shown = 10

// listGaps names what is missing and what failed.
func listGaps(w io.Writer, r *jobs.Run, grid *merge.Grid) {
	for i, gap := range grid.Missing {
		if i == shown {
			fmt.Fprintf(w, "… and %d more are missing\n", len(grid.Missing)-shown)
			break
		}
		fmt.Fprintf(w, "missing: %s at %d samples (cell %.12s…)\n", r.DescribeCell(gap.ID), gap.Checkpoint, gap.ID)
	}
	for i, f := range grid.Failed {
		if i == shown {
			fmt.Fprintf(w, "… and %d more failed\n", len(grid.Failed)-shown)
			break
		}
		fmt.Fprintf(w, "failed: %s at %d samples: %s\n", r.DescribeCell(f.ID), f.Checkpoint, f.Error)
	}
	if grid.Foreign > 0 {
		fmt.Fprintf(w, "%d rows belong to no planned cell and checkpoint; they are left out\n", grid.Foreign)
	}
}

func gapError(grid *merge.Grid, allowed bool) error {
	switch {
	case allowed || grid.Complete():
		return nil
	case len(grid.Missing) > 0:
		return fmt.Errorf("%d of %d results are missing; run gdrun local again, or take what is there with --allow-partial: %w",
			len(grid.Missing), grid.Planned(), command.ErrIncomplete)
	default:
		return fmt.Errorf("%d of %d results are missing because their cells failed; leave them out with --allow-partial: %w", len(grid.Failed), grid.Planned(), command.ErrFailed)
	}
}
