package owndata

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/model"
	"graphda/jobs/own/evaluating"
	"graphda/jobs/userinput"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name:      "evaluate",
		Usage:     "measure a model on samples of another cohort",
		UsageText: `gdrun evaluate --model tuned/mine/model.parquet --samples cohort2.csv --label status`,
		Description: `Says whether a model carries over to samples that took no part in making it. For classes it prints the
AUC, accuracies at the model's threshold, and the calibration of probabilities. For numbers it prints R² and the error,
and for times of an event Harrell's C-index. Each has a 95 % interval. Then evaluate lists the features that have
missing values, or whose mean moved by more than 3 standard errors. Columns are matched by name, as in gdrun predict.
Labels are the names of the model's classes. If the cohort has other words, name the positive one with --positive.
evaluate leaves out samples without a label, samples whose missing features carry more than half of the weight, and
samples that the model learned from, which it recognises by their values, also under other ids.

The model carries over if the interval of its AUC is above 0.5 or, with covariates, above the AUC of the covariates
alone. The verdict also says whether the model is weaker than gdrun tune expected, and whether gdrun tune said NOTHING
FOUND. With -q, only the verdict is printed. --verbose prints all features that differ.

--patient keeps the samples of a patient together in the intervals. --recentre standardises features by the means of the
cohort, not by the means of the training samples. This helps where a laboratory measures features too high or too low.
It misleads where the share of cases differs from the training samples.`,
		Flags: slices.Concat(scoringFlags(), []cli.Flag{
			&cli.StringFlag{Name: "label", Usage: "`COLUMN` of the labels (required, except for a model of times)"},
			positiveFlag("the column of the training samples"), restFlag(),
			&cli.StringFlag{Name: "time", DefaultText: "the column of the training " +
				"samples", Usage: "`COLUMN` of the times, for a " +
				"model of times"},
			&cli.StringFlag{Name: "event", DefaultText: "the column of the training samples", Usage: "`COLUMN` of the events, " +
				"for a model of times"},
			&cli.StringFlag{Name: "patient", Usage: "`COLUMN` of the patients, if some patients have several samples"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the intervals"},
			&cli.StringFlag{Name: "report", Usage: "also write a page with curves to this `FOLDER`"},
		}, answerFlags()),
		Action: command.AtOnce(evaluate),
	}
}

func evaluate(c *cli.Context) error {
	if err := command.Need(c, "model", "samples"); err != nil {
		return err
	}
	place := command.Place(c, c.String("model"), c.String("samples"), c.String("labels"))
	if c.IsSet("report") {
		if err := place.CheckAll(c.String("report"), evaluating.FileNames...); err != nil {
			return err
		}
	}
	if m, err := model.Read(c.String("model")); err == nil && m.Survival == nil && !c.IsSet("label") && !c.IsSet("time") &&
		!c.IsSet("event") {
		classes := ""
		if m.Positive != "" {
			classes = fmt.Sprintf(", whose values are %q and %q", m.Positive, m.Negative)
		}
		return userinput.Errorf("flag --label is missing; add --label COLUMN with the column of the labels%s", classes)
	}
	req, err := scoring(c)
	if err != nil {
		return err
	}
	r, err := evaluating.Evaluate(c.Context, evaluating.Request{
		Request: req,
		Label:   c.String("label"), Time: c.String("time"), Event: c.String("event"), Patient: c.String("patient"),
		Positive: c.String("positive"), Rest: c.Bool("rest"), Seed: c.Uint64("seed"),
	})
	if err != nil {
		return err
	}
	printed := r.Printed()
	if c.IsSet("report") {
		files, err := r.Files()
		if err != nil {
			return err
		}
		if err := place.WriteAll(c.String("report"), files); err != nil {
			return err
		}
		printed.Page = filepath.Join(c.String("report"), "report.html")
	}
	advice := ""
	switch {
	case r.Shifted():
		advice = command.Try("gdrun", command.Again(c, "--recentre")...)
	case r.Carries():
		words := []string{"predict", "--model", c.String("model"), "--samples", "NEW.csv"}
		if c.Bool("recentre") {
			words = append(words, "--recentre")
		}
		advice = command.Try("gdrun", words...)
	case !c.IsSet("report"):
		advice = command.Try("gdrun", command.Again(c, "--report", "evaluated")...)
	}
	return show(c, printed, advice)
}
