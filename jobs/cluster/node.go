package cluster

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/slurm"
)

// A Node is the Slurm job in which a task runs.
type Node struct {
	Env    slurm.Env
	Client *slurm.Client
	Lead   time.Duration // how long before the time limit the task stops
}

// RunTask runs one task as an element of a job array. Near the time limit, or on Slurm's signal USR1, it stops and puts
// the job back into the queue. On TERM, which means scancel or preemption, it stops without requeueing.
//
// RunTask does not requeue a job that has finished no cell, because such a job might never end.
func (n *Node) RunTask(ctx context.Context, r *executor.Runner, t *plan.Task) (executor.Outcome, error) {
	r.Attempt, r.Node = n.Env.Attempt(), n.Env.Node
	r.Deadline = n.deadline
	outcome, err := r.RunTasks(ctx, []*plan.Task{t})
	if !errors.Is(err, executor.ErrStopped) ||
		!errors.Is(err, executor.ErrOutOfTime) && !executor.Signalled(ctx, syscall.SIGUSR1) {
		return outcome, err
	}
	if outcome.Computed == 0 {
		return outcome, fmt.Errorf("no cell was finished within the time limit; submit again with a longer --time: %w",
			errTooSlow)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if requeue := n.Client.Requeue(ctx, n.Env.ID); requeue != nil {
		return outcome, fmt.Errorf("%w (the job could not put itself back into the queue: %w; gdrun submit submits the "+
			"other cells)", err, requeue)
	}
	return outcome, err
}

// deadline returns the time when the task must stop, or zero if the job's limit is unknown.
func (n *Node) deadline(ctx context.Context) time.Time {
	if end := n.Env.End; !end.IsZero() {
		return end.Add(-n.Lead)
	}
	left, err := n.Client.TimeLeft(ctx, n.Env.ID)
	if err != nil || left <= 0 {
		return time.Time{}
	}
	return time.Now().Add(left - n.Lead)
}

var errTooSlow = errors.New("the time limit is too short")
