package journal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"graphda/io/safefile"
	"graphda/jobs/plan"
	"graphda/jobs/reports"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A Queue is what the cluster knows of a run's jobs.
type Queue struct {
	Jobs   []*QueuedJob     // with elements that wait or run, in the order of the journal
	last   map[int]*element // by task: what was submitted last for it
	active map[int]*element // by task: what waits or runs

	foreign []*QueuedJob // that wait or run for another folder, of which this run is a copy, or from which it was moved
}

// An element of a job runs, or ran, a task.
type element struct {
	job   *Job
	entry slurm.Entry // its index alone where the cluster knows no more
}

// A QueuedJob is a job that has not ended.
type QueuedJob struct {
	*Job
	Running, Queued int    // elements
	dir             string // that it works in
}

// runs tells whether an active element runs.
func (q *element) runs() bool {
	return q.entry.State == slurm.Running || q.entry.State == slurm.Completing
}

// Empty tells whether no job waits or runs, be it for another folder.
func (q *Queue) Empty() bool { return len(q.Jobs)+len(q.foreign) == 0 }

// Arrays are the jobs with tasks of the run that wait or run.
func (q *Queue) Arrays() (ids []slurm.JobID) {
	for _, a := range q.Jobs {
		if a.Count > 0 {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// IsActive tells whether a task waits or runs.
func (q *Queue) IsActive(task int) bool { return q.active[task] != nil }

// NewQueue is a queue with no jobs.
func NewQueue() *Queue { return &Queue{last: map[int]*element{}, active: map[int]*element{}} }

// askedSingly is how many jobs are asked about one by one; more are, by the user and their names.
const askedSingly = 10

// Queue asks the cluster about the jobs of the journal that may wait or run: arrays with a task that is not done by the
// stock, or all without a stock, and what may still merge. A cluster that
// has lost its memory gives an id to another job, so that names must agree too, and so must the folder.
func (j *Journal) Queue(ctx context.Context, client *slurm.Client, stock *run.Stock) (*Queue, error) {
	q := NewQueue()
	type key struct {
		id   slurm.JobID
		name string
	}
	of := map[key]*QueuedJob{}
	var all, asked []*QueuedJob
	merged := false
	for _, job := range slices.Backward(j.Jobs()) {
		if job.ID == "" {
			continue
		}
		a := &QueuedJob{Job: job}
		all = append(all, a)
		of[key{job.ID, job.Name}] = a
		merged = merged || job.Count == 0 && j.isMerged(job)
		if job.Count == 0 && !merged || job.Count > 0 && j.lacks(job, stock) {
			asked = append(asked, a)
		}
		for index := range job.Count {
			if q.last[job.Task(index)] == nil && !job.foreign {
				q.last[job.Task(index)] = &element{job, slurm.Entry{Index: index}}
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
		if a := of[key{e.Job, e.Name}]; a != nil {
			a.dir = e.Dir
			q.enter(a, e, sameFolder(e.Dir, j.home))
		}
	}
	for _, a := range all {
		switch {
		case a.Running+a.Queued == 0:
		case sameFolder(a.dir, j.home):
			q.Jobs = append(q.Jobs, a)
		default:
			q.foreign = append(q.foreign, a)
		}
	}
	return q, nil
}

// entriesOf asks about jobs.
func entriesOf(ctx context.Context, client *slurm.Client, asked []*QueuedJob) (entries []slurm.Entry, err error) {
	if len(asked) > askedSingly {
		names := make([]string, len(asked))
		for i, a := range asked {
			names[i] = a.Name
		}
		return client.OwnQueue(ctx, names...)
	}
	for _, a := range asked {
		some, err := client.Queue(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		entries = append(entries, some...)
	}
	return entries, nil
}

// lacks tells whether a task of an array is not sealed and has a cell that is not done.
func (j *Journal) lacks(job *Job, stock *run.Stock) bool {
	for index := range job.Count {
		i, ok := j.run.TaskAt(job.Task(index))
		if ok && (stock == nil || !stock.Sealed[i] && slices.ContainsFunc(j.run.Tasks[i].Cells, func(c plan.TaskCell) bool {
			return stock.State[c.Cell] != run.StateDone
		})) {
			return true
		}
	}
	return false
}

// NotOurs names the jobs of other folders.
func (q *Queue) NotOurs() (notes []string) {
	for _, a := range q.foreign {
		notes = append(notes, fmt.Sprintf("job %s works in %s, from which this run was copied or moved; it is left alone",
			a.ID, a.dir))
	}
	return notes
}

// enter enters an entry, of which only those of the run's own jobs tell of its tasks.
func (q *Queue) enter(a *QueuedJob, e slurm.Entry, ours bool) {
	if !ours {
		maps.DeleteFunc(q.last, func(_ int, last *element) bool { return last.job == a.Job })
	}
	task, isTask, found := a.Task(e.Index), ours && a.Count > 0 && e.Index >= 0, &element{a.Job, e}
	switch {
	case !e.State.Active():
		if last := q.last[task]; isTask && last != nil && last.job == a.Job {
			last.entry = e
		}
		return
	case found.runs():
		a.Running++
	default:
		a.Queued++
	}
	if other := q.active[task]; isTask && (other == nil || found.runs() || !other.runs()) {
		q.active[task] = found
	}
}

// LogOf is the log of an element, or of the job that merges.
func (j *Job) LogOf(index int) string {
	return strings.NewReplacer("%A", string(j.ID), "%j", string(j.ID), "%a", strconv.Itoa(index)).Replace(j.Log)
}

// isMerged tells whether a job that merges has made its report, or somebody has made it by hand since.
func (j *Journal) isMerged(job *Job) bool {
	log := filepath.Join(j.home, job.LogOf(0))
	if hasWritten.MatchString(logEnd(log)) {
		return true
	}
	ended := job.At
	if info, err := os.Stat(log); err == nil {
		ended = info.ModTime()
	}
	out := cmp.Or(job.Out, DefaultMergeOut)
	if !filepath.IsAbs(out) {
		out = filepath.Join(j.home, out)
	}
	page, err := os.Stat(filepath.Join(out, reports.PageName))
	return err == nil && page.ModTime().After(ended)
}

// hasWritten is what gdmerge says once all files of a report are there.
var hasWritten = regexp.MustCompile(`(?m)^wrote \d+ files? to `)

// logEnd returns the end of a log; empty if there is none.
func logEnd(path string) string {
	const most = 64 << 10
	f, err := safefile.Open(path)
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
	return string(end)
}

// Merging returns the job that merges all that is in the queue, and whether such a job is
// lacking: none of the submissions brought one, or it was refused or cancelled, or it died.
func (j *Journal) Merging(q *Queue) (id slurm.JobID, lacks bool) {
	if n := len(q.Jobs); n > 0 { // one that merges waits for all that was in the queue before it
		if last := q.Jobs[n-1]; last.Count == 0 {
			return last.ID, false
		}
		return "", true
	}
	for _, job := range slices.Backward(j.Jobs()) {
		if job.ID != "" && !job.foreign {
			return "", job.Count > 0 || !j.isMerged(job)
		}
	}
	return "", true
}

// merge tells how the last job that merges stands; nil if there was none. Without a queue it is told by its files.
func (j *Journal) merge(q *Queue) *run.MergeStatus {
	for _, job := range slices.Backward(j.Jobs()) {
		if job.ID == "" || job.Count > 0 || job.foreign {
			continue
		}
		m := &run.MergeStatus{Job: string(job.ID), State: run.MergeDied, Log: job.LogOf(0)}
		if j.isMerged(job) {
			m.State = run.MergeDone
			return m
		}
		for _, a := range q.Jobs {
			if a.Job == job {
				m.State = run.MergeWaits
			}
		}
		if m.State == run.MergeDied {
			m.Last = cmp.Or(lastLine(logEnd(filepath.Join(j.home, m.Log))), "it has written no log")
		}
		return m
	}
	return nil
}
