package cluster

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A queue is what the cluster knows of a run's jobs.
type queue struct {
	active map[int]queuedElement     // by task: the element that waits or runs
	ended  map[int]queuedElement     // by task: the last element that has ended
	jobs   []*queuedJob              // with elements that wait or run, in the order of the journal
	last   map[int]*submittedElement // by task: what was submitted last for it

	foreign []*queuedJob // that wait or run for another folder, of which this run is a copy, or from which it was moved
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
	dir             string // that it works in
	running, queued int    // elements
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

// askedSingly is how many jobs are asked about one by one; more are, by the user and their names.
const askedSingly = 10

// queue asks the cluster about the jobs of the journal that may wait or run: arrays with a task that is not done by the
// stock, or all without a stock, and what may still merge. A cluster that
// has lost its memory gives an id to another job, so that names must agree too, and so must the folder.
func (j *journal) queue(ctx context.Context, client *slurm.Client, stock *run.Stock) (*queue, error) {
	q := newQueue()
	type key struct{ id, name string }
	of := map[key]*queuedJob{}
	var all, asked []*queuedJob
	merged := false
	for _, job := range slices.Backward(j.jobs()) {
		if job.ID == "" {
			continue
		}
		a := &queuedJob{job: job}
		all = append(all, a)
		of[key{string(job.ID), job.Name}] = a
		merged = merged || job.Count == 0 && j.isMerged(job)
		if job.Count == 0 && !merged || job.Count > 0 && j.lacks(job, stock) {
			asked = append(asked, a)
		}
		for index := range job.Count {
			if _, later := q.last[job.Task(index)]; !later && !job.foreign {
				q.last[job.Task(index)] = &submittedElement{job, index}
			}
		}
	}
	slices.Reverse(all)
	slices.Reverse(asked)
	entries, err := entriesOf(ctx, client, asked)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if a := of[key{strconv.Itoa(e.Job), e.Name}]; a != nil {
			a.dir = e.Dir
			q.enter(a, e, sameFolder(e.Dir, j.home))
		}
	}
	for _, a := range all {
		switch {
		case a.running+a.queued == 0:
		case sameFolder(a.dir, j.home):
			q.jobs = append(q.jobs, a)
		default:
			q.foreign = append(q.foreign, a)
		}
	}
	return q, nil
}

// entriesOf asks about jobs.
func entriesOf(ctx context.Context, client *slurm.Client, asked []*queuedJob) (entries []slurm.Entry, err error) {
	if len(asked) > askedSingly {
		names := make([]string, len(asked))
		for i, a := range asked {
			names[i] = a.job.Name
		}
		return client.OwnQueue(ctx, names...)
	}
	for _, a := range asked {
		some, err := client.Queue(ctx, a.job.ID)
		if err != nil {
			return nil, err
		}
		entries = append(entries, some...)
	}
	return entries, nil
}

// lacks tells whether a task of an array is not sealed and has a cell that is not done.
func (j *journal) lacks(job *SubmittedJob, stock *run.Stock) bool {
	tasks := j.run.Tasks
	first, _ := slices.BinarySearchFunc(tasks, job.Offset, func(t *plan.Task, n int) int {
		return cmp.Compare(t.Number, n)
	})
	for i := first; i < len(tasks) && tasks[i].Number < job.Offset+job.Count; i++ {
		if stock == nil || !stock.Sealed[i] && slices.ContainsFunc(tasks[i].Cells, func(c plan.TaskCell) bool {
			return stock.State[c.Cell] != run.StateDone
		}) {
			return true
		}
	}
	return false
}

// sameFolder tells whether two paths name one folder.
func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// notOurs names the jobs of other folders.
func (q *queue) notOurs() (notes []string) {
	for _, a := range q.foreign {
		notes = append(notes, fmt.Sprintf("job %s works in %s, from which this run was copied or moved; it is left alone",
			a.job.ID, a.dir))
	}
	return notes
}

// enter enters an entry, of which only those of the run's own jobs tell of its tasks.
func (q *queue) enter(a *queuedJob, e slurm.Entry, ours bool) {
	element := queuedElement{a.job, e}
	isTask := ours && a.job.Count > 0 && e.Index >= 0
	if !ours {
		for index := range a.job.Count {
			if last := q.last[a.job.Task(index)]; last != nil && last.job == a.job {
				delete(q.last, a.job.Task(index))
			}
		}
	}
	switch {
	case !e.State.Active():
		if last := q.last[a.job.Task(e.Index)]; isTask && last != nil && last.job == a.job {
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
