package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// goOn starts the current follow-up job and does what the job decides.
func (c *cluster) goOn(t *testing.T, r *run.Run, o SubmitOptions) *Submission {
	t.Helper()
	r = must1(run.Open(r.Dir))
	o.UntilDone, o.Follow = true, must1(journal.Read(r)).FollowUp().Name
	return submit(t, r, c, o)
}

// The follow-up job is submitted before the arrays, and then waits for them. It submits the missing cells and the next
// follow-up job, until all cells are done. Cells that the cluster does not admit are sent later.
func TestFollow(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.maxArray = 2
	s := submit(t, r, c, untilDone())
	first := c.jobs[0]
	if len(c.jobs) != 3 || first.array || first.after != "101:102" || first.begin != "now" || len(s.Jobs) != 2 {
		t.Fatalf("%d jobs, the first %+v", len(c.jobs), first)
	}
	if c.calls[0] != "scontrol" || c.calls[len(c.calls)-1] != "scontrol" {
		t.Errorf("calls %q, want the update last", c.calls)
	}
	if s = submit(t, r, c, untilDone()); !s.Empty() || s.Following != "100" {
		t.Errorf("typed twice: %q, %+v", s.Following, s.Jobs)
	}
	if f := asked(t, r, c).Follow; f.State != run.FollowWaits || f.Job != "100" {
		t.Errorf("status: %+v", f)
	}
	c.jobs[1].set(slurm.Completed)
	c.jobs[2].set(slurm.NodeFail)
	sealAll(t, r, r.Tasks[:2])
	first.set(slurm.Running)
	s = c.goOn(t, r, submitOptions())
	if second := c.jobs[3]; s.Next != journal.Sends || second.after != "104:105:106" || second.begin != "now" || s.Cells == len(r.Plan.Cells) {
		t.Errorf("%+v sends %d cells, and then %+v", s.Next, s.Cells, second)
	}
	first.set(slurm.Completed)
	wantOnce(t, r, c)
	// The first follow-up job comes back, as after the failure of its node. It may not act any more.
	old := submitOptions()
	old.UntilDone, old.Follow = true, must1(journal.Read(r)).Jobs()[0].Name
	if s = submit(t, r, c, old); s.Next != journal.Nothing || !s.Empty() {
		t.Errorf("an old one sends %+v", s.Jobs)
	}
	c.die(slurm.Completed)
	finish(t, r, 1)
	if s = c.goOn(t, r, submitOptions()); s.Next != journal.Merges {
		t.Fatalf("%d, want that it merges", s.Next)
	}
	c.die(slurm.Completed)
	st := status(t, r)
	c.on("squeue", func([]string) *slurm.Output { return &slurm.Output{Code: 1, Stderr: "squeue: error: no slurm.conf"} })
	if err := journal.AskQueue(t.Context(), st, c.client()); err == nil || st.Follow.State != run.FollowHidden {
		t.Errorf("%v, and the follow-up job of a cluster that does not answer %s", err, st.Follow.State)
	}
	c.before, c.after = nil, func(string) { // the job merges and ends while status asks about it
		c.after = nil
		must(t, s.Finish(t.Context(), "merged into report", true))
	}
	if f := asked(t, r, c).Follow; f.State != run.FollowDone || c.after != nil {
		t.Errorf("status: %+v", f)
	}
	if s = submit(t, r, c, untilDone()); s.Next != journal.Merges {
		t.Errorf("%d without a report", s.Next)
	}
	c.die(slurm.Completed)
	must(t, os.MkdirAll(filepath.Join(r.Dir, "report"), 0o777))
	must(t, os.WriteFile(filepath.Join(r.Dir, "report", "report.html"), nil, 0o666))
	if s = submit(t, r, c, untilDone()); s.Next != journal.Nothing {
		t.Errorf("%d with the report", s.Next)
	}
}

