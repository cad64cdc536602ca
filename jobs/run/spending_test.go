package run_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// What attempts held and used is added up from the footers of shards alone, and a damaged shard tells nothing.
func TestSpending(t *testing.T) {
	r := runtest.Tiny(t)
	for i, task := range r.Tasks[:3] {
		rows := []results.Row{}
		must(t, r.MakeFolder(task))
		info := results.ShardInfo{Task: task.Number, Plan: r.Plan.Hash, Version: plan.Version, Built: []string{"a1", "b2", "c3"}[i], Attempts: []results.Attempt{
			{Name: "slurm-1_0-0", Workers: 2, Seconds: 3600, CPUSeconds: 3600, Peak: 5 << 20, End: results.OutOfMemory},
			{Name: "slurm-1_0-1", Workers: 2, Seconds: 7200, CPUSeconds: 7200, Peak: int64(i) << 30, Cells: 1},
			{Name: "slurm-1_0-2", Seconds: 3600, CPUSeconds: 1800, Cells: 4, End: results.Sealed},
		}}
		must(t, results.WriteShard(r.ShardPath(task), info, plan.Layout(), rows))
	}
	must(t, os.Truncate(r.ShardPath(r.Tasks[2]), 300))
	s := must1(r.Spending())
	for what, v := range map[string][2]float64{
		"attempts": {float64(s.Attempts), 6}, "held": {s.Held, 2 * (2 + 4 + 1)}, "used": {s.Used, 2 * (1 + 2 + 0.5)},
		"idle": {s.Idle, 2 * 0.5}, "lost": {s.Lost, 2 * 2}, "largest": {float64(s.LargestPeak), 1 << 30},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, v[0], v[1])
		}
	}
	if !slices.Equal(s.Built, []string{"a1", "b2"}) {
		t.Errorf("sealed by programs of revisions %q", s.Built)
	}
	want := []run.EndCount{{Attempts: 2, Hours: 8}, {Cause: results.OutOfMemory, Attempts: 2, Hours: 4}, {Cause: results.Sealed, Attempts: 2, Hours: 2}}
	if len(s.Ends) != 3 || s.Ends[0] != want[0] || s.Ends[1] != want[1] || s.Ends[2] != want[2] {
		t.Errorf("ends %+v, want %+v", s.Ends, want)
	}
}
