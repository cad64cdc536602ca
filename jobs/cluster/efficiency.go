package cluster

import (
	"math"
	"slices"
	"strings"

	"graphda/io/results"
	"graphda/jobs"
	"graphda/slurm"
)

// An Efficiency says what the jobs of a run held and what they used of it, by the notes of
// their attempts.
type Efficiency struct {
	Name string `json:"name"`
	jobs.Spending

	MemoryHeld  float64 `json:"memory_gib_hours_held"`
	MemoryUsed  float64 `json:"memory_gib_hours_used"`  // largest memory of each, times its time
	MemoryRight float64 `json:"memory_gib_hours_right"` // if all had asked for what the next are going to ask for

	WaitMedian float64 `json:"wait_seconds_median"` // from sbatch to the first attempt of each job
	WaitMost   float64 `json:"wait_seconds_95"`     // 95 % waited no longer

	Groups []jobs.GroupTime `json:"groups"` // in plan order
}

// MeasureEfficiency reads a run's notes and rows. What jobs have died of is known as far as
// submit has noted it, or AskQueue has found it for the status.
func MeasureEfficiency(s *jobs.Status) (*Efficiency, error) {
	j, err := readJournal(s.Run)
	if err != nil {
		return nil, err
	}
	e := &Efficiency{Name: s.Name}
	if e.Groups, err = s.Run.CellTimes(); err != nil {
		return nil, err
	}
	m := newMeter(s, j)
	for i, t := range s.Run.Tasks {
		attempts := s.Stock.Attempts[i]
		for k := range attempts {
			if job := m.job(attempts[k].Name); job != nil {
				m.enter(e, t, job, attempts, k)
			}
		}
	}
	for _, cause := range m.died { // before their attempts could note anything
		e.EnterEnd(cause, 0)
	}
	slices.Sort(m.waits)
	e.WaitMedian, e.WaitMost = quantile(m.waits, 0.5), quantile(m.waits, 0.95)
	e.SortEnds()
	return e, nil
}

// A meter adds up attempts.
type meter struct {
	jobs  map[string]*SubmittedJob // by id
	died  map[string]results.Cause // by job, of those for which no attempt was found
	needs *needs
	waits []float64 // seconds
}

func newMeter(s *jobs.Status, j *journal) *meter {
	m := &meter{jobs: map[string]*SubmittedJob{}, died: map[string]results.Cause{}}
	var o SubmitOptions
	for _, job := range j.jobs() {
		m.jobs[string(job.ID)] = job
		if job.Count > 0 {
			o.Resources.CPUsPerTask = job.CPUs
		}
	}
	all := j.deaths()
	for _, d := range all {
		m.died[d.Job] = d.Cause
	}
	if s.Queue != nil {
		for _, d := range s.Queue.Dead {
			m.died[d.Job] = d.Cause
		}
	}
	m.needs = learn(s.Run, s.Stock, all, &o, demand{memory: math.MaxInt, time: slurm.Unlimited})
	return m
}

// job is the job of an attempt; nil if it is none of the journal's.
func (m *meter) job(attempt string) *SubmittedJob {
	name, ours := strings.CutPrefix(attempt, slurm.AttemptMark)
	id, _, isElement := strings.Cut(name, "_")
	if !ours || !isElement {
		return nil
	}
	return m.jobs[id]
}

// enter enters the k-th attempt at a task.
func (m *meter) enter(e *Efficiency, t *jobs.Task, job *SubmittedJob, attempts []results.Attempt, k int) {
	a := &attempts[k]
	hours := a.Seconds / 3600
	e.Enter(a, job.CPUs, m.causeOf(attempts, k))
	e.MemoryHeld += hours * float64(job.Memory) / 1024
	e.MemoryUsed += hours * float64(a.Peak) / (1 << 30)
	right := job.Memory
	if measured := m.needs.measured[t.Dataset]; measured > 0 {
		right = measured
	}
	e.MemoryRight += hours * float64(right) / 1024
	if !slices.ContainsFunc(attempts[:k], func(b results.Attempt) bool { return jobOf(b.Name) == jobOf(a.Name) }) {
		m.waits = append(m.waits, max(0, a.Begin.Sub(job.At).Seconds()))
	}
}

// causeOf is why the k-th attempt at a task ended: by its own note, else by what submit found of
// its job's death. If neither tells and the job had another life after, Slurm has requeued it:
// after TERM because it was preempted or somebody asked for it, without because the node was lost.
func (m *meter) causeOf(attempts []results.Attempt, k int) results.Cause {
	a := &attempts[k]
	job := jobOf(a.Name)
	another := slices.ContainsFunc(attempts[k+1:], func(b results.Attempt) bool { return jobOf(b.Name) == job })
	cause, died := m.died[job]
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
		return cause
	}
	return a.End
}

// jobOf is the job of an attempt, as 123_4.
func jobOf(attempt string) string {
	job, _, _ := strings.Cut(strings.TrimPrefix(attempt, slurm.AttemptMark), "-")
	return job
}
