package cluster

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A submission fails at every possible point. The next submission must leave every cell in one job,
// even if it fails itself.
func TestCrashes(t *testing.T) {
	origin := tinyRun(t)
	for first := 0; ; first++ {
		reached := false
		for second := -1; ; second++ {
			run := copyOf(t, origin)
			c := newCluster()
			c.maxArray = 2
			reached = crash(t, run, c, first)
			again := second >= 0 && crash(t, run, c, second)
			c.before, c.after = nil, nil
			submit(t, run, c, submitOptions())
			wantOnce(t, run, c)
			if !reached || second >= 0 && !again {
				break
			}
			if testing.Short() && second > 2 {
				break
			}
		}
		if !reached {
			if first < 12 {
				t.Fatalf("only %d points to crash at", first)
			}
			return
		}
	}
}

// crash submits, and stops dead at the n-th point. Points are before and after each command and each write of the
// journal. If there are fewer than n points, crash returns false.
func crash(t *testing.T, whole *run.Run, c *cluster, n int) (crashed bool) {
	t.Helper()
	type death struct{}
	point := func() {
		if n--; n == -1 {
			panic(death{})
		}
	}
	c.before = func(string, []string) *slurm.Output { point(); return nil }
	c.after = func(string) { point() }
	var s *Submission
	defer func() {
		if s != nil {
			must(t, s.Close()) // the lock ends with the process
		}
		if r := recover(); r != nil {
			if _, ok := r.(death); !ok {
				panic(r)
			}
			crashed = true
		}
	}()
	opened := must1(run.Open(whole.Dir))
	s = &Submission{run: opened, client: c.client(), options: submitOptions()}
	must(t, s.open(context.Background()))
	if s.Empty() {
		return false
	}
	s.journal.Write = func(path string, fill func(io.Writer) error) error {
		point()
		err := seal.Write(path, fill)
		point()
		return err
	}
	must(t, s.Send(context.Background(), func(*ProposedJob) {}))
	return false
}

func TestSubmissionFails(t *testing.T) {
	for _, c := range []struct {
		text   string
		config bool // whether the user asked for something that does not exist
		says   []string
	}{
		{"sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified", true, []string{"1 of", "Invalid partition"}},
		{"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)", false, []string{"1 of", "tried 8 times", "continues from here"}},
	} {
		run := tinyRun(t)
		cl := newCluster()
		cl.maxArray = 2
		cl.on("sbatch", func([]string) *slurm.Output {
			if len(cl.jobs) == 1 {
				return &slurm.Output{Code: 1, Stderr: c.text}
			}
			return nil
		})
		sent, err := send(t, run, cl, submitOptions())
		wantError(t, err, c.says...)
		if errors.As(err, new(*userinput.Error)) != c.config || errors.Is(err, executor.ErrStopped) == c.config || sent != 1 {
			t.Errorf("%d sent, error %v", sent, err)
		}
		cl.before = nil
		if s := submit(t, run, cl, submitOptions()); s.List != "" {
			t.Errorf("the tasks that were not submitted were packed again, into %s", s.List)
		}
		wantOnce(t, run, cl)
	}
}

func TestTwoAtOnce(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	s := must1(Propose(t.Context(), run, c.client(), submitOptions()))
	_, err := Propose(t.Context(), run, c.client(), submitOptions())
	wantError(t, err, "another gdrun submit")
	must(t, s.Close())
	submit(t, run, c, submitOptions())
	wantOnce(t, run, c)
}

// The part of an old task counts as long as no other file has its cells.
func TestPartsOfOldTasksCount(t *testing.T) {
	r, c := submitted(t)
	planned := len(r.Tasks)
	stopAfter(t, r, 1, 2)
	c.jobs[0].set(slurm.Cancelled)
	submit(t, r, c, submitOptions())
	again := must1(run.Open(r.Dir))
	for _, task := range again.Tasks[planned:] {
		must1((&executor.Runner{Run: again, Workers: 1}).RunTasks(t.Context(), []*plan.Task{task}))
	}
	c.jobs[1].set(slurm.Completed)
	if s := submit(t, again, c, submitOptions()); !s.Empty() || s.Done != len(r.Plan.Cells) {
		t.Errorf("there is something to submit: %+v", s)
	}
	if s := status(t, again); s.Total.Done < s.Total.Cells {
		t.Errorf("status %+v", s.Total)
	}
	resultsCSV(t, again)
}

