package owndata

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/io/safefile"
	"graphda/io/stream"
	"graphda/io/table"
	"graphda/jobs/own/online"
	"graphda/jobs/own/sampletable"
	"graphda/jobs/userinput"
	"graphda/learners"
)

func learnCommand() *cli.Command {
	return &cli.Command{
		Name:  "learn",
		Usage: "learn from samples as they come, and keep the model in a file",
		UsageText: `gdrun learn --model live.parquet --from tuned/mine/model.parquet --label status < monday.csv
gdrun learn --model live.parquet --label status --next < tuesday.csv
gdrun learn --model live.parquet --dataset data/mine --method graphda --set gamma=100,s=26 --samples s.csv`,
		Description: `Reads samples one by one. It first predicts a sample with the model so far, and then learns from it. It
rewrites the model's file after every --every samples and at the end. gdrun predict can read this file at any time. Each
time, learn prints a row of CSV with the number of samples so far, the mistakes and the mean loss of w and of its
average w̄, and the number of features that w selects.

To begin a new file, name a model of gdrun tune with --from. Or name a dataset and a method, to begin from zero with the
dataset's features and network. Later calls may leave out these flags.

If learn was killed, type it again with the same samples. learn skips the samples that the file has learned, and ends
with the same file as without the kill. It refuses other samples, unless you add --next to begin another stream. An
unfinished last line is left for later. Only one learn can write a model at a time.

Samples are CSV with a header, NDJSON, or an Arrow stream. Columns are matched by name. Give values as they were
measured.`,
		Flags: slices.Concat(command.Group("Samples and model",
			&cli.StringFlag{Name: "model", Usage: "`FILE` of the model to continue or to start (required)"},
			&cli.StringFlag{Name: "samples", Value: "-", Usage: "`FILE` of the samples; - is standard input"},
			&cli.BoolFlag{Name: "follow", Usage: "at the end of --samples, wait for more samples until the signal INT, TERM " +
				"or HUP"},
			&cli.StringFlag{Name: "label", Value: sampletable.DefaultLabel, Usage: "`COLUMN` of the classes or targets"},
			&cli.IntFlag{Name: "every", Value: 1000, Usage: "write the model's file after every `N` samples"},
			&cli.BoolFlag{Name: "next", Usage: "the samples are a new stream that follows the earlier ones"},
		), command.Group("Beginning",
			&cli.StringFlag{Name: "from", Usage: "`FILE` of the model to start from"},
			&cli.BoolFlag{Name: "zero", Usage: "take the features, scales and settings of --from, but not its weights: start " +
				"at zero"},
			&cli.StringFlag{Name: "dataset", Usage: "`FOLDER` of the dataset to start from"},
			&cli.IntFlag{Name: "trial", Usage: "trial of the dataset whose features and network are used"},
			command.OneOf(&cli.StringFlag{Name: "method", Usage: "method to begin with"}, learners.MethodNames()...),
			&cli.StringSliceFlag{Name: "set", Usage: "parameters of --method, `NAME=VALUE,...`, such as " +
				"gamma=100,s=26; may be repeated"},
			command.OneOf(&cli.StringFlag{Name: "loss", Usage: "loss of a new model (default: logistic if all labels of the " +
				"dataset are -1 and 1, otherwise least_squares)"}, learners.LossNames()...),
		), command.Group("Output",
			&cli.BoolFlag{Name: "each", Usage: "print a row for each sample instead: its number, label, prediction and score"},
			command.RowsFlag(),
		)),
		Action: learn,
	}
}

func learn(c *cli.Context) error {
	if err := command.Need(c, "model"); err != nil {
		return err
	}
	params, err := command.Params(c.StringSlice("set"))
	if err != nil {
		return err
	}
	before := 0
	req := online.Request{
		Model: c.String("model"), Every: c.Int("every"), Label: c.String("label"), Next: c.Bool("next"),
		Begin: online.Beginning{From: c.String("from"), Zero: c.Bool("zero"), Dataset: c.String("dataset"),
			Trial: c.Int("trial"), Method: c.String("method"), Params: params, Loss: c.String("loss")},
		Passed: func(samples int) {
			if samples > 0 {
				before = samples
				command.Note(c.App.ErrWriter, "%s continues after %s", c.String("model"), message.Count(samples, "sample"))
			}
		},
	}
	req.Far = func(note string) {
		command.Note(c.App.ErrWriter, "%s gdrun learn has learned from these samples anyway", note)
	}
	req.Torn = func(at *stream.Unfinished) { command.Note(c.App.ErrWriter, "%v", at) }
	close, err := openSamples(c, &req)
	if err != nil {
		return err
	}
	defer close()
	t := &table.Table{Title: req.Model}
	add, flush, end := t.Grow(c.App.Writer, c.String("format"), command.TableWidth(c))
	tell := func(columns []table.Column, row []table.Cell) error {
		t.Columns = columns
		add(row...)
		return flush()
	}
	req.Report = func(r *online.Report) error { return tell(reported(r)) }
	if c.Bool("each") {
		req.Report, req.Predicted = nil, func(p *online.Prediction) error { return tell(predicted(p)) }
	}
	done, err := online.Learn(c.Context, req)
	if len(t.Columns) > 0 {
		err = errors.Join(err, end())
	}
	if done != nil && (err == nil || done.Samples > before) {
		command.Note(c.App.ErrWriter, "%s has learned %s", req.Model, message.Count(done.Samples-before, "sample"))
	}
	if err == nil {
		command.Next(c, "gdrun", "predict", "--model", req.Model, "--samples", "NEW.csv")
	}
	return err
}

func openSamples(c *cli.Context, req *online.Request) (close func() error, err error) {
	path := c.String("samples")
	if path == "-" {
		if c.Bool("follow") {
			return nil, userinput.Errorf("--follow needs a file; add --samples FILE")
		}
		req.Samples, req.Path = c.App.Reader, "standard input"
		return func() error { return nil }, nil
	}
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	req.Samples, req.Path = io.Reader(f), path
	if c.Bool("follow") {
		req.Samples = stream.Follow(c.Context, f)
	}
	return f.Close, nil
}

func reported(r *online.Report) ([]table.Column, []table.Cell) {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	loss := func(x float64) table.Cell { return table.Exactly(x, short) }
	if !r.Classifies {
		return columns("samples", "loss", "loss_wbar", "selected"),
			[]table.Cell{table.Count(r.Samples), loss(r.Loss), loss(r.LossWbar), table.Count(r.Selected)}
	}
	return columns("samples", "mistakes", "mistakes_wbar", "loss", "loss_wbar", "selected"),
		[]table.Cell{table.Count(r.Samples), table.Count(r.Mistakes), table.Count(r.MistakesWbar), loss(r.Loss),
			loss(r.LossWbar), table.Count(r.Selected)}
}

func predicted(p *online.Prediction) ([]table.Column, []table.Cell) {
	score := table.Of(p.Score, table.Significant)
	score.Number.Data = func(x float64) string { return fmt.Sprint(x) }
	row := []table.Cell{table.Count(p.Sample), table.Word(message.Text(p.Label)), table.Word(message.Text(p.Class)), score}
	named := columns("sample", "label", "predicted", "score")
	named[1].Words, named[2].Words = true, true
	return named, row
}

func columns(keys ...string) (named []table.Column) {
	for _, key := range keys {
		named = append(named, table.Column{Key: key, Head: key})
	}
	return named
}
