package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/run"
	"graphda/slurm"
)

// anna submits a run on a cluster with arrays of two elements, and then makes the journal name her as the user.
func anna(t *testing.T, name string) (*run.Run, *cluster) {
	t.Helper()
	r, c := tinyRun(t), newCluster()
	c.maxArray, c.name = 2, name
	submit(t, r, c, submitOptions())
	j := must1(journal.Read(r))
	f := j.Files[0]
	if f.UID != os.Getuid() || f.User == "" || f.Jobs[0].Cluster != name || f.Jobs[0].ID != "100" || f.Jobs[0].At.IsZero() {
		t.Errorf("user %q, %d, job %+v: want this user and cluster %s", f.User, f.UID, f.Jobs[0], name)
	}
	f.User, f.UID = "anna", os.Getuid()+1
	must(t, j.Save(f))
	return r, c
}

// untouched checks that no cell was submitted again, and that nothing counts as dead.
func untouched(t *testing.T, what string, r *run.Run, c *cluster, o SubmitOptions) *run.Status {
	t.Helper()
	jobs := len(c.jobs)
	st := asked(t, r, c)
	if len(st.Queue.Dead) > 0 || st.Total.Missing > 0 {
		t.Errorf("%s: %+v, %+v: want nothing dead or missing", what, st.Total, st.Queue)
	}
	if s := submit(t, r, c, o); !s.Empty() || len(c.jobs) != jobs || s.Hidden != st.Total.Hidden || len(s.deaths) > 0 {
		t.Errorf("%s: %d jobs submitted, %d cells hidden", what, len(s.Jobs), s.Hidden)
	}
	return st
}

// Jobs of another user are shown and marked as such. Only their user can cancel them.
func TestJobsOfAnotherUser(t *testing.T) {
	r, c := anna(t, "west")
	st := untouched(t, "in sight", r, c, submitOptions())
	const whose = "in the queue are 2 jobs of anna on cluster west (100, 101)"
	if len(st.Queue.NotOurs) != 1 || st.Queue.NotOurs[0] != whose || st.Total.Queued != len(r.Plan.Cells) {
		t.Errorf("%+v, notes %q, want %q", st.Total, st.Queue.NotOurs, whose)
	}
	c.jobs[0].denied = true
	cancelled, _, err := journal.Cancel(t.Context(), r, c.client())
	wantError(t, err, "not cancelled: 2 jobs of anna on cluster west (100, 101)")
	if len(cancelled) > 0 {
		t.Errorf("cancelled %+v", cancelled)
	}
	c.jobs[0].denied = false // for an administrator
	cancelled, _, err = journal.Cancel(t.Context(), r, c.client())
	if must(t, err); len(cancelled) != 2 || c.active() > 0 {
		t.Errorf("cancelled %+v", cancelled)
	}
	for _, call := range c.squeues {
		if strings.Contains(call, "--me") {
			t.Errorf("asked squeue %s", call)
		}
	}
}

// If users do not see the jobs of others, the cells of such jobs are not submitted, unless the user takes them over, or
// the accounts know that the jobs have ended.
func TestPrivateData(t *testing.T) {
	r, c := anna(t, "west")
	c.private = "accounts,jobs"
	for _, j := range c.jobs {
		j.unseen = true
	}
	c.later = time.Hour
	cells := len(r.Plan.Cells)
	st := untouched(t, "out of sight", r, c, submitOptions())
	if h := st.Queue.Hidden; st.Total.Hidden != cells || len(h) != 1 || h[0].User != "anna" || h[0].Cluster != "west" ||
		h[0].Tasks != len(r.Tasks) || !strings.Contains(h[0].Why, "PrivateData") {
		t.Errorf("%+v, %+v, want all cells with anna's hidden jobs", st.Total, h)
	}
	if s := submit(t, r, c, submitOptions()); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "2 jobs of anna on cluster west (100, 101)") ||
		!strings.Contains(s.Warnings[0], "--take-over") {
		t.Errorf("warnings %q", s.Warnings)
	}
	_, _, err := journal.Cancel(t.Context(), r, c.client())
	wantError(t, err, "not cancelled: 2 jobs of anna")

	c.accounts = "100_0|TIMEOUT|0:0|n1|2099-01-01T10:00:00\n100_1|RUNNING|0:0|n1|2099-01-01T10:00:00\n"
	if st = asked(t, r, c); len(st.Queue.Dead) != 1 || st.Queue.Dead[0].Cause != results.TimeLimit || st.Total.Missing != len(r.Tasks[0].Cells) {
		t.Errorf("%+v, %+v, want the first task dead", st.Total, st.Queue)
	}
	c.accounts = ""

	o := submitOptions()
	o.TakeOver = true
	if s := submit(t, r, c, o); s.Cells != cells || len(s.deaths) > 0 || len(c.jobs) != 4 {
		t.Errorf("taken over: %d cells, deaths %+v", s.Cells, s.deaths)
	}
	untouched(t, "taken over", r, c, submitOptions())
	c.forget(c.jobs[2:]...)
	if s := submit(t, r, c, submitOptions()); s.Cells != cells || len(s.deaths) != len(r.Tasks) || s.Hidden > 0 {
		t.Errorf("and the jobs of whoever took over have ended: %d cells, %d hidden, deaths %+v", s.Cells, s.Hidden, s.deaths)
	}
}

