package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// orphanage puts fake commands of Slurm in front of PATH. sbatch fails, but leaves a process that submits the job once
// there is a file named go. squeue then knows the job.
func orphanage(t *testing.T) (state string) {
	t.Helper()
	state = t.TempDir()
	bin := t.TempDir()
	const head = "#!/bin/sh\n[ \"$1\" = --version ] && { echo slurm 22.05.8; exit; }\ncd \"$ORPHANAGE\" || exit\n"
	for name, text := range map[string]string{
		"sbatch": "(until [ -e go ]; do sleep 0.02; done; echo 7 > job) </dev/null >/dev/null 2>&1 &\n" +
			"echo Unable to contact slurm controller >&2\nexit 1\n",
		"squeue":   "case $* in *%F*) cat job 2>/dev/null ;; esac\nexit 0\n",
		"scancel":  "exit 1\n",
		"scontrol": "echo 'MaxArraySize = 1001'\n",
	} {
		path := jobstest.WriteFile(t, bin, name, head+text)
		must(t, os.Chmod(path, 0o777))
	}
	t.Setenv("ORPHANAGE", state)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return state
}

// A gdrun that ends may leave an sbatch running. The next submission waits for this sbatch, and finds its job.
func TestSbatchLeftBehind(t *testing.T) {
	state := orphanage(t)
	run := tinyRun(t)
	first := must1(Propose(t.Context(), run, &slurm.Client{Tries: 1}, submitOptions()))
	if err := first.Send(t.Context(), func(*ProposedJob) {}); !errors.Is(err, executor.ErrStopped) {
		t.Fatalf("error %v, want one that leaves it open whether there is a job", err)
	}
	must(t, first.Close()) // as the end of the process does

	waits := 0
	impatient := &slurm.Client{Sleep: func(context.Context, time.Duration) error { waits++; return nil }}
	_, err := Propose(t.Context(), run, impatient, submitOptions())
	wantUsage(t, err, "an sbatch that it started")
	if waits != 40 {
		t.Errorf("%v after %d waits", err, waits)
	}
	_, _, err = journal.Cancel(t.Context(), run, new(slurm.Client))
	wantError(t, err, "try again")

	patient := &slurm.Client{Sleep: func(_ context.Context, d time.Duration) error {
		jobstest.WriteFile(t, state, "go", "")
		time.Sleep(10 * time.Millisecond)
		return nil
	}}
	second := must1(Propose(t.Context(), run, patient, submitOptions()))
	must(t, second.Close())
	if id := second.journal.Jobs()[0].ID; id != "7" {
		t.Errorf("the job has the id %q, want 7", id)
	}
}

// Without locks, a record without a job id is open until no sbatch can be running any more.
func TestOpenNotes(t *testing.T) {
	origin := tinyRun(t)
	var r *run.Run
	var c *cluster
	for n := 0; ; n++ { // crash between the record and sbatch
		r, c = copyOf(t, origin), newCluster()
		if !crash(t, r, c, n) {
			t.Fatal("no crash")
		}
		if j, err := journal.Read(r); err == nil && len(j.Jobs()) > 0 && len(c.jobs) == 0 {
			break
		}
	}
	c.before, c.after = nil, nil
	j := must1(journal.Read(r))
	const never = "the program was interrupted before the job was submitted"
	at := j.Jobs()[0].At
	for _, look := range []struct {
		age     time.Duration
		settled bool
		open    int
		error   string
	}{{time.Second, false, 1, ""}, {time.Second, true, 0, never}, {3*time.Minute + time.Second, false, 0, never}} {
		j := must1(journal.Read(r))
		changed, open, err := j.FindLost(t.Context(), c.client(), at.Add(look.age), look.settled)
		must(t, err)
		if note := j.Jobs()[0]; open != look.open || note.Error != look.error || len(changed) != 1-look.open {
			t.Errorf("%+v: %d open, %d changed, %+v", look, open, len(changed), note)
		}
	}

	// The job appears while the next submission waits.
	var told []error
	client := c.client()
	client.Notify = func(err error, _ time.Duration) { told = append(told, err) }
	client.Sleep = func(context.Context, time.Duration) error {
		c.sbatch([]string{"--chdir=" + r.Dir, filepath.Join(r.Dir, journal.SubmissionsDir, j.Jobs()[0].Script)})
		return nil
	}
	s := &Submission{run: r, client: client, options: submitOptions()}
	s.lock = new(journal.Lock)
	s.journal = j
	must(t, s.completeJournal(t.Context()))
	if note := s.journal.Jobs()[0]; note.ID != "100" || len(told) != 1 {
		t.Errorf("%+v after %v", note, told)
	}
	wantOnce(t, r, c)
}

// crashed submits copies of a run until a submission crashes after one job was sent and before its id was recorded.
func crashed(t *testing.T, origin *run.Run) (*run.Run, *cluster) {
	t.Helper()
	for n := 0; ; n++ {
		r, c := copyOf(t, origin), newCluster()
		if !crash(t, r, c, n) {
			t.Fatal("no crash")
		}
		if c.before, c.after = nil, nil; len(c.jobs) > 0 {
			return r, c
		}
	}
}

// If a job ended before anybody asked about it, it is found in the accounts.
func TestEndedJobIsFound(t *testing.T) {
	origin := tinyRun(t)
	for _, accounts := range []bool{false, true} {
		run, c := crashed(t, origin)
		c.jobs[0].set(slurm.Failed)
		c.forget(c.jobs[0])
		if accounts {
			c.accounts = "100_0|FAILED|1:0|n2|2099-01-01T10:00:00\n"
		}
		s := must1(Propose(t.Context(), run, c.client(), submitOptions()))
		must(t, s.Close())
		if note := s.journal.Jobs()[0]; (note.ID == "100") != accounts || (note.Error == "") != accounts {
			t.Errorf("accounts %v: %+v", accounts, note)
		}
	}
}
