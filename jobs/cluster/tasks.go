package cluster

import (
	"context"
	"fmt"
	"strings"
	"time"

	"graphda/io/message"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

func (s *Submission) planArrays(ctx context.Context, cells []int, queue *journal.Queue) (err error) {
	longest := slurm.DefaultMaxArraySize
	if !s.offline {
		here, err := s.journal.Here(ctx, s.client)
		if err != nil {
			return err
		}
		longest = here.Longest
	}
	if err := s.pack(cells); err != nil {
		return err
	}
	if err := s.needs.checkPrograms(s.Tasks); err != nil {
		return err
	}
	s.Whole = Cost{s.Cells, len(s.Tasks), s.seconds()}
	s.sendPilot(queue)
	s.afford(queue)
	s.Seconds = s.seconds()
	stretches := s.batch.stretches(s.Tasks)
	s.warn(stretches)
	s.Jobs, err = s.batch.propose(stretches, min(longest, mostElements))
	return err
}

func (s *Submission) seconds() (sum float64) {
	for _, t := range s.Tasks {
		sum += s.batch.estimate.TaskSeconds(t)
	}
	return sum
}

// pack packs cells into tasks. It reuses earlier tasks if they fit.
func (s *Submission) pack(cells []int) error {
	target, b := s.options.target(s.run.Plan), s.batch
	again := func() []*plan.Task {
		tasks := run.Repack(s.run, cells, target, b.estimate, func(c int) demand { return s.needs.floor[c] })
		b.fit(tasks)
		run.Number(tasks, s.run.NextTask(), func(t *plan.Task) int {
			asks := b.asks(t)
			return -int(asks.time.Minutes())<<32 + asks.memory // tasks with the longest time limits come first
		})
		return tasks
	}
	s.Tasks = run.ReusableTasks(s.run, cells, b.stock, target, b.estimate)
	b.fit(s.Tasks)
	var packed []*plan.Task
	switch {
	case s.Tasks == nil, tooMany(b.stretches(s.Tasks)):
		packed = again()
	case s.options.Target > 0:
		if fresh := again(); !run.SamePacking(s.Tasks, fresh) {
			packed = fresh
		} else {
			b.fit(s.Tasks)
		}
	}
	if packed != nil {
		list, err := plan.NextList(s.run.Dir)
		if err != nil {
			return err
		}
		s.Tasks, s.packed, s.List = packed, packed, list
	}
	return nil
}

func (s *Submission) warn(stretches []stretch) {
	if s.options.Resources.Time == "" {
		return
	}
	long, longest := 0, time.Duration(0)
	for _, st := range stretches {
		if st.asks.time > s.batch.first {
			long += len(st.tasks)
			longest = max(longest, st.asks.time)
		}
	}
	if long > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d of the %d tasks are expected to take longer than --time %s; they "+
			"are submitted in separate arrays with time limits of up to %s",
			long, len(s.Tasks), s.options.Resources.Time, strings.TrimSuffix(longest.String(), "0s")))
	}
}

// afford leaves out the last tasks if they exceed MaxJobs or MaxCoreHours. The list of tasks still contains them.
func (s *Submission) afford(queue *journal.Queue) {
	b := s.batch
	inQueue, queued := 0, 0.0
	for _, t := range s.run.Tasks {
		if queue.IsActive(t.Number) {
			inQueue++
			queued += b.coreHours(t)
		}
	}
	held := journal.HeldHours(b.stock)
	n, total, reason := 0, held+queued, ""
	for ; n < len(s.Tasks); n++ {
		total += b.coreHours(s.Tasks[n])
		if most := s.options.MaxJobs; most > 0 && inQueue+n+1 > most {
			reason = fmt.Sprintf("--max-jobs allows %d tasks in the queue, and %d were there already", most, inQueue)
			break
		}
		if most := s.options.MaxCoreHours; most > 0 && total > most {
			reason = fmt.Sprintf("--max-core-hours %g: past jobs held %.3g, and queued jobs are expected to use %.3g",
				most, held, queued)
			break
		}
	}
	if reason != "" {
		tasks := message.Are(len(s.Tasks)-n, "task")
		s.Left += s.keep(s.Tasks[:n])
		s.reason = reason
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s left%s: %s", tasks, s.forLater(), reason))
	}
}

// sendPilot drops all tasks except a pilot if the memory and time of many tasks are unknown.
func (s *Submission) sendPilot(queue *journal.Queue) {
	r := &s.options.Resources
	if r.Time != "" && (r.Mem != "" || r.MemPerCPU != "") { // the user gives both time and memory
		return
	}
	now, pending := s.needs.pilot(s.Tasks, queue.IsActive)
	if len(now) == len(s.Tasks) {
		return
	}
	tasks, left := message.Are(len(s.Tasks)-len(now), "task"), s.keep(now)
	if len(now)+pending == 0 {
		s.GivenUp += left
		s.needs.reasons = append(s.needs.reasons, run.GivenUp{Cause: s.needs.reasons[0].Cause, Cells: left,
			Why: "wait for the measurements of a pilot whose cells are given up"})
		s.Warnings = append(s.Warnings, s.needs.reasons[len(s.needs.reasons)-1].String())
		return
	}
	s.Left += left
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s left%s: a pilot of %s runs first and measures the memory and time "+
		"that the others need", tasks, s.forLater(), message.Count(len(now)+pending, "task")))
}

func (s *Submission) forLater() string {
	if s.options.UntilDone {
		return " for the follow-up job"
	}
	return fmt.Sprintf(" for gdrun submit %s --again", slurm.Quote(s.run.Dir))
}

// keep keeps only the tasks in `some`. `left` is the number of cells in the dropped tasks.
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
