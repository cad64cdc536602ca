// Package tools holds the commands project, cell, methods and inspect of gdrun. The commands find a subgraph, run one
// cell, list the methods, and describe a file.
package tools

import (
	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
)

// Commands returns the commands of the package, under the heading Tools of gdrun --help.
func Commands() []*cli.Command {
	return command.Commands("Tools", projectCommand(), cellCommand(), methodsCommand(), inspectCommand())
}