// A warning counts the tasks that are expected to exceed the time limit.
func TestLongTasksAreTold(t *testing.T) {
	run, o := tinyRun(t), submitOptions()
	o.Resources.Time = "1:00:00"
	run.Tasks[0].Cells[0].Seconds = 5000
	s := must1(Propose(t.Context(), run, newCluster().client(), o))
	defer s.Close()
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "1 of ") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// To a shell, the command of a dry run means the same as the arguments that sbatch gets, whatever the run's name.
func TestNames(t *testing.T) {
	origin := tinyRun(t)
	for _, name := range []string{"a run", `it's "quoted"`, "two\nlines", "$HOME (copy); rm -rf `x`", "*?[a]"} {
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.MkdirAll(filepath.Dir(dir), 0o777))
		must(t, os.CopyFS(dir, os.DirFS(origin.Dir)))
		r := must1(run.Open(dir))
		setup := jobstest.WriteFile(t, t.TempDir(), "it's my setup.sh", "module load x\n")
		c := newCluster()
		var args []string
		c.on("sbatch", func(a []string) *slurm.Output { args = a; return nil })
		o := submitOptions()
		o.Setup, o.Scratch = setup, "/scratch/$USER"
		dry := o
		dry.DryRun = true
		s := submit(t, r, c, dry)
		line := s.Jobs[0].Submission.Line()
		submit(t, r, c, o)
		wantOnce(t, r, c)
		out := must1(exec.Command("sh", "-c", `sbatch() { for a; do printf '%s\0' "$a"; done; }; `+line).Output())
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, args) {
			t.Errorf("%q: a shell reads %q, sbatch was given %q", name, got, args)
		}
		copied := must1(os.ReadFile(filepath.Join(dir, "submissions/0001-setup.sh")))
		if string(copied) != "module load x\n" {
			t.Errorf("setup %q", copied)
		}
	}
	dir := filepath.Join(t.TempDir(), "100%")
	must(t, os.CopyFS(dir, os.DirFS(origin.Dir)))
	r := must1(run.Open(dir))
	_, err := Propose(t.Context(), r, newCluster().client(), submitOptions())
	wantError(t, err, "rename the folder")
}

// A task with a whole node asks for all its memory, uses all its processors, and gets more cells in proportion. Slurm
// says how many processors a node has; gdrun does not guess.
func TestWholeNode(t *testing.T) {
	whole, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.WholeNode = true
	_, err := Propose(t.Context(), whole, c.client(), o)
	wantError(t, err, "--cpus-per-task")
	o.Resources.CPUsPerTask = 8
	s := submit(t, whole, c, o)
	script := c.scripts[0]
	for _, line := range []string{"#SBATCH --exclusive", "#SBATCH --nodes=1", "#SBATCH --mem=0", "#SBATCH --cpus-per-task=8",
		`export GOMAXPROCS="${SLURM_CPUS_ON_NODE:-1}"`, "#SBATCH --time=0:02:00"} {
		if !strings.Contains(script, line+"\n") {
			t.Errorf("the script lacks %s:\n%s", line, script)
		}
	}
	if s.Tasks[0].Seconds() < 1.5*whole.Plan.Target.Seconds() || len(s.Tasks) >= len(whole.Tasks) {
		t.Errorf("%d tasks of %v s, of one processor they were %d of %v", len(s.Tasks), s.Tasks[0].Seconds(), len(whole.Tasks),
			whole.Plan.Target)
	}
	told := o
	told.Resources.CPUsPerTask, told.Resources.Mem, told.Target = 3, "2G", time.Hour
	told.wholeNode(whole.Plan)
	if r := told.Resources; r.CPUsPerTask != 3 || r.Mem != "2G" || told.Target != time.Hour || r.Time != "" {
		t.Errorf("what was asked for has become %+v, %v", r, told.Target)
	}
	// A job with all of a node's memory cannot ask for more.
	c.die(slurm.OutOfMemory)
	fresh := must1(run.Open(whole.Dir))
	s = must1(Propose(t.Context(), fresh, c.client(), o))
	defer s.Close()
	if s.GivenUp != len(whole.Plan.Cells) || s.needs.givenUp[0] != results.OutOfMemory {
		t.Errorf("%d cells given up", s.GivenUp)
	}
}

// The jobs of a copied run belong to the original. The copy neither counts nor cancels them, and submits its own.
func TestCopiedRun(t *testing.T) {
	r, c := submitted(t)
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(r.Dir)))
	copied := must1(run.Open(to))
	s := asked(t, copied, c)
	if all := len(r.Plan.Cells); s.Total.Missing != all || s.Queue.Queued != 0 || len(s.Queue.Dead) > 0 {
		t.Errorf("the copy's status: %+v, %+v", s.Total, s.Queue)
	}
	if len(s.Queue.NotOurs) != 1 || !strings.HasPrefix(s.Queue.NotOurs[0], "job 100 belongs to "+r.Dir+",") {
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
	// When the original's jobs have ended and the queue has forgotten them, they do not count as deaths of the copy.
	c.jobs[0].set(slurm.Completed)
	c.forget(c.jobs[0])
	if s := asked(t, copied, c); len(s.Queue.Dead) > 0 || s.Queue.Queued != len(r.Tasks) {
		t.Errorf("then: %+v", s.Queue)
	}
}

// If the accounting database is down, a submission continues after two tries.
func TestAccountsDown(t *testing.T) {
	run, c := submitted(t)
	c.die(slurm.Failed)
	c.forget(c.jobs[0])
	c.accounts = "down"
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
