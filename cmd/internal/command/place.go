package command

import (
	"github.com/urfave/cli/v2"

	"graphda/io/seal"
)

// ForceFlag lets a command replace files that are not its own.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace files that are not of this command or were changed since; " +
		"never what it reads"}
}

// Place says what a command with ForceFlag may replace; the inputs are the files it reads.
func Place(c *cli.Context, inputs ...string) seal.Output {
	return seal.Output{Force: c.Bool("force"), Inputs: inputs}
}
