package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/jobs/simulate"
	"graphda/jobs/usage"
)

func mnistCommand() *cli.Command {
	d := simulate.DefaultMNIST()
	return &cli.Command{
		Name:  "mnist",
		Usage: "regression on the pixels of handwritten digits",
		Description: "Writes OUT/mnist-0-normalized and the like: graph.parquet, features.parquet and a samples.parquet\n" +
			"per trial. The true vector is made of the digit's sparsest connected training image; for the model\n" +
			"gaussian it is drawn anew for each trial, and features.parquet is in the trial's folder. The images are\n" +
			"those of the IDX files of MNIST, plain or compressed with gzip: train-images-idx3-ubyte.gz and\n" +
			"train-labels-idx1-ubyte.gz in the folder mnist of --raw, or the files that --images and --labels name.\n\n" +
			"  gdrun simulate mnist --raw raw --digit 0 --digit 4 --model all --trials 20 --out data",
		Flags: append([]cli.Flag{
			rawFlag(),
			&cli.StringFlag{Name: "images", Usage: "IDX file of training images, instead of --raw"},
			&cli.StringFlag{Name: "labels", Usage: "IDX file of their labels, instead of --raw"},
			&cli.StringSliceFlag{Name: "digit", Value: cli.NewStringSlice(strconv.Itoa(d.Digit)),
				Usage: "0 to 9, or all; may be repeated"},
			&cli.StringSliceFlag{Name: "model", Value: cli.NewStringSlice(string(d.Model)),
				Usage: strings.Join(modelNames(), ", ") + ", or all; may be repeated"},
			&cli.IntFlag{Name: "train", Value: d.Train, Usage: "training samples"},
			&cli.IntFlag{Name: "valid", Value: d.Valid, Usage: "validation samples"},
			&cli.IntFlag{Name: "test", Value: d.Test, Usage: "test samples"},
		}, drawFlags(d.Trials, d.Seed)...),
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

func modelNames() []string {
	var names []string
	for _, m := range simulate.Models() {
		names = append(names, string(m))
	}
	return names
}

// mnistSources returns a source for each digit and model that the flags ask for.
func mnistSources(c *cli.Context) ([]simulate.Source, error) {
	digits, err := choices(c, "digit", strings.Fields("0 1 2 3 4 5 6 7 8 9")...)
	if err != nil {
		return nil, err
	}
	models, err := choices(c, "model", modelNames()...)
	if err != nil {
		return nil, err
	}
	m := simulate.MNIST{
		Trials: c.Int("trials"), Train: c.Int("train"), Valid: c.Int("valid"), Test: c.Int("test"), Seed: c.Uint64("seed"),
		Images: c.String("images"), Labels: c.String("labels"),
	}
	switch {
	case c.IsSet("images") != c.IsSet("labels"):
		return nil, usage.Errorf("flags --images and --labels belong together")
	case !c.IsSet("images"):
		if m.Images, m.Labels, err = simulate.MNISTFiles(c.String("raw")); err != nil {
			return nil, err
		}
	}
	var sources []simulate.Source
	for _, digit := range digits {
		for _, model := range models {
			s := m
			s.Digit, _ = strconv.Atoi(digit) // one of those above
			s.Model = simulate.Model(model)
			sources = append(sources, s)
		}
	}
	return sources, nil
}
