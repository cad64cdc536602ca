package slurm

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// In TestLiveTimeLimit, USR1 reaches the program before the limit. The program requeues itself, and its second start
// knows that it is the second.
func TestLiveTimeLimit(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	s := l.script(2, "--sleep", "3m", "--requeue")
	s.Resources.Time, s.Lead = "1", 20*time.Second
	job := l.submit(s)
	for task := range 2 {
		events := l.waitEvent(task, 0, syscall.SIGUSR1.String())
		start, usr1 := events[0], events[1]
		after := usr1.Time.Sub(start.Time)
		if start.Left <= 0 || start.Left > time.Minute {
			t.Errorf("task %d: %v left at its start", task, start.Left)
		}
		if late := after - (time.Minute - s.Lead); late > 5*time.Second {
			t.Errorf("task %d: USR1 comes after %v, %v late", task, after, late)
		}
		t.Logf("task %d: USR1 after %v of a minute, asked for %v before the limit", task, after, s.Lead)
		if again := l.waitEvent(task, 1, "end"); again[0].Env.Restarts != 1 || again[0].Env.ID != start.Env.ID {
			t.Errorf("task %d: second life %+v, first %+v", task, again[0].Env, start.Env)
		}
	}
	l.wait(job, "its end", all(2, Completed))
}

// In TestLiveEarlySignal, the limit is hardly longer than the lead, so USR1 comes at once. It must not kill a program
// that cannot handle it yet.
func TestLiveEarlySignal(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	s := l.script(2)
	s.Resources.Time, s.Lead = "1", 59*time.Second
	// The controller looks at time limits every 30 s.
	must(t, os.WriteFile(filepath.Join(l.dir, "setup.sh"), []byte("sleep 33\n"), 0o666))
	s.Setup = "setup.sh"
	job := l.submit(s)
	l.wait(job, "its end", all(2, Completed))
	for task := range 2 {
		if events := readEvents(t, l.dir, task, 0); len(events) != 2 || events[1].What != "end" {
			t.Errorf("task %d: %+v", task, events)
		}
	}
}

// TestLiveEnvironment submits as if from inside another job. That job's variables must not reach the new job.
func TestLiveEnvironment(t *testing.T) {
	l := onCluster(t)
	for name, value := range map[string]string{
		"SLURM_JOB_ID": "1", "SLURM_RESTART_COUNT": "7", "SLURM_CPUS_PER_TASK": "9", "SBATCH_TIMELIMIT": "99", "SBATCH_SIGNAL": "KILL@59",
		"SQUEUE_FORMAT": "%N", "SQUEUE_STATES": "PD", "SLURM_TIME_FORMAT": "relative", "SCANCEL_INTERACTIVE": "1",
	} {
		t.Setenv(name, value)
	}
	s := l.script(1, "--sleep", "1m")
	s.Resources.Time, s.Resources.CPUsPerTask = "5", 1
	job := l.submit(s)
	start := l.waitEvent(0, 0, "start")[0]
	if start.Env.Restarts != 0 || start.Procs != "1" {
		t.Errorf("%+v", start)
	}
	left, err := l.client.TimeLeft(t.Context(), start.Env.ID)
	if err != nil || left > 5*time.Minute || left < 4*time.Minute {
		t.Errorf("%v left, %v", left, err)
	}
	s = l.script(1, "--sleep", "1m")
	unlimited := l.submit(s)
	l.wait(unlimited, "its start", all(1, Running))
	if left, err := l.client.TimeLeft(t.Context(), unlimited+"_0"); err != nil || left < 300*24*time.Hour { // Slurm returns a year
		t.Errorf("%v left, %v", left, err)
	}
	if _, err := l.client.TimeLeft(t.Context(), "999999"); !IsKind(err, NoSuchJob) {
		t.Errorf("no such job: %v", err)
	}
	if err := l.client.Cancel(t.Context(), job, unlimited); err != nil {
		t.Error(err)
	}
}
