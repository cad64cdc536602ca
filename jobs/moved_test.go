package jobs

import (
	"context"
	"os"
	"testing"
)

// A run that is moved away while it runs must not be begun anew at its old place; it goes on
// at the new one.
func TestRunMovedAway(t *testing.T) {
	undisturbed := tinyRun(t)
	finish(t, undisturbed, 1)
	for _, replaced := range []bool{false, true} {
		run := tinyRun(t)
		moved := run.Dir + "-moved"
		done := 0
		r := &Runner{Run: run, Workers: 1, Notify: func(e Event) {
			if e.Kind != CellDone {
				return
			}
			if done++; done == 2 {
				must(t, os.Rename(run.Dir, moved))
				if replaced {
					must(t, os.Mkdir(run.Dir, 0o777))
				}
			}
		}}
		_, err := r.RunTasks(context.Background(), run.Tasks)
		wantError(t, err, run.Dir, "moved away")
		if left := filesBelow(t, run.Dir); len(left) > 0 {
			t.Errorf("at the old place: %q", left)
		}
		again, err := Open(moved)
		must(t, err)
		status, err := again.Status()
		must(t, err)
		if status.Total.Done == 0 {
			t.Error("what was done is lost")
		}
		finish(t, again, 1)
		if resultsCSV(t, again) != resultsCSV(t, undisturbed) {
			t.Error("the results differ from those of an undisturbed run")
		}
	}
}
