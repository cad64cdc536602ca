package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphda/jobs/reports"
	"graphda/jobs/run"
)

// A Follow records one round of a run with follow-up jobs: a person's gdrun submit, or the work of a follow-up job.
type Follow struct {
	By      string `json:"by,omitempty"`      // name of the follow-up job; empty for a person
	Ended   int    `json:"ended"`             // number of done or failed cells when the round began
	Sent    int    `json:"sent"`              // number of cells that the round sent
	Asked   string `json:"asked,omitempty"`   // memory, time and nodes of the round's jobs
	Idle    int    `json:"idle,omitempty"`    // number of consecutive earlier rounds without a finished cell
	Limited int    `json:"limited,omitempty"` // number of consecutive rounds in which the cluster admitted no job
	Word    string `json:"word,omitempty"`    // why no round follows; empty if a round follows
	Merged  int    `json:"merged,omitempty"`  // number of cells in the round's report
	Out     string `json:"out,omitempty"`     // absolute folder of the report
}

// LastRound returns the last round, or a zero Follow if the last submission had no follow-up job.
func (j *Journal) LastRound() Follow {
	for _, f := range slices.Backward(j.Files) {
		if f.Follow != nil {
			return *f.Follow
		}
		if len(f.Jobs) > 0 {
			break
		}
	}
	return Follow{}
}

// FollowUp returns the record of the one follow-up job that may act, or nil.
func (j *Journal) FollowUp() *Job {
	for _, f := range slices.Backward(j.Files) {
		if f.Follow != nil && f.Follow.Word != "" {
			return nil
		}
		for i := range f.Jobs {
			if job := &f.Jobs[i]; job.Follows && job.Error == "" && !job.foreign {
				return job
			}
		}
	}
	return nil
}

// SentAgain returns the cells of all jobs since a person last submitted.
func (j *Journal) SentAgain() map[int]bool {
	cells := map[int]bool{}
	for _, f := range slices.Backward(j.Files) {
		for i := range f.Jobs {
			job := &f.Jobs[i]
			for index := range job.Count {
				t := j.run.Task(job.Task(index))
				for k := 0; t != nil && job.ID != "" && k < len(t.Cells); k++ {
					cells[t.Cells[k].Cell] = true
				}
			}
		}
		if len(f.Jobs) > 0 && (f.Follow == nil || f.Follow.By == "") {
			break
		}
	}
	return cells
}

// IsMerged reports whether a follow-up job wrote a report with this many cells, and the report still exists.
func (j *Journal) IsMerged(out string, cells int) bool {
	made := slices.ContainsFunc(j.Files, func(f *File) bool {
		return f.Follow != nil && f.Follow.Out == out && f.Follow.Merged == cells
	})
	_, err := os.Stat(filepath.Join(out, reports.PageName))
	return made && err == nil
}

// stopMark is the name of a file that stops all submissions and follow-up jobs of the run.
const stopMark = ".stopped"

// Stop stops all submissions and follow-up jobs of the run.
func (j *Journal) Stop() error {
	return os.WriteFile(filepath.Join(j.Dir, stopMark), nil, 0o666)
}

// IsStopped reports whether somebody has cancelled the run since a person last submitted.
func (j *Journal) IsStopped() bool {
	_, err := os.Stat(filepath.Join(j.Dir, stopMark))
	return err == nil
}

// Resume undoes Stop.
func (j *Journal) Resume() error {
	if err := os.Remove(filepath.Join(j.Dir, stopMark)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// followStatus describes the follow-up jobs, or returns nil if there are none. An empty Queue means that the cluster
// was not asked.
func (j *Journal) followStatus(q *Queue) *run.FollowStatus {
	job, round := j.FollowUp(), j.LastRound()
	switch {
	case round.Word != "" && round.Merged > 0:
		return &run.FollowStatus{State: run.FollowDone, Why: round.Word}
	case round.Word != "":
		return &run.FollowStatus{State: run.FollowStopped, Why: round.Word}
	case job == nil:
		return nil
	}
	s := &run.FollowStatus{Job: string(job.ID), State: run.FollowDied, Log: job.LogOf(0), Limited: round.Limited > 0}
	for _, a := range q.Jobs {
		switch {
		case a.Job != job:
		case a.Running > 0:
			s.State = run.FollowRuns
		default:
			s.State, s.Why = run.FollowWaits, a.reason
		}
	}
	switch {
	case s.State != run.FollowDied:
	case j.IsStopped():
		s.State, s.Why = run.FollowStopped, "it was cancelled"
	case q.last == nil || slices.ContainsFunc(q.unseen, func(a *QueuedJob) bool { return a.Job == job }):
		s.State = run.FollowHidden
	}
	return s
}

// death returns the follow-up job's Death, without the cause. Explain completes it.
func (j *Journal) death(q *Queue) *Death {
	job := j.FollowUp()
	d := &Death{DeadTask: run.DeadTask{Job: string(job.ID), Log: job.LogOf(0)}, job: job}
	if e := q.ended[job]; e != nil {
		d.State, d.Node, d.Reason = string(e.State), e.Node, strings.TrimPrefix(e.Reason, "None")
	}
	return d
}
