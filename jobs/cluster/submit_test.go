package cluster

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"graphda/io/seal"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A submission goes wrong at every point; the next one must leave every cell in one job,
// also if it goes wrong itself.
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

// crash submits and stops dead at the n-th of the points before and after each command
// and each write of the journal. It tells whether there were so many.
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
			must(t, s.Close()) // the lock goes with the process
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
		config bool // the user asked for what there is not
		says   []string
	}{
		{"sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid partition name specified", true, []string{"1 of", "Invalid partition"}},
		{"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)", false, []string{"1 of", "tried 8 times", "goes on"}},
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

// A job that merges and is lacking is submitted alone, after all that waits or runs.
func TestMergeAlone(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.maxArray = 3
	c.on("sbatch", func(args []string) *slurm.Output {
		if strings.HasSuffix(args[len(args)-1], "-merge.sh") {
			return &slurm.Output{Code: 1, Stderr: "sbatch: error: Batch job submission failed: Invalid qos specification"}
		}
		return nil
	})
	o := mergeOptions()
	_, err := send(t, run, c, o)
	arrays := len(c.jobs)
	wantError(t, err, "2 of 3 jobs submitted", "--merge again sends it alone")
	c.before = nil

	alone := func(want string) {
		t.Helper()
		s := submit(t, run, c, o)
		if want == "" {
			if !s.Empty() {
				t.Errorf("submitted again: %+v", s.Jobs[0].Note)
			}
			return
		}
		if len(s.Jobs) != 1 || s.Cells != 0 || s.Jobs[0].Note.Count != 0 || c.jobs[len(c.jobs)-1].after != want {
			t.Fatalf("%d jobs, %d cells, after %q, want one that merges after %q", len(s.Jobs), s.Cells, c.jobs[len(c.jobs)-1].after, want)
		}
		wantAsks(t, s, c, "mem", "1G")
	}
	if s := submit(t, run, c, submitOptions()); !s.Empty() || s.Merging != "" {
		t.Errorf("unasked: %+v", s)
	}
	alone("100:101")
	alone("")
	if s := submit(t, run, c, submitOptions()); s.Merging != "102" {
		t.Errorf("job %q merges, want 102", s.Merging)
	}
	c.jobs[arrays].set(slurm.Cancelled)
	c.jobs[0].set(slurm.Completed)
	sealAll(t, run, run.Tasks[:3])
	alone("101") // it was cancelled, and some have ended
	c.jobs[len(c.jobs)-1].set(slurm.Completed)
	c.jobs[1].set(slurm.Completed)
	finish(t, run, 1)
	jobs := must1(journal.Read(run)).Jobs()
	jobstest.WriteFile(t, run.Dir, jobs[len(jobs)-1].LogOf(0), "wrote 9 files to report; open report/report.html\n")
	alone("") // it has merged all
	wantOnce(t, run, c)
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

// The old task's part counts as long as nothing else has its cells.
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
