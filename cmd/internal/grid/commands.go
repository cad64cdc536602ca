// Package grid holds the commands plan, local and status of gdrun. They plan the cells of an experiment, run the cells
// on this machine, and show the state of a run.
package grid

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, under the heading Grids of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Grids", planCommand(), localCommand(), statusCommand())
}
