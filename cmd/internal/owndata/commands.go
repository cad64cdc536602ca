// Package owndata has the commands of gdrun for a user's own samples and network: example, import, tune, predict,
// evaluate, explain, confidence and learn.
//
// The typical steps of a command are:
//
//  1. It checks its flags, and checks that it may write its files (command.Place).
//  2. It turns the flags into a Request and calls a package in jobs/own.
//  3. It writes the files, and the function show prints the answer (answer.go).
//
// The scenarios of cmd/gdrun test the commands.
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
