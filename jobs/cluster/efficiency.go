package cluster

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"graphda/io/results"
	"graphda/jobs"
	"graphda/slurm"
)

// An Efficiency says what the jobs of a run held and what they used of it, by the notes of
// their attempts.
type Efficiency struct {
	Name string `json:"name"`
	Use
	Submissions []SubmissionUse  `json:"submissions"` // that attempts are known of
	Groups      []jobs.GroupTime `json:"groups"`      // in plan order
}

// A Use is what some jobs held and used.
type Use struct {
	jobs.Spending
	Asked      float64 `json:"core_hours_asked"`       // to their time limits; without one, what was held
	AskedRight float64 `json:"core_hours_asked_right"` // if all had the time limits that the next are going to have

	MemoryHeld  float64 `json:"memory_gib_hours_held"`
	MemoryUsed  float64 `json:"memory_gib_hours_used"`  // largest memory of each, times its time
	MemoryRight float64 `json:"memory_gib_hours_right"` // if all had asked for what the next are going to ask for

	WaitMedian float64 `json:"wait_seconds_median"` // from sbatch to the first attempt of each job
	WaitMost   float64 `json:"wait_seconds_95"`     // 95 % waited no longer

	waits []float64 // seconds
}

// A SubmissionUse is that of the jobs of one gdrun submit. Later ones ask for what earlier ones have measured.
type SubmissionUse struct {
	Number int `json:"submission"`
	Memory int `json:"memory_mib"` // that a task asked for at most; 0: all of its node's
	Use
}

// MeasureEfficiency reads a run's notes and rows. What jobs have died of is known as far as
// submit has noted it, AskQueue has found it for the status, or their logs tell.
func MeasureEfficiency(s *jobs.Status) (*Efficiency, error) {
	j, err := readJournal(s.Run)
	if err != nil {
		return nil, err
	}
	e := &Efficiency{Name: s.Name, Submissions: []SubmissionUse{}}
	if e.Groups, err = s.Run.CellTimes(); err != nil {
		return nil, err
	}
	m, err := newMeter(s, j)
	if err != nil {
		return nil, err
	}
	for i, t := range s.Run.Tasks {
		attempts := s.Stock.Attempts[i]
		for k := range attempts {
			if job := m.job(attempts[k].Name); job != nil {
				m.enter(e, t, job, attempts, k)
			}
		}
	}
	for job, cause := range m.died { // before their attempts could note anything
		for _, u := range m.uses(e, m.job(job)) {
			u.EnterEnd(cause, 0)
		}
	}
	for _, f := range j.files {
		if u := m.of[f.number()]; u != nil {
			u.finish()
			e.Submissions = append(e.Submissions, *u)
		}
	}
	e.finish()
	return e, nil
}

// finish brings what was added up into its order.
func (u *Use) finish() {
	slices.Sort(u.waits)
	u.WaitMedian, u.WaitMost = quantile(u.waits, 0.5), quantile(u.waits, 0.95)
	u.SortEnds()
}

// A meter adds up attempts.
type meter struct {
	run    *jobs.Run
	jobs   map[string]*SubmittedJob // by id
	number map[*SubmittedJob]int    // of their submissions
	of     map[int]*SubmissionUse   // by number
	died   map[string]results.Cause // by job, of those for which no attempt was found
	queue  *jobs.QueueStatus        // nil: not known
	needs  *needs
	times  *timeLimits
}

func newMeter(s *jobs.Status, j *journal) (*meter, error) {
	m := &meter{run: s.Run, jobs: map[string]*SubmittedJob{}, number: map[*SubmittedJob]int{},
		of: map[int]*SubmissionUse{}, died: map[string]results.Cause{}, queue: s.Queue}
	var o SubmitOptions
	for _, f := range j.files {
		for i := range f.Jobs {
			job := &f.Jobs[i]
			m.jobs[string(job.ID)], m.number[job] = job, f.number()
			if job.Count > 0 {
				o.Resources.CPUsPerTask = job.CPUs
			}
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
	estimate, err := s.Run.Estimates(s.Stock)
	if err != nil {
		return nil, err
	}
	if m.times, err = newTimeLimits(s.Run, &o, s.Stock, estimate, m.needs); err != nil {
		return nil, err
	}
	m.times.fit(s.Run.Tasks)
	return m, nil
}

// job is the job of an attempt, or of an element; nil if it is none of the journal's.
func (m *meter) job(of string) *SubmittedJob {
	id, _, isElement := strings.Cut(strings.TrimPrefix(of, slurm.AttemptMark), "_")
	if !isElement {
		return nil
	}
	return m.jobs[id]
}

// uses are those to which a job adds: that of all, and that of its submission.
func (m *meter) uses(e *Efficiency, job *SubmittedJob) []*Use {
	if job == nil {
		return []*Use{&e.Use}
	}
	n := m.number[job]
	if m.of[n] == nil {
		m.of[n] = &SubmissionUse{Number: n}
	}
	m.of[n].Memory = max(m.of[n].Memory, job.Memory)
	return []*Use{&e.Use, &m.of[n].Use}
}

// enter enters the k-th attempt at a task.
func (m *meter) enter(e *Efficiency, t *jobs.Task, job *SubmittedJob, attempts []results.Attempt, k int) {
	a := &attempts[k]
	cause, hours := m.causeOf(t, attempts, k), a.Seconds/3600
	right := job.Memory
	if measured := m.needs.measured[t.Dataset]; measured > 0 {
		right = measured
	}
	asked, askedRight := hours, hours
	if job.Time > 0 {
		asked = float64(job.Time) / 3600
		askedRight = asked
		if limit, measured := m.times.measured[t.Dataset]; measured {
			askedRight = limit.Hours()
		}
	}
	first := !slices.ContainsFunc(attempts, func(b results.Attempt) bool { return isBefore(&b, a) })
	for _, u := range m.uses(e, job) {
		u.Enter(a, job.CPUs, cause)
		u.Asked += asked * float64(job.CPUs)
		u.AskedRight += askedRight * float64(job.CPUs)
		u.MemoryHeld += hours * float64(job.Memory) / 1024
		u.MemoryUsed += hours * float64(a.Peak) / (1 << 30)
		u.MemoryRight += hours * float64(right) / 1024
		if first {
			u.waits = append(u.waits, max(0, a.Begin.Sub(job.At).Seconds()))
		}
	}
}

// causeOf is why the k-th attempt at a task ended: by its own note, else by what submit found of
// its job's death. If neither tells and the job had another life after, Slurm has requeued it:
// after TERM because it was preempted or somebody asked for it, without because the node was lost.
// If it had not, and left nothing undone by which submit finds deaths, its log may tell, or the
// attempt that has sealed the task while this one ran, or the queue that it has ended, but not why.
func (m *meter) causeOf(t *jobs.Task, attempts []results.Attempt, k int) results.Cause {
	a := &attempts[k]
	job := jobOf(a.Name)
	another := slices.ContainsFunc(attempts, func(b results.Attempt) bool { return isBefore(a, &b) })
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
	cause, _ := causeInLog(logEnd(filepath.Join(m.run.Dir, m.job(name).logOf(index))))
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
