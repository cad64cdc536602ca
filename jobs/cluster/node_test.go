package cluster

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A fakeSlurm answers the commands that a job runs, and records them.
type fakeSlurm struct {
	left  string // squeue's answer about the time left
	asked []string
	deny  bool // set to refuse a requeue
}

func (f *fakeSlurm) Run(_ context.Context, name string, args ...string) (slurm.Output, error) {
	f.asked = append(f.asked, name+" "+strings.Join(args, " "))
	switch name {
	case "squeue":
		return slurm.Output{Stdout: f.left + "\n"}, nil
	case "scontrol":
		if f.deny {
			return slurm.Output{Code: 1, Stderr: "Job/step requeue is disabled\n"}, nil
		}
	}
	return slurm.Output{}, nil
}

func (f *fakeSlurm) requeued() bool {
	return slices.ContainsFunc(f.asked, func(s string) bool { return strings.HasPrefix(s, "scontrol requeue") })
}

func (f *fakeSlurm) node() *Node {
	client := &slurm.Client{Runner: f, Sleep: func(context.Context, time.Duration) error { return nil }}
	return &Node{Env: slurm.Env{ID: "7_0"}, Client: client}
}

// signalAfter ends a context with a signal as its cause once a cell is done.
func signalAfter(r *run.Run, sig os.Signal) (context.Context, *executor.Runner) {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ctx, &executor.Runner{Run: r, Workers: 1, Notify: func(e executor.Event) {
		if e.Kind == executor.CellDone {
			cancel(&executor.SignalError{Signal: sig})
		}
	}}
}

func TestOnlyTheTimeLimitRequeues(t *testing.T) {
	for _, c := range []struct {
		sig     os.Signal
		deny    bool
		requeue bool
		says    []string
	}{
		{syscall.SIGUSR1, false, true, nil}, {syscall.SIGTERM, false, false, nil}, {os.Interrupt, false, false, nil},
		{syscall.SIGUSR1, true, true, []string{"gdrun submit", "requeue is disabled"}},
	} {
		run := tinyRun(t)
		f := &fakeSlurm{left: "1-00:00:00", deny: c.deny}
		ctx, runner := signalAfter(run, c.sig)
		_, err := f.node().RunTask(ctx, runner, run.Tasks[0])
		if !errors.Is(err, executor.ErrStopped) {
			t.Errorf("%v: error %v, want ErrStopped", c.sig, err)
		}
		wantError(t, err, c.says...)
		if f.requeued() != c.requeue {
			t.Errorf("%v: commands %q, want requeue: %v", c.sig, f.asked, c.requeue)
		}
	}
}

// If the controller hangs, a job loses at most half a minute, and no rows.
func TestControllerHangs(t *testing.T) {
	run := tinyRun(t)
	client := slurm.NodeClient()
	if worst := time.Duration(client.Tries)*client.Timeout + time.Second; worst > 30*time.Second {
		t.Errorf("a job may wait %v for an answer", worst)
	}
	client.Timeout = 20 * time.Millisecond
	client.Sleep = func(context.Context, time.Duration) error { return nil }
	asked := 0
	client.Runner = hanging(func() { asked++ })
	ctx, runner := signalAfter(run, syscall.SIGUSR1)
	n := &Node{Env: slurm.Env{ID: "7_0"}, Client: client}
	_, err := n.RunTask(ctx, runner, run.Tasks[0])
	if !errors.Is(err, executor.ErrStopped) || !strings.Contains(err.Error(), "gdrun submit") || !strings.Contains(err.Error(), "no answer") || asked != 4 {
		t.Errorf("%v after %d commands, want ErrStopped and what to do after 2 of squeue and 2 of scontrol", err, asked)
	}
	if s := status(t, run); s.Total.Done == 0 {
		t.Error("nothing is on the disk")
	}
}

// hanging is a Slurm whose commands never end.
type hanging func()

func (h hanging) Run(ctx context.Context, _ string, _ ...string) (slurm.Output, error) {
	h()
	<-ctx.Done()
	return slurm.Output{Code: -1}, ctx.Err()
}

