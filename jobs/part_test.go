package jobs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
)

// Where a part cannot be created, that is one clear error, and what other tasks have
// finished is on the disk.
func TestPartThatCannotBeCreated(t *testing.T) {
	for name, spoil := range map[string]func(run *Run, r *Runner) (says string){
		"scratch in a place that is none": func(_ *Run, r *Runner) string {
			r.Scratch = "/dev/null/nope"
			return "scratch folder /dev/null/nope: "
		},
		"a file where the folder should be": func(run *Run, _ *Runner) string {
			must(t, os.WriteFile(filepath.Join(run.Dir, resultsDir), nil, 0o666))
			return filepath.Join(run.Dir, resultsDir)
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := tinyRun(t)
			r := &Runner{Run: run, Workers: 2}
			says := spoil(run, r)
			_, err := r.RunTasks(context.Background(), run.Tasks)
			wantError(t, err, says)
			if len(parts(t, run)) > 0 {
				t.Errorf("left: %q", parts(t, run))
			}
		})
	}
}

// One task's part cannot be created while others are open: their rows reach the disk.
func TestOpenTasksAreFlushed(t *testing.T) {
	run := newRun(t, dataFolder(t, jobstest.Spec{Trials: 2}), jobstest.Experiment, time.Hour)
	s := &session{Runner: &Runner{Run: run}, layout: Layout(), attempt: "a", cancel: func() {}, open: map[*taskRun]bool{}}
	whole := copyOf(t, run)
	finish(t, whole, 2)
	for i, task := range run.Tasks {
		open := &taskRun{session: s, task: task, left: len(task.Cells)}
		s.open[open] = true
		rows, err := whole.readShard(whole.Tasks[i], Layout())
		must(t, err)
		if i == 1 {
			s.Scratch = "/dev/null/nope"
		}
		if _, err := open.add(rows[:2]); (err != nil) != (i == 1) {
			t.Errorf("task %d: error %v", i, err)
		}
	}
	must(t, s.closeAll())
	found, err := results.ReadParts(run.Folder(run.Tasks[0]), run.Tasks[0].Number, Layout())
	must(t, err)
	if len(found.Rows) != 2 {
		t.Errorf("%d rows of the task that was open are on the disk, want 2", len(found.Rows))
	}
}

// Whoever may write to a shared scratch folder must not get another file's content into the
// run.
func TestScratchOfManyUsers(t *testing.T) {
	run := tinyRun(t)
	scratch, secret := t.TempDir(), jobstest.WriteFile(t, t.TempDir(), "secret", "the secret")
	planted := filepath.Join(scratch, "graphda-"+run.Plan.Hash[:16])
	must(t, os.Mkdir(planted, 0o777))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &Runner{Run: run, Workers: 1, Scratch: scratch, Notify: func(e Event) {
		if e.Kind != CellDone {
			return
		}
		for _, path := range filesBelow(t, scratch) {
			must(t, os.Remove(path))
			must(t, os.Symlink(secret, path))
		}
		cancel()
	}}
	if _, err := r.RunTasks(ctx, run.Tasks); !errors.Is(err, ErrStopped) {
		t.Errorf("error %v", err)
	}
	for _, path := range parts(t, run) {
		data, err := os.ReadFile(path)
		must(t, err)
		if bytes.Contains(data, []byte("the secret")) {
			t.Errorf("%s has the content of another file", path)
		}
	}
	must(t, os.Remove(planted)) // else it holds something
	status, err := run.Status()
	must(t, err)
	if status.Total.Done == 0 {
		t.Error("what was done on scratch did not come back")
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
	_, err = write.WriteString("row")
	must(t, err)
	got := make([]byte, 3)
	if _, err := read.ReadAt(got, 0); err != nil || string(got) != "row" {
		t.Errorf("read %q, %v", got, err)
	}
	must(t, errors.Join(write.Close(), read.Close()))
}
