package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/cluster"
	"graphda/jobs/executor"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

func localCommand() *cli.Command {
	return &cli.Command{
		Name:      "local",
		Usage:     "run what is missing of a plan on this machine",
		ArgsUsage: "RUN",
		UsageText: `gdrun local runs/table1 -j 2`,
		Description: `Runs all tasks that are not sealed yet, several cells at once. Interrupted at any moment, even by kill
-9 or a power cut, the same command goes on where it was.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: runtime.GOMAXPROCS(0), Usage: "cells to run at once"},
		},
		Action: func(c *cli.Context) error {
			run, err := openRun(c)
			if err != nil {
				return err
			}
			err = runTasks(c, run, all)
			if err == nil {
				command.Note(c.App.ErrWriter, "try: gdmerge %s --out %s", slurm.Quote(run.Dir),
					slurm.Quote(filepath.Join("report", filepath.Base(run.Dir))))
			}
			return err
		},
	}
}

func taskCommand() *cli.Command {
	return &cli.Command{
		Name:      "task",
		Usage:     "run one task of a plan, as an array element does",
		ArgsUsage: "RUN",
		UsageText: `gdrun task runs/table1 --index 7 --offset 0`,
		Description: `Runs task number OFFSET + INDEX, or goes on with it, and seals its results. In a Slurm job it stops
before the time limit and puts the job back into the queue.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "index", DefaultText: "none", Usage: "index in the array, from 0 (required)"},
			&cli.IntFlag{Name: "offset", Usage: "number of the array's first task"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: 1, Usage: "cells to run at once"},
			&cli.StringFlag{Name: "scratch", Usage: "`FOLDER` on this machine for unfinished results; copied to RUN once a " +
				"minute"},
			&cli.DurationFlag{Name: "lead", Value: time.Minute, Usage: "how long before a job's time limit to stop"},
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
			return runTasks(c, whole, func(ctx context.Context, r *executor.Runner) (executor.Outcome, error) {
				r.Scratch = c.String("scratch")
				if env.ID == "" {
					return all(ctx, r)
				}
				command.Note(c.App.ErrWriter, "attempt %s on %s", env.Attempt(), env.Node) // begins a life in the log
				node := cluster.Node{Env: env, Client: cluster.NodeClient(), Lead: c.Duration("lead")}
				return node.RunTask(ctx, r, whole.Tasks[0])
			})
		},
	}
}

func openRun(c *cli.Context) (*run.Run, error) {
	dir, err := command.One(c, "the folder of a run")
	if err != nil {
		return nil, err
	}
	return run.Open(dir)
}

// maxWorkers is more than any machine runs at once; each has memory of its own.
const maxWorkers = 1024

func workers(c *cli.Context) (int, error) {
	n := c.Int("jobs")
	if n < 1 || n > maxWorkers {
		return 0, userinput.Errorf("jobs = %d, want 1 to %d", n, maxWorkers)
	}
	return n, nil
}

// all runs all tasks of a run.
func all(ctx context.Context, r *executor.Runner) (executor.Outcome, error) {
	return r.RunTasks(ctx, r.Run.Tasks)
}

// runTasks shows how far a run's tasks have come while do runs them.
func runTasks(c *cli.Context, r *run.Run, do func(context.Context, *executor.Runner) (executor.Outcome, error)) error {
	workers, err := workers(c)
	if err != nil {
		return err
	}
	cells, seconds := map[int]bool{}, 0.0
	for _, t := range r.Tasks {
		for _, c := range t.Cells {
			cells[c.Cell] = true
		}
		seconds += t.Seconds()
	}
	progress := command.NewProgress(c.App.ErrWriter, "cell", len(cells), seconds)
	outcome, err := do(c.Context, &executor.Runner{Run: r, Workers: workers, Notify: progress.Event})
	progress.Close()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s: %s done, %d failed\n", r.Dir, message.Count(outcome.Done, "cell"), outcome.Failed)
	if outcome.Failed > 0 {
		return message.Because(run.ErrFailed, "%d of %s failed; gdmerge %s lists them", outcome.Failed,
			message.Count(outcome.Failed+outcome.Done, "cell"), slurm.Quote(r.Dir))
	}
	return nil
}
