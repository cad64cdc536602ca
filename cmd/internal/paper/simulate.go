package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/executor"
	"graphda/jobs/simulate"
	"graphda/jobs/userinput"
)

func simulateCommand() *cli.Command {
	return &cli.Command{
		Name:        "simulate",
		Usage:       "simulate a dataset of the paper",
		Subcommands: []*cli.Command{benchmarkCommand(), mnistCommand(), keggCommand()},
		Action:      command.NoCommand,
	}
}

func benchmarkCommand() *cli.Command {
	d := simulate.DefaultBenchmark()
	return &cli.Command{
		Name:      "benchmark",
		Usage:     "a 33 × 33 grid; in positive samples, one of four subgraphs has a higher mean",
		UsageText: `gdrun simulate benchmark --graph 1 --mu 0.3 --trials 20 --out data`,
		Description: `Writes a folder such as OUT/graph01-mu0.3, with graph.parquet, features.parquet and a samples.parquet
for each trial. Half of the samples are positive. In positive samples, the nodes of the subgraph have the mean μ. A
trial depends only on the seed, the dataset's name and the trial's number.`,
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "graph", Value: d.Graph, Usage: "subgraph: 1 has 26 nodes, 2 has 46, 3 has 92, 4 has 132"},
			&cli.Float64Flag{Name: "mu", Value: d.Mu, Usage: "mean μ of the subgraph's nodes in positive samples"},
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "number of training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "number of validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "number of test samples"},
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

// drawAll writes datasets with as many trials as --trials says. For each dataset it prints a line with
// the text from describe.
func drawAll(c *cli.Context, sources []simulate.Source, describe func(simulate.Source) string) error {
	for _, s := range sources {
		if err := s.Validate(); err != nil {
			return &userinput.Error{Err: err}
		}
	}
	trials := c.Int("trials")
	var lines strings.Builder
	err := writeSources(c, sources, trials, c.String("out"), func(dir string, s simulate.Source) {
		fmt.Fprintf(&lines, "%s: %s of %s\n", dir, message.Count(trials, "trial"), describe(s))
	})
	fmt.Fprint(c.App.Writer, lines.String()) // printed even after an error
	return err
}

// writeSources writes datasets into folders below out, and calls its last argument for each dataset. It shows progress.
// After an interrupt, it stops before the next dataset.
func writeSources(c *cli.Context, sources []simulate.Source, trials int, out string,
	wrote func(dir string, s simulate.Source)) error {
	progress := command.NewProgress(c.App.ErrWriter, "trial", trials*len(sources), float64(trials*len(sources)))
	defer progress.Close()
	for _, s := range sources {
		if err := c.Context.Err(); err != nil {
			return err
		}
		dir, err := s.Write(out, command.Place(c), func(int) {
			progress.Event(executor.Event{Kind: executor.CellDone, Cells: 1, Seconds: 1})
		})
		if err != nil {
			return err
		}
		wrote(dir, s)
	}
	return nil
}

func drawFlags(trials int, seed uint64) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "trials", Value: trials, Usage: "number of trials, drawn independently"},
		&cli.Uint64Flag{Name: "seed", Value: seed, Usage: "seed of all trials"},
		&cli.StringFlag{Name: "out", Value: "data", Usage: "`FOLDER` to write the datasets to"},
		command.ForceFlag(),
	}
}

func rawFlag() cli.Flag {
	return &cli.StringFlag{Name: "raw", EnvVars: []string{simulate.RawVariable},
		Usage: "`FOLDER` of raw files, with the folders mnist and kegg in it"}
}

// chosen returns a repeatable flag's values, each once, in the order of `all`. The value "all" means all values.
func chosen[W ~string](c *cli.Context, flag string, all []W) (list []W) {
	given := c.StringSlice(flag)
	for _, v := range all {
		if slices.Contains(given, string(v)) || slices.Contains(given, "all") {
			list = append(list, v)
		}
	}
	return list
}

var digits = strings.Fields("0 1 2 3 4 5 6 7 8 9")

