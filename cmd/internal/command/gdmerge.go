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

// Gdmerge is the program gdmerge.
func Gdmerge(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return Run(ctx, &cli.App{
		Name:      "gdmerge",
		Usage:     "turn the results of a run into tables and figures",
		ArgsUsage: "RUN [FILE...]",
		UsageText: `gdmerge runs/table1 --out report --report table1`,
		Description: `Selects hyperparameters on the validation split, averages over trials, and prints which methods are
best, a short table, and how many of the paper's claims hold. With --verbose it prints the tables whole, the comparison
with published numbers, the claims, and diagnostics with what to do about them. With --out it also writes report.html,
one page of everything, and report.md, the same as Markdown, with the experiment's file, which plans the run again. The
folder data below has results.parquet, which holds every row (--csv: results.csv too, without its seconds);
chosen.parquet, which holds the rows behind the tables and figures; tables as text, Markdown, LaTeX and CSV;
and figures as SVG, PNG and PDF with their data as CSV.

RUN is the folder of a run, or a chosen.parquet, which gives the same tables again, but nothing that takes models or
seconds. Trials that it lacks are taken from each FILE, another chosen.parquet of the experiment.

gdmerge completion bash (zsh, fish) prints a script by which that shell completes flags.`,
		Writer:    stdout,
		ErrWriter: stderr,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` to write the report, tables and figures to"},
			&cli.BoolFlag{Name: "csv", Usage: "with --out: also write every row to results.csv"},
			&cli.StringSliceFlag{Name: "report", Usage: "`REPORT` to print; may be repeated (default: all)"},
			OneOf(&cli.StringFlag{Name: "selection", Usage: "rule that chooses settings (default: the experiment's)"},
				selection.Names()...),
			&cli.BoolFlag{Name: "allow-partial", Usage: "report on what is there although cells are missing or failed"},
			&cli.BoolFlag{Name: "verbose", Usage: "print the tables whole, with the comparison, claims and diagnostics"},
			&cli.BoolFlag{Name: "settings", Usage: "also print the hyperparameters that were chosen"},
			&cli.BoolFlag{Name: "tests", Usage: "also print the tests of the methods against the best"},
			&cli.BoolFlag{Name: "intervals", Usage: "also print 95 % intervals of the means"},
			ForceFlag(),
			FormatFlag(table.Formats()...),
		},
		Action: AtOnce(mergeRun),
	}, args)
}

func mergeRun(c *cli.Context) error {
	if c.NArg() == 0 {
		return userinput.Errorf("want an argument, the folder of a run, or a %s; got none (see gdmerge --help)",
			run.ChosenName)
	}
	if c.Bool("csv") && c.String("out") == "" {
		return userinput.Errorf("--csv writes results.csv: name a folder for it with --out")
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
