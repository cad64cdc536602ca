package cluster

import (
	"fmt"
	"strings"

	"graphda/io/plain"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// afford leaves tasks out that MaxJobs and MaxCoreHours do not admit, the last first. They
// stay in their list, and another submission goes on with them.
func (s *Submission) afford(stock *run.Stock, queue *journal.Queue, b *batch) {
	inQueue, queued := 0, 0.0
	for _, t := range s.run.Tasks {
		if queue.IsActive(t.Number) {
			inQueue++
			queued += b.coreHours(t)
		}
	}
	held := heldHours(stock)
	n, total, reason := 0, held+queued, ""
	for ; n < len(s.Tasks); n++ {
		total += b.coreHours(s.Tasks[n])
		if most := s.options.MaxJobs; most > 0 && inQueue+n+1 > most {
			reason = fmt.Sprintf("--max-jobs %d, of which %d are in the queue", most, inQueue)
			break
		}
		if most := s.options.MaxCoreHours; most > 0 && total > most {
			reason = fmt.Sprintf("--max-core-hours %g, of which %.3g were used and %.3g are expected of those in the queue",
				most, held, queued)
			break
		}
	}
	if reason != "" {
		tasks := plain.Are(len(s.Tasks)-n, "task")
		s.Left += s.keep(s.Tasks[:n])
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s left for another submit: %s", tasks, reason))
	}
}

// sendPilot leaves out all tasks but those of a pilot, if nothing tells yet what they take.
func (s *Submission) sendPilot(queue *journal.Queue) {
	r := &s.options.Resources
	if r.Time != "" && (r.Mem != "" || r.MemPerCPU != "") { // nothing is to be found out
		return
	}
	now, pending := s.needs.pilot(s.Tasks, queue.IsActive)
	if len(now) == len(s.Tasks) {
		return
	}
	tasks, left := plain.Are(len(s.Tasks)-len(now), "task"), s.keep(now)
	if len(now)+pending == 0 {
		s.Given += left
		s.needs.up = append(s.needs.up, run.GivenUp{Cause: s.needs.up[0].Cause, Cells: left,
			Why: "would follow those of a pilot, which are given up"})
		s.Warnings = append(s.Warnings, s.needs.up[len(s.needs.up)-1].String())
		return
	}
	s.Left += left
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s left for another submit: a pilot of %s goes first and measures what "+
		"the others need; gdrun submit %s --again sends the rest when it has ended", tasks,
		plain.Count(len(now)+pending, "task"), slurm.Quote(s.run.Dir)))
}

// keep leaves out all tasks but some, and returns how many cells they have.
func (s *Submission) keep(some []*plan.Task) (left int) {
	for _, t := range s.Tasks {
		left += len(t.Cells)
	}
	for _, t := range some {
		left -= len(t.Cells)
	}
	s.Cells -= left
	if s.Tasks = some; len(some) == 0 {
		s.packed, s.List = nil, ""
	}
	return left
}

// coreHours are what a task is expected to hold.
func (b *batch) coreHours(t *plan.Task) float64 {
	return b.times.clock(t) * float64(max(1, b.options.Resources.CPUsPerTask)) / 3600
}

// heldHours are the hours of processors that the jobs of a run have held, by their notes.
func heldHours(stock *run.Stock) (hours float64) {
	for _, attempts := range stock.Attempts {
		for _, a := range attempts {
			if strings.HasPrefix(a.Name, slurm.AttemptMark) {
				hours += a.Seconds * float64(a.Workers) / 3600
			}
		}
	}
	return hours
}
