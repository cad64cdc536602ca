package owndata

import (
	"io"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/dataframe"
	"graphda/io/model"
	"graphda/jobs/own/predicting"
	"graphda/jobs/userinput"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name:      "predict",
		Usage:     "predict new samples with a model",
		UsageText: `gdrun predict --model tuned/mine/model.parquet --samples new.csv`,
		Description: `Prints a row for each sample: its id, the score, the probability of the positive class, the class,
and which share of the model's weight lies on features without a value. Columns are matched by name, in any order;
columns that are no features are ignored. Values are as they were measured: the model standardises them. A
missing value, or a feature that the table lacks, is taken for the median of the samples that the model was made of.
Where such features carry more than half of the weight the score is empty, and the last column has the reason.
A note says which features are more than 4 deviations from the training samples, as values of another unit or platform
are. --recentre takes the samples' own means for the training means; see gdrun evaluate.
A model that is adjusted for covariates needs their columns too. A batch (gdrun import --batch) is at its mean.
The score of a model of times (gdrun import --task survival) is the log hazard ratio against the mean of its samples;
--at 365,1825 adds the probability of no event until then.

Weights are ` + model.Ridge + ` (fitted again on the selected features, and calibrated; the best), ` + model.W + `
(last iterate) and ` + model.Wbar + ` (running average, which needs nearly all features). Probabilities of
` + model.W + ` and ` + model.Wbar + ` are too near 0.5, and are printed with --all only.`,
		Flags: append(scoringFlags(),
			&cli.StringSliceFlag{Name: "at", Usage: "`TIME,...` at which the survival is printed, of a model of times; needs " +
				"the column of the strata, if there are some"},
			&cli.BoolFlag{Name: "all", Usage: "print predictions by all of the model's weights, with all probabilities"},
			&cli.StringFlag{Name: "out", Usage: "`FILE` to write instead of printing"},
			command.ForceFlag(),
			command.RowsFlag(),
		),
		Action: command.AtOnce(predict),
	}
}

// scoringFlags name a model, samples, and how these are read and scored.
func scoringFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "`FILE` of the model (required)"},
		&cli.StringFlag{Name: "samples", Usage: "`FILE` of the samples: CSV, TSV, Parquet or Arrow; - is standard input, " +
			"CSV or TSV (required)"},
		transposeFlag(),
		&cli.StringFlag{Name: "id", Usage: "`COLUMN` of the samples' ids (default: an index column, or a first column of " +
			"that name, else their numbers)"},
		command.OneOf(&cli.StringFlag{Name: "weights", Usage: "those that score (default: the first of these that the " +
			"model has)"}, model.Ridge, model.W, model.Wbar),
		&cli.BoolFlag{Name: "with-batch", Usage: "the samples are of the batches that the model was adjusted for; else " +
			"batches are at their mean"},
		&cli.BoolFlag{Name: "recentre", Usage: "standardise features by the means of these samples"},
	}
}

// scoring is what scoringFlags ask for.
func scoring(c *cli.Context) predicting.Request {
	req := predicting.Request{Model: c.String("model"), Samples: c.String("samples"), ID: c.String("id"),
		RowNames: rowNames(c), Labels: c.String("labels"),
		Weights: c.String("weights"), Batches: c.Bool("with-batch"), Recentre: c.Bool("recentre"),
		Text: dataframe.Options{Transpose: c.Bool("transpose"), Force: c.Bool("force")}}
	if req.Samples == "-" {
		req.Samples, req.Text.In = "standard input", c.App.Reader
	}
	return req
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
	req := scoring(c)
	req.All = c.Bool("all")
	for _, text := range columnNames(c, "at") {
		time, err := dataframe.Number(text)
		if err != nil {
			return userinput.Errorf("at = %q, want times above 0, as in 365,1825", text)
		}
		req.At = append(req.At, time)
	}
	r, err := predicting.Predict(c.Context, req)
	if err != nil {
		return err
	}
	noteFinding(c, r.Model)
	command.Notes(c, "", r.Notes())
	write := func(w io.Writer) error { return r.Write(w, c.String("format"), command.TableWidth(c)) }
	if out != "" {
		err = place.Write(out, write)
	} else {
		err = write(c.App.Writer)
	}
	if state := r.Model.State; err == nil && state != nil && r.Model.Covariates == nil && r.Model.Survival == nil {
		words := []string{"learn", "--model", c.String("model"), "--next"}
		if state.Learned == 0 {
			words = []string{"learn", "--model", "LIVE.parquet", "--from", c.String("model")}
		}
		command.Next(c, "gdrun", append(words, "--label", "LABEL", "--samples", "LABELLED.csv")...)
	}
	return err
}
