package executor

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
)

var (
	must       = jobstest.Must
	filesBelow = jobstest.FilesBelow
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }

// An attempt that ends within its first pass records the expected time of the whole pass.
func TestPaceOfTheFirstPass(t *testing.T) {
	r := &recorder{dir: t.TempDir(), of: 40, note: results.Attempt{Name: "a"}}
	progress := r.watch()
	if r.watch() != nil {
		t.Error("a second worker tells of its pass too")
	}
	r.pass = r.pass.Add(-10 * time.Second)
	for done, want := range map[int]float64{1: 400, 20: 20} {
		progress(done)
		r.measure()
		if got := r.note.OnePass; got < want || got > 10*want {
			t.Errorf("%d of 40 samples in 10 s: %g s of one pass, want %g", done, got, want)
		}
	}
	r.finished(1)
	r.measure()
	if r.note.OnePass != 0 || r.watch() != nil {
		t.Errorf("%+v after a cell is finished", r.note)
	}
}

// The cause of a session's error says what to do about it.
func TestEndOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want results.Cause
	}{
		{ErrOutOfTime, results.TimeLimit}, {ErrStopped, results.Cancelled}, {plan.ErrPlan, results.BadData},
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

// The peak memory is this program's own, not its parent's.
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

func TestPrivateFile(t *testing.T) {
	empty := t.TempDir()
	write, read, err := privateFile(empty)
	must(t, err)
	if left := filesBelow(t, empty); len(left) > 0 {
		t.Errorf("others can reach %q", left)
	}
	if info, err := write.Stat(); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v, want one that only this user may open", info.Mode(), err)
	}
	must1(write.WriteString("row"))
	got := make([]byte, 3)
	if _, err := read.ReadAt(got, 0); err != nil || string(got) != "row" {
		t.Errorf("read %q, %v", got, err)
	}
	must(t, errors.Join(write.Close(), read.Close()))
}

// When one task's part cannot be created, the rows of other open tasks still reach the disk.
func TestOpenTasksAreFlushed(t *testing.T) {
	data := jobstest.Folder(t, jobstest.Spec{Trials: 2})
	e := must1(experiment.Parse("tiny.yaml", []byte(jobstest.Experiment), experiment.ScaleFull))
	p := must1(plan.NewPlan(e, plan.PlanOptions{Data: data}))
	create := func() *run.Run {
		r, _, err := run.Create(t.TempDir(), p, time.Hour, func() plan.Rates { return plan.Rates{Entry: 1e-9} })
		must(t, err)
		return r
	}
	r, whole := create(), create()
	s := &session{Runner: &Runner{Run: r}, attempt: "a", cancel: func() {}, open: map[*part]bool{}}
	must1((&Runner{Run: whole, Workers: 1}).RunTasks(t.Context(), whole.Tasks))
	for i, task := range r.Tasks {
		open := &taskRun{session: s, task: task, left: len(task.Cells)}
		rows := must1(whole.ReadShard(whole.Tasks[i]))
		if i == 1 {
			s.Scratch = "/dev/null/nope"
		}
		if _, err := open.add(rows[:2]); (err != nil) != (i == 1) {
			t.Errorf("task %d: error %v", i, err)
		}
	}
	must(t, s.closeAll())
	found := must1(results.ReadParts(r.Folder(r.Tasks[0]), r.Tasks[0].Number, plan.Layout()))
	if len(found.Rows) != 2 {
		t.Errorf("%d rows of the task that was open are on the disk, want 2", len(found.Rows))
	}
}
