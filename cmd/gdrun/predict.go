package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/io/tabular"
	"graphda/jobs/predicting"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:  "predict",
		Usage: "score new samples with a model that gdrun tune made",
		Description: "Prints a line of CSV for each sample: its id, and by each of the model's weights the score, the\n" +
			"probability of the positive class, and the class. Columns are matched by name, in any order; columns\n" +
			"that are no features are ignored. Values are as they were measured: the model standardises them.\n\n" +
			"  gdrun predict --model tuned/mine/model.parquet --samples new.csv --weights " + model.Ridge + "\n\n" +
			"Weights are " + model.Ridge + " (fitted again on the selected features; the best), " + model.W + " (last " +
			"iterate) and " + model.Wbar + "\n(running average, which needs nearly all features).",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "model", Usage: "file of the model (required)"},
			&cli.StringFlag{Name: "samples", Usage: "table of the samples: CSV, TSV, Parquet or Arrow (required)"},
			&cli.BoolFlag{Name: "transpose", Usage: "the rows of the samples' file are features, its columns samples"},
			&cli.StringFlag{Name: "id", Usage: "column of the samples' ids (default: an index column, or a first column of " +
				"that name, else their numbers)"},
			&cli.StringFlag{Name: "weights", Usage: model.Ridge + ", " + model.W + " or " + model.Wbar + " (default: all)"},
			&cli.BoolFlag{Name: "absent", Usage: "a feature that the table lacks is at its mean in every sample"},
			&cli.StringFlag{Name: "out", Usage: "file to write instead of printing"},
			command.ForceFlag(),
		},
		Action: command.AtOnce(predict),
	}
}

func predict(c *cli.Context) error {
	if err := command.Need(c, "model", "samples"); err != nil {
		return err
	}
	out, place := c.String("out"), command.Place(c, c.String("model"), c.String("samples"))
	if out != "" {
		if err := place.Check(out); err != nil {
			return err
		}
	}
	r, err := predicting.Predict(c.Context, predicting.Request{
		Model: c.String("model"), Samples: c.String("samples"), ID: c.String("id"), Weights: c.String("weights"),
		Text: tabular.Options{Transpose: c.Bool("transpose"), Force: c.Bool("force")}, Absent: c.Bool("absent"),
	})
	if err != nil {
		return err
	}
	noteFinding(c, r.Model)
	if n := len(r.Absent); n > 0 {
		command.Note(c.App.ErrWriter, "%d features are not in %s and are at their means: %s", n, c.String("samples"),
			tabular.Some(r.Absent))
	}
	if out != "" {
		return place.Write(out, func(w io.Writer) error { return r.WriteCSV(w) })
	}
	command.PrintData(c)
	return r.WriteCSV(c.App.Writer)
}
