package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"graphda/jobs/simulate"
)

func keggCommand() *cli.Command {
	d := simulate.DefaultKEGG()
	return &cli.Command{
		Name:  "kegg",
		Usage: "gene expressions on a network of proteins, with one pathway shifted",
		Description: "Writes OUT/kegg-1 or OUT/kegg-2: graph.parquet, features.parquet and a samples.parquet per trial. " +
			"The\n" +
			"samples have the means and covariances of real expressions; in half of them the genes of the pathway\n" +
			simulate.Target + " are shifted: around 0 (strategy 1, hard) or by about a standard deviation (2, easy). The " +
			"true\n" +
			"vector is 1 at the genes of the pathway. The folder kegg of --raw, or --dir, has in it\n\n" +
			"  genes.csv      index, gene, kind (real, filled or null: not measured), " +
			simulate.Target + " (1 in the pathway)\n" +
			"  edges.csv      gene_a, gene_b, cost\n" +
			"  pathways.csv   pathway_id, gene\n" +
			"  expr.npy       a row for each sample, a column for each gene; or expr.csv\n\n" +
			"CSV files may have more columns, and be compressed: .csv.gz.\n\n" +
			"  gdrun simulate kegg --raw raw --strategy all --trials 20 --out data",
		Flags: append([]cli.Flag{
			rawFlag(),
			&cli.StringFlag{Name: "dir", Usage: "folder of the files above, instead of --raw"},
			&cli.StringSliceFlag{Name: "strategy", Value: cli.NewStringSlice(strconv.Itoa(d.Strategy)),
				Usage: "1, 2, or all; may be repeated"},
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

// keggSources returns a source for each strategy that the flags ask for.
func keggSources(c *cli.Context) ([]simulate.Source, error) {
	strategies, err := choices(c, "strategy", "1", "2")
	if err != nil {
		return nil, err
	}
	k := simulate.KEGG{Trials: c.Int("trials"), Seed: c.Uint64("seed"), Dir: c.String("dir")}
	if !c.IsSet("dir") {
		if k.Dir, err = simulate.KEGGDir(c.String("raw")); err != nil {
			return nil, err
		}
	}
	var sources []simulate.Source
	for _, strategy := range strategies {
		s := k
		s.Strategy, _ = strconv.Atoi(strategy) // one of those above
		sources = append(sources, s)
	}
	return sources, nil
}
