package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs"
	"graphda/jobs/importing"
	"graphda/jobs/usage"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:  "import",
		Usage: "make a dataset of your own tables",
		Description: "Takes a table of samples, a row each, and the edges of a network of their features, and writes a\n" +
			"dataset directory. Of the samples, one column is the label; every other is a feature, but for those\n" +
			"of --drop and one named split, which has train, valid or test. Without that column, each of the\n" +
			"--trials is another random order of the samples, cut as --split says, each class on its own.\n" +
			"Edges have columns source, target and, if not 1, cost; edges to what is no feature are left out.\n" +
			"Files are .csv or .tsv, compressed with gzip or not, .parquet, or Arrow IPC: .arrow, .feather, .ipc, .arrows.\n" +
			"Semicolons may separate the fields of .csv, and its numbers then have decimal points or decimal commas.\n" +
			"In a text file, an apostrophe before a text that begins with =, +, - or @ is no part of it.\n\n" +
			"  gdrun import --samples s.csv --edges e.csv --out data/mine\n" +
			"  gdrun import --samples s.tsv.gz --label status --positive tumour --id patient --edges e.csv \\\n" +
			"      --trials 20 --standardise --out data/tumours\n" +
			"  gdrun import --samples s.csv --task regression --edges e.csv --groups pathways.csv --out data/doses",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "samples", Usage: "table of samples (required)"},
			&cli.StringFlag{Name: "edges", Usage: "network of the features: source, target, cost (required)"},
			&cli.StringFlag{Name: "features", Usage: "what is known about features: name; truth, group (several with ; " +
				"between), row and col"},
			&cli.StringFlag{Name: "groups", Usage: "groups of features, a row for each member: feature, group"},
			&cli.StringFlag{Name: "out", Usage: "directory of the dataset, which must not exist (required)"},
			&cli.StringFlag{Name: "label", Value: "y", Usage: "column of the label"},
			&cli.StringFlag{Name: "task", Value: string(importing.Classification), Usage: "classification or regression"},
			&cli.StringFlag{Name: "positive", DefaultText: "1 or true",
				Usage: "the label that is coded as +1; the other is coded as −1"},
			&cli.StringFlag{Name: "id", DefaultText: "an index, or a first column named id, sample and the like",
				Usage: "column of the samples' ids, which are always text"},
			&cli.StringSliceFlag{Name: "drop", Usage: "column that is no feature; may be repeated"},
			&cli.StringFlag{Name: "split", DefaultText: importing.DefaultFractions.String(),
				Usage: "parts of the samples for training, validation and test"},
			&cli.IntFlag{Name: "trials", Value: 1, Usage: "random splits of the samples; reports know that they are not " +
				"independent"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of all trials"},
			&cli.BoolFlag{Name: "standardise", Aliases: []string{"standardize"},
				Usage: "give every feature mean 0 and deviation 1 over each trial's training samples"},
		},
		Action: func(c *cli.Context) error {
			request, err := importRequest(c)
			if err != nil {
				return err
			}
			result, err := runImport(c, request)
			if err != nil {
				return err
			}
			for _, note := range result.Notes {
				command.Note(c.App.ErrWriter, "note: %s", note)
			}
			printImported(c, result)
			return nil
		},
	}
}

func importRequest(c *cli.Context) (r importing.Request, err error) {
	if err := command.Need(c, "samples", "edges", "out"); err != nil {
		return r, err
	}
	r = importing.Request{
		Samples: c.String("samples"), Edges: c.String("edges"), Features: c.String("features"), Groups: c.String("groups"),
		Out:   c.String("out"),
		Label: c.String("label"), Task: importing.Task(c.String("task")), Positive: c.String("positive"),
		ID: c.String("id"), Drop: c.StringSlice("drop"),
		Trials: c.Int("trials"), Seed: c.Uint64("seed"), Standardise: c.Bool("standardise"),
	}
	if c.IsSet("split") {
		if r.Split, err = importing.ParseFractions(c.String("split")); err != nil {
			return r, &usage.Error{Err: err}
		}
	}
	return r, nil
}

// runImport shows progress if there is more than one trial.
func runImport(c *cli.Context, r importing.Request) (*importing.Result, error) {
	progress := command.NewProgress(c.App.ErrWriter, "trial", r.Trials, float64(r.Trials))
	defer progress.Close()
	return importing.Import(c.Context, r, func(int) {
		if r.Trials > 1 {
			progress.Event(jobs.Event{Kind: jobs.CellDone, Cells: 1, Seconds: 1})
		}
	})
}

// printImported tells what was written, and what to do with it.
func printImported(c *cli.Context, r *importing.Result) {
	w := c.App.Writer
	fmt.Fprintf(w, "%s: %s (%s isolated), %s, %s\n", r.Dir,
		plain.Count(r.Features, "feature"), plain.Number(r.Isolated), plain.Count(r.Edges, "edge"),
		plain.Count(r.Trials, "trial"))
	var splits []string
	for i, name := range []string{"train", "valid", "test"} {
		s := r.Splits[i]
		text := fmt.Sprintf("%s %s", name, plain.Number(s.Samples))
		if r.Positive != "" {
			text += fmt.Sprintf(" (%s positive)", plain.Number(s.Positive))
		}
		splits = append(splits, text)
	}
	fmt.Fprintf(w, "samples of a trial: %s\n", strings.Join(splits, ", "))
	loss := " --loss least_squares"
	if r.Positive != "" {
		loss = ""
		fmt.Fprintf(w, "labels: %q is +1, %q is −1\n", r.Positive, r.Negative)
	}
	fmt.Fprintf(w, "try: gdrun cell --dataset %s --method graphda --set gamma=100,s=%d%s\n", word(r.Dir),
		min(20, max(1, r.Features/4)), loss)
}

// word quotes a shell's word if it needs to be.
func word(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
