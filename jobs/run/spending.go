package run

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// Spending sums up the processors and memory that attempts held and used. The numbers come from the attempts' notes.
// A killed attempt's last note is at most a minute old. An attempt that died before its first note does not count.
type Spending struct {
	Attempts int     `json:"attempts"`        // number of attempts at tasks; an attempt is one start of a task
	Held     float64 `json:"core_hours_held"` // processors × hours
	Used     float64 `json:"core_hours_used"` // CPU time
	// Idle is unused time of attempts that sealed their tasks: they were loading the trial or waiting for the last
	// cell. Lost is the time of attempts that ran out of memory or time before they finished a cell.
	Idle float64 `json:"core_hours_idle"`
	Lost float64 `json:"core_hours_lost"`

	LargestPeak int64      `json:"largest_peak_bytes"`
	Ends        []EndCount `json:"ends"` // how attempts ended; after SortEnds, the most frequent end comes first
	Built       []string   `json:"-"`    // source revisions of the programs that sealed the tasks, sorted
}

// An EndCount counts the attempts that ended for the same cause.
type EndCount struct {
	Cause    results.Cause `json:"cause"` // "" if the attempt still runs, or if it is unknown why it was killed
	Attempts int           `json:"attempts"`
	Hours    float64       `json:"core_hours"`
}

// Enter adds the attempt a, the number of processors that it held, and the cause of its end.
func (s *Spending) Enter(a *results.Attempt, processors int, cause results.Cause) {
	held, used := a.Seconds/3600*float64(processors), a.CPUSeconds/3600
	s.Attempts++
	s.Held += held
	s.Used += used
	switch {
	case cause == results.Sealed:
		s.Idle += max(0, held-used)
	case a.Cells == 0 && (cause == results.OutOfMemory || cause == results.TimeLimit):
		s.Lost += held
	}
	s.LargestPeak = max(s.LargestPeak, a.Peak)
	s.EnterEnd(cause, held)
}

// EnterEnd adds only the cause of an attempt's end, and its core-hours.
func (s *Spending) EnterEnd(cause results.Cause, hours float64) {
	i := slices.IndexFunc(s.Ends, func(e EndCount) bool { return e.Cause == cause })
	if i < 0 {
		i = len(s.Ends)
		s.Ends = append(s.Ends, EndCount{Cause: cause})
	}
	s.Ends[i].Attempts++
	s.Ends[i].Hours += hours
}

// SortEnds sorts s.Ends. The most frequent end comes first.
func (s *Spending) SortEnds() {
	slices.SortFunc(s.Ends, func(a, b EndCount) int {
		return cmp.Or(cmp.Compare(b.Attempts, a.Attempts), cmp.Compare(a.Cause, b.Cause))
	})
}

// Spending adds up the attempts that are listed in the footers of shards. A process that ran several tasks does not
// list its attempts. Missing and damaged shards do not count.
func (r *Run) Spending() (*Spending, error) {
	attempts, built := make([][]results.Attempt, len(r.Tasks)), make([]string, len(r.Tasks))
	err := r.eachTask(func(i int, t *plan.Task) error {
		info, err := results.ReadShardInfo(r.ShardPath(t))
		if err == nil && r.checkShard(t, info) == nil {
			attempts[i], built[i] = info.Attempts, info.Built
		} else if errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := new(Spending)
	for _, of := range attempts {
		for i := range of {
			s.Enter(&of[i], max(1, of[i].Workers), of[i].End)
		}
	}
	s.SortEnds()
	slices.Sort(built)
	s.Built = slices.DeleteFunc(slices.Compact(built), func(b string) bool { return b == "" })
	return s, nil
}
