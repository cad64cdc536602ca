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

// A Follow is the note of one round of a run that finishes itself. A person's call is the first round; each follow-up
// job is another one.
type Follow struct {
	By      string `json:"by,omitempty"`      // name of the follow-up job; empty: a person's call
	Ended   int    `json:"ended"`             // cells that were done or had failed when the round began
	Sent    int    `json:"sent"`              // cells that it has sent
	Asked   string `json:"asked,omitempty"`   // memory, time and nodes that its jobs ask for
	Idle    int    `json:"idle,omitempty"`    // rounds before it, one after the other, that brought nothing
	Limited int    `json:"limited,omitempty"` // rounds up to it, one after the other, of which the cluster admitted no job
	Word    string `json:"word,omitempty"`    // why no round follows; empty: one does
	Merged  int    `json:"merged,omitempty"`  // cells in the report that it has made
	Out     string `json:"out,omitempty"`     // folder of that report, absolute
}

// LastRound returns the note of the last round; a zero one if the last call was one without follow-up job.
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

// FollowUp returns the note of the one follow-up job that may act; nil if there is none.
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

// SentAgain returns the cells that were sent since the last call of a person, that call included.
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

// IsMerged tells whether a follow-up job has made the report in a folder, of so many cells, and it is still there.
func (j *Journal) IsMerged(out string, cells int) bool {
	made := slices.ContainsFunc(j.Files, func(f *File) bool {
		return f.Follow != nil && f.Follow.Out == out && f.Follow.Merged == cells
	})
	_, err := os.Stat(filepath.Join(out, reports.PageName))
	return made && err == nil
}

// stopMark is the file that keeps every submission that is at work, and every follow-up job, from sending more.
const stopMark = ".stopped"

// Stop puts the mark down.
func (j *Journal) Stop() error {
	f, err := os.Create(filepath.Join(j.Dir, stopMark))
	return errors.Join(err, f.Close())
}

// IsStopped tells whether somebody has cancelled the run since the last call of a person.
func (j *Journal) IsStopped() bool {
	_, err := os.Stat(filepath.Join(j.Dir, stopMark))
	return err == nil
}

// Resume takes the mark away.
func (j *Journal) Resume() error {
	if err := os.Remove(filepath.Join(j.Dir, stopMark)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// followStatus tells how the run finishes itself; nil if it does not. What the queue does not tell of a job that has
// ended is left empty.
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
	if s.State == run.FollowDied && j.IsStopped() {
		s.State, s.Why = run.FollowStopped, "it was cancelled"
	}
	return s
}

// death is the end of a follow-up job, for Explain to find out.
func (j *Journal) death(q *Queue) *Death {
	job := j.FollowUp()
	d := &Death{DeadTask: run.DeadTask{Job: string(job.ID), Log: job.LogOf(0)}, job: job}
	if e := q.ended[job]; e != nil {
		d.State, d.Node, d.Reason = string(e.State), e.Node, strings.TrimPrefix(e.Reason, "None")
	}
	return d
}
