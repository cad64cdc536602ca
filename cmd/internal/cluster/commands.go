// Package cluster holds the commands submit, cancel and task of gdrun, which run cells on a Slurm cluster.
package cluster

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, under the heading Cluster of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Cluster", submitCommand(), cancelCommand(), taskCommand())
}
