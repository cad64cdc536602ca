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
	active map[int]queuedElement     // by task: the element that waits or runs
	ended  map[int]queuedElement     // by task: the last element that has ended
	jobs   []*queuedJob              // with elements that wait or run, in the order of the journal
	last   map[int]*submittedElement // by task: what was submitted last for it
}

// A queuedElement runs, or ran, a task.
type queuedElement struct {
	job   *SubmittedJob
	entry slurm.Entry
}

// A submittedElement is a task that was submitted, as an element of a job.
type submittedElement struct {
	job   *SubmittedJob
	index int
}

// A queuedJob is a job that has not ended.
type queuedJob struct {
	job             *SubmittedJob
	running, queued int // elements
}

// runs tells whether an active element runs.
func (q *queuedElement) runs() bool {
	return q.entry.State == slurm.Running || q.entry.State == slurm.Completing
}

// isActive tells whether a task waits or runs.
func (q *queue) isActive(task int) bool {
	_, ok := q.active[task]
	return ok
}

func newQueue() *queue {
	return &queue{active: map[int]queuedElement{}, ended: map[int]queuedElement{}, last: map[int]*submittedElement{}}
}

// queue asks the cluster about all jobs of the journal that have an id. A cluster that
// has lost its memory gives an id to another job, so that names must agree too.
func (j *journal) queue(ctx context.Context, client *slurm.Client) (*queue, error) {
	q := newQueue()
	type key struct{ id, name string }
	of := map[key]*queuedJob{}
	var ids []slurm.JobID
	var all []*queuedJob
	for _, job := range j.jobs() {
		if job.ID == "" {
			continue
		}
		a := &queuedJob{job: job}
		ids, all = append(ids, job.ID), append(all, a)
		of[key{string(job.ID), job.Name}] = a
		for index := range job.Count {
			q.last[job.Task(index)] = &submittedElement{job, index}
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

func (q *queue) enter(a *queuedJob, e slurm.Entry) {
	element := queuedElement{a.job, e}
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
