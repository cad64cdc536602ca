package cluster

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// manyTasks is a run of 250 tasks of one dataset, and 10 of another.
func manyTasks(tb testing.TB) *run.Run {
	tb.Helper()
	p := largePlan(tb, 2, 1)
	p.Cells = slices.Concat(p.Cells[:250], p.Cells[10_000:10_010])
	r, _, err := run.Create(filepath.Join(tb.TempDir(), "run"), p, time.Second, func() plan.Rates {
		return plan.Rates{Entry: 2e-6} // a cell takes 0.9 s
	})
	must(tb, err)
	if len(r.Tasks) != 260 {
		tb.Fatalf("%d tasks, want 260", len(r.Tasks))
	}
	return r
}

// count is how many tasks of each dataset are submitted.
func count(s *Submission) (of [2]int) {
	for _, t := range s.Tasks {
		of[t.Dataset]++
	}
	return of
}

// Of more than 200 tasks of which nothing is measured, a few go first. The others follow when one of these is sealed,
// ask for what it has taken, and bring the job that merges.
func TestPilot(t *testing.T) {
	r, c := manyTasks(t), newCluster()
	o := mergeOptions()
	s := submit(t, r, c, o)
	if count(s) != [2]int{5, 5} || s.Left != 250 || s.Cells != 10 || !strings.Contains(fmt.Sprint(s.Warnings),
		"250 tasks are left for another submit: a pilot of 10 tasks goes first") {
		t.Errorf("%v tasks, %d cells left, %q", count(s), s.Left, s.Warnings)
	}
	if got := asks(s, c, "mem"); !slices.Equal(slices.Compact(got), []string{"256M"}) || slices.Contains(c.calls, "squeue") {
		t.Errorf("asks for %q, calls %q", got, c.calls)
	}
	// While it waits, and while none is sealed, the others wait too.
	for range 2 {
		if s = again(t, r, c, submitOptions()); !s.Empty() || s.InQueue != 10 || s.Left != 250 {
			t.Errorf("%d tasks, %d cells in the queue, %d left", len(s.Tasks), s.InQueue, s.Left)
		}
	}
	c.jobs[0].elements[3] = slurm.NodeFail
	if s = again(t, r, c, submitOptions()); count(s) != [2]int{1, 0} || s.Left != 250 {
		t.Errorf("%v tasks after one of the pilot has died, %d left; want one", count(s), s.Left)
	}
	// A task of one dataset is sealed.
	r = must1(run.Open(r.Dir))
	sealed := r.Tasks[must1(journal.Read(r)).Jobs()[0].Task(0)]
	info := results.ShardInfo{Task: sealed.Number, Plan: r.Plan.Hash, Version: plan.Version, Attempts: []results.Attempt{
		{Name: "slurm-100_0-0", Workers: 1, Begin: time.Now(), Seconds: 3, Cells: 1, Peak: 90 << 20, End: results.Sealed}}}
	must(t, results.WriteModels(filepath.Join(r.Folder(sealed), results.ModelsName(sealed.Number)), nil))
	must(t, results.WriteShard(filepath.Join(r.Folder(sealed), results.ShardName(sealed.Number)), info, plan.Layout(), rowsOf(r, sealed)))
	c.jobs[0].elements[0] = slurm.Completed
	s = again(t, r, c, submitOptions())
	if count(s) != [2]int{245, 5} || s.Left != 0 || s.Jobs[len(s.Jobs)-1].Note.Count != 0 {
		t.Errorf("%v tasks, %d cells left, %d jobs", count(s), s.Left, len(s.Jobs))
	}
	if got := asks(s, c, "mem"); !slices.Contains(got, "160M") { // a quarter more than 90 MiB, and 32, rounded
		t.Errorf("asks for %q, want 160M", got)
	}
	wantOnce(t, r, c)
}

// Where nothing is to be found out, there is no pilot.
func TestNoPilot(t *testing.T) {
	o := submitOptions()
	o.Resources.Time, o.Resources.MemPerCPU = "10", "100M"
	if s := submit(t, manyTasks(t), newCluster(), o); len(s.Tasks) != 260 || s.Left != 0 {
		t.Errorf("%d tasks with time and memory given, %d cells left", len(s.Tasks), s.Left)
	}
	run, c := manyTasks(t), newCluster()
	for _, task := range run.Tasks[:60] {
		sealTask(t, run, task, rowsOf(run, task)) // with more workers, which tells nothing
	}
	if s := submit(t, run, c, submitOptions()); len(s.Tasks) != 200 || s.Left != 0 {
		t.Errorf("%d tasks of 200, %d cells left", len(s.Tasks), s.Left)
	}
}

// A pilot that does not start holds the others back: they are given up with it, until --again, or what has failed is
// mended.
func TestPilotGivenUp(t *testing.T) {
	run, c := manyTasks(t), newCluster()
	o := mergeOptions()
	for range 2 {
		s := again(t, run, c, o)
		if count(s) != [2]int{5, 5} {
			t.Fatalf("%v tasks", count(s))
		}
		c.fails(t, run, "no such module\n")
	}
	s := again(t, run, c, o)
	if !s.Empty() || s.Given != 260 || s.Left != 0 || s.InQueue != 0 {
		t.Errorf("%d jobs, %d cells given up, %d left, %d in the queue", len(s.Jobs), s.Given, s.Left, s.InQueue)
	}
	must(t, s.GiveUp())
	if got := asked(t, run, c); len(got.Queue.Given) != 2 || got.Queue.Given[1].Cells != 250 {
		t.Errorf("status: %+v", got.Queue.Given)
	}
	o.Again = true
	if s = again(t, run, c, o); count(s) != [2]int{5, 5} || s.Given != 0 {
		t.Errorf("with --again: %v tasks, %d cells given up", count(s), s.Given)
	}
}
