package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs"
	"graphda/jobs/simulate"
)

func simulateCommand() *cli.Command {
	return &cli.Command{
		Name:        "simulate",
		Usage:       "draw a dataset of the paper",
		Subcommands: []*cli.Command{benchmarkCommand()},
		Action:      command.NoCommand,
	}
}

func benchmarkCommand() *cli.Command {
	d := simulate.DefaultBenchmark()
	return &cli.Command{
		Name:  "benchmark",
		Usage: "the 33 × 33 grid with one of four raised subgraphs",
		Description: "Writes OUT/graph01-mu0.3 and the like: graph.parquet, features.parquet and a samples.parquet per\n" +
			"trial. Half of the samples are positive; in those the subgraph's nodes have mean μ. A trial depends\n" +
			"on the seed, the dataset's name and its number alone.\n\n" +
			"  gdrun simulate benchmark --graph 1 --mu 0.3 --trials 20 --out data",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "data", Usage: "folder of datasets"},
			&cli.IntFlag{Name: "graph", Value: d.Graph, Usage: "subgraph, 1 to 4: 26, 46, 92 or 132 nodes"},
			&cli.Float64Flag{Name: "mu", Value: d.Mu, Usage: "mean of a raised node"},
			&cli.IntFlag{Name: "trials", Value: d.Trials, Usage: "independent draws"},
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "test samples"},
			&cli.Uint64Flag{Name: "seed", Value: d.Seed, Usage: "seed of all trials"},
		},
		Action: func(c *cli.Context) error {
			if err := command.None(c); err != nil {
				return err
			}
			b := simulate.Benchmark{
				Graph: c.Int("graph"), Mu: c.Float64("mu"), Trials: c.Int("trials"),
				Train: c.Int("train"), Valid: c.Int("valid"), Test: c.Int("test"), Seed: c.Uint64("seed"),
			}
			if err := b.Validate(); err != nil {
				return &command.UsageError{Err: err}
			}
			progress := command.NewProgress(c.App.ErrWriter, "trials", b.Trials, float64(b.Trials))
			dir, err := b.Write(c.String("out"), func(int) {
				progress.Event(jobs.Event{Kind: jobs.CellDone, Cells: 1, Seconds: 1})
			})
			progress.Close()
			if err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "%s: %s of %d samples, %d nodes of %d raised by %v\n",
				dir, command.Count(b.Trials, "trial"), b.Train+b.Valid+b.Test, len(b.Subgraph()), len(b.Features().Names), b.Mu)
			return nil
		},
	}
}
