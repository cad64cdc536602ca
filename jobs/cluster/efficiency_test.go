package cluster

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/slurm"
)

// A job that was killed when all its cells were computed, and the task not sealed, leaves nothing to submit, so that no
// submission finds it dead; that it has ended is known all the same, once it is not in the queue.
func TestEndOfWhatWasComputed(t *testing.T) {
	run, c := submitted(t)
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Begin: time.Now(), Workers: 1})
	writePart(t, run, run.Tasks[0], "slurm-100_0-0", rowsOf(run, run.Tasks[0])...)
	for state, want := range map[slurm.State]results.Cause{slurm.Running: "", slurm.Failed: results.Unknown} {
		c.jobs[0].elements[0] = state
		e := must1(journal.MeasureEfficiency(asked(t, run, c)))
		if len(e.Ends) != 1 || e.Ends[0].Cause != want || e.Ends[0].Attempts != 1 {
			t.Errorf("%s: ends %+v, want one of %q", state, e.Ends, want)
		}
	}
}

// What jobs held is what their attempts took of what the journal says that they asked for.
func TestEfficiency(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.CPUsPerTask, o.Resources.Mem = 2, "4G"
	submit(t, r, c, o)
	c.die(slurm.Failed)
	at := must1(journal.Read(r)).Jobs()[0].At
	hour := func(name string, end results.Cause, begin time.Duration, cells int, peak int64) results.Attempt {
		return results.Attempt{Name: name, Begin: at.Add(begin), Seconds: 3600, CPUSeconds: 5400, Workers: 2, Cells: cells, Peak: peak, End: end}
	}
	tasks := r.Tasks
	if len(tasks) < 4 {
		t.Fatal("the run is too small for this test")
	}
	info := results.ShardInfo{Task: 0, Plan: r.Plan.Hash, Version: plan.Version, Attempts: []results.Attempt{
		hour("slurm-100_0-0", results.TimeLimit, time.Minute, 1, 1<<30),
		hour("slurm-100_0-1", results.Cancelled, 2*time.Hour, 1, 1<<30),   // by a requeue
		hour("slurm-100_0-2", "", 4*time.Hour, 0, 1<<30),                  // its node was lost
		{Name: "slurm-100_0-4", Workers: 2, Begin: at.Add(7 * time.Hour)}, // its second life, while it went on
		hour("slurm-100_0-3", results.Sealed, 6*time.Hour, 1, 1<<30),
		{Name: "laptop-17", Workers: 1, Peak: 9 << 30, Seconds: 60, End: results.Sealed}, // no job
	}}
	must(t, results.WriteModels(runtest.ModelsPath(r, tasks[0]), nil))
	shard := filepath.Join(r.Folder(tasks[0]), results.ShardName(0))
	must(t, results.WriteShard(shard, info, plan.Layout(), rowsOf(r, tasks[0])))
	note(t, r, 1, hour("slurm-100_1-0", "", time.Minute, 0, 4<<30))
	note(t, r, 3, hour("slurm-100_3-0", "", time.Minute, 0, 1<<30)) // could not note its end, nor is a death known
	c.jobs[0].elements[3] = slurm.Running
	log := filepath.Join(r.Dir, must1(journal.Read(r)).Jobs()[0].LogOf(3))
	must(t, os.MkdirAll(filepath.Dir(log), 0o777))
	must(t, os.WriteFile(log, []byte("gdrun: write: no space left on device\n"), 0o666))
	c.jobs[0].elements[1] = slurm.OutOfMemory // and it had noted something; the others had not
	c.jobs[0].elements[2] = slurm.OutOfMemory

	s := asked(t, r, c)
	e := must1(journal.MeasureEfficiency(s))
	ends := map[results.Cause]run.EndCount{}
	for _, end := range e.Ends {
		ends[end.Cause] = end
	}
	for cause, want := range map[results.Cause]run.EndCount{
		results.Sealed: {Attempts: 1, Hours: 2}, results.TimeLimit: {Attempts: 1, Hours: 2}, results.Requeued: {Attempts: 1, Hours: 2},
		results.NodeFailure: {Attempts: 1, Hours: 2}, results.OutOfMemory: {Attempts: 2, Hours: 2},
		results.FileSystem: {Attempts: 1, Hours: 2}, results.Overtaken: {Attempts: 1},
	} {
		if want.Cause = cause; ends[cause] != want {
			t.Errorf("%+v, want %+v", ends[cause], want)
		}
	}
	for what, v := range map[string][2]float64{
		"core-hours held": {e.Held, 12}, "used": {e.Used, 9}, "idle": {e.Idle, 0.5}, "lost": {e.Lost, 2},
		"memory held": {e.MemoryHeld, 24}, "used of it": {e.MemoryUsed, 9},
		"largest": {float64(e.LargestPeak), 4 << 30}, "attempts": {float64(e.Attempts), 7},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: %g, want %g", what, v[0], v[1])
		}
	}
	if k := e.Kinds; len(k) != 1 || k[0].Dataset != "grid" || k[0].Memory != 4096 || k[0].Held != e.Held || len(k[0].Ends) != len(e.Ends) {
		t.Errorf("kinds %+v", k)
	}
}

// Tasks of one dataset are told apart by the memory that they asked for: later ones ask for what was measured.
func TestEfficiencyByKind(t *testing.T) {
	run, c := submitted(t)
	c.die(slurm.Failed)
	o := submitOptions()
	o.Resources.Mem = "160M"
	again(t, run, c, o)
	at := time.Now()
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Begin: at, Seconds: 3600, Workers: 1, Peak: 80 << 20})
	note(t, run, 1, results.Attempt{Name: "slurm-101_1-0", Begin: at, Seconds: 1800, Workers: 1, Peak: 80 << 20})
	e := must1(journal.MeasureEfficiency(asked(t, run, c)))
	if k := e.Kinds; len(k) != 2 || k[0].Memory != 160 || k[1].Memory != 256 || k[0].Held != 0.5 || k[1].Held != 1 || e.Held != 1.5 {
		t.Errorf("kinds %+v of %+v", k, e.Use)
	}
}
