package executor_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

func TestStopAndResume(t *testing.T) {
	t.Parallel()
	undisturbed := runtest.Finished(t)
	want := runtest.CSV(t, undisturbed)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		run := runtest.Copy(t, undisturbed)
		workers, total, starts := 1+rng.IntN(3), 0, 0
		for {
			done, stopped := runtest.StopAfter(t, run, 1+rng.IntN(6), workers)
			total += done
			if starts++; starts > 10*len(run.Plan.Cells) {
				t.Fatal("the run does not come to an end")
			}
			if !stopped {
				break
			}
		}
		// After a stop no more cells begin, and finished cells are not lost.
		if total != len(run.Plan.Cells) {
			t.Errorf("%d workers, %d starts: %d cells were run, the plan has %d", workers, starts, total, len(run.Plan.Cells))
		}
		runtest.WantSealed(t, run)
		if got := runtest.CSV(t, run); got != want {
			t.Fatalf("%d workers, %d starts: the results differ from those of an undisturbed run", workers, starts)
		}
		for i, task := range run.Tasks {
			runtest.SameModels(t, runtest.Models(t, run, task), runtest.Models(t, undisturbed, undisturbed.Tasks[i]))
		}
	}
}

func parts(t *testing.T, r *run.Run) (paths []string) {
	t.Helper()
	for _, path := range filesBelow(t, r.Dir) {
		if filepath.Ext(path) == ".part" {
			paths = append(paths, path)
		}
	}
	return paths
}

// A killed attempt leaves a part that is cut anywhere. A full disk leaves a part that ends in garbage.
func TestTornParts(t *testing.T) {
	t.Parallel()
	undisturbed := runtest.Finished(t)
	want := runtest.CSV(t, undisturbed)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		run := runtest.Copy(t, undisturbed)
		for range 4 {
			if _, stopped := runtest.StopAfter(t, run, 1+rng.IntN(8), 2); !stopped {
				break
			}
			for _, path := range parts(t, run) {
				data := must1(os.ReadFile(path))
				head := len(data) // length of the header; a file with a damaged header is neither read nor removed
				if head >= 8 {
					head = min(head, 8+int(binary.LittleEndian.Uint32(data[4:])))
				}
				switch kind := rng.IntN(4); {
				case kind == 0:
					data = data[:rng.IntN(len(data)+1)]
				case kind == 1 && len(data) > head:
					data = append(data, make([]byte, rng.IntN(3000))...)
				case kind == 2 && len(data) > head:
					data[head+rng.IntN(len(data)-head)] ^= 0x10
				}
				must(t, os.WriteFile(path, data, 0o666))
			}
		}
		runtest.Finish(t, run, 2)
		runtest.WantSealed(t, run)
		if got := runtest.CSV(t, run); got != want {
			t.Fatal("the results differ from those of an undisturbed run")
		}
	}
}

// Rows are not taken over if their cell did not reach its last checkpoint, or if the task does not have the cell.
func TestUnfinishedAndForeignCellsAreNotTakenOver(t *testing.T) {
	run := runtest.New(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment, time.Hour)
	whole := runtest.Copy(t, run)
	runtest.Finish(t, whole, 1)
	rows := must1(whole.Results())
	foreign := rows[4]
	foreign.Cell = "0123"
	runtest.Part(t, run, run.Tasks[0], "killed", rows[0], rows[1], rows[2], foreign) // one cell and half of another

	taken, done := 0, 0
	runner := executor.Runner{Run: run, Workers: 2, Notify: func(e executor.Event) {
		switch e.Kind {
		case executor.TaskTakenOver:
			taken += e.Cells
		case executor.CellDone:
			done++
		}
	}}
	must1(runner.RunTasks(context.Background(), run.Tasks))
	if taken != 1 || done != len(run.Plan.Cells)-1 {
		t.Errorf("%d cells taken over and %d run, want 1 and the other %d", taken, done, len(run.Plan.Cells)-1)
	}
	runtest.SameResults(t, run, whole)
}

// If two attempts disagree, they used different programs or data, and their parts are refused.
func TestPartsThatDisagreeAreRefused(t *testing.T) {
	run := runtest.New(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment, time.Hour)
	whole := runtest.Copy(t, run)
	runtest.Finish(t, whole, 1)
	rows := must1(whole.Results())
	for _, attempt := range []string{"a", "b"} {
		runtest.Part(t, run, run.Tasks[0], attempt, rows[0], rows[1])
		rows[0].W.TestAccuracy += 0.125
	}
	_, err := (&executor.Runner{Run: run}).RunTasks(context.Background(), run.Tasks)
	wantError(t, err, "test_accuracy", rows[0].Cell)
	if errors.Is(err, executor.ErrStopped) {
		t.Error("the error is that of a stop")
	}
}

// An attempt killed after writing its shard leaves parts, which the next attempt removes.
func TestPartsBesideAShardAreRemoved(t *testing.T) {
	run := runtest.Finished(t)
	runtest.Part(t, run, run.Tasks[0], "killed")
	runtest.Finish(t, run, 2)
	runtest.WantSealed(t, run)
}

// If a run's folder is moved away while it runs, no new run begins at the old place. The run continues at the new
// place.
func TestRunMovedAway(t *testing.T) {
	undisturbed := runtest.Finished(t)
	for _, replaced := range []bool{false, true} {
		whole := runtest.Tiny(t)
		moved := whole.Dir + "-moved"
		done := 0
		r := &executor.Runner{Run: whole, Workers: 1, Notify: func(e executor.Event) {
			if e.Kind != executor.CellDone {
				return
			}
			if done++; done == 2 {
				must(t, os.Rename(whole.Dir, moved))
				if replaced {
					must(t, os.Mkdir(whole.Dir, 0o777))
				}
			}
		}}
		_, err := r.RunTasks(context.Background(), whole.Tasks)
		wantError(t, err, whole.Dir, "moved or replaced")
		if left := filesBelow(t, whole.Dir); len(left) > 0 {
			t.Errorf("at the old place: %q", left)
		}
		again := must1(run.Open(moved))
		status := must1(again.Status(false))
		if status.Total.Done == 0 {
			t.Error("what was done is lost")
		}
		runtest.Finish(t, again, 1)
		runtest.SameResults(t, again, undisturbed)
	}
}

// attemptsOf returns the notes of attempts at a task that is not sealed.
func attemptsOf(t *testing.T, r *run.Run, task *plan.Task) []results.Attempt {
	t.Helper()
	return must1(results.ReadAttempts(r.Folder(task), task.Number))
}

// Every attempt at a task records its end and its cost, and the shard has all records.
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

// If a part cannot be created, there is one clear error, and the finished cells of other tasks are on the disk.
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

// Other users of a shared scratch folder cannot get another file's content into the run.
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
	must(t, os.Remove(planted)) // fails if it holds something
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
