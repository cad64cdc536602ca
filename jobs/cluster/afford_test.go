package cluster

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// The queue never has more than MaxJobs jobs. The next submissions send the rest, in the tasks that were packed.
func TestMaxJobs(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	all := len(r.Tasks)
	o := submitOptions()
	o.MaxJobs = 2
	s := submit(t, r, c, o)
	if len(s.Tasks) != 2 || s.Left == 0 || s.Cells+s.Left != len(r.Plan.Cells) || len(s.Jobs) != 1 {
		t.Errorf("%d tasks of %d cells, %d left, %d jobs; want 2 tasks, and the rest left", len(s.Tasks), s.Cells, s.Left, len(s.Jobs))
	}
	if s = again(t, r, c, o); !s.Empty() || s.InQueue+s.Left != len(r.Plan.Cells) || s.List != "" {
		t.Errorf("%d tasks although two are in the queue; %d cells there, %d left", len(s.Tasks), s.InQueue, s.Left)
	}
	for rounds := 0; s.Left > 0; rounds++ {
		if rounds > all {
			t.Fatalf("%d cells are left after %d submissions", s.Left, rounds)
		}
		c.die(slurm.Completed)
		now := must1(run.Open(r.Dir))
		for _, j := range must1(journal.Read(now)).Jobs()[rounds:] {
			for index := range j.Count {
				task := now.Tasks[j.Task(index)]
				sealTask(t, now, task, rowsOf(now, task))
			}
		}
		if s = again(t, r, c, o); len(s.Tasks) == 0 || len(s.Tasks) > 2 {
			t.Fatalf("%d tasks, want the next two", len(s.Tasks))
		}
	}
}

// A run does not hold more than MaxCoreHours. Hours that earlier jobs have held count.
func TestMaxCoreHours(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	b := must1(newBatch(learn(run, must1(run.TakeStock(false)), nil, &o, demand{math.MaxInt, slurm.Unlimited}), 1))
	each := b.coreHours(run.Tasks[0])
	o.MaxCoreHours = each * 1.01
	s := submit(t, run, c, o)
	if len(s.Tasks) != 1 || !strings.Contains(strings.Join(s.Warnings, "\n"), "--max-core-hours") {
		t.Errorf("%d tasks, %q, want one", len(s.Tasks), s.Warnings)
	}
	c.die(slurm.NodeFail)
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Seconds: each * 3600, Workers: 1})
	if s := again(t, run, c, o); len(s.Tasks) != 0 || !s.Empty() {
		t.Errorf("%d tasks although the hours were used up", len(s.Tasks))
	}
	o.MaxCoreHours *= 2
	if s := again(t, run, c, o); len(s.Tasks) != 1 {
		t.Errorf("%d tasks, want one more", len(s.Tasks))
	}
}

// The numbers of commands in docs/for-admins.md hold for submissions and for status.
func TestCommandsAreCounted(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.maxArray = 2
	o := submitOptions()
	calls := func(what string, do func(), want ...string) {
		t.Helper()
		c.calls = nil
		do()
		if !slices.Equal(c.calls, want) {
			t.Errorf("%s calls %q, want %q", what, c.calls, want)
		}
	}
	sbatch := slices.Repeat([]string{"sbatch"}, (len(run.Tasks)+1)/2)
	calls("submit", func() { submit(t, run, c, o) }, append([]string{"scontrol"}, sbatch...)...)
	calls("status", func() { asked(t, run, c) }, slices.Repeat([]string{"squeue"}, len(sbatch))...) // each asks about one array
	calls("cancel", func() { _, _, err := journal.Cancel(context.Background(), run, c.client()); must(t, err) },
		append(slices.Repeat([]string{"squeue"}, len(sbatch)), "scancel")...)
	c.accounts, c.sinfo = "100_0|OUT_OF_MEMORY|0:125|n1|2099-01-01T10:00:00\n", "debug*|infinite|4000\n"
	c.forget(c.jobs...)
	o.DryRun = true
	calls("submit after deaths", func() { again(t, run, c, o) }, append(slices.Repeat([]string{"squeue"}, len(sbatch)), "scontrol", "sacct", "sinfo", "scontrol")...)

	// A status does not ask about elements that have sealed their tasks. It asks about all other elements, even if
	// their cells are done.
	run, c = tinyRun(t), newCluster()
	c.maxArray = 2
	submit(t, run, c, submitOptions())
	for i, task := range run.Tasks {
		if i == 2 {
			calls("status of what is left", func() { asked(t, run, c) }, slices.Repeat([]string{"squeue"}, len(sbatch)-1)...)
		}
		name := fmt.Sprintf("slurm-%d_%d-0", 100+i/2, i%2)
		sealTask(t, run, task, rowsOf(run, task), results.Attempt{Name: name, End: results.Sealed})
	}
	calls("status of what is done", func() { asked(t, run, c) })

	run, c = submitted(t)
	sealAll(t, run, run.Tasks)
	calls("status of what others have done", func() { asked(t, run, c) }, "squeue")
	cancelled, _, err := journal.Cancel(t.Context(), run, c.client())
	if must(t, err); len(cancelled) != 1 || c.active() > 0 {
		t.Errorf("cancelled %+v of a run that is done", cancelled)
	}
}

