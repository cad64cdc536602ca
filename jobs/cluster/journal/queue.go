package journal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A Queue holds the cluster's answers about a run's jobs.
type Queue struct {
	Jobs   []*QueuedJob     // jobs with waiting or running elements, in the journal's order
	last   map[int]*element // the last submitted element of each task
	active map[int]*element // the waiting or running element of each task
	hidden map[int]bool     // tasks that may be in a hidden job

	foreign []*QueuedJob // jobs of another folder, from which this run was copied or moved
	unseen  []*QueuedJob // jobs with hidden elements

	ended map[*Job]*slurm.Entry // the element of each job that ended last
	lost  map[*Job]bool         // jobs that the cluster should still show, but does not
}

// An element is the part of a job that runs one task.
type element struct {
	job   *Job
	entry slurm.Entry // only the index if the cluster shows no entry
}

// A QueuedJob is a job that may not have ended.
type QueuedJob struct {
	*Job
	Running, Queued int // numbers of running and of waiting elements
	Hidden          int
	why             string // why elements are hidden, or ""
	reason          string // why an element waits
	dir             string // working directory of the job
	shown           bool   // whether a cluster shows the job
	replaced        bool   // whether another job now has the job's id
	elsewhere       bool   // whether the job is on another cluster
}

// runs reports whether an active element runs instead of waiting.
func (q *element) runs() bool {
	return q.entry.State == slurm.Running || q.entry.State == slurm.Completing
}

// Empty reports whether no job of this folder or another folder waits or runs.
func (q *Queue) Empty() bool { return len(q.Jobs)+len(q.foreign) == 0 }

