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

// An Efficiency says how much time and memory a run's jobs held, used and lost, according to the attempts' notes.
type Efficiency struct {
	Name string `json:"name"`
	Use
	Kinds []KindUse `json:"kinds"` // in the plan's order of datasets, then by memory
}

// A Use adds up the time and memory of some jobs.
type Use struct {
	run.Spending
	MemoryHeld float64 `json:"memory_gib_hours_held"`
	MemoryUsed float64 `json:"memory_gib_hours_used"` // sum over attempts: largest memory times duration
}

// A KindUse is the use of all tasks of one dataset with the same memory.
type KindUse struct {
	Dataset string `json:"dataset"`
	Memory  int    `json:"memory_mib"` // MiB that each task asked for; 0 means all memory of its node
	Use

	dataset int
}

// MeasureEfficiency reads a run's notes. It finds causes of deaths in the journal, in AskQueue's answer, or in logs.
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
			if job, _ := m.job(slurm.AttemptOf(attempts[k].Name)); job != nil {
				m.enter(e, t, job, attempts, k)
			}
		}
	}
	for element, d := range m.died { // these jobs died without a note
		e.EnterEnd(d.Cause, 0)
		job, _ := m.job(slurm.Life{ID: element})
		if t := s.Run.Task(d.Task); t != nil && job != nil {
			e.kind(s.Run, t, job).EnterEnd(d.Cause, 0)
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

func (e *Efficiency) kind(r *run.Run, t *plan.Task, job *Job) *Use {
	i := slices.IndexFunc(e.Kinds, func(k KindUse) bool { return k.dataset == t.Dataset && k.Memory == job.Memory })
	if i < 0 {
		i = len(e.Kinds)
		e.Kinds = append(e.Kinds, KindUse{Dataset: r.Plan.Datasets[t.Dataset].Name, Memory: job.Memory, dataset: t.Dataset})
	}
	return &e.Kinds[i].Use
}

// A meter adds up the use of attempts.
type meter struct {
	run   *run.Run
	jobs  map[slurm.JobID][]*Job
	died  map[slurm.JobID]run.DeadTask // deaths of elements without an attempt
	queue *run.QueueStatus             // nil if the queue was not asked
}

func newMeter(s *run.Status, j *Journal) *meter {
	m := &meter{run: s.Run, jobs: map[slurm.JobID][]*Job{}, died: map[slurm.JobID]run.DeadTask{}, queue: s.Queue}
	for _, job := range j.Jobs() {
		m.jobs[job.ID] = append(m.jobs[job.ID], job)
	}
	for _, d := range j.Deaths() {
		m.died[slurm.JobID(d.Job)] = d.DeadTask
	}
	if s.Queue != nil {
		for _, d := range s.Queue.Dead {
			m.died[slurm.JobID(d.Job)] = d
		}
	}
	return m
}

// job returns an element's job and index, or nil for a job that is not in the journal.
func (m *meter) job(element slurm.Life) (job *Job, index int) {
	id, number, _ := strings.Cut(string(element.ID), "_")
	index, err := strconv.Atoi(number)
	for _, other := range m.jobs[slurm.JobID(id)] {
		if err == nil && other.isOn(element.Cluster) {
			job = other
		}
	}
	return job, index
}

func (m *meter) enter(e *Efficiency, t *plan.Task, job *Job, attempts []results.Attempt, k int) {
	a := &attempts[k]
	cause, hours := m.causeOf(t, attempts, k), a.Seconds/3600
	for _, u := range []*Use{&e.Use, e.kind(m.run, t, job)} {
		u.Enter(a, job.CPUs, cause)
		u.MemoryHeld += hours * float64(job.Memory) / 1024
		u.MemoryUsed += hours * float64(a.Peak) / (1 << 30)
	}
}

// causeOf returns why the k-th attempt at a task ended. If the attempt's note has a cause other than a cancellation,
// causeOf returns this cause. Otherwise, if the job started again, Slurm has requeued it. The reason is preemption or a
// user if the note says cancelled, and otherwise a lost node. If the job did not start again, causeOf looks for a
// recorded death, then in the log, then for another attempt that sealed the task, and last in the queue.
//
// causeOf compares the attempts' times, because a shard does not list its attempts by time. The attempt that sealed the
// shard is listed last, even if it ran first on a lost node.
func (m *meter) causeOf(t *plan.Task, attempts []results.Attempt, k int) results.Cause {
	a := &attempts[k]
	element := slurm.AttemptOf(a.Name)
	another := slices.ContainsFunc(attempts, func(b results.Attempt) bool {
		return slurm.AttemptOf(b.Name) == element && a.Begin.Before(b.Begin)
	})
	death, died := m.died[element.ID]
	if !another {
		delete(m.died, element.ID)
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
		job, index := m.job(element)
		if cause, _ := causeInLog(logEnd(filepath.Join(m.run.Dir, job.LogOf(index)))); cause != "" {
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

// HeldHours adds up the core-hours that a run's jobs held, according to their notes.
func HeldHours(stock *run.Stock) (hours float64) {
	for _, attempts := range stock.Attempts {
		for _, a := range attempts {
			if slurm.AttemptOf(a.Name).ID != "" {
				hours += a.Seconds * float64(a.Workers) / 3600
			}
		}
	}
	return hours
}
