package journal

import (
	"errors"
	"fmt"

	"graphda/io/message"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A Step is what comes next in a run that finishes itself.
type Step uint8

const (
	Nothing Step = iota // neither jobs nor a word
	Sends               // what is missing, and the next follow-up job
	Waits               // only the next follow-up job, for jobs are in the queue
	Merges              // the report is made
	Stops               // with a last word
)

const (
	mostIdle    = 2  // rounds that bring nothing, one after the other, before the run stops
	mostLimited = 24 // rounds of which the cluster admits no job; about a day
)

// A Round is what a call or a follow-up job has found, mostly as numbers of cells.
type Round struct {
	Cells, Done, Failed, Queued, Hidden, Left, GivenUp int

	Sends     int    // cells that can be sent
	Asked     string // by the jobs that would be sent
	Cancelled int    // jobs that somebody has cancelled since the last round
	ByHand    bool   // a person calls
	Partial   bool   // the report may lack cells
	Merged    bool   // the report is there, with all cells that are done
	Before    Follow // the last round, unless a person starts over
}

// Idle counts the rounds, one after the other, that brought nothing: no cell has ended, and the next jobs would ask for
// the same.
func (r *Round) Idle() int {
	switch {
	case r.Before.Sent == 0:
		return r.Before.Idle
	case r.Done+r.Failed > r.Before.Ended || r.Asked != r.Before.Asked:
		return 0
	}
	return r.Before.Idle + 1
}

// IsIdle tells whether so many rounds brought nothing that another one would not, either.
func (r *Round) IsIdle() bool { return r.Idle() >= mostIdle }

// Next decides what comes next. Only a run that stops has a word.
func (r *Round) Next() (next Step, word string) {
	switch {
	case r.Cancelled > 0 && !r.ByHand:
		return Stops, fmt.Sprintf("%s had been cancelled", message.Count(r.Cancelled, "job"))
	case r.Sends > 0 && !r.IsIdle() && r.Before.Limited < mostLimited:
		return Sends, ""
	case r.Queued > 0:
		return Waits, ""
	case r.Sends > 0 && r.IsIdle():
		return Stops, fmt.Sprintf("%d rounds without a finished cell", mostIdle)
	case r.Sends > 0:
		return Stops, "the cluster has admitted no job of yours beside the follow-up job for a day"
	case r.Left+r.Hidden == 0 && r.Done > 0 && (r.Done == r.Cells || r.Partial) && !r.Merged:
		return Merges, ""
	case r.ByHand || r.Merged:
		return Nothing, ""
	case r.Hidden > 0:
		return Stops, message.Are(r.Hidden, "cell") + " with jobs that cannot be seen from here"
	case r.Left > 0:
		return Stops, message.Are(r.Left, "cell") + " left"
	case r.GivenUp > 0:
		return Stops, message.Are(r.GivenUp, "cell") + " given up"
	}
	return Stops, fmt.Sprintf("%s failed; --retry-failed runs them again, --allow-partial merges the others",
		message.Count(r.Failed, "cell"))
}

// IsLasting tells whether an error would come again, so that a follow-up job need not try again.
func IsLasting(err error) bool {
	return errors.As(err, new(*slurm.MissingError)) || slurm.IsKind(err, slurm.Refused) ||
		errors.As(err, new(*userinput.Error))
}