func mnistCommand() *cli.Command {
	d := simulate.DefaultMNIST()
	return &cli.Command{
		Name:      "mnist",
		Usage:     "regression on the pixels of handwritten digits",
		UsageText: `gdrun simulate mnist --raw raw --digit 0 --digit 4 --model all --trials 20 --out data`,
		Description: `Writes folders such as OUT/mnist-0-normalized, with graph.parquet, features.parquet and a
samples.parquet for each trial. The true weights come from one training image of the digit: of all images whose nonzero
pixels are connected, it has the fewest. For the model gaussian, the weights are drawn anew for each trial, and
features.parquet is in the trial's folder. The images come from the IDX files of MNIST, plain or compressed with gzip:
train-images-idx3-ubyte.gz and train-labels-idx1-ubyte.gz in the folder mnist of --raw, or the files that --images and
--labels name.`,
		Flags: slices.Concat(command.Group("Pictures",
			rawFlag(),
			&cli.StringFlag{Name: "images", Usage: "IDX `FILE` of training images, instead of --raw"},
			&cli.StringFlag{Name: "labels", Usage: "IDX `FILE` of the images' labels, instead of --raw"},
			command.OneOf(&cli.StringSliceFlag{Name: "digit", Value: cli.NewStringSlice(strconv.Itoa(d.Digit)),
				Usage: "may be repeated"}, append(digits, "all")...),
			command.OneOf(&cli.StringSliceFlag{Name: "model", Value: cli.NewStringSlice(string(d.Model)),
				Usage: "model of the true weights; may be repeated"}, append(simulate.Models(), "all")...),
		), command.Group("Draws",
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "number of training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "number of validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "number of test samples"},
		), command.Group("Draws", drawFlags(d.Trials, d.Seed)...)),
		Action: func(c *cli.Context) error {
			sources, err := mnistSources(c)
			if err != nil {
				return err
			}
			return drawAll(c, sources, func(s simulate.Source) string {
				m := s.(simulate.MNIST)
				return fmt.Sprintf("%d samples, digit %d, %s", m.Train+m.Valid+m.Test, m.Digit, m.Model)
			})
		},
	}
}

func mnistSources(c *cli.Context) ([]simulate.Source, error) {
	m := simulate.MNIST{
		Trials: c.Int("trials"), Train: c.Int("train"), Valid: c.Int("valid"), Test: c.Int("test"), Seed: c.Uint64("seed"),
		Images: c.String("images"), Labels: c.String("labels"),
	}
	switch {
	case c.IsSet("images") != c.IsSet("labels"):
		return nil, userinput.Errorf("flags --images and --labels belong together; give both")
	case !c.IsSet("images"):
		var err error
		if m.Images, m.Labels, err = simulate.MNISTFiles(c.String("raw")); err != nil {
			return nil, err
		}
	}
	var sources []simulate.Source
	for _, digit := range chosen(c, "digit", digits) {
		for _, model := range chosen(c, "model", simulate.Models()) {
			s := m
			s.Digit, _ = strconv.Atoi(digit) // cannot fail: digits lists numbers
			s.Model = model
			sources = append(sources, s)
		}
	}
	return sources, nil
}

func keggCommand() *cli.Command {
	d := simulate.DefaultKEGG()
	return &cli.Command{
		Name:      "kegg",
		Usage:     "gene expressions on a network of proteins; in positive samples, the genes of one pathway are shifted",
		UsageText: `gdrun simulate kegg --raw raw --strategy all --trials 20 --out data`,
		Description: `Writes OUT/kegg-1 or OUT/kegg-2: graph.parquet, features.parquet and a samples.parquet per trial. The
samples have the means and covariances of real expressions; in half of them the genes of the pathway
` + simulate.Target + ` are shifted: around 0 (strategy 1, hard) or by about a standard deviation (2, easy). The true
vector is 1 at the genes of the pathway. The folder kegg of --raw, or --dir, has in it

  genes.csv      index, gene, kind (real, filled or null: not measured), ` + simulate.Target + ` (1 in the pathway)
  edges.csv      gene_a, gene_b, cost
  pathways.csv   pathway_id, gene
  expr.npy       a row for each sample, a column for each gene; or expr.csv

CSV files may have more columns, and be compressed: .csv.gz.`,
		Flags: append([]cli.Flag{
			rawFlag(),
			&cli.StringFlag{Name: "dir", Usage: "`FOLDER` with the files listed above, instead of --raw"},
			command.OneOf(&cli.StringSliceFlag{Name: "strategy", Value: cli.NewStringSlice(strconv.Itoa(d.Strategy)),
				Usage: "may be repeated"}, "1", "2", "all"),
		}, drawFlags(d.Trials, d.Seed)...),
		Action: func(c *cli.Context) error {
			sources, err := keggSources(c)
			if err != nil {
				return err
			}
			return drawAll(c, sources, func(s simulate.Source) string {
				return fmt.Sprintf("600 samples, strategy %d", s.(simulate.KEGG).Strategy)
			})
		},
	}
}

func keggSources(c *cli.Context) ([]simulate.Source, error) {
	k := simulate.KEGG{Trials: c.Int("trials"), Seed: c.Uint64("seed"), Dir: c.String("dir")}
	if !c.IsSet("dir") {
		var err error
		if k.Dir, err = simulate.KEGGDir(c.String("raw")); err != nil {
			return nil, err
		}
	}
	var sources []simulate.Source
	for _, strategy := range chosen(c, "strategy", []string{"1", "2"}) {
		s := k
		s.Strategy, _ = strconv.Atoi(strategy) // cannot fail: the list has only numbers
		sources = append(sources, s)
	}
	return sources, nil
}
