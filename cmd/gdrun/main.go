// Gdrun plans and runs experiments in online learning with graph-structured sparsity, and learns from a user's own
// samples and network. Its commands are in docs/commands.md, and gdrun COMMAND --help tells their flags.
package main

import (
	"context"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/cluster"
	"graphda/cmd/internal/command"
	"graphda/cmd/internal/grid"
	"graphda/cmd/internal/owndata"
	"graphda/cmd/internal/paper"
	"graphda/cmd/internal/tools"
	published "graphda/jobs/paper"
)

func main() { command.Main(program) }

// program is the whole program; tests call it.
func program(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return command.Run(ctx, &cli.App{
		Name:  "gdrun",
		Usage: "plan and run experiments in online learning with graph-structured sparsity",
		UsageText: `gdrun simulate benchmark --graph 1 --trials 2 --out data
gdrun plan table1 --scale quick --data data --out runs/table1-quick
gdrun local runs/table1-quick
gdmerge runs/table1-quick --out report/table1-quick`,
		Description: `The examples are a first experiment, which gdrun reproduce table1 --scale quick does in one go. On a
cluster, gdrun submit instead of gdrun local; gdrun status tells how far it is.

Exit codes: 0 done; 1 a cell failed or a file's content is bad; 2 usage or configuration; 3 cells are missing; 75
stopped early, the same command goes on.`,
		Writer:    stdout,
		ErrWriter: stderr,
		Action:    command.NoCommand,
		Metadata:  map[string]any{command.Names: map[string]func() []string{"EXPERIMENT": published.Names}},
		Commands: slices.Concat(paper.Commands(), owndata.Commands(), grid.Commands(), cluster.Commands(),
			tools.Commands()),
	}, args)
}
