package cluster

import (
	"context"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/cmd/internal/grid"
	"graphda/jobs/cluster"
	"graphda/jobs/executor"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

func taskCommand() *cli.Command {
	return &cli.Command{
		Name:      "task",
		Usage:     "run one task of a plan; the cluster's jobs call this",
		ArgsUsage: "RUN",
		UsageText: `gdrun task runs/table1 --index 7 --offset 0`,
		Description: `Runs task number OFFSET + INDEX, or continues it, and seals its results. In a Slurm job it
stops before the time limit and puts the job back into the queue.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "index", DefaultText: "none", Usage: "index of the task in the array, counted from 0 (required)"},
			&cli.IntFlag{Name: "offset", Usage: "number of the first task in the array"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: 1, Usage: "number of cells to run at once"},
			&cli.StringFlag{Name: "scratch", Usage: "`FOLDER` on this machine for unfinished results; copied to RUN once a " +
				"minute"},
			&cli.DurationFlag{Name: "lead", Value: time.Minute, Usage: "time before the job's limit at which the task stops"},
		},
		Action: func(c *cli.Context) error {
			if err := command.Need(c, "index"); err != nil {
				return err
			}
			dir, err := command.One(c, "the folder of a run")
			if err != nil {
				return err
			}
			whole, err := run.OpenTask(dir, c.Int("offset")+c.Int("index"))
			if err != nil {
				return err
			}
			env, err := slurm.ReadEnv(os.Getenv)
			if err != nil {
				return &userinput.Error{Err: err}
			}
			return grid.RunTasks(c, whole, func(ctx context.Context, r *executor.Runner) (executor.Outcome, error) {
				r.Scratch = c.String("scratch")
				if env.ID == "" {
					return r.RunTasks(ctx, r.Run.Tasks)
				}
				command.Note(c.App.ErrWriter, "attempt %s on %s", env.Attempt(), env.Node) // this line goes to the job's log
				node := cluster.Node{Env: env, Client: slurm.NodeClient(), Lead: c.Duration("lead")}
				return node.RunTask(ctx, r, whole.Tasks[0])
			})
		},
	}
}
