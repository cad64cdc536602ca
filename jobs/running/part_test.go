package running_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/jobs/running"
	"graphda/jobs/runtest"
)

// Where a part cannot be created, that is one clear error, and what other tasks have
// finished is on the disk.
func TestPartThatCannotBeCreated(t *testing.T) {
	for name, spoil := range map[string]func(whole *run.Run, r *running.Runner) (says string){
		"scratch in a place that is none": func(_ *run.Run, r *running.Runner) string {
			r.Scratch = "/dev/null/nope"
			return "scratch folder /dev/null/nope: "
		},
		"a file where the folder should be": func(whole *run.Run, _ *running.Runner) string {
			must(t, os.WriteFile(filepath.Join(whole.Dir, resultsFolder), nil, 0o666))
			return filepath.Join(whole.Dir, resultsFolder)
		},
	} {
		t.Run(name, func(t *testing.T) {
			whole := runtest.Tiny(t)
			r := &running.Runner{Run: whole, Workers: 2}
			says := spoil(whole, r)
			_, err := r.RunTasks(context.Background(), whole.Tasks)
			wantError(t, err, says)
			if len(parts(t, whole)) > 0 || errors.Is(err, running.ErrStopped) {
				t.Errorf("left: %q, a stop: %v", parts(t, whole), errors.Is(err, running.ErrStopped))
			}
		})
	}
}

// Whoever may write to a shared scratch folder must not get another file's content into the
// run.
func TestScratchOfManyUsers(t *testing.T) {
	run := runtest.Tiny(t)
	scratch, secret := t.TempDir(), jobstest.WriteFile(t, t.TempDir(), "secret", "the secret")
	planted := filepath.Join(scratch, "graphda-"+run.Plan.Hash[:16])
	must(t, os.Mkdir(planted, 0o777))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &running.Runner{Run: run, Workers: 1, Scratch: scratch, Notify: func(e running.Event) {
		if e.Kind != running.CellDone {
			return
		}
		for _, path := range filesBelow(t, scratch) {
			must(t, os.Remove(path))
			must(t, os.Symlink(secret, path))
		}
		cancel()
	}}
	if _, err := r.RunTasks(ctx, run.Tasks); !errors.Is(err, running.ErrStopped) {
		t.Errorf("error %v", err)
	}
	for _, path := range parts(t, run) {
		data := must1(os.ReadFile(path))
		if bytes.Contains(data, []byte("the secret")) {
			t.Errorf("%s has the content of another file", path)
		}
	}
	must(t, os.Remove(planted)) // else it holds something
	status := must1(run.Status())
	if status.Total.Done == 0 {
		t.Error("what was done on scratch did not come back")
	}
}
