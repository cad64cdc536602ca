// Gdrun plans and runs experiments in online learning with graph-structured sparsity, and learns from a user's own
// samples and network. docs/commands.md describes its commands. gdrun COMMAND --help describes a command's flags.
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

func program(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	return command.Run(ctx, &cli.App{
		Name:  "gdrun",
		Usage: "find the few features that matter, when they lie together in a network",
		UsageText: `gdrun example tables
gdrun import --samples tables/samples.csv --label status --positive tumour \
 --edges tables/network.csv --standardise --out data/mine
gdrun tune data/mine
gdrun reproduce table1 --scale quick`,
		Description: `For your own samples and network, begin with the commands example, import and tune. To compare methods,
write an experiment file and turn it into a run with plan. Compute the run with local, or with submit on a cluster. Then
gdmerge writes a report of the run. gdrun COMMAND --help describes a command.`,
		Writer:    stdout,
		ErrWriter: stderr,
		Action:    command.NoCommand,
		Metadata:  map[string]any{command.Names: map[string]func() []string{"EXPERIMENT": published.Names}},
		Commands: slices.Concat(owndata.Commands(), grid.Commands(), cluster.Commands(), paper.Commands(),
			tools.Commands()),
	}, args)
}
