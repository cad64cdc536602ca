// Package owndata holds the commands example, import, tune, predict, evaluate, explain, confidence and learn of
// gdrun, which work on a user's own samples and network. Each turns its flags into a request; the packages of jobs/own
// do the work.
package owndata

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, below the heading Own data of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Own data", exampleCommand(), importCommand(), tuneCommand(), predictCommand(),
		evaluateCommand(), explainCommand(), confidenceCommand(), learnCommand())
}