// A run stops after two rounds without a finished cell. The second round begins later. Cancelled cells are not sent
// again. If a follow-up job cannot continue, the run's last word says why. A person's call starts over.
func TestFollowStops(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	submit(t, r, c, untilDone())
	c.die(slurm.NodeFail)
	s := c.goOn(t, r, submitOptions())
	if array := c.jobs[3]; s.Next != journal.Sends || array.begin != "now+60" {
		t.Errorf("%d, then %+v", s.Next, array)
	}
	c.die(slurm.NodeFail)
	s = c.goOn(t, r, submitOptions())
	if s.Next != journal.Stops || !strings.HasPrefix(s.Word, "2 rounds without a finished cell; 4 jobs died: 4 × node failure") {
		t.Errorf("%d, %q", s.Next, s.Word)
	}
	must(t, s.Finish(t.Context(), s.Word, false))
	got := asked(t, r, c)
	if got.Follow.State != run.FollowStopped || got.Follow.Why != s.Word || len(got.Queue.GivenUp) != 1 {
		t.Errorf("status: %+v, %+v", got.Follow, got.Queue.GivenUp)
	}
	if s = submit(t, r, c, untilDone()); s.Next != journal.Sends || s.Cells != len(r.Plan.Cells) {
		t.Errorf("by hand: %d, %d cells", s.Next, s.Cells)
	}
	c.jobs[len(c.jobs)-1].elements[1] = slurm.Cancelled
	c.die(slurm.Completed)
	if s = c.goOn(t, r, submitOptions()); s.Next != journal.Stops || !strings.HasPrefix(s.Word, "1 job had been cancelled") {
		t.Errorf("%d, %q", s.Next, s.Word)
	}
}

// Cells of jobs that the cluster has lost are sent again, because nobody has cancelled them. If the newest follow-up
// job is lost and an older follow-up job comes back, the older job continues the run.
func TestFollowLost(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	submit(t, r, c, untilDone())
	c.jobs[1].forgotten = true
	c.later = 3 * time.Minute
	first := must1(journal.Read(r)).FollowUp().Name
	s := c.goOn(t, r, submitOptions())
	if s.Next != journal.Sends || s.Cells != len(r.Plan.Cells) {
		t.Fatalf("%d, %q", s.Next, s.Word)
	}
	heir := submitOptions()
	heir.UntilDone, heir.Follow = true, first
	if s = submit(t, r, c, heir); s.Next != journal.Nothing {
		t.Errorf("%d beside the newest one", s.Next)
	}
	c.jobs[2].forgotten, c.jobs[3].forgotten = true, true
	c.later += 3 * time.Minute
	sealAll(t, r, r.Tasks[:1])
	if s = submit(t, r, c, heir); s.Next != journal.Sends || s.Cells == 0 {
		t.Errorf("in its place: %d, %q", s.Next, s.Word)
	}
	c.jobs[len(c.jobs)-2].set(slurm.Cancelled)
	if s = submit(t, r, c, heir); s.Next != journal.Nothing {
		t.Errorf("%d after the newest one was cancelled", s.Next)
	}
}

// If Slurm refuses a change of a follow-up job, the run goes on all the same.
func TestFollowUnchanged(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.on("scontrol", func(args []string) *slurm.Output {
		if args[0] != "update" {
			return nil
		}
		return &slurm.Output{Code: 1, Stderr: "slurm_update error: Access/permission denied"}
	})
	first := submit(t, r, c, untilDone())
	c.jobs[0].denied = true // another user submitted the job
	o := untilDone()
	o.Command = []string{"--time=5"}
	second := submit(t, r, c, o)
	for want, s := range map[string]*Submission{"starts in two minutes": first, "will do nothing (scancel: Kill job error": second} {
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], want) {
			t.Errorf("warnings %q, want %q", s.Warnings, want)
		}
	}
}

