package grid

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v2"

	"graphda/cmd/internal/command"
	"graphda/io/message"
	"graphda/jobs/executor"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
)

func localCommand() *cli.Command {
	return &cli.Command{
		Name:      "local",
		Usage:     "run the missing cells of a plan on this machine",
		ArgsUsage: "RUN",
		UsageText: `gdrun local runs/table1 -j 2`,
		Description: `Runs all unfinished tasks, several cells at once. You may interrupt it at any moment, even
by kill -9 or a power cut. The same command then continues.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Value: runtime.GOMAXPROCS(0), Usage: "number of cells to run " +
				"at once"},
		},
		Action: func(c *cli.Context) error {
			run, err := command.OpenRun(c)
			if err != nil {
				return err
			}
			err = RunAll(c, run)
			if err == nil {
				command.Next(c, "gdmerge", run.Dir, "--out", filepath.Join("report", filepath.Base(run.Dir)))
			}
			return err
		},
	}
}

// MaxWorkers is the largest accepted number of workers. No machine can use more.
const MaxWorkers = 1024

// Workers returns the value of --jobs, the number of cells that run at once.
func Workers(c *cli.Context) (int, error) {
	n := c.Int("jobs")
	if n < 1 || n > MaxWorkers {
		return 0, userinput.Errorf("jobs = %d, want 1 to %d", n, MaxWorkers)
	}
	return n, nil
}

// RunAll runs all tasks of a run that are not sealed, and shows progress.
func RunAll(c *cli.Context, r *run.Run) error {
	return RunTasks(c, r, func(ctx context.Context, r *executor.Runner) (executor.Outcome, error) {
		return r.RunTasks(ctx, r.Run.Tasks)
	})
}

// RunTasks shows the progress of tasks while the function do runs them.
func RunTasks(c *cli.Context, r *run.Run, do func(context.Context, *executor.Runner) (executor.Outcome, error)) error {
	workers, err := Workers(c)
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
		return message.Because(run.ErrFailed, "%s of %s failed; gdmerge %s lists them", message.Number(outcome.Failed),
			message.Count(outcome.Failed+outcome.Done, "cell"), command.Line(r.Dir))
	}
	return nil
}
