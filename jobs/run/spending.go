package run

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// Spending is what attempts at tasks held of processors and memory, and what they used of it, by
// their own notes. What killed attempts took is known up to their last note, which is a minute old at
// most; of attempts that died before their first, nothing is.
type Spending struct {
	Attempts int     `json:"attempts"`        // at tasks
	Held     float64 `json:"core_hours_held"` // processors, times the time that they were held
	Used     float64 `json:"core_hours_used"` // CPU time
	// Idle was held and not used by attempts that sealed their tasks: while one loaded its trial, or
	// waited for its last cell. Lost was held by attempts that ran out of memory or time with no cell
	// finished.
	Idle float64 `json:"core_hours_idle"`
	Lost float64 `json:"core_hours_lost"`

	LargestPeak int64      `json:"largest_peak_bytes"`
	Ends        []EndCount `json:"ends"` // the most frequent first, once they are sorted
	Built       []string   `json:"-"`    // revisions of the programs that sealed tasks, in order
}

// An EndCount is the attempts that ended in one way.
type EndCount struct {
	Cause    results.Cause `json:"cause"` // empty: they run, or were killed and not asked about yet
	Attempts int           `json:"attempts"`
	Hours    float64       `json:"core_hours"`
}

// Enter enters an attempt that held so many processors, with why it ended.
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

// EnterEnd enters the end of an attempt alone.
func (s *Spending) EnterEnd(cause results.Cause, hours float64) {
	i := slices.IndexFunc(s.Ends, func(e EndCount) bool { return e.Cause == cause })
	if i < 0 {
		i = len(s.Ends)
		s.Ends = append(s.Ends, EndCount{Cause: cause})
	}
	s.Ends[i].Attempts++
	s.Ends[i].Hours += hours
}

// SortEnds puts the most frequent ends first.
func (s *Spending) SortEnds() {
	slices.SortFunc(s.Ends, func(a, b EndCount) int {
		return cmp.Or(cmp.Compare(b.Attempts, a.Attempts), cmp.Compare(a.Cause, b.Cause))
	})
}

// Spending adds up the attempts that the shards' footers tell of. A task that was run together with others
// tells of none. Shards that are missing or damaged are left out.
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
