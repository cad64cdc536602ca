package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/seal"
)

// An Attempt is what one run of a task tells of itself. While the task is not sealed each has
// a note beside its part, written when it begins, every minute and when it ends; the shard
// has those of all that led to it. Nothing that is computed depends on one.
type Attempt struct {
	Name       string    `json:"name"` // as in the rows
	Host       string    `json:"host"`
	Node       string    `json:"node,omitempty"` // the cluster's name of the host
	Workers    int       `json:"workers"`        // cells at once
	Begin      time.Time `json:"begin"`
	Seconds    float64   `json:"seconds"`         // from Begin to this note
	CPUSeconds float64   `json:"cpu_seconds"`     // of the process until then
	Peak       int64     `json:"peak"`            // its largest resident memory, in bytes
	Cells      int       `json:"cells"`           // that it has finished
	End        Cause     `json:"end,omitempty"`   // empty: it runs, or was killed
	Error      string    `json:"error,omitempty"` // why it ended, if not because all was done

	// JobPeak is the largest memory of the job's control group, in bytes, with the files that
	// the kernel keeps in memory for it; 0 if there is no such group.
	JobPeak int64 `json:"job_peak,omitempty"`
	// OnePass is what its first pass through the samples was going to take by its pace, in
	// seconds; 0 once a cell is finished.
	OnePass float64 `json:"one_pass,omitempty"`

	Seal string `json:"graphda.seal,omitempty"` // of the note
}

// A Cause is why an attempt at a task has ended.
type Cause string

// The causes. An attempt itself knows of the first five; the others have to be found out
// from what the cluster says.
const (
	Sealed      Cause = "sealed"      // all cells have results
	TimeLimit   Cause = "time limit"  // it was reached, or near
	Cancelled   Cause = "cancelled"   // by a signal
	BadData     Cause = "bad data"    // the same would happen again, anywhere
	FileSystem  Cause = "file system" // full, or gone
	OutOfMemory Cause = "out of memory"
	NodeFailure Cause = "node failure"
	Preemption  Cause = "preemption"
	Requeued    Cause = "requeued"      // by preemption or by somebody
	Lost        Cause = "results lost"  // they were there, and are damaged or gone
	NotStarted  Cause = "did not start" // the program, or its scratch folder is not there
	Overtaken   Cause = "overtaken"     // another attempt had sealed the task
	Unknown     Cause = "unknown cause"
)

const attemptSuffix = ".attempt.json"

// attemptPath is where an attempt at a task keeps its note.
func attemptPath(dir string, task int, name string) string {
	return filepath.Join(dir, taskName(task)+"."+safeName(name)+attemptSuffix)
}

// WriteAttempt replaces the note of an attempt at a task in dir.
func WriteAttempt(dir string, task int, a Attempt) error {
	a.Seal = seal.Blank()
	return seal.Write(attemptPath(dir, task, a.Name), func(w io.Writer) error { return json.NewEncoder(w).Encode(a) })
}

// ReadAttempts reads the notes of the attempts at a task in dir, the first to begin first.
// Those that are damaged are left out.
func ReadAttempts(dir string, task int) ([]Attempt, error) {
	names, err := namesOf(dir, taskName(task)+".", attemptSuffix)
	if err != nil {
		return nil, err
	}
	var all []Attempt
	for _, name := range names {
		a, err := readAttempt(filepath.Join(dir, name))
		switch {
		case err == nil:
			all = append(all, a)
		case errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist): // sealed just now
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Attempt) int { return cmp.Or(a.Begin.Compare(b.Begin), cmp.Compare(a.Name, b.Name)) })
	return all, nil
}

func readAttempt(path string) (a Attempt, err error) {
	sealed, err := seal.ReadSealed(path)
	if err != nil {
		return a, err
	}
	err = json.Unmarshal(sealed.Data, &a)
	a.Seal = ""
	return a, err
}
