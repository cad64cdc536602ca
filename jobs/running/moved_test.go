package running_test

import (
	"context"
	"os"
	"testing"

	"graphda/jobs/run"
	"graphda/jobs/running"
	"graphda/jobs/runtest"
)

// A run that is moved away while it runs must not be begun anew at its old place; it goes on
// at the new one.
func TestRunMovedAway(t *testing.T) {
	undisturbed := runtest.Finished(t)
	for _, replaced := range []bool{false, true} {
		whole := runtest.Tiny(t)
		moved := whole.Dir + "-moved"
		done := 0
		r := &running.Runner{Run: whole, Workers: 1, Notify: func(e running.Event) {
			if e.Kind != running.CellDone {
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
		status := must1(again.Status())
		if status.Total.Done == 0 {
			t.Error("what was done is lost")
		}
		runtest.Finish(t, again, 1)
		runtest.SameResults(t, again, undisturbed)
	}
}
