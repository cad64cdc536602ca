package runs

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs/simulate"
)

func keggCommand() *cli.Command {
	d := simulate.DefaultKEGG()
	return &cli.Command{
		Name:      "kegg",
		Usage:     "gene expressions on a network of proteins, with one pathway shifted",
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
			&cli.StringFlag{Name: "dir", Usage: "`FOLDER` of the files above, instead of --raw"},
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

// keggSources returns a source for each strategy that the flags ask for.
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
		s.Strategy, _ = strconv.Atoi(strategy) // one of those above
		sources = append(sources, s)
	}
	return sources, nil
}
