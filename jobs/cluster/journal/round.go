package journal

import (
	"errors"
	"fmt"

	"graphda/io/message"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A Step is the next step of a run with follow-up jobs.
type Step uint8

const (
	Nothing Step = iota // submit sends nothing and gives no reason
	Sends               // submit sends the missing cells and the next follow-up job
	Waits               // submit sends only the next follow-up job, because jobs are queued
	Merges              // the results are merged into the report
	Stops               // the run stops; Round.Next returns the reason
)

const (
	mostIdle    = 2  // the run stops after this many consecutive rounds without a finished cell
	mostLimited = 24 // the run stops after this many rounds without an admitted job, about a day
)

// A Round is the state of the run when a person or a follow-up job submits. The first fields are numbers of cells.
type Round struct {
	Cells, Done, Failed, Queued, Hidden, Left, GivenUp int

	Sends     int    // number of cells that can be submitted
	Asked     string // demand of the next jobs
	Cancelled int    // number of jobs cancelled since the last round
	ByHand    bool   // whether a person submits
	Partial   bool   // whether the report may lack cells
	Merged    bool   // whether the report exists with all finished cells
	Before    Follow // record of the last round; zero if a person starts over
}

// Idle returns how many rounds in a row, up to the last, ended no cell and asked for the same
// resources as the next jobs.
func (r *Round) Idle() int {
	switch {
	case r.Before.Sent == 0:
		return r.Before.Idle
	case r.Done+r.Failed > r.Before.Ended || r.Asked != r.Before.Asked:
		return 0
	}
	return r.Before.Idle + 1
}

// IsIdle reports whether the run stops because its last rounds finished no cell.
func (r *Round) IsIdle() bool { return r.Idle() >= mostIdle }

// Next returns the next step and, if the run stops, the reason as word.
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
		return Stops, "for a day the cluster has accepted no job of yours besides the follow-up job"
	case r.Left+r.Hidden == 0 && r.Done > 0 && (r.Done == r.Cells || r.Partial) && !r.Merged:
		return Merges, ""
	case r.ByHand || r.Merged:
		return Nothing, ""
	case r.Hidden > 0:
		return Stops, message.Are(r.Hidden, "cell") + " in jobs that cannot be seen from here"
	case r.Left > 0:
		return Stops, message.Are(r.Left, "cell") + " left"
	case r.GivenUp > 0:
		return Stops, message.Are(r.GivenUp, "cell") + " given up"
	}
	return Stops, fmt.Sprintf("%s failed; submit with --retry-failed to run them again, or with --allow-partial to "+
		"merge the others", message.Count(r.Failed, "cell"))
}

// IsLasting reports whether an error is permanent, so that a follow-up job should not try again.
func IsLasting(err error) bool {
	return errors.As(err, new(*slurm.MissingError)) || slurm.IsKind(err, slurm.Refused) ||
		errors.As(err, new(*userinput.Error))
}