// A cluster that has lost its newest jobs gives the same ids again. A call then cancels no job of its own, follow-up
// jobs do not start in a quick sequence, and a follow-up job continues the run if its successor is lost.
func TestFollowIDsGivenAgain(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	lost := func(args []string) *slurm.Output {
		if args[0] != "update" || args[1] == "JobId=101" {
			return nil
		}
		return &slurm.Output{Code: 1, Stderr: "slurm_update error: Invalid job id specified"}
	}
	c.on("scontrol", lost)
	_, err := send(t, r, c, untilDone())
	wantError(t, err, "0 of 2 jobs submitted: scontrol: slurm_update error: Invalid job id specified")
	if !errors.Is(err, executor.ErrStopped) {
		t.Errorf("%v does not invite to try again", err)
	}
	c.jobs, c.before = nil, nil
	o := untilDone()
	if s := submit(t, r, c, o); s.Next != journal.Waits || s.FollowUp.Note.ID != "100" || c.active() != 1 {
		t.Errorf("%d, job %s, %d jobs are active", s.Next, s.FollowUp.Note.ID, c.active())
	}
	c.jobs[0].set(slurm.Running)
	if s := c.goOn(t, r, o); s.Next != journal.Waits || c.jobs[1].begin != "now+60" {
		t.Errorf("%d, then %+v", s.Next, c.jobs[1])
	}
	c.jobs[0].set(slurm.Completed)
	c.jobs[1].set(slurm.Running)
	c.later = 3 * time.Minute
	c.on("scontrol", lost)
	s := c.goOn(t, r, o)
	if again := c.jobs[1]; s.Cells != len(r.Plan.Cells) || again.elements[0] != slurm.Pending || again.after != "103" {
		t.Errorf("%d cells sent; then %+v", s.Cells, again)
	}
	c.jobs[2].forgotten = true
	c.jobs[3].set(slurm.NodeFail)
	sealAll(t, r, r.Tasks[:1])
	c.later += 3 * time.Minute
	again := untilDone()
	again.Follow = must1(journal.Read(r)).Jobs()[3].Name
	if s = submit(t, r, c, again); s.Next != journal.Sends || s.Cells == 0 {
		t.Errorf("in place of its successor: %d %s, %d cells", s.Next, s.Word, s.Cells)
	}
}

// Cancel stops a running submission and every follow-up job, until a person submits again.
func TestCancelStopsFollow(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.maxArray = 2
	c.after = func(name string) { // while the first array is sent
		if name == "sbatch" && len(c.jobs) == 2 {
			cancelled, _, err := journal.Cancel(t.Context(), r, c.client())
			wantUsage(t, err, "is still running for this run", "try again")
			if len(cancelled) != 2 {
				t.Errorf("%d jobs cancelled, want the follow-up job and an array", len(cancelled))
			}
		}
	}
	sent, err := send(t, r, c, untilDone())
	wantError(t, err, "somebody has cancelled the run")
	if sent != 2 || c.active() != 0 {
		t.Errorf("%d jobs sent, %d elements are active", sent, c.active())
	}
	if f := asked(t, r, c).Follow; f.State != run.FollowStopped {
		t.Errorf("status: %+v", f)
	}
	if s := c.goOn(t, r, submitOptions()); s.Next != journal.Nothing || !s.Empty() {
		t.Errorf("it sends %+v", s.Jobs)
	}
	c.after = nil
	if s := submit(t, r, c, untilDone()); s.Next != journal.Sends || s.Cells != len(r.Plan.Cells) {
		t.Errorf("by hand: %d, %d cells", s.Next, s.Cells)
	}
	if s := c.goOn(t, r, submitOptions()); s.Next != journal.Waits {
		t.Errorf("too early: %d, want that it waits", s.Next)
	}
	c.jobs[2].set(slurm.Completed)
	wantOnce(t, r, c)
}

// limit makes the cluster admit at most this many jobs. Each element of an array counts.
func (c *cluster) limit(most int) {
	c.on("sbatch", func(args []string) *slurm.Output {
		n := 1
		if m := arrayOption.FindStringSubmatch(string(must1(os.ReadFile(args[len(args)-1])))); m != nil {
			n += must1(strconv.Atoi(m[1]))
		}
		if c.active()+n > most {
			return &slurm.Output{Code: 1, Stderr: "sbatch: error: AssocMaxSubmitJobLimit"}
		}
		return nil
	})
}

