package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// In TestLiveLostAnswer, the controller accepts a job, but its answer is lost. Then the controller is down.
func TestLiveLostAnswer(t *testing.T) {
	l := onCluster(t)
	pid := func() int {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(os.Getenv("SLURM_CONF")), "run", "slurmctld.pid"))
		if err != nil {
			t.Skipf("not the project's test cluster: %v", err)
		}
		return must1(strconv.Atoi(strings.TrimSpace(string(text))))
	}
	for _, c := range []struct {
		name  string
		hurt  syscall.Signal
		error string // error of the first sbatch
		heal  func() error
	}{
		{"stopped", syscall.SIGSTOP, "Socket timed out", func() error { return syscall.Kill(pid(), syscall.SIGCONT) }},
		{"ended", syscall.SIGTERM, "Unable to contact slurm controller", func() error {
			return exec.Command("slurmctld", "-f", os.Getenv("SLURM_CONF")).Run()
		}},
	} {
		s := l.prepare(l.script(2), l.dir)
		var notes []error
		client := &Client{
			Notify: func(err error, _ time.Duration) { notes = append(notes, err) },
			Sleep: func(context.Context, time.Duration) error {
				if len(notes) == 1 {
					if err := c.heal(); err != nil {
						return err
					}
				}
				time.Sleep(time.Second)
				return nil
			},
		}
		controller := pid()
		must(t, syscall.Kill(controller, c.hurt))
		if c.hurt == syscall.SIGTERM {
			gone(t, controller)
		}
		job, err := client.Submit(t.Context(), s)
		if err != nil || len(notes) == 0 || !strings.Contains(notes[0].Error(), c.error) {
			if len(notes) == 0 {
				err = errors.Join(err, c.heal())
			}
			t.Fatalf("%s: %v, %v", c.name, notes, err)
		}
		l.jobs = append(l.jobs, job.ID)
		if e := l.wait(job.ID, "its end", all(2, Completed))[0]; e.Name != s.Script.Name || e.Dir != s.Dir || e.Script != s.File {
			t.Errorf("%s: squeue shows %+v", c.name, e)
		}
		ids, err := client.Find(t.Context(), os.Getuid(), s.Script.Name, time.Now())
		if err != nil || len(ids) != 1 || ids[0] != job.ID {
			t.Errorf("%s: %s was submitted, %v found, %v", c.name, job.ID, ids, err)
		}
		t.Logf("%s: %v, then one job, %s", c.name, notes, job.ID)
	}
}

// gone waits for the end of a process. init may leave it as a zombie.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
	}
	t.Fatalf("process %d does not end", pid)
}

func TestLiveAccounting(t *testing.T) {
	l := onCluster(t)
	if os.Getenv("TESTCLUSTER_SACCT") != "1" {
		t.Skip("needs a cluster with accounts: make test-slurm starts one")
	}
	s := l.script(2, "--sleep", "2s", "--requeue")
	job := l.submit(s)
	l.waitEvent(0, 0, "start")
	must(t, l.client.Requeue(t.Context(), job+"_0"))
	l.waitEvent(0, 1, "end")
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(500 * time.Millisecond) {
		records := must1(l.client.Accounting(t.Context(), []string{s.Name}, job))
		lives := map[JobID]int{}
		for _, r := range records {
			if r.State != Running && !r.Start.IsZero() && r.Node != "" {
				lives[r.ID]++
			}
		}
		if lives[job+"_0"] == 2 && lives[job+"_1"] == 1 {
			t.Logf("%+v", records)
			if ids := l.client.inAccounts(t.Context(), os.Getuid(), s.Name, time.Now()); len(ids) != 1 || ids[0] != job {
				t.Errorf("jobs %q of the name %s, want %s", ids, s.Name, job)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%+v: want two lives of element 0 and one of element 1", records)
		}
	}
}
