package cluster

import (
	"math"
	"slices"
	"time"

	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// timeLimits computes the time limits of tasks. If the user gives no limit, the method fit computes a limit for each
// dataset. A task's limit is doubled until the task's expected time fits. If an earlier job of one of its cells reached
// its time limit before it finished a cell, the new limit is at least twice that limit.
type timeLimits struct {
	*needs
	first  time.Duration         // the user's limit, or a limit for tasks that take the target time
	fitted map[int]time.Duration // limit of each dataset; at most `first`

	overrun  map[int]float64 // see measureOverrun
	target   time.Duration   // wall-clock time of a task
	estimate *run.Estimates
}

func newTimeLimits(n *needs) (l *timeLimits, err error) {
	o := n.options
	l = &timeLimits{needs: n, target: o.target(n.run.Plan) / time.Duration(max(1, o.Resources.CPUsPerTask))}
	if l.estimate, err = n.run.Estimates(n.stock); err != nil {
		return nil, err
	}
	if o.Resources.Time != "" {
		l.first, err = slurm.ParseTime(o.Resources.Time) // the options were checked before
		return l, err
	}
	l.first = min(wholeMinutes(generous(l.target.Seconds())), n.ceiling.time)
	l.measureOverrun()
	return l, nil
}

// starting is the expected time in seconds before a task's first cell.
const starting = 60

// measureOverrun computes how much longer finished tasks took than expected. Loading, other jobs on the node, or a
// slower node can take time. The result for a dataset is the 95 % quantile of measured time over expected time. Tasks
// with several attempts do not count.
func (l *timeLimits) measureOverrun() {
	took := map[int][]float64{}
	for i, t := range l.run.Tasks {
		for _, a := range l.stock.Attempts[i] {
			if l.options.sealedAlike(&a) && a.Cells == len(t.Cells) {
				took[t.Dataset] = append(took[t.Dataset], a.Seconds/(l.clock(t)+starting))
			}
		}
	}
	l.overrun = map[int]float64{}
	for dataset, ratios := range took {
		slices.Sort(ratios)
		l.overrun[dataset] = max(1, quantile(ratios, 0.95))
	}
}

// fit computes a time limit for each dataset from the expected time of its longest task. If tasks of the dataset have
// finished, the limit is 1.25 times the expected time, times the overrun, plus the lead of up to two minutes. If none
// has finished, the limit is 3.5 times the expected time, plus the time for starting.
func (l *timeLimits) fit(tasks []*plan.Task) {
	l.fitted = map[int]time.Duration{}
	if l.options.Resources.Time != "" {
		return
	}
	longest := map[int]float64{}
	for _, t := range tasks {
		clock := l.clock(t)
		if clock > l.target.Seconds() { // a long cell must not change the limits of other tasks
			clock = 0
		}
		longest[t.Dataset] = max(longest[t.Dataset], clock)
	}
	for dataset, clock := range longest {
		limit := 3.5*clock + starting
		if overrun, ok := l.overrun[dataset]; ok {
			took := 1.25 * overrun * (clock + starting)
			limit = min(1.25*took, took+120) // plus the lead
		}
		l.fitted[dataset] = min(roundLimit(limit), l.first)
	}
}

func (l *timeLimits) of(t *plan.Task) time.Duration {
	limit := l.first
	if fitted, ok := l.fitted[t.Dataset]; ok {
		limit = fitted
	}
	if limit == slurm.Unlimited {
		return limit
	}
	most := max(limit, min(365*24*time.Hour, l.ceiling.time))
	wanted := l.least(t).time.Seconds()
	if clock := l.clock(t); clock+lead(limit).Seconds() > limit.Seconds() {
		wanted = max(wanted, generous(clock))
	}
	for wanted > limit.Seconds() && limit < most {
		limit *= 2
	}
	return min(limit, most)
}

// clock returns the expected wall-clock time of a task in seconds. A cell runs on one processor, so the task takes at
// least as long as its longest cell.
func (l *timeLimits) clock(t *plan.Task) float64 {
	cpu, dearest := 0.0, 0.0
	for _, c := range t.Cells {
		s := l.estimate.Seconds(c.Cell)
		cpu += s
		dearest = max(dearest, s)
	}
	return max(dearest, cpu/float64(max(1, l.options.Resources.CPUsPerTask)))
}

// generous returns a time limit in seconds: 1.5 times the expected time, plus five minutes.
func generous(seconds float64) float64 { return 1.5*seconds + 300 }

// lead returns the time between a job's stop and its time limit: two minutes, or less if the limit is short.
func lead(limit time.Duration) time.Duration {
	return max(time.Second, min(2*time.Minute, (limit/5).Truncate(time.Second)))
}

func wholeMinutes(seconds float64) time.Duration {
	return time.Duration(math.Ceil(seconds/60)) * time.Minute
}

// roundLimit rounds a time limit up to one of a few limits, so that tasks form few arrays.
func roundLimit(seconds float64) time.Duration {
	return roundUp(wholeMinutes(seconds), time.Minute, 16)
}
