// Package owndata has the commands of gdrun for a user's own samples and network: example, import, tune, predict,
// evaluate, explain, confidence and learn. Each command turns its flags into a request to a package in jobs/own.
package owndata

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, under the heading Own data of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands(command.OwnData, exampleCommand(), importCommand(), tuneCommand(), predictCommand(),
		evaluateCommand(), explainCommand(), confidenceCommand(), learnCommand())
}
