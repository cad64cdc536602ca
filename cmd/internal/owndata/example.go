package owndata

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs/simulate"
)

func exampleCommand() *cli.Command {
	return &cli.Command{
		Name:      "example",
		Usage:     "write small practice tables for the other commands",
		ArgsUsage: "FOLDER",
		UsageText: "gdrun example tables",
		Description: `Writes the tables of the tutorial (docs/tutorial.md) into FOLDER:

  samples.csv      150 patients: their status, tumour or normal, and 60 genes
  network.csv      a network of the genes, one row for each edge
  cohort2.csv      90 patients of another hospital, which measures gene G22 too high
  new.csv          6 patients without a status
  shuffled.csv     samples.csv with the statuses shuffled: there is nothing to find
  experiment.yaml  an experiment that compares three methods (docs/first-experiment.md)

The tables are random, but the truth is known. Genes G21 to G26 are neighbours in the network, and are higher in tumours
by one standard deviation. No other gene is related to the status.`,
		Flags: []cli.Flag{
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the random numbers; the tutorial uses 1"},
			command.ForceFlag(),
		},
		Action: command.AtOnce(writeExample),
	}
}

func writeExample(c *cli.Context) error {
	dir, err := command.One(c, "the folder to write to")
	if err != nil {
		return err
	}
	files := simulate.Example(c.Uint64("seed"))
	if err := command.Place(c).WriteAll(dir, files); err != nil {
		return err
	}
	for _, f := range files {
		fmt.Fprintln(c.App.Writer, filepath.Join(dir, f.Name))
	}
	command.Next(c, "gdrun", "import", "--samples", filepath.Join(dir, "samples.csv"), "--label", "status", "--positive",
		"tumour", "--edges", filepath.Join(dir, "network.csv"), "--standardise", "--out", "data/mine")
	return nil
}
