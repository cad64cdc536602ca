package journal

import (
	"context"
	"errors"
	"time"

	"graphda/jobs/run"
	"graphda/jobs/usage"
	"graphda/slurm"
)

// Cancel cancels all jobs of a run that wait or run, also those whose submission was
// interrupted. Tasks that run bring what is finished to the disk, and are not queued again.
// Notes are of jobs that are left alone. If somebody submits meanwhile, it cancels what there is and returns an error.
func Cancel(ctx context.Context, r *run.Run, client *slurm.Client) (cancelled []*QueuedJob, notes []string, err error) {
	j, err := Read(r)
	if err != nil || len(j.Files) == 0 {
		return nil, nil, err
	}
	var missing *slurm.MissingError
	if err := client.Available(ctx); errors.As(err, &missing) {
		return nil, nil, &usage.Error{Err: err}
	} else if err != nil {
		return nil, nil, err
	}
	submits := isLocked(j.Dir)
	if _, _, err := j.FindLost(ctx, client, time.Now(), false); err != nil {
		return nil, nil, err
	}
	stock, err := r.TakeStock(false)
	if err != nil {
		return nil, nil, err
	}
	queue, err := j.Queue(ctx, client, stock)
	if err != nil {
		return nil, nil, err
	}
	var ids []slurm.JobID
	for _, a := range queue.Jobs {
		ids = append(ids, a.ID)
	}
	if err := client.Cancel(ctx, ids...); err != nil {
		return nil, nil, err
	}
	if submits {
		return queue.Jobs, queue.NotOurs(), usage.Errorf("%s: %w; cancel again when it has ended", j.Dir, errLocked)
	}
	return queue.Jobs, queue.NotOurs(), nil
}
