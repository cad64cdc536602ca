package executor_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
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
		// A stop lets no more cells be begun, and loses none that was done.
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

// parts returns the parts in a run's directory.
func parts(t *testing.T, r *run.Run) (paths []string) {
	t.Helper()
	for _, path := range filesBelow(t, r.Dir) {
		if filepath.Ext(path) == ".part" {
			paths = append(paths, path)
		}
	}
	return paths
}

// A killed attempt leaves a part that ends anywhere, and a full disk one that ends in
// garbage.
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
				head := len(data) // a file that does not begin as parts do is not taken for one, nor removed
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

// The rows of a cell that did not reach its last checkpoint are not taken over, nor are
// rows of cells that the task does not have.
func TestUnfinishedAndForeignCellsAreNotTakenOver(t *testing.T) {
	run := runtest.New(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment, time.Hour)
	whole := runtest.Copy(t, run)
	runtest.Finish(t, whole, 1)
	rows := must1(whole.Results())
	foreign := rows[4]
	foreign.Cell = "0123"
	runtest.Part(t, run, run.Tasks[0], "killed", rows[0], rows[1], rows[2], foreign) // one cell and half a cell

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

// Attempts that disagree have mixed two programs or two data sets.
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

// An attempt that was killed between its shard and the removal of its parts leaves them.
func TestPartsBesideAShardAreRemoved(t *testing.T) {
	run := runtest.Finished(t)
	runtest.Part(t, run, run.Tasks[0], "killed")
	runtest.Finish(t, run, 2)
	runtest.WantSealed(t, run)
}

// A run that is moved away while it runs must not be begun anew at its old place; it goes on
// at the new one.
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
		wantError(t, err, whole.Dir, "moved away")
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
