package cluster

import (
	"context"
	"errors"
	"time"

	"graphda/jobs/run"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// A CancelledJob is a job that Cancel has cancelled.
type CancelledJob struct {
	SubmittedJob
	Running, Queued int    // elements that ran and waited
	Of              string // folder of another run, whose job was not cancelled; empty: it was
}

// Cancel cancels all jobs of a run that wait or run, also those whose submission was
// interrupted. Tasks that run bring what is finished to the disk, and are not queued again.
// If somebody submits meanwhile, it cancels what there is and returns an error.
func Cancel(ctx context.Context, r *run.Run, client *slurm.Client) ([]CancelledJob, error) {
	j, err := readJournal(r)
	if err != nil || len(j.files) == 0 {
		return nil, err
	}
	var missing *slurm.MissingError
	if err := client.Available(ctx); errors.As(err, &missing) {
		return nil, &usage.Error{Err: err}
	} else if err != nil {
		return nil, err
	}
	submits := isLocked(j.dir)
	if _, _, err := j.findLostJobs(ctx, client, time.Now(), false); err != nil {
		return nil, err
	}
	stock, err := r.TakeStock(false)
	if err != nil {
		return nil, err
	}
	queue, err := j.queue(ctx, client, stock)
	if err != nil {
		return nil, err
	}
	var ids []slurm.JobID
	var cancelled []CancelledJob
	for _, a := range queue.jobs {
		ids = append(ids, a.job.ID)
		cancelled = append(cancelled, CancelledJob{*a.job, a.running, a.queued, ""})
	}
	for _, a := range queue.foreign {
		cancelled = append(cancelled, CancelledJob{*a.job, a.running, a.queued, a.dir})
	}
	if err := client.Cancel(ctx, ids...); err != nil {
		return nil, err
	}
	if submits {
		return cancelled, usage.Errorf("%s: %w; cancel again when it has ended", j.dir, errLocked)
	}
	return cancelled, nil
}
