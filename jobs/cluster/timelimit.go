package cluster

import (
	"math"
	"slices"
	"time"

	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// timeLimits are the time limits that tasks ask for. Unless one was given, it follows what tasks of the same data are
// expected to take, and once some are sealed, what those took beside that: see fit. It is doubled for tasks that
// are expected to take longer, and for those of cells whose jobs reached theirs before anything was finished.
type timeLimits struct {
	*needs
	first  time.Duration         // of a task that is as long as it should be, by what was given or the target
	fitted map[int]time.Duration // by dataset, as long as first or shorter

	overrun  map[int]float64 // by dataset: see measureOverrun
	target   time.Duration   // on the clock
	estimate *run.Estimates
}

func newTimeLimits(n *needs) (l *timeLimits, err error) {
	o := n.options
	l = &timeLimits{needs: n, target: o.target(n.run.Plan) / time.Duration(max(1, o.Resources.CPUsPerTask))}
	if l.estimate, err = n.run.Estimates(n.stock); err != nil {
		return nil, err
	}
	if o.Resources.Time != "" {
		l.first, err = slurm.ParseTime(o.Resources.Time) // checked with all options
		return l, err
	}
	l.first = min(wholeMinutes(generous(l.target.Seconds())), n.ceiling.time)
	l.measureOverrun()
	return l, nil
}

// starting is the time in seconds that a task is expected to take before its first cell.
const starting = 60

// measureOverrun finds out how many times as long as expected the sealed tasks of each dataset took which one attempt
// did whole: 95 % took no longer. What is expected is corrected by what cells have taken, so that
// this is of what else takes time: loading, other jobs on a node, a slower node.
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

// fit has the limits follow the longest of the tasks that are to be submitted. With tasks of the same data sealed, it
// is a quarter more than 95 % of these would have taken, had they been as long. Before, it is three and a half
// times what is expected, and the start.
func (l *timeLimits) fit(tasks []*plan.Task) {
	l.fitted = map[int]time.Duration{}
	if l.options.Resources.Time != "" {
		return
	}
	longest := map[int]float64{}
	for _, t := range tasks {
		clock := l.clock(t)
		if clock > l.target.Seconds() { // a cell for itself, which does not count for the others
			clock = 0
		}
		longest[t.Dataset] = max(longest[t.Dataset], clock)
	}
	for dataset, clock := range longest {
		limit := 3.5*clock + starting
		if overrun, ok := l.overrun[dataset]; ok {
			limit = withLead(1.25 * overrun * (clock + starting))
		}
		l.fitted[dataset] = min(roundLimit(limit), l.first)
	}
}

// of is the time limit of a task.
func (l *timeLimits) of(t *plan.Task) time.Duration {
	limit := l.first
	if fitted, ok := l.fitted[t.Dataset]; ok {
		limit = fitted
	}
	if limit == slurm.Unlimited {
		return limit
	}
	most := max(limit, min(365*24*time.Hour, l.ceiling.time))
	wanted := l.time(t).Seconds()
	if clock := l.clock(t); clock+lead(limit).Seconds() > limit.Seconds() {
		wanted = max(wanted, generous(clock))
	}
	for wanted > limit.Seconds() && limit < most {
		limit *= 2
	}
	return min(limit, most)
}

// clock is what a task is expected to take in seconds: its cells run side by side, but each on one processor.
func (l *timeLimits) clock(t *plan.Task) float64 {
	cpu, dearest := 0.0, 0.0
	for _, c := range t.Cells {
		s := l.estimate.Seconds(c.Cell)
		cpu += s
		dearest = max(dearest, s)
	}
	return max(dearest, cpu/float64(max(1, l.options.Resources.CPUsPerTask)))
}

// generous is the time in seconds that is asked for what is expected to take some: half as
// much again, and five minutes.
func generous(seconds float64) float64 { return 1.5*seconds + 300 }

// lead is how long before its time limit a job is to stop: two minutes, or less under a
// short limit.
func lead(limit time.Duration) time.Duration {
	return max(time.Second, min(2*time.Minute, (limit/5).Truncate(time.Second)))
}

// withLead is the time limit in seconds of which the lead leaves some.
func withLead(seconds float64) float64 { return min(1.25*seconds, seconds+120) }

func wholeMinutes(seconds float64) time.Duration {
	return time.Duration(math.Ceil(seconds/60)) * time.Minute
}

// roundLimit rounds a time limit up to one of few, so that tasks make few arrays: to whole minutes, and at most an
// eighth more than those.
func roundLimit(seconds float64) time.Duration {
	limit := wholeMinutes(seconds)
	step := time.Minute
	for 16*step < limit {
		step *= 2
	}
	return (limit + step - 1) / step * step
}