// If the cluster admits fewer jobs of the user, only these are submitted. The same command later sends the rest.
func TestCutToWhatIsAdmitted(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	admitted := 3
	c.on("sbatch", func(args []string) *slurm.Output {
		jobs := 1 + c.active()
		if m := arrayOption.FindStringSubmatch(string(must1(os.ReadFile(args[len(args)-1])))); m != nil {
			jobs += must1(strconv.Atoi(m[1]))
		}
		if jobs > admitted {
			return &slurm.Output{Code: 1, Stderr: "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: " +
				"Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"}
		}
		return nil
	})
	s := submit(t, r, c, submitOptions())
	if n := len(r.Tasks); n != 4 || s.Left != len(r.Tasks[3].Cells) || s.Cells+s.Left != len(r.Plan.Cells) || len(c.jobs) != 2 {
		t.Fatalf("%d cells submitted of %d tasks, %d left, in %d jobs", s.Cells, n, s.Left, len(c.jobs))
	}
	if got := asked(t, r, c); got.Queue.Queued != 3 || len(got.Queue.Dead) > 0 {
		t.Errorf("%+v", got.Queue)
	}
	sealAll(t, r, r.Tasks[:3])
	c.die(slurm.Completed)
	admitted = 9
	s = again(t, r, c, submitOptions())
	if last := c.jobs[len(c.jobs)-1]; s.Left != 0 || len(c.jobs) != 3 {
		t.Errorf("%d left, %d jobs, the last %+v", s.Left, len(c.jobs), last)
	}
	wantOnce(t, r, c)
	// If the cluster admits no further job, that is an error.
	admitted = 0
	c.die(slurm.NodeFail)
	_, err := send(t, must1(run.Open(r.Dir)), c, submitOptions())
	wantError(t, err, "0 of", "repeat the command when some of your jobs have ended")
}

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

// count returns the number of submitted tasks for each dataset.
func count(s *Submission) (of [2]int) {
	for _, t := range s.Tasks {
		of[t.Dataset]++
	}
	return of
}

// If the demand is known, or there are few tasks, there is no pilot.
func TestNoPilot(t *testing.T) {
	o := submitOptions()
	o.Resources.Time, o.Resources.MemPerCPU = "10", "100M"
	if s := submit(t, manyTasks(t), newCluster(), o); len(s.Tasks) != 260 || s.Left != 0 {
		t.Errorf("%d tasks with time and memory given, %d cells left", len(s.Tasks), s.Left)
	}
	run, c := manyTasks(t), newCluster()
	sealAll(t, run, run.Tasks[:60]) // with more workers, so these tasks predict nothing
	if s := submit(t, run, c, submitOptions()); len(s.Tasks) != 200 || s.Left != 0 {
		t.Errorf("%d tasks of 200, %d cells left", len(s.Tasks), s.Left)
	}
}

// If a pilot does not start, the other tasks wait. They are given up with the pilot, until the user says --again or
// mends the cause.
func TestPilotGivenUp(t *testing.T) {
	run, c := manyTasks(t), newCluster()
	o := submitOptions()
	for range 2 {
		s := again(t, run, c, o)
		if count(s) != [2]int{5, 5} {
			t.Fatalf("%v tasks", count(s))
		}
		c.fails(t, run, "no such module\n")
	}
	s := again(t, run, c, o)
	if !s.Empty() || s.GivenUp != 260 || s.Left != 0 || s.InQueue != 0 {
		t.Errorf("%d jobs, %d cells given up, %d left, %d in the queue", len(s.Jobs), s.GivenUp, s.Left, s.InQueue)
	}
	must(t, s.GiveUp())
	if got := asked(t, run, c); len(got.Queue.GivenUp) != 2 || got.Queue.GivenUp[1].Cells != 250 {
		t.Errorf("status: %+v", got.Queue.GivenUp)
	}
	o.Again = true
	if s = again(t, run, c, o); count(s) != [2]int{5, 5} || s.GivenUp != 0 {
		t.Errorf("with --again: %v tasks, %d cells given up", count(s), s.GivenUp)
	}
}