// Two clusters share a home folder. Each asks the other about the other's jobs, or leaves these jobs alone.
func TestTwoClusters(t *testing.T) {
	r, west := anna(t, "west")
	east := newCluster()
	east.name, east.later = "east", time.Hour
	must(t, east.script(r)) // another job with the id 100
	j := must1(journal.Read(r))
	j.Files[0].UID, j.Files[0].User = os.Getuid(), ""
	must(t, j.Save(j.Files[0]))
	me := must1(journal.Read(r)).Files[0].User

	st := untouched(t, "from the other side", r, east, submitOptions())
	if h := st.Queue.Hidden; st.Total.Hidden != len(r.Plan.Cells) || len(h) != 1 || h[0].Cluster != "west" || h[0].User != me ||
		!strings.Contains(h[0].Why, "cannot be asked from here") {
		t.Errorf("%+v, %+v, want all cells on cluster west", st.Total, h)
	}
	if _, _, err := journal.Cancel(t.Context(), r, east.client()); err == nil || !strings.Contains(err.Error(), "on cluster west") || east.active() != 1 {
		t.Errorf("cancelled: %v", err)
	}

	east.others = map[string]*cluster{"west": west}
	st = untouched(t, "where clusters know each other", r, east, submitOptions())
	if st.Total.Queued != len(r.Plan.Cells) || len(st.Queue.NotOurs) != 1 || !strings.Contains(st.Queue.NotOurs[0], "2 jobs of "+me+" on cluster west") {
		t.Errorf("%+v, notes %q", st.Total, st.Queue.NotOurs)
	}
	cancelled, _, err := journal.Cancel(t.Context(), r, east.client())
	if must(t, err); len(cancelled) != 2 || west.active() > 0 || east.active() != 1 {
		t.Errorf("cancelled %+v", cancelled)
	}
	west.forget(west.jobs...)
	if s := submit(t, r, east, submitOptions()); s.Cells != len(r.Plan.Cells) {
		t.Errorf("%d cells submitted when west's jobs have ended", s.Cells)
	}
}

// A follow-up job of another cluster does not count as dead, and has no tasks.
func TestHiddenFollowUp(t *testing.T) {
	r, west, east := tinyRun(t), newCluster(), newCluster()
	west.name, east.name, east.later = "west", "east", time.Hour
	submit(t, r, west, untilDone())
	st := asked(t, r, east)
	if h := st.Queue.Hidden; st.Follow.State != run.FollowHidden || len(h) != 1 || h[0].Tasks != len(r.Tasks) || len(h[0].Jobs) != 2 {
		t.Errorf("follow-up %+v, hidden %+v, want its job among those of west", st.Follow, h)
	}
}

// The attempts of two jobs with the same id are distinguished by cluster.
func TestAttemptsOfTwoClusters(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.name = "west"
	submit(t, r, c, submitOptions())
	c.die(slurm.Failed)
	for task, cluster := range []string{"-west", "-east", ""} {
		note(t, r, task, results.Attempt{Name: fmt.Sprintf("slurm-100_%d-0%s", task, cluster), End: results.OutOfMemory})
	}
	for task, want := range []results.Cause{results.OutOfMemory, results.NotStarted, results.OutOfMemory} {
		if d := asked(t, r, c).Queue.Dead[task]; d.Cause != want {
			t.Errorf("task %d died of %q, want %q", task, d.Cause, want)
		}
	}
}

// A job that sbatch has just accepted counts as queued, even if squeue does not show it, unless the accounts know its
// end. A record of an earlier job with the same id proves nothing.
func TestNewJob(t *testing.T) {
	r, c := submitted(t)
	c.jobs[0].forgotten = true // while no time passes
	st := untouched(t, "new", r, c, submitOptions())
	if st.Total.Queued != len(r.Plan.Cells) {
		t.Errorf("%+v, want all queued", st.Total)
	}
	c.accounts = "100_0|COMPLETED|0:0|n1|2020-01-01T10:00:00\n"
	untouched(t, "new, with an old record", r, c, submitOptions())
	cancelled, _, err := journal.Cancel(t.Context(), r, c.client())
	if must(t, err); len(cancelled) != 1 || c.active() > 0 {
		t.Errorf("cancelled %+v", cancelled)
	}
	c.accounts = "100_0|NODE_FAIL|0:0|None assigned|2099-01-01T10:00:00\n"
	if dead := asked(t, r, c).Queue.Dead; len(dead) != 1 || dead[0].Cause != results.NodeFailure || dead[0].Node != "" {
		t.Errorf("%+v, want the first to be dead", dead)
	}
	c.later = 3 * time.Minute
	if dead := asked(t, r, c).Queue.Dead; len(dead) != len(r.Tasks) {
		t.Errorf("%d dead after three minutes, want all", len(dead))
	}
}

// If a journal names no user, its user is the owner of the file.
func TestOlderJournal(t *testing.T) {
	r, _ := submitted(t)
	j := must1(journal.Read(r))
	f := j.Files[0]
	name := f.User
	f.User, f.UID, f.Jobs[0].Cluster = "", -1, ""
	must(t, j.Save(f))
	if f := must1(journal.Read(r)).Files[0]; f.User != name || f.UID != os.Getuid() {
		t.Errorf("user %q, %d, want %q", f.User, f.UID, name)
	}
}

// script submits a job of another run.
func (c *cluster) script(r *run.Run) error {
	path := filepath.Join(r.Dir, "other.sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n#SBATCH --job-name=other\n"), 0o666); err != nil {
		return err
	}
	out := c.sbatch([]string{"--chdir=" + r.Dir, path})
	_, err := strconv.Atoi(strings.TrimSpace(out.Stdout))
	return err
}
