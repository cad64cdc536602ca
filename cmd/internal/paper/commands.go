// Package paper holds the commands reproduce, experiments and simulate of gdrun. They simulate the paper's data,
// and reproduce its tables and figures.
package paper

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, for the heading Paper of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Paper", reproduceCommand(), experimentsCommand(), simulateCommand())
}
