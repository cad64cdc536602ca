// Package runs has the commands from an experiment to its report: the paper's data, planning, running here or on a
// cluster, and how far a run is.
package runs

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Paper are the commands that give the paper's tables and figures.
func Paper() []*cli.Command {
	return command.Commands("Paper", reproduceCommand(), experimentsCommand(), simulateCommand())
}

// Grids are the commands that plan and run any grid.
func Grids() []*cli.Command {
	return command.Commands("Grids", planCommand(), localCommand(), statusCommand())
}

// Cluster are the commands that send a grid to Slurm.
func Cluster() []*cli.Command {
	return command.Commands("Cluster", submitCommand(), cancelCommand(), taskCommand())
}
