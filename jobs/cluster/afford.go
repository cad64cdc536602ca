package cluster

import (
	"fmt"
	"strings"

	"graphda/io/plain"
	"graphda/jobs"
	"graphda/slurm"
)

// afford leaves tasks out that MaxJobs and MaxCoreHours do not admit, the last first. They
// stay in their list, and another submission goes on with them.
func (s *Submission) afford(stock *jobs.Stock, queue *queue, b *batch) {
	inQueue, queued := 0, 0.0
	for _, t := range s.run.Tasks {
		if queue.isActive(t.Number) {
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
	if reason == "" {
		return
	}
	for _, t := range s.Tasks[n:] {
		s.Left += len(t.Cells)
	}
	s.Cells -= s.Left
	left := plain.Are(len(s.Tasks)-n, "task")
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s left for another submit: %s", left, reason))
	if s.Tasks = s.Tasks[:n]; n == 0 {
		s.packed, s.List = nil, ""
	}
}

// coreHours are what a task is expected to hold.
func (b *batch) coreHours(t *jobs.Task) float64 {
	clock, _ := b.seconds(t)
	return clock * float64(max(1, b.options.Resources.CPUsPerTask)) / 3600
}

// heldHours are the hours of processors that the jobs of a run have held, by their notes.
func heldHours(stock *jobs.Stock) (hours float64) {
	for _, attempts := range stock.Attempts {
		for _, a := range attempts {
			if strings.HasPrefix(a.Name, slurm.AttemptMark) {
				hours += a.Seconds * float64(a.Workers) / 3600
			}
		}
	}
	return hours
}
