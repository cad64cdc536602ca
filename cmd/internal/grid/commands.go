// Package grid holds the commands plan, local and status of gdrun: they plan the cells of an experiment, run them on
// this machine, and tell how far a run is. The packages paper and cluster use what it exports to read experiments and
// to run tasks.
package grid

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, below the heading Grids of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Grids", planCommand(), localCommand(), statusCommand())
}
