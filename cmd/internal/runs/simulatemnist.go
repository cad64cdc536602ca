package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/jobs/simulate"
	"graphda/jobs/usage"
)

var digits = strings.Fields("0 1 2 3 4 5 6 7 8 9")

func mnistCommand() *cli.Command {
	d := simulate.DefaultMNIST()
	return &cli.Command{
		Name:      "mnist",
		Usage:     "regression on the pixels of handwritten digits",
		UsageText: `gdrun simulate mnist --raw raw --digit 0 --digit 4 --model all --trials 20 --out data`,
		Description: `Writes OUT/mnist-0-normalized and the like: graph.parquet, features.parquet and a samples.parquet per
trial. The true vector is made of the digit's sparsest connected training image; for the model gaussian it is drawn
anew for each trial, and features.parquet is in the trial's folder. The images are those of the IDX files of MNIST,
plain or compressed with gzip: train-images-idx3-ubyte.gz and train-labels-idx1-ubyte.gz in the folder mnist of --raw,
or the files that --images and --labels name.`,
		Flags: slices.Concat(command.Group("Pictures",
			rawFlag(),
			&cli.StringFlag{Name: "images", Usage: "IDX `FILE` of training images, instead of --raw"},
			&cli.StringFlag{Name: "labels", Usage: "IDX `FILE` of their labels, instead of --raw"},
			command.OneOf(&cli.StringSliceFlag{Name: "digit", Value: cli.NewStringSlice(strconv.Itoa(d.Digit)),
				Usage: "may be repeated"}, append(digits, "all")...),
			command.OneOf(&cli.StringSliceFlag{Name: "model", Value: cli.NewStringSlice(string(d.Model)),
				Usage: "of the labels' noise; may be repeated"}, append(simulate.Models(), "all")...),
		), command.Group("Draws",
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "test samples"},
		), command.Group("Draws", drawFlags(d.Trials, d.Seed)...)),
		Action: func(c *cli.Context) error {
			sources, err := mnistSources(c)
			if err != nil {
				return err
			}
			return drawAll(c, sources, func(s simulate.Source) string {
				m := s.(simulate.MNIST)
				return fmt.Sprintf("%d samples, digit %d, %s", m.Train+m.Valid+m.Test, m.Digit, m.Model)
			})
		},
	}
}

// mnistSources returns a source for each digit and model that the flags ask for.
func mnistSources(c *cli.Context) ([]simulate.Source, error) {
	m := simulate.MNIST{
		Trials: c.Int("trials"), Train: c.Int("train"), Valid: c.Int("valid"), Test: c.Int("test"), Seed: c.Uint64("seed"),
		Images: c.String("images"), Labels: c.String("labels"),
	}
	switch {
	case c.IsSet("images") != c.IsSet("labels"):
		return nil, usage.Errorf("flags --images and --labels belong together")
	case !c.IsSet("images"):
		var err error
		if m.Images, m.Labels, err = simulate.MNISTFiles(c.String("raw")); err != nil {
			return nil, err
		}
	}
	var sources []simulate.Source
	for _, digit := range chosen(c, "digit", digits) {
		for _, model := range chosen(c, "model", simulate.Models()) {
			s := m
			s.Digit, _ = strconv.Atoi(digit) // one of those above
			s.Model = model
			sources = append(sources, s)
		}
	}
	return sources, nil
}
