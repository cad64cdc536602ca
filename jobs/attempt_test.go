package jobs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
)

// attemptsOf are the notes of a task's attempts while it is not sealed.
func attemptsOf(t *testing.T, run *Run, task *Task) []results.Attempt {
	t.Helper()
	all, err := results.ReadAttempts(run.Folder(task), task.Number)
	must(t, err)
	return all
}

// Every attempt at a task leaves how it ended and what it took, and the shard has them all.
func TestAttemptsOfATask(t *testing.T) {
	run := tinyRun(t)
	task := run.Tasks[:1]
	for i, c := range []struct {
		sig  os.Signal
		want results.Cause
	}{{syscall.SIGUSR1, results.TimeLimit}, {syscall.SIGTERM, results.Cancelled}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r := &Runner{Run: run, Workers: 1, Attempt: "slurm-7_0-" + string(rune('0'+i)), Node: "n1", Notify: func(e Event) {
			if e.Kind == CellDone {
				cancel(&SignalError{Signal: c.sig})
			}
		}}
		if _, err := r.RunTasks(ctx, task); !errors.Is(err, ErrStopped) {
			t.Fatalf("%v, want ErrStopped", err)
		}
		all := attemptsOf(t, run, task[0])
		if len(all) != i+1 {
			t.Fatalf("%d notes after %d attempts", len(all), i+1)
		}
		a := all[i]
		if a.End != c.want || a.Name != r.Attempt || a.Node != "n1" || a.Workers != 1 || a.Cells != 1 || a.OnePass != 0 || a.Error == "" {
			t.Errorf("%+v, want the end %q", a, c.want)
		}
		if a.Begin.IsZero() || a.Seconds <= 0 || a.CPUSeconds <= 0 || a.Peak < 1<<20 || a.Peak > 1<<40 {
			t.Errorf("%+v: measured nothing", a)
		}
	}
	_, err := (&Runner{Run: run, Workers: 2, Attempt: "third"}).RunTasks(t.Context(), task)
	must(t, err)
	if all := attemptsOf(t, run, task[0]); len(all) > 0 {
		t.Errorf("%d notes are left beside the shard", len(all))
	}
	info, err := results.ReadShardInfo(run.shardPath(task[0]))
	must(t, err)
	if n := len(info.Attempts); n != 3 || info.Attempts[2].End != results.Sealed || info.Attempts[2].Cells != len(task[0].Cells)-2 || info.Attempts[2].Workers != 2 {
		t.Errorf("the shard's attempts: %+v", info.Attempts)
	}
	finish(t, run, 1) // several tasks in one process
	if info, err = results.ReadShardInfo(run.shardPath(run.Tasks[1])); err != nil || len(info.Attempts) > 0 && len(run.Tasks) > 2 {
		t.Errorf("%+v, %v: an attempt at several tasks measures none of them", info, err)
	}
}

// An attempt that ends within its first pass tells how long the pass was going to take.
func TestPaceOfTheFirstPass(t *testing.T) {
	r := &recorder{dir: t.TempDir(), of: 40, note: results.Attempt{Name: "a"}}
	w, second := new(worker), new(worker)
	r.watch(w)
	r.watch(second)
	if second.progress != nil {
		t.Error("a second worker tells of its pass too")
	}
	r.pass = r.pass.Add(-10 * time.Second)
	for done, want := range map[int]float64{1: 400, 20: 20} {
		w.progress(done)
		r.measure()
		if got := r.note.OnePass; got < want || got > 10*want {
			t.Errorf("%d of 40 samples in 10 s: %g s of one pass, want %g", done, got, want)
		}
	}
	r.finished(1)
	r.measure()
	r.watch(w)
	if r.note.OnePass != 0 || w.progress != nil {
		t.Errorf("%+v after a cell is finished", r.note)
	}
}

// A session's error tells what to do about it.
func TestEndOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want results.Cause
	}{
		{ErrOutOfTime, results.TimeLimit}, {ErrStopped, results.Cancelled}, {ErrPlan, results.BadData},
		{&os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, results.FileSystem}, {syscall.EIO, results.FileSystem},
		{errors.New("row 3: NaN"), results.BadData},
	} {
		if got := endOf(t.Context(), c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestJobGroup(t *testing.T) {
	for line, want := range map[string]string{
		"0::/system.slice/slurmstepd.scope/job_12/step_batch/user/task_0": "/sys/fs/cgroup/system.slice/slurmstepd.scope/job_12",
		"5:cpu,memory:/slurm/uid_0/job_12":                                "/sys/fs/cgroup/cpu,memory/slurm/uid_0/job_12",
		"4:memory:/slurm/uid_0/job_7/step_batch":                          "/sys/fs/cgroup/memory/slurm/uid_0/job_7",
		"5:cpuset:/slurm/uid_0/job_12/step_batch":                         "",
		"0::/user.slice": "",
		"":               "",
	} {
		if dir, ok := jobGroup(line); ok != (want != "") || ok && dir != want {
			t.Errorf("%q: %q, %v, want %q", line, dir, ok, want)
		}
	}
}

// The largest memory is this program's own, and not that of what started it.
func TestProcessUsage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	own, ok := statusField("VmHWM")
	cpu, peak := processUsage()
	if !ok || own <= 0 || peak < own || peak > 2*own+64<<20 || cpu <= 0 {
		t.Errorf("%d bytes by /proc, %d and %g s", own, peak, cpu)
	}
	if _, err := os.Stat(filepath.Join("/proc/self", "cgroup")); err == nil && jobPeak() < 0 {
		t.Error("a negative peak")
	}
}
