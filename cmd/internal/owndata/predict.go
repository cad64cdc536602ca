package owndata

import (
	"io"
	"strings"

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
		Description: `Prints a row for each sample: its id, the score, the probability of the positive class, the
predicted class, and the share of the model's weight that is on features without a value. Columns are matched by name,
in any order. Other columns are ignored. Give values as they were measured, because the model standardises them. A
missing value is replaced by the training median, and so is a missing feature. If missing features carry more than
half of the weight, the score is empty, and the last column says why. A note lists features that are more than 4
standard deviations from the training samples. The cause may be another unit. --recentre uses the means of the new
samples instead of the training means; see gdrun evaluate.

If the model has covariates, the samples need their columns too, in --samples or --labels. predict sets a batch (gdrun
import --batch) to its mean. If the model is of survival (gdrun import --task survival), the score is the log hazard
ratio against the mean of the training samples. --at 365,1825 adds the probabilities of no event until the times 365 and
1825.

A model has up to three sets of weights. ` + model.Ridge + ` is the best: it is fitted again on the selected features
and calibrated. ` + model.W + ` is the last iterate. ` + model.Wbar + ` is the running average, which needs nearly all
features. Probabilities of ` + model.W + ` and ` + model.Wbar + ` are too close to 0.5, so predict prints them only with
--all.`,
		Flags: append(scoringFlags(),
			&cli.StringSliceFlag{Name: "at", Usage: "`TIME,...` at which to print survival, for a model of times; if the " +
				"model has strata, the samples need their column"},
			&cli.BoolFlag{Name: "all", Usage: "print the predictions of all weights that the model has, with all probabilities"},
			&cli.StringFlag{Name: "out", Usage: "`FILE` to write to instead of printing"},
			command.ForceFlag(),
			command.RowsFlag(),
		),
		Action: command.AtOnce(predict),
	}
}

func scoringFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "`FILE` of the model (required)"},
		&cli.StringFlag{Name: "samples", Usage: "`FILE` of the samples: CSV, TSV, Parquet or Arrow; - is standard input, " +
			"CSV or TSV (required)"},
		labelsFlag(),
	}, append(readingFlags(),
		&cli.StringFlag{Name: "id", Usage: "`COLUMN` of the samples' ids (default: an index column; or a first column with " +
			"the same name as in training; or else samples are numbered)"},
		command.OneOf(&cli.StringFlag{Name: "weights", Usage: "weights to score with (default: the first in this list that " +
			"the model has)"}, model.Ridge, model.W, model.Wbar),
		&cli.BoolFlag{Name: "with-batch", Usage: "use the samples' own batches, if the model was adjusted for them; " +
			"otherwise batches are set to their mean"},
		&cli.BoolFlag{Name: "recentre", Usage: "standardise features by the means of these samples, not of the training " +
			"samples"},
	)...)
}

func scoring(c *cli.Context) (req predicting.Request, err error) {
	req = predicting.Request{Model: c.String("model"), Samples: c.String("samples"), ID: c.String("id"),
		RowNames: rowNames(c), Labels: c.String("labels"),
		Weights: c.String("weights"), Batches: c.Bool("with-batch"), Recentre: c.Bool("recentre")}
	req.Text, err = textOptions(c)
	if req.Text.Force = c.Bool("force"); req.Samples == "-" {
		req.Samples, req.Text.In = "standard input", c.App.Reader
	}
	return req, err
}

func predict(c *cli.Context) error {
	if err := command.Need(c, "model", "samples"); err != nil {
		return err
	}
	out, place := c.String("out"), command.Place(c, c.String("model"), c.String("samples"), c.String("labels"))
	if out != "" {
		if err := place.Check(out); err != nil {
			return err
		}
	}
	req, err := scoring(c)
	if err != nil {
		return err
	}
	req.All = c.Bool("all")
	for _, list := range c.StringSlice("at") {
		for _, text := range strings.Split(list, ",") {
			time, err := dataframe.Number(strings.TrimSpace(text))
			if err != nil {
				return userinput.Errorf("at = %q, want times above 0, such as 365,1825", text)
			}
			req.At = append(req.At, time)
		}
	}
	r, err := predicting.Predict(c.Context, req)
	if err != nil {
		return err
	}
	tellFinding(c.App.ErrWriter, r.Model)
	command.Notes(c, "", r.Notes())
	write := func(w io.Writer) error { return r.Write(w, c.String("format"), command.TableWidth(c)) }
	if out != "" {
		err = place.Write(out, write)
	} else {
		err = write(c.App.Writer)
	}
	switch state := r.Model.State; {
	case err != nil:
	case state != nil && state.Learned > 0:
		command.Next(c, "gdrun", "learn", "--model", c.String("model"), "--next", "--label", "LABEL", "--samples",
			"LABELLED.csv")
	case r.Model.Survival != nil:
		command.Next(c, "gdrun", "evaluate", "--model", c.String("model"), "--samples", "LABELLED.csv")
	default:
		command.Next(c, "gdrun", "evaluate", "--model", c.String("model"), "--samples", "LABELLED.csv", "--label", "LABEL")
	}
	return err
}
