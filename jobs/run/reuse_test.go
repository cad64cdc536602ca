package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// A run that takes the finished cells of another computes the others alone, and has the rows of
// one that has computed all.
func TestReuse(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Trials: 2})
	source := runtest.New(t, data, jobstest.Experiment, 3*time.Second)
	if done, stopped := runtest.StopAfter(t, source, 9, 1); !stopped || done < 9 {
		t.Fatalf("%d cells done", done)
	}
	have := len(runtest.Status(t, source).IDs(run.StateDone))
	// Other selection rules need other models, which are learned.
	text := jobstest.Replace(t, larger(t), "selection: [validation, oracle-f1]", "selection: [oracle-f1]")
	r := runtest.New(t, data, text, 3*time.Second)
	cells := must1(r.Reuse(source))
	if cells != have || runtest.Status(t, r).Total.Done != have {
		t.Errorf("%d cells taken, status %+v, want %d", cells, runtest.Status(t, r).Total, have)
	}
	if cells, err := r.Reuse(source); err != nil || cells != 0 {
		t.Errorf("%d cells taken again, %v", cells, err)
	}
	notes := must1(filepath.Glob(filepath.Join(r.Dir, "reused-*.json")))
	note := must1(os.ReadFile(notes[0]))
	if len(notes) != 1 || !strings.Contains(string(note), source.Plan.Hash) {
		t.Errorf("notes %q, %s", notes, note)
	}
	if outcome := runtest.Finish(t, r, 2); outcome.Computed != len(r.Plan.Cells)-have {
		t.Errorf("%d cells computed, want %d", outcome.Computed, len(r.Plan.Cells)-have)
	}
	whole := runtest.New(t, data, text, 3*time.Second)
	runtest.Finish(t, whole, 2)
	runtest.SameResults(t, r, whole)
	for i, task := range whole.Tasks {
		runtest.SameModels(t, runtest.Models(t, r, r.Tasks[i]), runtest.Models(t, whole, task))
	}
}

// Cells that failed, or lack a checkpoint, are computed, and a damaged shard is refused.
func TestWhatIsNotReused(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{Targets: true})
	source := runtest.New(t, data, jobstest.Diverging, time.Hour)
	runtest.Finish(t, source, 1)
	failed := runtest.Status(t, source).Total.Failed
	run := runtest.New(t, data, jobstest.Diverging, time.Hour)
	if cells, err := run.Reuse(source); err != nil || failed == 0 || cells != len(run.Plan.Cells)-failed {
		t.Errorf("%d cells taken, %v, want all but %d", cells, err, failed)
	}
	later := runtest.New(t, data, jobstest.Replace(t, jobstest.Diverging, "[2, 20, 40]", "[2, 20, 30]"), time.Hour)
	if cells, err := later.Reuse(source); err != nil || cells != 0 {
		t.Errorf("%d cells taken without a checkpoint, %v", cells, err)
	}
	must(t, os.Truncate(source.ShardPath(source.Tasks[0]), 1000))
	_, err := runtest.New(t, data, jobstest.Diverging, time.Hour).Reuse(source)
	wantError(t, err, source.ShardPath(source.Tasks[0]))
}
