package cluster

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/cluster/journal"
	"graphda/slurm"
)

func cancelCommand() *cli.Command {
	return &cli.Command{
		Name:        "cancel",
		Usage:       "cancel all jobs of a run",
		ArgsUsage:   "RUN",
		UsageText:   `gdrun cancel runs/table1`,
		Description: `Running tasks first save what they have finished. gdrun submit continues from there.`,
		Action: func(c *cli.Context) error {
			run, err := command.OpenRun(c)
			if err != nil {
				return err
			}
			cancelled, notes, err := journal.Cancel(c.Context, run, slurmClient(c))
			if len(cancelled) == 0 && err == nil {
				fmt.Fprintf(c.App.Writer, "%s: the run has no jobs in the queue\n", run.Dir)
			}
			command.Notes(c, "", notes)
			for _, j := range cancelled {
				fmt.Fprintf(c.App.Writer, "cancelled job %s, %s: %d running and %s\n", j.ID, j.What(), j.Running,
					message.Count(j.Queued, "waiting element"))
			}
			return err
		},
	}
}

func slurmClient(c *cli.Context) *slurm.Client {
	return &slurm.Client{Rate: slurm.Polite(), Notify: func(err error, wait time.Duration) {
		command.Note(c.App.ErrWriter, "%v; trying again in %v", err, wait)
	}}
}