// If a job is cancelled while it asks for its limit, it still leaves a note of its attempt, so that the
// attempt can be found.
func TestCancelledWhileItAsks(t *testing.T) {
	run := tinyRun(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	client := slurm.NodeClient()
	client.Runner = hanging(func() { cancel(&executor.SignalError{Signal: syscall.SIGTERM}) })
	n := &Node{Env: slurm.Env{ID: "7_0"}, Client: client}
	if _, err := n.RunTask(ctx, &executor.Runner{Run: run, Workers: 1}, run.Tasks[0]); !errors.Is(err, executor.ErrStopped) {
		t.Errorf("error %v, want ErrStopped", err)
	}
	notes := must1(results.ReadAttempts(run.Folder(run.Tasks[0]), 0))
	if len(notes) != 1 || notes[0].Name != n.Env.Attempt() || notes[0].End != results.Cancelled {
		t.Errorf("notes %+v, want one, of a cancelled attempt", notes)
	}
}

// A job near its limit begins one batch, stops, and goes back into the queue. In the end its task is
// finished, with the same rows.
func TestDeadline(t *testing.T) {
	undisturbed := finished(t)
	run := tinyRun(t)
	lives := 0
	for ; ; lives++ {
		if lives > len(run.Plan.Cells) {
			t.Fatalf("%d lives for %d cells", lives, len(run.Plan.Cells))
		}
		f := &fakeSlurm{left: "0:01"}
		n := f.node()
		n.Lead = time.Hour
		outcome, err := n.RunTask(context.Background(), &executor.Runner{Run: run, Workers: 1}, run.Tasks[0])
		if err == nil {
			break
		}
		if !errors.Is(err, executor.ErrOutOfTime) || outcome.Computed == 0 || !f.requeued() {
			t.Fatalf("life %d: %+v, %v, commands %q", lives, outcome, err, f.asked)
		}
	}
	if lives == 0 {
		t.Error("the task ended in one life; the deadline had no effect")
	}
	for _, task := range run.Tasks[1:] {
		must1((&executor.Runner{Run: run, Workers: 1}).RunTasks(context.Background(), []*plan.Task{task}))
	}
	sameResults(t, run, undisturbed)
}

// If the job's environment has the end of the job, the controller is not asked.
func TestDeadlineOfTheEnvironment(t *testing.T) {
	run := tinyRun(t)
	f := &fakeSlurm{left: "1-00:00:00"}
	n := f.node()
	n.Env.End = time.Now()
	_, err := n.RunTask(t.Context(), &executor.Runner{Run: run, Workers: 1}, run.Tasks[0])
	if !errors.Is(err, executor.ErrOutOfTime) || len(f.asked) != 1 || !f.requeued() {
		t.Errorf("%v after %q, want the end of the time and a requeue alone", err, f.asked)
	}
}

// If no cell can end within the limit, the job is not tried for ever.
func TestTooSlow(t *testing.T) {
	run := tinyRun(t)
	f := &fakeSlurm{left: "10:00"}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(&executor.SignalError{Signal: syscall.SIGUSR1})
	_, err := f.node().RunTask(ctx, &executor.Runner{Run: run, Workers: 1}, run.Tasks[0])
	if !errors.Is(err, errTooSlow) || f.requeued() {
		t.Errorf("error %v and commands %q, want ErrTooSlow and no requeue", err, f.asked)
	}
}

// Cells in other tasks' files are not computed again, except failed cells.
func TestKnown(t *testing.T) {
	undisturbed := finished(t)
	rows := must1(undisturbed.Results())
	known := rows[:len(rows)/2]
	for i := range known {
		if i%5 == 0 {
			known[i].Error = "lost"
		}
	}
	good := map[string]bool{}
	for _, r := range known {
		good[r.Cell] = true
	}
	for _, r := range known {
		if r.Failed() {
			delete(good, r.Cell)
		}
	}
	for _, r := range rows[len(rows)/2:] {
		delete(good, r.Cell) // not at all checkpoints
	}
	run := tinyRun(t)
	again := *run.Tasks[0]
	again.Number = run.NextTask()
	must(t, run.AddTasks([]*plan.Task{&again}))
	writePart(t, run, &again, "other", known...)
	outcome := must1((&executor.Runner{Run: run, Workers: 2}).RunTasks(context.Background(), run.Tasks[:again.Number]))
	if want := len(run.Plan.Cells) - len(good); outcome.Computed != want {
		t.Errorf("%d cells computed, want %d", outcome.Computed, want)
	}
	sameResults(t, run, undisturbed)
}
