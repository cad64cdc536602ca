package journal

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// An Efficiency says what the jobs of a run held, used and lost, by the notes of their attempts.
type Efficiency struct {
	Name string `json:"name"`
	Use
	Kinds []KindUse `json:"kinds"` // by dataset in plan order, then by memory
}

// A Use is what some jobs held and used.
type Use struct {
	run.Spending
	MemoryHeld float64 `json:"memory_gib_hours_held"`
	MemoryUsed float64 `json:"memory_gib_hours_used"` // largest memory of each, times its time
}

// A KindUse is that of the tasks of one dataset that asked for the same memory.
type KindUse struct {
	Dataset string `json:"dataset"`
	Memory  int    `json:"memory_mib"` // that a task asked for; 0: all of its node's
	Use

	dataset int
}

// MeasureEfficiency reads a run's notes. What jobs have died of is known as far as
// submit has noted it, AskQueue has found it for the status, or their logs tell.
func MeasureEfficiency(s *run.Status) (*Efficiency, error) {
	j, err := Read(s.Run)
	if err != nil {
		return nil, err
	}
	e := &Efficiency{Name: s.Name, Kinds: []KindUse{}}
	m := newMeter(s, j)
	for i, t := range s.Run.Tasks {
		attempts := s.Stock.Attempts[i]
		for k := range attempts {
			if job := m.job(attempts[k].Name); job != nil {
				m.enter(e, t, job, attempts, k)
			}
		}
	}
	for job, d := range m.died { // before their attempts could note anything
		uses := []*Use{&e.Use}
		if t := s.Run.Task(d.Task); t != nil && m.job(job) != nil {
			uses = append(uses, e.kind(s.Run, t, m.job(job)))
		}
		for _, u := range uses {
			u.EnterEnd(d.Cause, 0)
		}
	}
	slices.SortFunc(e.Kinds, func(a, b KindUse) int {
		return cmp.Or(cmp.Compare(a.dataset, b.dataset), cmp.Compare(a.Memory, b.Memory))
	})
	e.SortEnds()
	for i := range e.Kinds {
		e.Kinds[i].SortEnds()
	}
	return e, nil
}

// kind is what the tasks of a task's kind held and used.
func (e *Efficiency) kind(r *run.Run, t *plan.Task, job *Job) *Use {
	i := slices.IndexFunc(e.Kinds, func(k KindUse) bool { return k.dataset == t.Dataset && k.Memory == job.Memory })
	if i < 0 {
		i = len(e.Kinds)
		e.Kinds = append(e.Kinds, KindUse{Dataset: r.Plan.Datasets[t.Dataset].Name, Memory: job.Memory, dataset: t.Dataset})
	}
	return &e.Kinds[i].Use
}

// A meter adds up attempts.
type meter struct {
	run   *run.Run
	jobs  map[string]*Job         // by id
	died  map[string]run.DeadTask // by job, of those for which no attempt was found
	queue *run.QueueStatus        // nil: not known
}

func newMeter(s *run.Status, j *Journal) *meter {
	m := &meter{run: s.Run, jobs: map[string]*Job{}, died: map[string]run.DeadTask{}, queue: s.Queue}
	for _, job := range j.Jobs() {
		m.jobs[string(job.ID)] = job
	}
	for _, d := range j.Deaths() {
		m.died[d.Job] = d.DeadTask
	}
	if s.Queue != nil {
		for _, d := range s.Queue.Dead {
			m.died[d.Job] = d
		}
	}
	return m
}

// job is the job of an attempt, or of an element; nil if it is none of the journal's.
func (m *meter) job(of string) *Job {
	id, _, isElement := strings.Cut(strings.TrimPrefix(of, slurm.AttemptMark), "_")
	if !isElement {
		return nil
	}
	return m.jobs[id]
}

// enter enters the k-th attempt at a task.
func (m *meter) enter(e *Efficiency, t *plan.Task, job *Job, attempts []results.Attempt, k int) {
	a := &attempts[k]
	cause, hours := m.causeOf(t, attempts, k), a.Seconds/3600
	for _, u := range []*Use{&e.Use, e.kind(m.run, t, job)} {
		u.Enter(a, job.CPUs, cause)
		u.MemoryHeld += hours * float64(job.Memory) / 1024
		u.MemoryUsed += hours * float64(a.Peak) / (1 << 30)
	}
}

// causeOf is why the k-th attempt at a task ended: by its own note, else by what submit found of
// its job's death. If neither tells and the job had another life after, Slurm has requeued it:
// after TERM because it was preempted or somebody asked for it, without because the node was lost.
// If it had not, and left nothing undone by which submit finds deaths, its log may tell, or the
// attempt that has sealed the task while this one ran, or the queue that it has ended, but not why.
func (m *meter) causeOf(t *plan.Task, attempts []results.Attempt, k int) results.Cause {
	a := &attempts[k]
	job := jobOf(a.Name)
	another := slices.ContainsFunc(attempts, func(b results.Attempt) bool { return isBefore(a, &b) })
	death, died := m.died[job]
	if !another {
		delete(m.died, job)
	}
	switch {
	case a.End != "" && a.End != results.Cancelled:
		return a.End
	case another && a.End == results.Cancelled:
		return results.Requeued
	case another:
		return results.NodeFailure
	case died:
		return death.Cause
	case a.End == "":
		if cause := m.logged(job); cause != "" {
			return cause
		}
		if slices.ContainsFunc(attempts, func(b results.Attempt) bool { return b.End == results.Sealed }) {
			return results.Overtaken
		}
		if m.queue == nil {
			return ""
		}
		if _, active := m.queue.Active[t.Number]; !active {
			return results.Unknown
		}
	}
	return a.End
}

// logged is what the log of a job's last life tells; empty if it tells nothing.
func (m *meter) logged(name string) results.Cause {
	_, element, _ := strings.Cut(name, "_")
	index, err := strconv.Atoi(element)
	if err != nil {
		return ""
	}
	cause, _ := causeInLog(logEnd(filepath.Join(m.run.Dir, m.job(name).LogOf(index))))
	return cause
}

// isBefore tells whether two attempts are lives of one job, and a the earlier. In a shard the one that has sealed
// it is the last: that may be the first life, on a node that the cluster had lost.
func isBefore(a, b *results.Attempt) bool {
	return jobOf(a.Name) == jobOf(b.Name) && a.Begin.Before(b.Begin)
}

// jobOf is the job of an attempt, as 123_4.
func jobOf(attempt string) string {
	job, _, _ := strings.Cut(strings.TrimPrefix(attempt, slurm.AttemptMark), "-")
	return job
}
