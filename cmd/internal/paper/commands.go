// Package paper holds the commands reproduce, experiments and simulate of gdrun. They simulate the data of the paper,
// and reproduce the paper's tables and figures.
package paper

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, under the heading Paper of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Paper", reproduceCommand(), experimentsCommand(), simulateCommand())
}
