package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"graphda/io/results"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// AskQueue adds Slurm's answers about the run's jobs to a status. It writes no file. Without submissions it does
// nothing. On a machine without Slurm, the error is a slurm.MissingError.
func AskQueue(ctx context.Context, s *run.Status, client *slurm.Client) error {
	j, err := Read(s.Run)
	if err != nil || len(j.Files) == 0 {
		return err
	}
	s.Follow = j.followStatus(&Queue{})
	if s.Undone()+s.Total.Failed == 0 && !j.asks(s.Stock) {
		s.Queue = newQueueStatus()
		return nil
	}
	if err := client.Available(ctx); err != nil {
		return err
	}
	if _, _, err := j.FindLost(ctx, client, client.Now(), false); err != nil {
		return err
	}
	queue, err := j.Queue(ctx, client, s.Stock)
	if err != nil {
		return err
	}
	all := j.findDeaths(s, queue)
	if len(all) > 0 { // a job may have finished its task after the results were counted
		fresh, err := s.Run.Status(s.Verified)
		if err != nil {
			return err
		}
		*s = *fresh
		all = j.findDeaths(s, queue)
	}
	s.Queue, s.Follow = newQueueStatus(), j.followStatus(queue)
	s.Queue.NotOurs, s.Queue.Hidden = queue.Notes(), queue.Hidden()
	enterActive(s, queue)
	if f := s.Follow; f != nil && f.State == run.FollowDied {
		if now, err := Read(s.Run); err != nil || len(now.Files) > len(j.Files) { // somebody has submitted
			return cmp.Or(err, AskQueue(ctx, s, client))
		}
		d := j.death(queue)
		j.Explain(ctx, append(slices.Clone(all), d), client)
		f.Why = strings.Join(slices.DeleteFunc([]string{d.State, d.Reason, d.Node, d.Last},
			func(part string) bool { return part == "" }), ", ")
	} else {
		j.Explain(ctx, all, client)
	}
	given := s.Undone()
	for _, g := range j.Files[len(j.Files)-1].GivenUp {
		given -= g.Cells
	}
	if len(s.Queue.Active) == 0 && given == 0 {
		s.Queue.GivenUp = j.Files[len(j.Files)-1].GivenUp
	}
	tries := triesOf(s.Run, j.Deaths())
	for _, d := range all {
		if d.newest {
			d.Attempt = tries(d) + 1
			s.Queue.Dead = append(s.Queue.Dead, d.DeadTask)
		}
	}
	return nil
}

// findDeaths lists the tasks with missing cells whose job has ended. It uses the causes in the journal.
func (j *Journal) findDeaths(s *run.Status, queue *Queue) []*Death {
	all := FindDeaths(s.Run, s.State, s.Stock, queue)
	for _, known := range j.Deaths() {
		i := slices.IndexFunc(all, func(d *Death) bool { return d.Log == known.Log })
		if i >= 0 && known.Cause != results.Unknown {
			known.newest, all[i] = all[i].newest, known
		}
	}
	return all
}

func newQueueStatus() *run.QueueStatus {
	return &run.QueueStatus{Waiting: []run.Waiting{}, Dead: []run.DeadTask{}}
}

// triesOf returns a function for the number of earlier deaths of a death's cells: the largest number of any cell.
func triesOf(r *run.Run, known []*Death) func(*Death) int {
	count, seen := map[int]int{}, map[string]bool{}
	for _, d := range known {
		seen[d.Log] = true
		if t := r.Task(d.Task); t != nil {
			for _, c := range t.Cells {
				count[c.Cell]++
			}
		}
	}
	return func(d *Death) int {
		tries := 0
		for _, c := range r.Task(d.Task).Cells {
			tries = max(tries, count[c.Cell])
		}
		if seen[d.Log] { // count includes d itself
			tries--
		}
		return tries
	}
}

func enterActive(s *run.Status, queue *Queue) {
	processors := 0
	s.Queue.Active = map[int]run.CellState{}
	for _, t := range s.Run.Tasks {
		element := queue.active[t.Number]
		switch {
		case element == nil && queue.hidden[t.Number]:
			s.Queue.Active[t.Number] = run.StateHidden
		case element == nil:
		case element.runs():
			s.Queue.Active[t.Number] = run.StateRunning
			s.Queue.Running++
			processors += max(1, element.job.CPUs)
		default:
			s.Queue.Active[t.Number] = run.StateQueued
			s.Queue.Queued++
			enterReason(s.Queue, element)
		}
	}
	slices.SortStableFunc(s.Queue.Waiting, func(a, b run.Waiting) int { return cmp.Compare(b.Tasks, a.Tasks) })
	s.EnterTasks()
	if processors > 0 && s.Total.Missing+s.Total.Hidden == 0 {
		left := time.Duration(s.Left / float64(processors) * float64(time.Second))
		s.Queue.Finish = time.Now().Add(left).Truncate(time.Second)
	}
}

