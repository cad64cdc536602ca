package run_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// wantCounts checks a status's counts, and that its groups add up to them.
func wantCounts(t *testing.T, s *run.Status, want run.StatusCount, sealed, begun int) {
	t.Helper()
	if s.Total != want || s.Sealed != sealed || s.Begun != begun {
		t.Errorf("%+v, %d sealed and %d begun, want %+v, %d and %d", s.Total, s.Sealed, s.Begun, want, sealed, begun)
	}
	var sum run.StatusCount
	for _, g := range s.Groups {
		sum.Cells, sum.Done, sum.Failed, sum.Missing = sum.Cells+g.Cells, sum.Done+g.Done, sum.Failed+g.Failed, sum.Missing+g.Missing
		if g.Done+g.Failed+g.Missing != g.Cells {
			t.Errorf("%+v does not add up", g)
		}
	}
	if sum != s.Total {
		t.Errorf("the groups add up to %+v, not %+v", sum, s.Total)
	}
}

// A task whose cells are all done still counts before it is sealed.
func TestStatusBeforeTheSeal(t *testing.T) {
	run := runtest.Tiny(t)
	task := run.Tasks[0]
	must(t, os.MkdirAll(filepath.Join(run.Folder(task), results.ModelsName(task.Number), "in the way"), 0o777))
	if _, err := (&executor.Runner{Run: run, Workers: 1}).RunTasks(t.Context(), run.Tasks[:1]); err == nil {
		t.Fatal("the task could be sealed")
	}
	s := runtest.Status(t, run)
	if s.Total.Done != len(task.Cells) || s.Tasks != len(run.Tasks) || s.Sealed != 0 || s.Begun != 1 {
		t.Errorf("%d cells done, %d tasks, %d sealed, %d begun, want %d, %d, 0 and 1", s.Total.Done, s.Tasks, s.Sealed, s.Begun, len(task.Cells), len(run.Tasks))
	}
}

func TestStatus(t *testing.T) {
	r := runtest.Tiny(t)
	all := len(r.Plan.Cells)
	s := runtest.Status(t, r)
	wantCounts(t, s, run.StatusCount{Cells: all, Missing: all}, 0, 0)
	if s.Name != "tiny" || s.Dir != r.Dir || s.Plan != r.Plan.Hash || s.Tasks != len(r.Tasks) {
		t.Errorf("status %+v", s)
	}
	total := 0.0
	for _, task := range r.Tasks {
		total += task.Seconds()
	}
	if d := s.Left - total; d > 1e-9 || d < -1e-9 {
		t.Errorf("%v s are left, want all %v", s.Left, total)
	}
	if len(s.Groups) != 3 || s.Groups[0].Method != "l1-rda" || s.Groups[1].Method != "graphda" || s.Groups[2].Method != "adam" {
		t.Errorf("groups %+v, want those of the plan in its order", s.Groups)
	}

	runtest.StopAfter(t, r, 1, 1) // leaves a part with one cell
	if len(r.Tasks[0].Cells) < 2 {
		t.Fatal("the first task is too small for this test")
	}
	wantCounts(t, runtest.Status(t, r), run.StatusCount{Cells: all, Done: 1, Missing: all - 1}, 0, 1)

	first := r.Tasks[0]
	must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks[:1]))
	wantCounts(t, runtest.Status(t, r), run.StatusCount{Cells: all, Done: len(first.Cells), Missing: all - len(first.Cells)}, 1, 0)

	runtest.Finish(t, r, 2)
	s = runtest.Status(t, r)
	wantCounts(t, s, run.StatusCount{Cells: all, Done: all}, len(r.Tasks), 0)
	if s.Left != 0 {
		t.Errorf("%v s are left, want none", s.Left)
	}
}

func TestStatusOfFailures(t *testing.T) {
	r := runtest.Diverging(t)
	wantCounts(t, runtest.Status(t, r), run.StatusCount{Cells: 4, Missing: 4}, 0, 0)

	whole := runtest.Copy(t, r)
	runtest.Finish(t, whole, 1)
	wantCounts(t, runtest.Status(t, whole), run.StatusCount{Cells: 4, Done: 2, Failed: 2}, 1, 0)

	rows := must1(whole.Results())                             // in plan order: done, failed, failed, done
	runtest.Part(t, r, r.Tasks[0], "running", rows[:3+3+2]...) // the third cell lacks a checkpoint
	wantCounts(t, runtest.Status(t, r), run.StatusCount{Cells: 4, Done: 1, Failed: 1, Missing: 2}, 0, 1)
}

// Files that a finished run does not need are removed. A cell's only results stay.
func TestRemoveLeftovers(t *testing.T) {
	r := runtest.Finished(t)
	last := r.Tasks[len(r.Tasks)-1]
	first := r.Tasks[0]
	rows := must1(r.ReadShard(first))
	damaged := r.ShardPath(first) + run.DamagedSuffix
	must(t, os.WriteFile(damaged, nil, 0o666))
	// Put the first task's cells in a second task that nobody sealed, as after repacking.
	again := *first
	again.Number = r.NextTask()
	r.Tasks = append(r.Tasks, &again)
	must(t, r.MakeFolder(&again))
	part := runtest.Part(t, r, &again, "slurm-9_0-0", rows...)
	must(t, os.WriteFile(r.ShardPath(last)+run.DamagedSuffix, nil, 0o666))
	must(t, os.Remove(r.ShardPath(last))) // now its cells are in no shard
	stock := must1(r.TakeStock(true))
	must(t, r.RemoveLeftovers(stock))
	for path, want := range map[string]bool{damaged: false, part: false, r.ShardPath(first): true, r.ShardPath(last) + run.DamagedSuffix: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(path), err == nil, want)
		}
	}
}

// Spending is added up from the footers of shards alone. A damaged shard adds nothing.
func TestSpending(t *testing.T) {
	r := runtest.Tiny(t)
	for i, task := range r.Tasks[:3] {
		rows := []results.Row{}
		must(t, r.MakeFolder(task))
		info := results.ShardInfo{Task: task.Number, Plan: r.Plan.Hash, Version: seal.Version, Built: []string{"a1", "b2", "c3"}[i], Attempts: []results.Attempt{
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
