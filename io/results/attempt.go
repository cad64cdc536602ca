package results

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"graphda/io/seal"
)

// An Attempt describes one run of a task. Until the task is sealed, each attempt has a note: a file beside its part.
// The attempt writes the note when it begins, every minute, and when it ends. Later the shard holds the notes of all
// attempts. No result depends on a note.
type Attempt struct {
	Name       string    `json:"name"` // as in Row.Attempt
	Host       string    `json:"host"`
	Node       string    `json:"node,omitempty"` // the cluster's name for the host
	Workers    int       `json:"workers"`        // number of cells computed at once
	Begin      time.Time `json:"begin"`
	Seconds    float64   `json:"seconds"`         // time from Begin to this note
	CPUSeconds float64   `json:"cpu_seconds"`     // CPU time of the process until this note
	Peak       int64     `json:"peak"`            // largest resident memory of the process, in bytes
	Cells      int       `json:"cells"`           // number of finished cells
	End        Cause     `json:"end,omitempty"`   // empty if the attempt is running or was killed
	Error      string    `json:"error,omitempty"` // why the attempt ended early

	// JobPeak is the largest memory of the job's control group in bytes, including cached files, or 0 if unknown.
	JobPeak int64 `json:"job_peak,omitempty"`
	// OnePass is the expected time of the first pass through the samples, in seconds, extrapolated from its finished part.
	// It is 0 once a cell is finished.
	OnePass float64 `json:"one_pass,omitempty"`

	Seal string `json:"graphda.seal,omitempty"`
}

// A Cause says why an attempt at a task has ended.
type Cause string

// An attempt sets the first five causes. Package journal infers the other causes from the cluster's records.
const (
	Sealed      Cause = "sealed"      // all cells have results
	TimeLimit   Cause = "time limit"  // the time limit was near
	Cancelled   Cause = "cancelled"   // a signal cancelled the attempt
	BadData     Cause = "bad data"    // the task fails on every machine
	FileSystem  Cause = "file system" // the file system is full or gone
	OutOfMemory Cause = "out of memory"
	NodeFailure Cause = "node failure"
	Preemption  Cause = "preemption"
	Requeued    Cause = "requeued"      // by a user or after preemption
	Lost        Cause = "results lost"  // the results were damaged or removed later
	NotStarted  Cause = "did not start" // the program or its scratch folder is missing
	Overtaken   Cause = "overtaken"     // another attempt sealed the task first
	Unknown     Cause = "unknown cause"
)

const attemptSuffix = ".attempt.json"

func attemptPath(dir string, task int, name string) string {
	return filepath.Join(dir, taskName(task)+"."+safeName(name)+attemptSuffix)
}

// WriteAttempt writes or replaces the note of an attempt at a task in dir.
func WriteAttempt(dir string, task int, a Attempt) error {
	a.Seal = seal.Blank()
	return seal.Write(attemptPath(dir, task, a.Name), func(w io.Writer) error { return json.NewEncoder(w).Encode(a) })
}

// ReadAttempts reads the notes of the attempts at a task in dir, sorted by Begin. It skips damaged notes.
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
		case errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist): // a sealed task has no notes
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

// CPUSeconds returns the CPU time of this process: user time plus system time.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