func enterReason(s *run.QueueStatus, e *element) {
	reason := e.entry.Reason
	if reason == "" || reason == "None" { // the scheduler has not seen the task yet
		return
	}
	i := slices.IndexFunc(s.Waiting, func(w run.Waiting) bool { return w.Reason == reason })
	if i < 0 {
		i = len(s.Waiting)
		s.Waiting = append(s.Waiting, run.Waiting{Reason: reason, Means: slurm.ReasonMeans(reason)})
	}
	w := &s.Waiting[i]
	if id := string(e.job.ID); !slices.Contains(w.Jobs, id) {
		w.Jobs = append(w.Jobs, id)
	}
	w.Tasks++
}

// Cancel cancels all waiting and running jobs of a run, even if their submission was interrupted. Running tasks save
// finished cells and are not requeued. Cancel also stops running submissions and follow-up jobs, and cancels the jobs
// that they have just sent. The notes describe jobs that Cancel leaves alone. If a job cannot be cancelled, or a
// submission is still running, Cancel cancels all other jobs and returns an error.
func Cancel(ctx context.Context, r *run.Run, client *slurm.Client) (cancelled []*QueuedJob, notes []string, err error) {
	j, err := Read(r)
	if err != nil || len(j.Files) == 0 && !isLocked(j.Dir) {
		return nil, nil, err
	}
	var missing *slurm.MissingError
	if err := client.Available(ctx); errors.As(err, &missing) {
		return nil, nil, &userinput.Error{Err: err}
	} else if err != nil {
		return nil, nil, err
	}
	stop := j.Stop() // fails if the disk is full
	for busy := true; busy && err == nil; {
		busy = isLocked(j.Dir)
		var more []*QueuedJob
		more, notes, err = j.cancelOnce(ctx, client)
		cancelled = append(cancelled, slices.DeleteFunc(more, func(a *QueuedJob) bool {
			return slices.ContainsFunc(cancelled, func(b *QueuedJob) bool { return a.Name == b.Name })
		})...)
		const patience = 10 * time.Second // longest wait for an sbatch's answer
		for wait := patience; busy && wait > 0 && isLocked(j.Dir) && err == nil; wait -= lockInterval {
			err = client.Wait(ctx, nil, lockInterval)
		}
		if busy && isLocked(j.Dir) && err == nil {
			err = userinput.Errorf("%s: %w", j.Dir, errLocked)
		}
	}
	return cancelled, notes, cmp.Or(err, stop)
}

func (j *Journal) cancelOnce(ctx context.Context, client *slurm.Client) (done []*QueuedJob, notes []string, err error) {
	now, err := Read(j.run)
	if err != nil {
		return nil, nil, err
	}
	if _, _, err := now.FindLost(ctx, client, client.Now(), false); err != nil {
		return nil, nil, err
	}
	stock, err := j.run.TakeStock(false)
	if err != nil {
		return nil, nil, err
	}
	queue, err := now.Queue(ctx, client, stock)
	if err != nil {
		return nil, nil, err
	}
	done, left, err := now.cancel(ctx, client, queue)
	for _, a := range queue.foreign {
		notes = append(notes, a.note())
	}
	if len(left) > 0 && err == nil {
		err = fmt.Errorf("not cancelled: %s; only the jobs' owner or an administrator can cancel them, on their cluster, "+
			"with gdrun cancel or scancel; the run's follow-up job submits nothing more", strings.Join(left, ", "))
	}
	return done, notes, err
}

// cancel cancels the jobs in the queue. `left` describes the jobs that it could not cancel.
func (j *Journal) cancel(ctx context.Context, client *slurm.Client, q *Queue) (done []*QueuedJob, left []string,
	err error) {
	type place struct {
		owner   owner
		cluster string
	}
	var places []place
	groups := map[place][]*QueuedJob{}
	for _, a := range q.Jobs {
		at := place{a.owner, j.asker(client, a.Job).Cluster}
		if groups[at] == nil {
			places = append(places, at)
		}
		groups[at] = append(groups[at], a)
	}
	refused := q.unseen
	for _, at := range places {
		some := groups[at]
		var ids []slurm.JobID
		for _, a := range some {
			if a.Follows { // cancelled first, because the follow-up job starts when the other jobs have ended
				ids = slices.Insert(ids, 0, a.ID)
			} else {
				ids = append(ids, a.ID)
			}
		}
		err := j.asker(client, some[0].Job).Cancel(ctx, ids...)
		switch {
		case err == nil:
			done = append(done, some...)
		case !some[0].owner.isMe() && slurm.IsKind(err, slurm.Refused):
			refused = append(refused, some...)
		default:
			return done, nil, err
		}
	}
	for _, o := range others(refused) {
		left = append(left, o.String())
	}
	return done, left, nil
}
