package runs

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/plain"
	"graphda/jobs/cluster/journal"
)

func cancelCommand() *cli.Command {
	return &cli.Command{
		Name:        "cancel",
		Usage:       "cancel all jobs of a run that wait or run",
		ArgsUsage:   "RUN",
		UsageText:   `gdrun cancel runs/table1`,
		Description: `Tasks that run bring what is finished to the disk first. gdrun submit goes on from there.`,
		Action: func(c *cli.Context) error {
			run, err := openRun(c)
			if err != nil {
				return err
			}
			cancelled, notes, err := journal.Cancel(c.Context, run, slurmClient(c))
			if len(cancelled) == 0 && err == nil {
				fmt.Fprintf(c.App.Writer, "%s: nothing is in the queue\n", run.Dir)
			}
			for _, note := range notes {
				command.Note(c.App.ErrWriter, "%s", note)
			}
			for _, j := range cancelled {
				fmt.Fprintf(c.App.Writer, "cancelled job %s, %s: %s, %d waited\n", j.ID, j.What(),
					plain.Count(j.Running, "element")+" ran", j.Queued)
			}
			return err
		},
	}
}
