package runs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs/running"
	"graphda/jobs/simulate"
	"graphda/jobs/usage"
)

func benchmarkCommand() *cli.Command {
	d := simulate.DefaultBenchmark()
	return &cli.Command{
		Name:      "benchmark",
		Usage:     "the 33 × 33 grid with one of four raised subgraphs",
		UsageText: `gdrun simulate benchmark --graph 1 --mu 0.3 --trials 20 --out data`,
		Description: `Writes OUT/graph01-mu0.3 and the like: graph.parquet, features.parquet and a samples.parquet per
trial. Half of the samples are positive; in those the subgraph's nodes have mean μ. A trial depends on the seed, the
dataset's name and its number alone.`,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "graph", Value: d.Graph, Usage: "subgraph, 1 to 4: 26, 46, 92 or 132 nodes"},
			&cli.Float64Flag{Name: "mu", Value: d.Mu, Usage: "mean of a raised node"},
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "test samples"},
		}, drawFlags(d.Trials, d.Seed)...),
		Action: func(c *cli.Context) error {
			b := simulate.Benchmark{
				Graph: c.Int("graph"), Mu: c.Float64("mu"), Trials: c.Int("trials"),
				Train: c.Int("train"), Valid: c.Int("valid"), Test: c.Int("test"), Seed: c.Uint64("seed"),
			}
			return drawAll(c, []simulate.Source{b}, func(simulate.Source) string {
				return fmt.Sprintf("%d samples, %d nodes of %d raised by %v", b.Train+b.Valid+b.Test, len(b.Subgraph()),
					len(b.Features().Names), b.Mu)
			})
		},
	}
}

// drawAll writes datasets of as many trials as --trials says, and prints a line about each:
// its directory, trials, and what describe tells of the rest.
func drawAll(c *cli.Context, sources []simulate.Source, describe func(simulate.Source) string) error {
	for _, s := range sources {
		if err := s.Validate(); err != nil {
			return &usage.Error{Err: err}
		}
	}
	trials := c.Int("trials")
	var lines strings.Builder
	err := writeSources(c, sources, trials, c.String("out"), func(dir string, s simulate.Source) {
		fmt.Fprintf(&lines, "%s: %s of %s\n", dir, plain.Count(trials, "trial"), describe(s))
	})
	fmt.Fprint(c.App.Writer, lines.String()) // also what was written before an error
	return err
}

// writeSources writes datasets of as many trials each below out, shows how far it has come,
// and calls wrote with the directory of each. An interrupt stops it between two datasets.
func writeSources(c *cli.Context, sources []simulate.Source, trials int, out string,
	wrote func(dir string, s simulate.Source)) error {
	progress := command.NewProgress(c.App.ErrWriter, "trial", trials*len(sources), float64(trials*len(sources)))
	defer progress.Close()
	for _, s := range sources {
		if err := c.Context.Err(); err != nil {
			return err
		}
		dir, err := s.Write(out, command.Place(c), func(int) {
			progress.Event(running.Event{Kind: running.CellDone, Cells: 1, Seconds: 1})
		})
		if err != nil {
			return err
		}
		wrote(dir, s)
	}
	return nil
}

// drawFlags are the flags of every generator.
func drawFlags(trials int, seed uint64) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "trials", Value: trials, Usage: "independent draws"},
		&cli.Uint64Flag{Name: "seed", Value: seed, Usage: "seed of all trials"},
		&cli.StringFlag{Name: "out", Value: "data", Usage: "`FOLDER` of datasets"},
		command.ForceFlag(),
	}
}

// rawFlag names the folder of the raw files.
func rawFlag() cli.Flag {
	return &cli.StringFlag{Name: "raw", EnvVars: []string{simulate.RawVariable},
		Usage: "`FOLDER` of raw files, with mnist and kegg in it"}
}

// chosen returns the values of a repeatable flag, each once and in the order of all. The
// value "all" stands for all of them.
func chosen[W ~string](c *cli.Context, flag string, all []W) (list []W) {
	given := c.StringSlice(flag)
	for _, v := range all {
		if slices.Contains(given, string(v)) || slices.Contains(given, "all") {
			list = append(list, v)
		}
	}
	return list
}
