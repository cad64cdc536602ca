package cluster

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/run"
	"graphda/slurm"
)

// No more jobs than MaxJobs are in the queue, and the rest follows in the tasks that were packed.
func TestMaxJobs(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	all := len(r.Tasks)
	o := submitOptions()
	o.MaxJobs, o.Merge = 2, true
	s := submit(t, r, c, o)
	if len(s.Tasks) != 2 || s.Left == 0 || s.Cells+s.Left != len(r.Plan.Cells) || len(s.Jobs) != 1 {
		t.Errorf("%d tasks of %d cells, %d left, %d jobs; want 2 tasks, the rest left, and no job that merges", len(s.Tasks), s.Cells, s.Left, len(s.Jobs))
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
	if s.Jobs[len(s.Jobs)-1].Note.Count != 0 {
		t.Errorf("%+v: want a job that merges after the last", s.Jobs)
	}
}

// A run does not hold more than MaxCoreHours, of which its jobs have held some.
func TestMaxCoreHours(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	b := must1(newBatch(learn(run, must1(run.TakeStock(false)), nil, &o, mostOf(nil, true)), 1))
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

// What docs/for-admins.md says of the commands that a submission and a status take.
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
	calls("status", func() { asked(t, run, c) }, slices.Repeat([]string{"squeue"}, len(sbatch))...) // each looks one array up
	calls("cancel", func() { _, _, err := journal.Cancel(context.Background(), run, c.client()); must(t, err) },
		append(slices.Repeat([]string{"squeue"}, len(sbatch)), "scancel")...)
	c.accounts, c.sinfo = "100_0|OUT_OF_MEMORY|0:125|n1|2025-01-01T10:00:00\n", "debug*|infinite|4000\n"
	for _, j := range c.jobs {
		j.forgotten = true
	}
	o.DryRun = true
	calls("submit after deaths", func() { again(t, run, c, o) }, append(slices.Repeat([]string{"squeue"}, len(sbatch)), "sacct", "sinfo", "scontrol")...)
}

// Where the cluster admits fewer jobs of the user, so many are submitted; the same command sends the rest, and with the
// last of it the job that merges, for which an earlier call has asked.
func TestCutToWhatIsAdmitted(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	admitted := 3
	c.before = func(name string, args []string) *slurm.Output {
		if name != "sbatch" {
			return nil
		}
		jobs := 1
		if m := arrayOption.FindStringSubmatch(string(must1(os.ReadFile(args[len(args)-1])))); m != nil {
			jobs = 1 + must1(strconv.Atoi(m[1]))
		}
		for _, j := range c.jobs {
			for _, state := range j.elements {
				if state.Active() {
					jobs++
				}
			}
		}
		if jobs > admitted {
			return &slurm.Output{Code: 1, Stderr: "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: " +
				"Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)"}
		}
		return nil
	}
	o := mergeOptions()
	s := submit(t, r, c, o)
	if n := len(r.Tasks); n != 4 || s.Left != len(r.Tasks[3].Cells) || s.Cells+s.Left != len(r.Plan.Cells) || len(c.jobs) != 2 {
		t.Fatalf("%d cells submitted of %d tasks, %d left, in %d jobs", s.Cells, n, s.Left, len(c.jobs))
	}
	if got := asked(t, r, c); got.Queue.Queued != 3 || len(got.Queue.Dead) > 0 {
		t.Errorf("%+v", got.Queue)
	}
	for _, task := range r.Tasks[:3] {
		sealTask(t, r, task, rowsOf(r, task))
	}
	c.die(slurm.Completed)
	admitted = 9
	s = again(t, r, c, submitOptions())
	if last := c.jobs[len(c.jobs)-1]; s.Left != 0 || len(c.jobs) != 4 || last.array || last.after != "102" {
		t.Errorf("%d left, %d jobs, the last %+v", s.Left, len(c.jobs), last)
	}
	wantOnce(t, r, c)
	// Where not one more is admitted, that is an error.
	admitted = 0
	c.die(slurm.NodeFail)
	s = must1(Propose(t.Context(), must1(run.Open(r.Dir)), c.client(), submitOptions()))
	defer s.Close()
	err := s.Send(t.Context(), func(*ProposedJob) {})
	wantError(t, err, "0 of", "submit again when some of your jobs have ended")
}