// Local returns the ids of the waiting and running arrays on this cluster. If follows is set, it returns the visible
// follow-up jobs instead.
func (q *Queue) Local(follows bool) (ids []slurm.JobID) {
	for _, a := range q.Jobs {
		if a.Follows == follows && !a.elsewhere && (a.shown || !follows) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// IsActive reports whether a task waits or runs.
func (q *Queue) IsActive(task int) bool { return q.active[task] != nil }

// IsTaken reports whether a task waits or runs, or may be in a hidden job.
func (q *Queue) IsTaken(task int) bool { return q.IsActive(task) || q.hidden[task] }

// Has reports whether a job waits or runs.
func (q *Queue) Has(job *Job) bool {
	return slices.ContainsFunc(q.Jobs, func(a *QueuedJob) bool { return a.Job == job })
}

// Shows reports whether the cluster shows the job as waiting, running or cancelled.
func (q *Queue) Shows(job *Job) bool {
	e := q.ended[job]
	return e != nil && e.State == slurm.Cancelled ||
		slices.ContainsFunc(q.Jobs, func(a *QueuedJob) bool { return a.Job == job && a.shown })
}

// NewQueue returns a queue without jobs.
func NewQueue() *Queue {
	return &Queue{last: map[int]*element{}, active: map[int]*element{}, hidden: map[int]bool{},
		ended: map[*Job]*slurm.Entry{}, lost: map[*Job]bool{}}
}

// askedSingly is the largest number of jobs about which Queue asks by id. It asks about more jobs by user.
const askedSingly = 10

// Queue asks the cluster about all jobs of the journal that may not have ended. A job's folder, and its name or script,
// must agree too, because a cluster that has lost its state reuses ids. A job that the cluster does not show is new, or
// hidden, or has ended.
func (j *Journal) Queue(ctx context.Context, client *slurm.Client, stock *run.Stock) (*Queue, error) {
	q := NewQueue()
	ended := j.ended(stock)
	asked := j.mayLive(ended)
	for _, job := range slices.Backward(j.Jobs()) {
		for index := range job.Count {
			if q.last[job.Task(index)] == nil && job.ID != "" && !job.foreign && !job.Taken {
				q.last[job.Task(index)] = &element{job, slurm.Entry{Index: index}}
			}
		}
	}
	if err := j.ask(ctx, client, q, asked); err != nil {
		return nil, err
	}
	j.enterUnseen(ctx, client, q, asked, ended, stock)
	for _, a := range asked {
		switch {
		case a.Running+a.Queued == 0 && !a.shown && a.ID != "" && a.why == "" && !a.elsewhere &&
			client.Now().Sub(a.At) < time.Hour: // old jobs are not worth a question
			here, err := j.Here(ctx, client)
			q.lost[a.Job] = err == nil && client.Now().Sub(a.At) < here.Remembers
		case a.Running+a.Queued == 0:
		case sameFolder(a.dir, j.home):
			q.Jobs = append(q.Jobs, a)
		default:
			q.foreign = append(q.foreign, a)
		}
	}
	return q, nil
}

// mayLive lists the jobs that may not have ended.
func (j *Journal) mayLive(ended func(*Job, int) bool) (all []*QueuedJob) {
	follows := j.FollowUp()
	for _, job := range slices.Backward(j.Jobs()) {
		lives := job == follows && job.Name != j.Self
		for index := range job.Count {
			lives = lives || !ended(job, index)
		}
		if lives && (job.ID != "" || job.Error == "") {
			all = append(all, &QueuedJob{Job: job})
		}
	}
	slices.Reverse(all)
	return all
}

// asks reports whether the cluster must be asked, because some job may not have ended.
func (j *Journal) asks(stock *run.Stock) bool { return len(j.mayLive(j.ended(stock))) > 0 }

// ended returns a function that reports whether an element has sealed its task, or whether its death is recorded.
func (j *Journal) ended(stock *run.Stock) func(job *Job, index int) bool {
	died := map[string]bool{} // logs of elements with recorded deaths; each element has a log of its own
	for _, d := range j.Deaths() {
		died[d.Log] = true
	}
	return func(job *Job, index int) bool {
		i, ok := j.run.TaskAt(job.Task(index))
		return died[job.LogOf(index)] || ok && stock != nil &&
			slices.ContainsFunc(stock.Attempts[i], func(a results.Attempt) bool {
				return a.End == results.Sealed && job.left(&a, index)
			})
	}
}

// ask asks the client's cluster about jobs, and enters the answers. If this cluster does not show a job, it asks the
// job's own cluster. If neither shows the job, it records why the job may be hidden.
func (j *Journal) ask(ctx context.Context, client *slurm.Client, q *Queue, asked []*QueuedJob) error {
	if err := j.enterShown(ctx, client, q, asked); err != nil {
		return err
	}
	elsewhere := map[string][]*QueuedJob{}
	for _, a := range asked {
		if a.shown || a.Cluster == "" && a.owner.isMe() {
			continue
		}
		here, err := j.Here(ctx, client)
		if err != nil {
			return err
		}
		if j.asker(client, a.Job) == client {
			a.why = hides(here, a.Job)
		} else {
			a.elsewhere = true
			elsewhere[a.Cluster] = append(elsewhere[a.Cluster], a)
		}
	}
	for cluster, some := range elsewhere {
		asker := client.On(cluster)
		there, err := asker.Config(ctx)
		if err == nil {
			err = j.enterShown(ctx, asker, q, some)
		}
		for _, a := range some {
			if a.why = hides(there, a.Job); err != nil {
				a.why = "that cluster cannot be asked from here: " + strings.TrimSuffix(err.Error(), ".")
			}
		}
	}
	return ctx.Err()
}

func (j *Journal) enterShown(ctx context.Context, asker *slurm.Client, q *Queue, some []*QueuedJob) error {
	entries, err := entriesOf(ctx, asker, some)
	if err != nil {
		return err
	}
	of, given := map[slurm.JobID][]*QueuedJob{}, map[slurm.JobID]bool{}
	for _, a := range some {
		of[a.ID] = append(of[a.ID], a)
	}
	for _, e := range entries {
		given[e.Job] = true
		for _, a := range of[e.Job] {
			if e.Name == a.Name || e.Script == a.file { // users and sites may rename jobs
				a.dir, a.shown = e.Dir, true
				q.enter(a, e, sameFolder(e.Dir, j.home))
			}
		}
	}
	for _, a := range some {
		a.replaced = given[a.ID] && !a.shown
	}
	return nil
}

func entriesOf(ctx context.Context, client *slurm.Client, asked []*QueuedJob) (entries []slurm.Entry, err error) {
	if len(asked) > askedSingly {
		var users []int
		for _, a := range asked {
			if !slices.Contains(users, a.owner.uid) {
				users = append(users, a.owner.uid)
			}
		}
		return client.QueueOf(ctx, users)
	}
	for _, a := range asked {
		if a.ID == "" {
			continue
		}
		some, err := client.Queue(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		entries = append(entries, some...)
	}
	return entries, nil
}

// enterUnseen enters the elements of jobs that no cluster shows. Elements of new jobs count as waiting. Elements of
// hidden jobs count as hidden, unless the accounts say that they have ended.
func (j *Journal) enterUnseen(ctx context.Context, client *slurm.Client, q *Queue, asked []*QueuedJob,
	ended func(*Job, int) bool, stock *run.Stock) {
	now := client.Now()
	unseen := slices.DeleteFunc(slices.Clone(asked), func(a *QueuedJob) bool {
		return a.shown || a.foreign || a.Taken || a.why == "" &&
			(a.ID == "" || a.replaced && !a.elsewhere || !a.isNew(now))
	})
	var about []question
	for _, a := range unseen {
		about = append(about, question{a.Job, a.ID})
	}
	known := j.accounts(ctx, client, about, begunIn(stock))
	for _, a := range unseen {
		for index := range max(1, a.Count) {
			task, r := a.Task(index), known[question{a.Job, a.element(index)}]
			switch last := q.last[task]; {
			case a.Count > 0 && ended(a.Job, index):
			case r.State != "" && !r.State.Active():
				if last != nil && last.job == a.Job {
					last.entry = entryOf(r, index)
				}
			case a.why == "":
				a.dir = j.home
				q.enter(a, slurm.Entry{Index: index, State: slurm.Pending}, true)
			default:
				if a.Hidden++; a.Hidden == 1 {
					q.unseen = append(q.unseen, a)
				}
				if a.Count > 0 {
					q.hidden[task] = true
				}
			}
		}
	}
}

// Notes describes the jobs of other folders, users and clusters.
func (q *Queue) Notes() (notes []string) {
	for _, a := range q.foreign {
		notes = append(notes, a.note())
	}
	for _, o := range others(q.Jobs) {
		notes = append(notes, fmt.Sprintf("in the queue are %s", &o))
	}
	return notes
}

func (q *QueuedJob) note() string {
	return fmt.Sprintf("job %s belongs to %s, from which this run was copied or moved; gdrun leaves it alone", q.ID, q.dir)
}

// Hidden counts the jobs and tasks with hidden elements.
func (q *Queue) Hidden() []run.Others { return others(q.unseen) }

func others(jobs []*QueuedJob) (all []run.Others) {
	for _, a := range jobs {
		if a.owner.isMe() && !a.elsewhere && a.Hidden == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(o run.Others) bool {
			return o.User == a.owner.name && o.Cluster == a.Cluster && o.Why == a.why
		})
		if i < 0 {
			i = len(all)
			all = append(all, run.Others{User: a.owner.name, Cluster: a.Cluster, Why: a.why})
		}
		all[i].Tasks += min(a.Count, a.Running+a.Queued+a.Hidden) // 0 for a follow-up job
		all[i].Jobs = append(all[i].Jobs, cmp.Or(string(a.ID), a.Name))
	}
	return all
}

// enter adds an entry of the cluster's answer. `ours` is false if the job belongs to another folder.
func (q *Queue) enter(a *QueuedJob, e slurm.Entry, ours bool) {
	if !ours {
		maps.DeleteFunc(q.last, func(_ int, last *element) bool { return last.job == a.Job })
	}
	task, isTask, found := a.Task(e.Index), ours && a.Count > 0 && e.Index >= 0, &element{a.Job, e}
	switch {
	case !e.State.Active():
		q.ended[a.Job] = &e
		if last := q.last[task]; isTask && last != nil && last.job == a.Job {
			last.entry = e
		}
		return
	case found.runs():
		a.Running++
	default:
		if e.State != slurm.Pending && (e.Reason == "None" || strings.HasSuffix(string(e.State), "_HOLD")) {
			found.entry.Reason = string(e.State) // such as SUSPENDED
		}
		a.Queued++
		a.reason = found.entry.Reason
	}
	if other := q.active[task]; isTask && (other == nil || found.runs() || !other.runs()) {
		q.active[task] = found
	}
}

// LogOf returns the log of an element or of the follow-up job.
func (j *Job) LogOf(index int) string {
	return strings.NewReplacer("%A", string(j.ID), "%j", string(j.ID), "%a", strconv.Itoa(index)).Replace(j.Log)
}

// TakeOver gives up hidden jobs, so that their cells can be submitted again. It returns the changed files.
func (j *Journal) TakeOver(q *Queue) (changed []*File) {
	for _, a := range q.unseen {
		a.Taken = true
		maps.DeleteFunc(q.last, func(_ int, last *element) bool { return last.job == a.Job })
	}
	for _, f := range j.Files {
		if slices.ContainsFunc(q.unseen, func(a *QueuedJob) bool {
			return slices.ContainsFunc(f.Jobs, func(job Job) bool { return job.Name == a.Name })
		}) {
			changed = append(changed, f)
		}
	}
	q.unseen, q.hidden = nil, map[int]bool{}
	return changed
}

// logEnd returns the end of a log, or "" if there is no log.
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