// If the cluster admits two jobs, the follow-up job is one of them, and goes back into the queue after each round. If
// it admits only the follow-up job beside other jobs, the follow-up job starts later and later.
func TestFollowLimited(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.limit(2)
	s := submit(t, r, c, untilDone())
	first := c.jobs[0]
	for n := 1; s.Left > 0; n++ {
		array := c.jobs[len(c.jobs)-1]
		if c.active() != 2 || !array.array || first.after != strconv.Itoa(array.id) || s.Cells == 0 || n > len(r.Tasks) {
			t.Fatalf("round %d: %d jobs are active, %d cells sent, the follow-up job is %+v", n, c.active(), s.Cells, first)
		}
		if f := asked(t, r, c).Follow; f.State != run.FollowWaits || f.Job != "100" {
			t.Errorf("status: %+v", f)
		}
		array.set(slurm.Completed)
		r = must1(run.Open(r.Dir))
		jobs := must1(journal.Read(r)).Jobs()
		sealAll(t, r, []*plan.Task{r.Task(jobs[len(jobs)-1].Offset)})
		first.set(slurm.Running)
		s = c.goOn(t, r, submitOptions())
	}
	first.set(slurm.Running)
	if s = c.goOn(t, r, submitOptions()); s.Next != journal.Waits || first.elements[0] != slurm.Pending || c.active() != 2 {
		t.Errorf("too early: %d, %+v", s.Next, first)
	}
	c.jobs[len(c.jobs)-1].set(slurm.Completed)
	finish(t, must1(run.Open(r.Dir)), 1)
	first.set(slurm.Running)
	if s = c.goOn(t, r, submitOptions()); s.Next != journal.Merges {
		t.Errorf("%d, want that it merges", s.Next)
	}

	r, c = tinyRun(t), newCluster()
	c.limit(2)
	c.jobs = append(c.jobs, &clusterJob{id: 1, name: "other", elements: []slurm.State{slurm.Running}})
	s = submit(t, r, c, untilDone())
	first = c.jobs[1]
	for i, begin := range []string{"now+120", "now+240", "now+480"} {
		if first.begin != begin || first.after != "" || s.Cells != 0 || s.Left != len(r.Plan.Cells) {
			t.Errorf("%d: %d cells sent, %d left, then %+v, want it at %s", i, s.Cells, s.Left, first, begin)
		}
		first.set(slurm.Running)
		s = c.goOn(t, r, submitOptions())
	}
	first.set(slurm.Running)
	c.limit(1)
	c.jobs[0].set(slurm.Completed) // the user has no other job
	o := untilDone()
	o.Follow = must1(journal.Read(r)).FollowUp().Name
	s = must1(Propose(t.Context(), must1(run.Open(r.Dir)), c.client(), o))
	if err := s.Send(t.Context(), func(*ProposedJob) {}); !journal.IsLasting(err) {
		t.Errorf("with no room beside it: %v", err)
	}
	must(t, s.Close())
	c.die(slurm.Completed)
	s = submit(t, r, c, untilDone())
	if s.Alone == nil || s.FollowUp != nil || s.Cells == 0 || c.active() != 1 {
		t.Errorf("%v, %d cells", s.Alone, s.Cells)
	}
}

func refuseArrays(c *cluster) {
	c.on("sbatch", func(args []string) *slurm.Output {
		if strings.HasSuffix(args[len(args)-1], "-follow.sh") {
			return nil
		}
		return &slurm.Output{Code: 1, Stderr: "sbatch: error: Batch job submission failed: Invalid account"}
	})
}

