package owndata

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/grid"
	"graphda/io/model"
	"graphda/io/samples"
	"graphda/io/seal"
	"graphda/jobs/own/confidence"
	"graphda/jobs/own/learning"
)

func confidenceCommand() *cli.Command {
	return &cli.Command{
		Name:      "confidence",
		Usage:     "find the features that beat their shuffled copies, and test whether they lie together in the network",
		ArgsUsage: "DATASET",
		UsageText: `gdrun confidence data/mine --false 1
gdrun confidence data/mine --fdr 0.1 --s 60 --f 3`,
		Description: `Ranks features by how often halves of the samples select them. It keeps modules of features that win
against their decoys. A decoy is a copy of a feature. It has the same neighbours in the network, but the values of other
samples. A module is a single feature, or several features that are connected by edges and whose neighbours are
correlated by at least 0.5. A module is false if none of its features is related to the label. A test asks whether
features that are related to the label lie together in the network. If this is not shown, confidence ranks the features
without the network. gdrun tune tests something else: whether the network helps to predict. The samples of a patient
stay together (gdrun import --patient).

Assume that a false module wins against its decoy as often as it loses. Then --false 1 keeps at most 2 false modules in
expectation. With --draws 1 it keeps at most 1. --fdr Q aims at a share of at most Q false modules, but this is not
proven. If a draw has fewer than 1/Q modules and keeps nothing with the network, it ranks features without the network.
See docs/confidence.md. confidence takes about as long as 150 cells with twice the features.

The first line says whether confidence keeps any feature. With -q, only this line is printed. --verbose prints all
features.`,
		Flags: slices.Concat(command.Group("What to keep",
			&cli.IntFlag{Name: "false", DefaultText: "1, unless --fdr is given",
				Usage: "largest number `N` of false modules to expect with one draw, and 2N with several draws, under the " +
					"condition above"},
			&cli.Float64Flag{Name: "fdr", DefaultText: "none", Usage: "largest share of false modules to aim at"},
			&cli.IntFlag{Name: "draws", DefaultText: "5", Usage: "number of draws of decoys"},
		), command.Group("Learning",
			&cli.IntFlag{Name: "s", DefaultText: "twice what gdrun tune chooses", Usage: "number of features that each " +
				"selection has"},
			&cli.Float64Flag{Name: "f", DefaultText: "what gdrun tune chooses", Usage: "inverse step size, as in gdrun tune"},
			lossFlag(),
			&cli.IntFlag{Name: "passes", DefaultText: "1 for classes, 20 for numbers, 50 for times",
				Usage: "number of passes over the samples"},
			&cli.IntFlag{Name: "trial", Usage: "trial whose training, validation and test samples are used, all together"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of halves, decoys and permuted names"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: runtime.GOMAXPROCS(0), Usage: "number of cells to learn " +
				"at once"},
		), command.Group("Output",
			&cli.StringFlag{Name: "out", Usage: "also write the features to this CSV `FILE`"},
			&cli.StringFlag{Name: "report", Usage: "also write a page with the features and their decoys to this `FOLDER`"},
		), command.Group("Output", answerFlags()...)),
		Action: command.AtOnce(findConfidence),
	}
}

func writeConfidence(place seal.Output, folder string, found *confidence.Confidence) error {
	if folder == "" {
		return nil
	}
	return place.WriteAll(folder, found.Files())
}

func findConfidence(c *cli.Context) error {
	dir, err := command.One(c, "the folder of a dataset")
	if err != nil {
		return err
	}
	req, err := confidenceRequest(c, dir)
	if err != nil {
		return err
	}
	out, place := c.String("out"), command.Place(c)
	if ds, err := samples.Open(dir); err != nil {
		return err
	} else if place.Inputs, err = ds.Files(); err != nil {
		return err
	}
	beside := filepath.Clean(dir) + ".confidence"
	if out != "" {
		beside = out
		if err := place.Check(out); err != nil {
			return err
		}
	}
	if err := place.CheckAll(c.String("report"), confidence.FileNames...); c.IsSet("report") && err != nil {
		return err
	}
	found, err := resumed(c, filepath.Join(filepath.Dir(beside), "."+filepath.Base(beside)+".resume"), "cell",
		func(journal *learning.Journal, progress func(done, total int)) (*confidence.Confidence, error) {
			req.Journal, req.Progress = journal, progress
			return confidence.Find(c.Context, req)
		}, func(found *confidence.Confidence) error {
			if err := writeConfidence(place, c.String("report"), found); err != nil || out == "" {
				return err
			}
			printed := found.Printed()
			return place.Write(out, printed.CSV(printed.Tables[0]))
		})
	if err != nil {
		return err
	}
	printed := found.Printed()
	if c.IsSet("report") {
		printed.Page = filepath.Join(c.String("report"), "report.html")
	}
	advice := command.Try("gdrun", "tune", dir)
	path := filepath.Join("tuned", found.Dataset, modelFile)
	if m, err := model.Read(path); err == nil && !strings.HasPrefix(m.Made[model.Found], "Found") {
		advice = "" // the model's features are not evidence of anything
	} else if err == nil {
		advice = command.Try("gdrun", "explain", "--model", path, "--out", filepath.Join("explained", found.Dataset))
	}
	return show(c, printed, advice)
}

func confidenceRequest(c *cli.Context, dir string) (req confidence.Request, err error) {
	if err := cmp.Or(positive(c, "false", "draws", "s", "passes"), upTo(grid.MaxWorkers, c, "jobs")); err != nil {
		return req, err
	}
	req = confidence.Request{
		Dataset: dir, Trial: c.Int("trial"), Loss: c.String("loss"), F: c.Float64("f"), S: c.Int("s"),
		Passes: c.Int("passes"), False: c.Int("false"), FDR: c.Float64("fdr"), Draws: c.Int("draws"),
		Force: c.Bool("force"), Seed: c.Uint64("seed"), Workers: c.Int("jobs"),
	}
	if req.False == 0 && !c.IsSet("fdr") {
		req.False = 1
	}
	return req, nil
}
