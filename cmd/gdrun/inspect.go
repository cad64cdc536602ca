package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs/inspect"
	"graphda/jobs/usage"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "tell what a dataset, a run, a shard, a model or a table holds",
		ArgsUsage: "PATH",
		UsageText: `gdrun inspect data/mine
gdrun inspect runs/table1
gdrun inspect runs/table1/results/000/task-00000.arrow
gdrun inspect tuned/mine/model.parquet
gdrun inspect samples.csv`,
		Description: `Reads and checks all of what is at PATH: the folder of a dataset or a run, a file of results, or a
table of any format that gdrun import reads.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "force",
			Usage: "read a compressed table that unpacks to more than 100 times its size or 256 MB"}},
		Action: command.AtOnce(func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usage.Errorf("want one path (see %s --help)", c.Command.HelpName)
			}
			lines, err := inspect.Inspect(c.Args().First(), c.Bool("force"))
			if err != nil {
				return err
			}
			width := 0
			for _, l := range lines {
				width = max(width, utf8.RuneCountInString(l.About))
			}
			for _, l := range lines {
				fmt.Fprintf(c.App.Writer, "%-*s  %s\n", width, l.About, plain.Text(l.Text))
			}
			return nil
		}),
	}
}
