package cluster

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"graphda/slurm"
)

// A queue is what the cluster knows of a run's jobs.
type queue struct {
	active map[int]queued     // by task: the element that waits or runs
	ended  map[int]queued     // by task: the last element that has ended
	jobs   []*activeJob       // with elements that wait or run, in the order of the journal
	last   map[int]*submitted // by task: what was submitted last for it
}

// A queued element runs, or ran, a task.
type queued struct {
	job   *SubmittedJob
	entry slurm.Entry
}

// A submitted task is an element of a job.
type submitted struct {
	job   *SubmittedJob
	index int
}

// An activeJob is a job that has not ended.
type activeJob struct {
	job             *SubmittedJob
	running, queued int // elements
}

// runs tells whether an active element runs.
func (q *queued) runs() bool {
	return q.entry.State == slurm.Running || q.entry.State == slurm.Completing
}

// isActive tells whether a task waits or runs.
func (q *queue) isActive(task int) bool {
	_, ok := q.active[task]
	return ok
}

func newQueue() *queue {
	return &queue{active: map[int]queued{}, ended: map[int]queued{}, last: map[int]*submitted{}}
}

// queue asks the cluster about all jobs of the journal that have an id. A cluster that
// has lost its memory gives an id to another job, so that names must agree too.
func (j *journal) queue(ctx context.Context, client *slurm.Client) (*queue, error) {
	q := newQueue()
	type key struct{ id, name string }
	of := map[key]*activeJob{}
	var ids []slurm.JobID
	var all []*activeJob
	for _, job := range j.jobs() {
		if job.ID == "" {
			continue
		}
		a := &activeJob{job: job}
		ids, all = append(ids, job.ID), append(all, a)
		of[key{string(job.ID), job.Name}] = a
		for index := range job.Count {
			q.last[job.Task(index)] = &submitted{job, index}
		}
	}
	if len(ids) == 0 {
		return q, nil
	}
	entries, err := client.Queue(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if a := of[key{strconv.Itoa(e.Job), e.Name}]; a != nil {
			q.enter(a, e)
		}
	}
	for _, a := range all {
		if a.running+a.queued > 0 {
			q.jobs = append(q.jobs, a)
		}
	}
	return q, nil
}

// merging returns the job that merges all that is in the queue, and whether such a job is
// lacking: none of the submissions brought one, or it was refused or cancelled.
func (j *journal) merging(q *queue) (id slurm.JobID, lacks bool) {
	if n := len(q.jobs); n > 0 { // one that merges waits for all that was in the queue before it
		if last := q.jobs[n-1].job; last.Count == 0 {
			return last.ID, false
		}
		return "", true
	}
	for _, job := range slices.Backward(j.jobs()) {
		if job.ID != "" {
			return "", job.Count > 0
		}
	}
	return "", false
}

func (q *queue) enter(a *activeJob, e slurm.Entry) {
	element := queued{a.job, e}
	isTask := a.job.Count > 0 && e.Index >= 0
	switch {
	case !e.State.Active():
		if isTask {
			q.ended[a.job.Task(e.Index)] = element
		}
		return
	case element.runs():
		a.running++
	default:
		a.queued++
	}
	if isTask {
		task := a.job.Task(e.Index)
		if other, ok := q.active[task]; !ok || element.runs() || !other.runs() {
			q.active[task] = element
		}
	}
}

// logOf is the log of an element, or of the job that merges.
func (j *SubmittedJob) logOf(index int) string {
	return strings.NewReplacer("%A", string(j.ID), "%j", string(j.ID), "%a", strconv.Itoa(index)).Replace(j.Log)
}
