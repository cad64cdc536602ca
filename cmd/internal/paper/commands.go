// Package paper holds the commands reproduce, experiments and simulate of gdrun: they draw the data of the paper, and
// make its tables and figures from nothing.
package paper

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, below the heading Paper of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Paper", reproduceCommand(), experimentsCommand(), simulateCommand())
}
