package command

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"graphda/io/table"
	"graphda/jobs/reports"
	"graphda/jobs/run"
	"graphda/jobs/selection"
	"graphda/jobs/userinput"
)

// Gdmerge runs the program gdmerge.
func Gdmerge(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return Run(ctx, &cli.App{
		Name:      "gdmerge",
		Usage:     "turn the results of a run into tables and figures",
		ArgsUsage: "RUN [FILE...]",
		UsageText: `gdmerge runs/table1 --out report --report table1`,
		Description: `Chooses hyperparameters on the validation samples, averages over trials, and prints the best
methods, a short table, and how many of the paper's claims hold. --verbose prints whole tables, the comparison with
published numbers, the claims, and diagnostics.

--out also writes one page with everything, as report.html and report.md, and the experiment file, from which gdrun plan
can plan the run again. The folder data beside the page has results.parquet with every row, and chosen.parquet with the
rows behind tables and figures. It also has the tables as text, Markdown, LaTeX and CSV, and the figures as SVG, PNG and
PDF with their data as CSV. --csv adds results.csv, without the column of seconds.

RUN is the folder of a run, or a chosen.parquet. A chosen.parquet gives the same tables, except results that need models
or seconds. Each FILE is another chosen.parquet of the same experiment, with more trials.

gdmerge completion bash (zsh, fish) prints a script that completes flags in that shell.`,
		Writer:    stdout,
		ErrWriter: stderr,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` to write the report, tables and figures to"},
			&cli.BoolFlag{Name: "csv", Usage: "with --out: also write every row to results.csv"},
			&cli.StringSliceFlag{Name: "report", Usage: "`REPORT` to print; may be repeated (default: all)"},
			OneOf(&cli.StringFlag{Name: "selection", Usage: "rule that chooses settings (default: the experiment's)"},
				selection.Names()...),
			&cli.BoolFlag{Name: "allow-partial", Usage: "merge the other cells if some are missing or failed"},
			&cli.BoolFlag{Name: "verbose", Usage: "print whole tables, the comparison, the claims and diagnostics"},
			&cli.BoolFlag{Name: "settings", Usage: "also print the hyperparameters that were chosen"},
			&cli.BoolFlag{Name: "tests", Usage: "also print tests of each method against the best method"},
			&cli.BoolFlag{Name: "intervals", Usage: "also print 95 % intervals of the means"},
			ForceFlag(),
			FormatFlag(table.Formats()...),
		},
		Action: AtOnce(mergeRun),
	}, args)
}

func mergeRun(c *cli.Context) error {
	if c.NArg() == 0 {
		return userinput.Errorf("no argument; want the folder of a run, or a %s (see gdmerge --help)",
			run.ChosenName)
	}
	if c.Bool("csv") && c.String("out") == "" {
		return userinput.Errorf("--csv writes results.csv into the folder of --out; add --out FOLDER")
	}
	r, err := run.OpenToMerge(c.Args().First(), c.Args().Tail()...)
	if err != nil {
		return err
	}
	return Report(c.Context, c.App.Writer, c.App.ErrWriter, r, ReportOptions{
		Options: reports.Options{
			Reports: c.StringSlice("report"), Selection: c.String("selection"), AllowPartial: c.Bool("allow-partial"),
		},
		Extras: reports.Extras{Verbose: c.Bool("verbose"), Settings: c.Bool("settings"), Tests: c.Bool("tests"),
			Intervals: c.Bool("intervals"), Width: TableWidth(c)},
		Format: c.String("format"), Out: c.String("out"), CSV: c.Bool("csv"), Place: Place(c),
	})
}
