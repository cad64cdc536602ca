package jobs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/jobs/jobstest"
)

// A run that takes the finished cells of another computes the others alone, and has the rows of
// one that has computed all.
func TestReuse(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	source := newRun(t, data, jobstest.Experiment, 3*time.Second)
	if done, stopped := stopAfter(t, source, 9, 1); !stopped || done < 9 {
		t.Fatalf("%d cells done", done)
	}
	have := len(status(t, source).IDs(StateDone))
	// Other selection rules need other models, which are learned.
	text := jobstest.Replace(t, larger(t), "selection: [validation, oracle-f1]", "selection: [oracle-f1]")
	run := newRun(t, data, text, 3*time.Second)
	cells, err := run.Reuse(source)
	must(t, err)
	if cells != have || status(t, run).Total.Done != have {
		t.Errorf("%d cells taken, status %+v, want %d", cells, status(t, run).Total, have)
	}
	if cells, err := run.Reuse(source); err != nil || cells != 0 {
		t.Errorf("%d cells taken again, %v", cells, err)
	}
	notes, err := filepath.Glob(filepath.Join(run.Dir, "reused-*.json"))
	must(t, err)
	note, err := os.ReadFile(notes[0])
	must(t, err)
	if len(notes) != 1 || !strings.Contains(string(note), source.Plan.Hash) {
		t.Errorf("notes %q, %s", notes, note)
	}
	if outcome := finish(t, run, 2); outcome.Computed != len(run.Plan.Cells)-have {
		t.Errorf("%d cells computed, want %d", outcome.Computed, len(run.Plan.Cells)-have)
	}
	whole := newRun(t, data, text, 3*time.Second)
	finish(t, whole, 2)
	if resultsCSV(t, run) != resultsCSV(t, whole) {
		t.Error("the results differ from those of a run that has computed all")
	}
	for i, task := range whole.Tasks {
		sameModels(t, modelsOf(t, run, run.Tasks[i]), modelsOf(t, whole, task))
	}
}

// Cells that failed, or lack a checkpoint, are computed, and a damaged shard is refused.
func TestWhatIsNotReused(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Targets: true})
	source := newRun(t, data, jobstest.Diverging, time.Hour)
	finish(t, source, 1)
	failed := status(t, source).Total.Failed
	run := newRun(t, data, jobstest.Diverging, time.Hour)
	if cells, err := run.Reuse(source); err != nil || failed == 0 || cells != len(run.Plan.Cells)-failed {
		t.Errorf("%d cells taken, %v, want all but %d", cells, err, failed)
	}
	later := newRun(t, data, jobstest.Replace(t, jobstest.Diverging, "[2, 20, 40]", "[2, 20, 30]"), time.Hour)
	if cells, err := later.Reuse(source); err != nil || cells != 0 {
		t.Errorf("%d cells taken without a checkpoint, %v", cells, err)
	}
	must(t, os.Truncate(source.shardPath(source.Tasks[0]), 1000))
	_, err := newRun(t, data, jobstest.Diverging, time.Hour).Reuse(source)
	wantError(t, err, source.shardPath(source.Tasks[0]))
}
