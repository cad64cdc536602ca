package owndata

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/grid"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/own/choice"
	"graphda/jobs/own/importing"
	"graphda/jobs/own/learning"
	"graphda/jobs/own/tuning"
	"graphda/learners"
)

const modelFile = "model.parquet"

func tuneCommand() *cli.Command {
	return &cli.Command{
		Name:      "tune",
		Usage:     "say whether there is a signal, choose a method and its settings, and make a model",
		ArgsUsage: "DATASET",
		UsageText: `gdrun import --samples s.csv --label status --edges e.csv --out data/mine
gdrun tune data/mine --out tuned/mine
gdrun predict --model tuned/mine/model.parquet --samples new.csv`,
		Description: `Tries settings of several methods on all trials of the dataset, which are its splits. Some settings
predict as well as the best setting. tune chooses the most stable of these, and fits it to all samples. The first line
says whether tune found anything. Found means that the whole 95 % interval of the AUC, R² or C-index is above the value
of guessing. The interval is computed on samples that took no part in learning and choosing. Then tune prints what to
expect of new samples, and the features. Each feature has the share of splits that select it, and its effect on the odds
of the positive class or on the hazard. The report has all tables, and --verbose prints them. With -q, only the first
line is printed.

tune writes into OUT: model.parquet, with a row for each feature; the report as report.html and report.md; the picture
selected.svg; and the tables features.csv, expected.csv, settings.csv and selected.csv. It standardises features by the
training samples of each split, unless the dataset is standardised already.

If the dataset has a network, tune tests it: GraphDA runs on the network, and on networks with permuted names. tune
tries GraphDA's settings only if GraphDA is better with the given network than with nearly all permuted networks, or if
you add --method graphda. tune says that the network helps if GraphDA is better and the chosen method uses the network.
network.csv has the comparison.

If the dataset has covariates (gdrun import --covariates, --batch), tune says how well the covariates alone predict the
label, and whether features add anything. If the covariates alone have an AUC of 0.97 or more, tune stops, unless you
add --force.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`FOLDER` of the model and the report (default: tuned/NAME of the dataset)"},
			command.OneOf(&cli.StringSliceFlag{Name: "method", Usage: "method to try; may be repeated (default: all that the " +
				"dataset allows)"}, choice.Methods()...),
			lossFlag(),
			&cli.StringFlag{Name: "root", Usage: "a `FEATURE` that must be selected; the network connects all selected " +
				"features to it, and tune tries only graphda"},
			&cli.IntFlag{Name: "max-features", DefaultText: "no limit", Usage: "largest number `N` of features that the model " +
				"may select"},
			&cli.IntFlag{Name: "size", DefaultText: "tune chooses", Usage: "number `N` of features that the model " +
				"selects; tune tries only methods that can select a given number"},
			&cli.IntFlag{Name: "passes", DefaultText: "1 for labels, 20 for numbers, 50 for times",
				Usage: "number of passes over the training samples"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: runtime.GOMAXPROCS(0), Usage: "number of settings to " +
				"learn at once"},
		}, answerFlags()...),
		Action: command.AtOnce(tune),
	}
}

func lossFlag() cli.Flag {
	return command.OneOf(&cli.StringFlag{Name: "loss", Usage: "loss that learning minimises (default: logistic if all " +
		"labels are -1 and 1, otherwise least_squares; leave it out for times of an event)"}, learners.LossNames()...)
}

func tune(c *cli.Context) error {
	dir, err := command.One(c, "the folder of a dataset")
	if err != nil {
		return err
	}
	if err := cmp.Or(positive(c, "passes", "size", "max-features"), upTo(grid.MaxWorkers, c, "jobs")); err != nil {
		return err
	}
	ds, err := samples.Open(dir)
	if err != nil {
		return err
	}
	out := c.String("out")
	if out == "" {
		out = filepath.Join("tuned", ds.Name)
	}
	place := command.Place(c)
	if place.Inputs, err = ds.Files(); err != nil {
		return err
	}
	if err := checkModel(place, filepath.Join(out, modelFile)); err != nil {
		return err
	}
	if err := place.CheckAll(out, tuning.FileNames...); err != nil {
		return err
	}
	answer, err := resumed(c, filepath.Join(out, ".tune.resume"), "run",
		func(journal *learning.Journal, progress func(done, total int)) (*tuning.Answer, error) {
			return tuning.Tune(c.Context, tuning.Request{
				Dataset: dir, Methods: c.StringSlice("method"), Loss: c.String("loss"), Passes: c.Int("passes"),
				Force: c.Bool("force"), Root: c.String("root"), Workers: c.Int("jobs"), Progress: progress, Journal: journal,
				Size: c.Int("size"), MaxFeatures: c.Int("max-features"),
			})
		}, func(answer *tuning.Answer) error { return writeAnswer(place, out, answer) })
	if err != nil {
		return err
	}
	printed := answer.Printed()
	printed.Page = filepath.Join(out, "report.html")
	path := filepath.Join(out, modelFile)
	advice := command.Try("gdrun", "confidence", dir)
	if answer.Found.Yes() {
		advice += ", or gdrun evaluate if you have new samples with labels"
	}
	if answer.Found.Splits < tuning.LeastSplits {
		advice = fmt.Sprintf("import the tables again with --trials %d or more (default %d); if the samples have a column "+
			"split, also add --drop split, which ignores the column", tuning.LeastSplits, importing.DefaultTrials)
	}
	return show(c, printed, advice, path)
}

func writeAnswer(place seal.Output, out string, answer *tuning.Answer) error {
	if err := place.WriteAll(out, answer.Files()); err != nil {
		return err
	}
	return answer.Model.Write(filepath.Join(out, modelFile))
}

// checkModel refuses to replace a file that is not a model, and a model that has learned more samples since gdrun tune
// made it.
func checkModel(place seal.Output, path string) error {
	place.Sealed = seal.IsSealed
	if err := place.Check(path); err != nil || place.Force {
		return err
	}
	m, err := model.Read(path)
	if errors.Is(err, seal.ErrVersion) {
		return fmt.Errorf("%w, or add --force", err)
	}
	if err != nil || m.State == nil || m.State.Learned == 0 {
		return nil // there is no file, or it may be replaced
	}
	return message.Because(fs.ErrExist, "%s has learned %s and is not replaced; name another folder, or add --force",
		path,
		message.Count(m.State.Learned, "sample"))
}

// resumed calls run and writes its result. The journal at path lets the same command continue after an interrupt.
// resumed removes the journal when the result is written, and after a permanent error.
func resumed[T any](c *cli.Context, path, unit string, run func(*learning.Journal, func(done, total int)) (T, error),
	write func(T) error) (answer T, err error) {
	journal, err := learning.OpenJournal(path, func(err error) {
		command.Note(c.App.ErrWriter, "later results cannot be saved, so after an interruption tune or confidence computes "+
			"them again: %v", err)
	})
	if err != nil {
		return answer, err
	}
	if os.Getenv("GOGC") == "" { // saves a fifth of the memory, and takes no more time
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	progress := command.NewProgress(c.App.ErrWriter, unit, 0, 0)
	answer, err = run(journal, progress.Reach)
	progress.Close()
	if err != nil {
		if c.Context.Err() == nil && !errors.As(err, new(syscall.Errno)) { // errors of the operating system may be temporary
			err = errors.Join(err, journal.Remove())
		}
		return answer, err
	}
	if err := write(answer); err != nil {
		return answer, err
	}
	return answer, journal.Remove()
}
