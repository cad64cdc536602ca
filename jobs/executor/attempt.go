package executor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/jobs/run"
)

// A recorder measures an attempt at one task. If `save` is set, it also writes the attempt's note. It ignores errors in
// writing the note. A nil recorder does nothing.
type recorder struct {
	dir  string
	task int
	save bool
	stop context.CancelFunc // stops the goroutine that writes the note

	mu      sync.Mutex
	note    results.Attempt
	pass    time.Time // time when the first pass began; zero unless this pass is running
	samples int       // number of samples learned in the first pass
	of      int
}

// noteEvery is the time between two notes. The last note of a killed attempt is at most this old.
const noteEvery = time.Minute

// record writes the note now and every minute, until ctx or the attempt ends.
func (r *recorder) record(ctx context.Context) {
	ctx, r.stop = context.WithCancel(ctx)
	r.write()
	go func() {
		ticker := time.NewTicker(noteEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				r.write()
			}
		}
	}()
}

func (r *recorder) write() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.note.End == "" {
		r.keep()
	}
}

func (r *recorder) keep() {
	r.measure()
	if r.save {
		_ = results.WriteAttempt(r.dir, r.task, r.note)
	}
}

func (r *recorder) measure() {
	r.note.Seconds = time.Since(r.note.Begin).Seconds()
	r.note.CPUSeconds, r.note.Peak = processUsage()
	r.note.JobPeak = jobPeak()
	r.note.OnePass = 0
	if !r.pass.IsZero() && r.samples > 0 {
		r.note.OnePass = time.Since(r.pass).Seconds() * float64(r.of) / float64(r.samples)
	}
}

// watch is called when a pass begins. In the attempt's first pass it returns a function that records the progress, and
// in later passes nil.
func (r *recorder) watch() (progress func(done int)) {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.pass.IsZero() || r.note.Cells > 0 {
		return nil
	}
	r.pass = time.Now()
	return func(done int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.samples = done
	}
}

func (r *recorder) finished(cells int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note.Cells += cells
	r.pass = time.Time{}
}

// sealing returns the notes of all attempts at the task, for its shard. The last note says that this attempt seals the
// task.
func (r *recorder) sealing() []results.Attempt {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measure()
	r.note.End = results.Sealed
	all, err := results.ReadAttempts(r.dir, r.task)
	if err != nil {
		all = nil
	}
	all = slices.DeleteFunc(all, func(a results.Attempt) bool {
		return a.Name == r.note.Name && a.Begin.Equal(r.note.Begin)
	})
	return append(all, r.note)
}

// end records why the attempt ended without sealing the task.
func (r *recorder) end(ctx context.Context, err error) {
	if r == nil {
		return
	}
	r.stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil { // no error means that the task is sealed
		r.note.End, r.note.Error = endOf(ctx, err), err.Error()
		r.keep()
	}
}

// endOf returns the cause to record for a session's error.
func endOf(ctx context.Context, err error) results.Cause {
	switch {
	case errors.Is(err, ErrOutOfTime), errors.Is(err, ErrStopped) && Signalled(ctx, syscall.SIGUSR1):
		return results.TimeLimit
	case errors.Is(err, ErrStopped):
		return results.Cancelled
	case errors.Is(err, errScratch):
		return results.NotStarted
	case errors.Is(err, errMemory):
		return results.OutOfMemory
	case run.Unreadable(err) || errors.As(err, new(syscall.Errno)):
		return results.FileSystem
	default:
		return results.BadData
	}
}

// processUsage returns the CPU time of this process and of the programs that it ran. peak is the largest resident
// memory of this process alone, in bytes.
func processUsage() (cpuSeconds float64, peak int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	peak = int64(u.Maxrss)
	if runtime.GOOS == "linux" { // Linux counts in KiB, and includes memory from before exec
		peak *= 1024
		if own, ok := statusField("VmHWM"); ok {
			peak = own
		}
	}
	var children syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	return results.CPUSeconds() + time.Duration(children.Utime.Nano()+children.Stime.Nano()).Seconds(), peak
}

// statusField reads a size from /proc/self/status and returns it in bytes.
func statusField(name string) (int64, bool) {
	text, err := safefile.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, found := strings.Cut(string(text), "\n"+name+":")
	value, _, _ := strings.Cut(rest, " kB")
	kib, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	return kib * 1024, found && err == nil
}

// jobPeak returns the peak memory, in bytes, of the control group of this process's Slurm job. Cached files count
// too. Outside a Slurm job it returns 0.
func jobPeak() int64 {
	text, err := safefile.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		group, ok := jobGroup(strings.TrimSpace(line))
		if !ok {
			continue
		}
		for _, name := range []string{"memory.peak", "memory.max_usage_in_bytes"} { // cgroup versions 2 and 1
			value, err := safefile.ReadFile(filepath.Join(group, name))
			if err != nil {
				continue
			}
			if n, err := strconv.ParseInt(strings.TrimSpace(string(value)), 10, 64); err == nil {
				return n
			}
		}
	}
	return 0
}

// jobGroup returns the folder of a job's control group, from a line of /proc/self/cgroup such as
// 0::/system.slice/slurmstepd.scope/job_12/step_batch/user/task_0 or 5:memory:/slurm/uid_0/job_12/step_batch.
func jobGroup(line string) (dir string, ok bool) {
	f := strings.SplitN(line, ":", 3)
	if len(f) < 3 || f[1] != "" && !slices.Contains(strings.Split(f[1], ","), "memory") {
		return "", false
	}
	before, after, ok := strings.Cut(f[2], "/job_")
	id, _, _ := strings.Cut(after, "/")
	return path.Join("/sys/fs/cgroup", f[1], before, "job_"+id), ok && !strings.Contains(before, "..")
}

// ErrStopped means that a run was interrupted. Finished cells are on the disk.
var ErrStopped = errors.New("stopped early; the same command continues from here")

// ErrOutOfTime means that a run stopped because of its deadline. It wraps ErrStopped.
var ErrOutOfTime = fmt.Errorf("the time limit is near: %w", ErrStopped)

// A SignalError is the cause (see context.Cause) of a context that a signal has cancelled.
type SignalError struct{ Signal os.Signal }

func (e *SignalError) Error() string { return e.Signal.String() }

// Signalled reports whether the signal sig cancelled ctx.
func Signalled(ctx context.Context, sig os.Signal) bool {
	var cause *SignalError
	return errors.As(context.Cause(ctx), &cause) && cause.Signal == sig
}
