package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// The jobs of a run that was copied are the original's: the copy neither counts nor cancels them, and has its own.
func TestCopiedRun(t *testing.T) {
	r, c := submitted(t)
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(r.Dir)))
	copied := must1(run.Open(to))
	s := asked(t, copied, c)
	if all := len(r.Plan.Cells); s.Total.Missing != all || s.Queue.Queued != 0 || len(s.Queue.Dead) > 0 {
		t.Errorf("the copy's status: %+v, %+v", s.Total, s.Queue)
	}
	if len(s.Queue.NotOurs) != 1 || !strings.HasPrefix(s.Queue.NotOurs[0], "job 100 works in "+r.Dir+",") {
		t.Errorf("jobs of others: %q", s.Queue.NotOurs)
	}
	cancelled, notes, err := journal.Cancel(t.Context(), copied, c.client())
	must(t, err)
	if len(cancelled) > 0 || !slices.Equal(notes, s.Queue.NotOurs) || c.jobs[0].elements[0] != slurm.Pending {
		t.Errorf("cancelled %+v, %q, elements %v", cancelled, notes, c.jobs[0].elements)
	}
	sent := submit(t, copied, c, submitOptions())
	if sent.Cells != len(r.Plan.Cells) || len(c.jobs) != 2 || !slices.Equal(sent.Warnings, s.Queue.NotOurs) {
		t.Errorf("the copy submits %d cells, warns of %q", sent.Cells, sent.Warnings)
	}
	if s := asked(t, r, c); s.Queue.Queued != len(r.Tasks) || len(s.Queue.NotOurs) > 0 {
		t.Errorf("the original's queue: %+v", s.Queue)
	}
	// When the original's jobs have ended, and the queue has forgotten them, they are no deaths of the copy's.
	c.jobs[0].set(slurm.Completed)
	c.jobs[0].forgotten = true
	if s := asked(t, copied, c); len(s.Queue.Dead) > 0 || s.Queue.Queued != len(r.Tasks) {
		t.Errorf("then: %+v", s.Queue)
	}
}

// A report that was made by hand after the job that merges has died counts.
func TestMergedByHand(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	o := mergeOptions()
	submit(t, r, c, o)
	c.die(slurm.Failed)
	sealAll(t, r, r.Tasks)
	j := must1(journal.Read(r))
	log := filepath.Join(r.Dir, j.Jobs()[1].LogOf(0))
	jobstest.WriteFile(t, r.Dir, j.Jobs()[1].LogOf(0), "gdmerge: killed\n")
	page := jobstest.WriteFile(t, r.Dir, "report/report.html", "")
	at := must1(os.Stat(log)).ModTime()
	for seconds, want := range map[int]string{-1: run.MergeDied, 1: run.MergeDone} {
		must(t, os.Chtimes(page, at, at.Add(time.Duration(seconds)*time.Second)))
		if m := asked(t, r, c).Merge; m.State != want {
			t.Errorf("the report is %d s younger than the log: %+v", seconds, m)
		}
	}
}

// With the accounts' database down a submission goes on after two tries.
func TestAccountsDown(t *testing.T) {
	run, c := submitted(t)
	c.die(slurm.Failed)
	c.jobs[0].forgotten, c.accounts = true, "down"
	c.on("sacct", func([]string) *slurm.Output {
		return &slurm.Output{Code: 1, Stderr: "sacct: error: Problem talking to the database: Connection refused"}
	})
	c.calls = nil
	if s := again(t, run, c, submitOptions()); s.Cells != len(run.Plan.Cells) {
		t.Errorf("%d cells submitted", s.Cells)
	}
	if n := len(slices.DeleteFunc(c.calls, func(name string) bool { return name != "sacct" })); n != 2 {
		t.Errorf("sacct was called %d times, want 2", n)
	}
}
