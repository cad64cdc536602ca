package run

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// Spending sums up the processors and memory of attempts, from their notes. The last minute of a killed attempt, and an
// attempt that died before its first note, may not count.
type Spending struct {
	Attempts int     `json:"attempts"`        // number of attempts at tasks
	Held     float64 `json:"core_hours_held"` // processors × hours
	Used     float64 `json:"core_hours_used"` // CPU time
	// Idle is the unused time of attempts that sealed their tasks: some processors wait for the last cell. Lost is the
	// time of attempts that ran out of memory or time before they finished a cell.
	Idle float64 `json:"core_hours_idle"`
	Lost float64 `json:"core_hours_lost"`

	LargestPeak int64      `json:"largest_peak_bytes"`
	Ends        []EndCount `json:"ends"` // how attempts ended; SortEnds puts the most frequent end first
	Built       []string   `json:"-"`    // source revisions of the programs that sealed tasks, sorted
}

// An EndCount counts the attempts with the same end.
type EndCount struct {
	Cause    results.Cause `json:"cause"` // "" while the attempt runs, or if the cause is unknown
	Attempts int           `json:"attempts"`
	Hours    float64       `json:"core_hours"`
}

// Enter adds an attempt that held the given number of processors.
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

// EnterEnd adds only an attempt's end, with its core-hours.
func (s *Spending) EnterEnd(cause results.Cause, hours float64) {
	i := slices.IndexFunc(s.Ends, func(e EndCount) bool { return e.Cause == cause })
	if i < 0 {
		i = len(s.Ends)
		s.Ends = append(s.Ends, EndCount{Cause: cause})
	}
	s.Ends[i].Attempts++
	s.Ends[i].Hours += hours
}

// SortEnds sorts the ends, the most frequent first.
func (s *Spending) SortEnds() {
	slices.SortFunc(s.Ends, func(a, b EndCount) int {
		return cmp.Or(cmp.Compare(b.Attempts, a.Attempts), cmp.Compare(a.Cause, b.Cause))
	})
}

// Spending adds up the attempts in the footers of shards. Missing shards, damaged shards and processes that ran several
// tasks do not count.
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
