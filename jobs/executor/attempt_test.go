package executor_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// attemptsOf are the notes of a task's attempts while it is not sealed.
func attemptsOf(t *testing.T, r *run.Run, task *plan.Task) []results.Attempt {
	t.Helper()
	return must1(results.ReadAttempts(r.Folder(task), task.Number))
}

// Every attempt at a task leaves how it ended and what it took, and the shard has them all.
func TestAttemptsOfATask(t *testing.T) {
	run := runtest.Tiny(t)
	task := run.Tasks[:1]
	for i, c := range []struct {
		sig  os.Signal
		want results.Cause
	}{{syscall.SIGUSR1, results.TimeLimit}, {syscall.SIGTERM, results.Cancelled}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r := &executor.Runner{Run: run, Workers: 1, Attempt: "slurm-7_0-" + string(rune('0'+i)), Node: "n1", Notify: func(e executor.Event) {
			if e.Kind == executor.CellDone {
				cancel(&executor.SignalError{Signal: c.sig})
			}
		}}
		if _, err := r.RunTasks(ctx, task); !errors.Is(err, executor.ErrStopped) {
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
	_, err := (&executor.Runner{Run: run, Workers: 2, Attempt: "third"}).RunTasks(t.Context(), task)
	must(t, err)
	if all := attemptsOf(t, run, task[0]); len(all) > 0 {
		t.Errorf("%d notes are left beside the shard", len(all))
	}
	info := must1(results.ReadShardInfo(run.ShardPath(task[0])))
	if n := len(info.Attempts); n != 3 || info.Attempts[2].End != results.Sealed || info.Attempts[2].Cells != len(task[0].Cells)-2 || info.Attempts[2].Workers != 2 {
		t.Errorf("the shard's attempts: %+v", info.Attempts)
	}
	runtest.Finish(t, run, 1) // several tasks in one process
	if info, err = results.ReadShardInfo(run.ShardPath(run.Tasks[1])); err != nil || len(info.Attempts) > 0 && len(run.Tasks) > 2 {
		t.Errorf("%+v, %v: an attempt at several tasks measures none of them", info, err)
	}
}

// Where a part cannot be created, that is one clear error, and what other tasks have
// finished is on the disk.
func TestPartThatCannotBeCreated(t *testing.T) {
	for name, spoil := range map[string]func(whole *run.Run, r *executor.Runner) (says string){
		"scratch in a place that is none": func(_ *run.Run, r *executor.Runner) string {
			r.Scratch = "/dev/null/nope"
			return "scratch folder /dev/null/nope: "
		},
		"a file where the folder should be": func(whole *run.Run, _ *executor.Runner) string {
			must(t, os.WriteFile(filepath.Join(whole.Dir, resultsFolder), nil, 0o666))
			return filepath.Join(whole.Dir, resultsFolder)
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := runtest.Tiny(t)
			r := &executor.Runner{Run: whole, Workers: 2}
			says := spoil(whole, r)
			_, err := r.RunTasks(context.Background(), whole.Tasks)
			wantError(t, err, says)
			if len(parts(t, whole)) > 0 || errors.Is(err, executor.ErrStopped) {
				t.Errorf("left: %q, a stop: %v", parts(t, whole), errors.Is(err, executor.ErrStopped))
			}
		})
	}
}

// Whoever may write to a shared scratch folder must not get another file's content into the
// run.
func TestScratchOfManyUsers(t *testing.T) {
	undisturbed := runtest.Finished(t)
	run := runtest.Tiny(t)
	scratch, secret := t.TempDir(), jobstest.WriteFile(t, t.TempDir(), "secret", "the secret")
	planted := filepath.Join(scratch, "graphda-"+run.Plan.Hash[:16])
	must(t, os.Mkdir(planted, 0o777))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &executor.Runner{Run: run, Workers: 1, Scratch: scratch, Notify: func(e executor.Event) {
		if e.Kind != executor.CellDone {
			return
		}
		for _, path := range filesBelow(t, scratch) {
			must(t, os.Remove(path))
			must(t, os.Symlink(secret, path))
		}
		cancel()
	}}
	if _, err := r.RunTasks(ctx, run.Tasks); !errors.Is(err, executor.ErrStopped) {
		t.Errorf("error %v", err)
	}
	for _, path := range parts(t, run) {
		data := must1(os.ReadFile(path))
		if bytes.Contains(data, []byte("the secret")) {
			t.Errorf("%s has the content of another file", path)
		}
	}
	must(t, os.Remove(planted)) // else it holds something
	status := must1(run.Status(false))
	if status.Total.Done == 0 {
		t.Error("what was done on scratch did not come back")
	}
	must1((&executor.Runner{Run: run, Workers: 2, Scratch: scratch}).RunTasks(t.Context(), run.Tasks))
	if left := filesBelow(t, scratch); len(left) > 0 {
		t.Errorf("left on scratch: %q", left)
	}
	runtest.WantSealed(t, run)
	runtest.SameResults(t, run, undisturbed)
}
