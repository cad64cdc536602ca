package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"graphda/io/regular"
	"graphda/jobs"
	"graphda/slurm"
)

// AskQueue adds to a status what Slurm says of the run's jobs, and writes nothing. It does
// nothing if nothing was submitted, or on a machine without Slurm.
func AskQueue(ctx context.Context, s *jobs.Status, client *slurm.Client) error {
	j, err := readJournal(s.Run)
	if err != nil || len(j.files) == 0 {
		return err
	}
	var missing *slurm.MissingError
	if err := client.Available(ctx); errors.As(err, &missing) {
		return nil
	} else if err != nil {
		return err
	}
	if _, _, err := j.findLostJobs(ctx, client, time.Now(), false); err != nil {
		return err
	}
	queue, err := j.queue(ctx, client)
	if err != nil {
		return err
	}
	s.Queue = &jobs.QueueStatus{Waiting: []jobs.Waiting{}, Dead: []jobs.DeadTask{}}
	enterActive(s, queue)
	s.Queue.Dead = append(s.Queue.Dead, dead(s, queue)...)
	explain(ctx, s.Queue, client, queue)
	return nil
}

// enterActive enters what waits and what runs.
func enterActive(s *jobs.Status, queue *queue) {
	processors := 0
	active := map[int]jobs.CellState{}
	for _, t := range s.Run.Tasks {
		element, ok := queue.active[t.Number]
		switch {
		case !ok:
		case element.runs():
			active[t.Number] = jobs.StateRunning
			s.Queue.Running++
			processors += max(1, element.job.CPUs)
		default:
			active[t.Number] = jobs.StateQueued
			s.Queue.Queued++
			enterReason(s.Queue, &element)
		}
	}
	slices.SortStableFunc(s.Queue.Waiting, func(a, b jobs.Waiting) int { return cmp.Compare(b.Tasks, a.Tasks) })
	s.EnterTasks(active)
	if processors > 0 && s.Total.Missing == 0 {
		left := time.Duration(s.Left / float64(processors) * float64(time.Second))
		s.Queue.Finish = time.Now().Add(left).Truncate(time.Second)
	}
}

// enterReason enters why a queued task waits.
func enterReason(s *jobs.QueueStatus, element *queuedElement) {
	reason := element.entry.Reason
	if reason == "" || reason == "None" { // the scheduler has not looked at it yet
		return
	}
	i := slices.IndexFunc(s.Waiting, func(w jobs.Waiting) bool { return w.Reason == reason })
	if i < 0 {
		i = len(s.Waiting)
		s.Waiting = append(s.Waiting, jobs.Waiting{Reason: reason, Job: string(element.entry.ID)})
	}
	s.Waiting[i].Tasks++
}

// dead lists the tasks that were submitted, have ended, and are the last that were made
// for some missing cell.
func dead(s *jobs.Status, queue *queue) []jobs.DeadTask {
	run := s.Run
	last := run.LastTasks()
	var dead []jobs.DeadTask
	for i, t := range run.Tasks {
		sub := queue.last[t.Number]
		if sub == nil || queue.isActive(t.Number) {
			continue
		}
		for _, c := range t.Cells {
			if s.State[c.Cell] == jobs.StateMissing && last[c.Cell] == i {
				d := jobs.DeadTask{Task: t.Number, Job: fmt.Sprintf("%s_%d", sub.job.ID, sub.index), Log: sub.job.logOf(sub.index)}
				d.Last = lastLine(filepath.Join(run.Dir, d.Log))
				dead = append(dead, d)
				break
			}
		}
	}
	return dead
}

// explain asks how the dead tasks have ended: the queue, which forgets within minutes,
// then the accounts, if there are any. Without an answer the state stays empty.
func explain(ctx context.Context, s *jobs.QueueStatus, client *slurm.Client, queue *queue) {
	const most = 200 // elements to ask about
	unknown := map[slurm.JobID]*jobs.DeadTask{}
	var ids []slurm.JobID
	for i := range s.Dead {
		d := &s.Dead[i]
		if e, ok := queue.ended[d.Task]; ok && string(e.entry.ID) == d.Job {
			d.State, d.Node = string(e.entry.State), e.entry.Node
			if e.entry.Reason != "None" {
				d.Reason = e.entry.Reason
			}
		} else if len(ids) < most {
			unknown[slurm.JobID(d.Job)] = d
			ids = append(ids, slurm.JobID(d.Job))
		}
	}
	records, err := client.Accounting(ctx, ids...)
	if err != nil {
		return // what is known of the cells does not depend on it
	}
	latest := map[slurm.JobID]time.Time{}
	for _, r := range records {
		d := unknown[r.ID]
		if d == nil || r.Start.Before(latest[r.ID]) {
			continue
		}
		latest[r.ID] = r.Start
		d.State, d.Node, d.Reason = string(r.State), r.Node, ""
		switch {
		case r.Signal != 0:
			d.Reason = fmt.Sprintf("signal %d", r.Signal)
		case r.ExitCode != 0:
			d.Reason = fmt.Sprintf("exit code %d", r.ExitCode)
		}
	}
}

// lastLine returns the last line of a log that says something, empty if there is none.
func lastLine(path string) string {
	const most = 4096
	f, err := regular.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return ""
		}
	}
	end, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	end = bytes.TrimSpace(end)
	line := string(end[bytes.LastIndexByte(end, '\n')+1:])
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, line)
}
