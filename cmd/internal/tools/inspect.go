package tools

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/inspect"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "describe a dataset, a run, a shard, a model or a table",
		ArgsUsage: "PATH",
		UsageText: `gdrun inspect data/mine
gdrun inspect runs/table1
gdrun inspect runs/table1/results/000/task-00000.arrow
gdrun inspect tuned/mine/model.parquet
gdrun inspect samples.csv`,
		Description: `Reads and checks everything at PATH: the folder of a dataset or a run, a file of results, or
a table in any format that gdrun import reads.`,
		Flags: []cli.Flag{command.TableFlag(), &cli.BoolFlag{Name: "force",
			Usage: "also read a compressed table that unpacks to more than 100 times its size or 256 MB"}},
		Action: command.AtOnce(func(c *cli.Context) error {
			path, err := command.One(c, "a path")
			if err != nil {
				return err
			}
			lines, err := inspect.Inspect(path, c.Bool("force"))
			if err != nil {
				return err
			}
			if c.String("format") != "text" {
				return command.Tables(c, inspect.Table(lines))
			}
			items := make([]command.Item, len(lines))
			for i, l := range lines {
				items[i] = command.Item{About: l.About, Text: message.Text(l.Text)}
			}
			command.List(c.App.Writer, 0, items...)
			return nil
		}),
	}
}