// If the cluster refuses a person's first array, no follow-up job stays.
func TestArraysRefused(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	refuseArrays(c)
	_, err := send(t, r, c, untilDone())
	wantError(t, err, "0 of 1 job submitted: sbatch: Batch job submission failed: Invalid account; the follow-up job was cancelled")
	if j := must1(journal.Read(r)); len(c.jobs) != 1 || c.active() > 0 || j.FollowUp() != nil || len(j.Last().Jobs) != 1 {
		t.Errorf("%d of %d jobs are active, the journal has %+v", c.active(), len(c.jobs), j.Last().Jobs)
	}
}

// If a node may not submit, the run's last word says so. A person's call then does what the follow-up job could not do.
func TestFollowRefused(t *testing.T) {
	for what, refuse := range map[string]func(c *cluster){
		"sbatch": func(c *cluster) {
			c.on("sbatch", func([]string) *slurm.Output {
				return &slurm.Output{Code: 1, Stderr: "sbatch: error: Batch job submission failed: Access/permission denied"}
			})
		},
		"sbatch of arrays": refuseArrays,
		"squeue": func(c *cluster) {
			c.on("squeue", func([]string) *slurm.Output { return &slurm.Output{Code: 1, Stderr: "squeue: error: no slurm.conf"} })
		},
	} {
		r, c := tinyRun(t), newCluster()
		submit(t, r, c, untilDone())
		c.die(slurm.NodeFail)
		refuse(c)
		o := untilDone()
		o.Follow = must1(journal.Read(r)).FollowUp().Name
		s := must1(Propose(t.Context(), must1(run.Open(r.Dir)), c.client(), o))
		if s.Next == journal.Sends {
			err := s.Send(t.Context(), func(*ProposedJob) {})
			if !journal.IsLasting(err) {
				t.Fatalf("%s: error %v", what, err)
			}
			s.Fail(err)
		}
		must(t, s.Finish(t.Context(), s.Word, false))
		must(t, s.Close())
		c.before = nil
		if f := asked(t, r, c).Follow; f.State != run.FollowStopped || !strings.Contains(f.Why, "could not submit jobs from its node") {
			t.Errorf("%s: status %+v", what, f)
		}
		if c.active() > 0 {
			t.Errorf("%s: %d elements are active", what, c.active())
		}
		if s := submit(t, r, c, untilDone()); s.Next != journal.Sends || s.Cells != len(r.Plan.Cells) {
			t.Errorf("%s: then %d, %d cells", what, s.Next, s.Cells)
		}
	}
}

// A node that cannot ask the cluster still merges a finished run.
func TestFollowWithoutSlurm(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	submit(t, r, c, untilDone())
	finish(t, r, 1)
	c.on("squeue", func([]string) *slurm.Output { return &slurm.Output{Code: 1, Stderr: "squeue: error: no slurm.conf"} })
	o := untilDone()
	o.Follow = must1(journal.Read(r)).FollowUp().Name
	s := must1(Propose(t.Context(), must1(run.Open(r.Dir)), c.client(), o))
	if s.Next != journal.Merges || s.Done != len(r.Plan.Cells) {
		t.Errorf("next %d, %d cells done", s.Next, s.Done)
	}
	must(t, s.Close())
}

// A failed cell is tried again only once after a person has asked for it.
func TestRetryFailedOnce(t *testing.T) {
	r, c := divergingRun(t), newCluster()
	finish(t, r, 1)
	failed := status(t, r).Total.Failed
	o := untilDone()
	o.RetryFailed = true
	o.Command = []string{"--retry-failed=true"}
	for range 2 {
		if s := submit(t, r, c, o); s.Cells != failed || failed == 0 {
			t.Fatalf("%d cells of %d", s.Cells, failed)
		}
		c.die(slurm.Completed)
		finish(t, must1(run.Open(r.Dir)), 1)
		if s := c.goOn(t, r, o); s.Next != journal.Stops || !strings.Contains(s.Word, "failed") {
			t.Errorf("%d, %q", s.Next, s.Word)
		}
	}
}
