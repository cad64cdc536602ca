package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

// manyTasks is the number of tasks of the plan "many".
const manyTasks = 24

// TestLive tests gdrun on a running cluster; `make test-slurm` starts one. With GRAPHDA_CLUSTER_FULL=1 it repeats
// the faults.
func TestLive(t *testing.T) {
	lab := newClusterLab(t)
	lab.plan(t, "slow", jobstest.Spec{Side: 12, Train: 600, Trials: 10}, // 60 cells in 10 tasks
		"  - {method: graphda, gamma: [5, 20], s: [4, 5]}\n  - {method: adam, alpha: [0.001, 0.01]}\n")
	lab.plan(t, "many", jobstest.Spec{Train: 60, Trials: manyTasks}, // tasks of a millisecond
		"  - {method: adam, alpha: 0.01}\n")
	lab.plan(t, "long", jobstest.Spec{Side: 12, Train: 300, Trials: 10, Seed: 1}, // 10 tasks of half a second
		"  - {method: graphda, gamma: [1, 2, 5, 10, 20, 50], s: [4, 5]}\n")
	lab.plan(t, "grid", jobstest.Spec{Train: 60, Trials: 201}, "  - {method: adam, alpha: 0.01}\n") // above 200 tasks
	for _, plan := range []string{"many", "slow", "long", "grid"} {
		lab.undisturbed(t, plan)
	}
	tests := []liveTest{
		{"follow-up", (*clusterLab).testFollow},
		{"follow-up cancelled", (*clusterLab).testFollowCancelled},
		{"arrays", (*clusterLab).testArrays},
		{"names", (*clusterLab).testNames},
		{"cancel", (*clusterLab).testCancel},
		{"options", (*clusterLab).testOptions},
		{"pilot", (*clusterLab).testPilot},
		{"replaced program", (*clusterLab).testReplaced},
		{"after", (*clusterLab).testAfter},
		{"partition", (*clusterLab).testPartition},
		{"programs", (*clusterLab).testPrograms},
	}
	for i, kind := range faultKinds {
		if kind.name == slowFault && !lab.full {
			continue
		}
		tests = append(tests, liveTest{kind.name, func(lab *clusterLab, t *testing.T) { lab.testFault(t, kind, uint64(i)) }})
	}
	t.Run("all", func(t *testing.T) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				begin := time.Now()
				test.run(lab, t)
				t.Logf("%.0f s", time.Since(begin).Seconds())
			})
		}
	})
	t.Logf("\n%s", lab.table())
}

type liveTest struct {
	name string
	run  func(*clusterLab, *testing.T)
}

// One command runs a whole run and merges it, even if some of its jobs are killed in any way.
func (lab *clusterLab) testFollow(t *testing.T) {
	const some = `[ "$SLURM_ARRAY_TASK_ID" -ge 3 ] || [ -e "died-$SLURM_ARRAY_TASK_ID" ] || {
	touch "died-$SLURM_ARRAY_TASK_ID"; kill -9 $$; }
`
	r := lab.fresh(t, "slow", "--setup", jobstest.WriteFile(t, lab.dir, "some.sh", some))
	r.submit("--until-done")
	r.waitIdle()
	if s := r.status(); s.Follow == nil || s.Follow.State != run.FollowDone {
		t.Errorf("status: %+v\n%s", s.Follow, r.logs())
	}
	r.compare(r.report(filepath.Join(r.path, "report")))
	if out := r.submit("--until-done"); !strings.Contains(out, "nothing to submit") {
		t.Errorf("submitted again: %s", out)
	}
	r.args = nil
	r.settle()
}

// Cancelled cells are not sent again, and the run's last word says so. The same command continues the run.
func (lab *clusterLab) testFollowCancelled(t *testing.T) {
	r := lab.fresh(t, "slow", "--setup", jobstest.WriteFile(t, lab.dir, "gate.sh", gate))
	for _, cancel := range []func(){
		func() { must(t, lab.client.Cancel(t.Context(), r.running()[0].ID)) },
		func() { lab.must(t, "gdrun", "cancel", r.path) },
	} {
		must(t, os.RemoveAll(filepath.Join(r.path, "go")))
		r.submit("--until-done")
		r.wait("a running task", func() bool { return len(r.running()) > 0 })
		cancel()
		jobstest.WriteFile(t, r.path, "go", "")
		r.waitIdle()
		if s := r.status(); s.Follow == nil || s.Follow.State != run.FollowStopped || !strings.Contains(s.Follow.Why, "cancelled") {
			t.Errorf("status: %+v\n%s", s.Follow, r.logs())
		}
	}
	r.submit("--until-done")
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
	r.settle()
}

// If there are more tasks than an array may have, submit makes several arrays.
func (lab *clusterLab) testArrays(t *testing.T) {
	here, err := lab.client.Config(t.Context())
	longest := here.Longest
	must(t, err)
	if longest >= manyTasks {
		t.Skipf("arrays have up to %d elements here; TESTCLUSTER_MAX_ARRAY=20 makes it less than the %d tasks of this test",
			longest, manyTasks)
	}
	r := lab.fresh(t, "many")
	out := r.submit("--until-done")
	if n := strings.Count(out, "\njob "); n != 3 {
		t.Errorf("%d jobs, want two arrays and the follow-up job:\n%s", n, out)
	}
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
	if n := len(r.queue()); n != manyTasks+1 {
		t.Errorf("%d elements, want %d and the follow-up job", n, manyTasks)
	}
	r.settle()
}

// Paths of programs, data and run may contain characters that a shell or Slurm would interpret.
func (lab *clusterLab) testNames(t *testing.T) {
	const name = "a 'b' \"c\" $HOME `id` $(id) (d) [e] *;&\n#SBATCH --hold"
	of := lab.inside(t, name)
	jobstest.WriteDataset(t, filepath.Join(of.dir, "data"+name, "grid"), jobstest.Spec{Trials: 3})
	jobstest.WriteFile(t, of.dir, name+".yaml", jobstest.Experiment)
	of.must(t, "gdrun", "plan", name+".yaml", "--data", "data"+name, "--out", name)
	of.undisturbed(t, name)
	r := of.fresh(t, name)
	setup := jobstest.WriteFile(t, of.dir, "setup"+name, "echo set up\n")
	r.submit("--until-done", "--merge-out", filepath.Join(of.dir, "report"+name), "--setup", setup, "--scratch", filepath.Join(of.dir, "scratch"+name))
	r.waitIdle()
	r.compare(r.report(filepath.Join(of.dir, "report"+name)))
	if n := strings.Count(r.logs(), "set up\n"); n != 3 {
		t.Errorf("the setup file was sourced %d times, want by 3 tasks:\n%s", n, r.logs())
	}
	r.settle()
}

// gate is a setup file that holds tasks until a file "go" exists.
const gate = "until [ -e go ]; do sleep 0.1; done\n"

// Status shows running and waiting tasks, and after a cancel that there are none.
func (lab *clusterLab) testCancel(t *testing.T) {
	// Tasks from the fifth on never begin, so there is something to cancel.
	const half = "until [ -e go ] && [ \"$SLURM_ARRAY_TASK_ID\" -lt 5 ]; do sleep 0.1; done\n"
	r := lab.fresh(t, "slow", "--setup", jobstest.WriteFile(t, lab.dir, "half.sh", half), "--array-parallelism", "2")
	r.submit("--until-done")
	r.wait("two running tasks", func() bool {
		s := r.status()
		return s.Queue.Running == 2 && s.Queue.Queued == 8 && s.Total.Running == 12 && s.Total.Queued == 48
	})
	jobstest.WriteFile(t, r.path, "go", "")
	r.wait("a task's end", func() bool { return r.status().Sealed > 0 })
	out := lab.must(t, "gdrun", "cancel", r.path)
	r.waitIdle()
	s := r.status()
	if s.Total.Running+s.Total.Queued+s.Queue.Running+s.Queue.Queued > 0 || s.Total.Missing < 30 {
		t.Errorf("after %q: %+v, %+v", out, s.Total, s.Queue)
	}
	if strings.Count(out, "cancelled job ") > 2 {
		t.Error(out)
	}
	if out := lab.must(t, "gdrun", "cancel", r.path); !strings.Contains(out, "the run has no jobs in the queue") {
		t.Errorf("cancelled again: %s", out)
	}
	r.args = nil
	r.settle()
	if s := r.status(); s.Total.Done != 60 || s.Left != 0 || len(s.Queue.Dead) > 0 {
		t.Errorf("in the end: %+v, %+v", s, s.Queue)
	}
}

type faultCount struct {
	injected      int
	told, others  int // causes that status reports: right ones and wrong ones
	runs, equal   int // equal: number of runs with the results of an undisturbed run
	lost, doubled int // numbers of lost cells and of doubled rows
}

// count adds a run to the table of faults.
func (lab *clusterLab) count(kind string, run faultCount) (injected int) {
	lab.mu.Lock()
	defer lab.mu.Unlock()
	f := lab.faults[kind]
	f.add(run)
	lab.faults[kind] = f
	return f.injected
}

func (f *faultCount) add(g faultCount) {
	f.injected, f.told, f.others = f.injected+g.injected, f.told+g.told, f.others+g.others
	f.runs, f.equal, f.lost, f.doubled = f.runs+g.runs, f.equal+g.equal, f.lost+g.lost, f.doubled+g.doubled
}

func (lab *clusterLab) table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "fault\tinjected\tin status\twith the cause\tothers\truns\tequal bytes\tcells lost\trows doubled")
	row := func(name, cause string, f faultCount) {
		told := fmt.Sprint(f.told)
		if cause == "" {
			cause, told = "–", "–"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%d\t%d\t%d\t%d\t%d\n", name, f.injected, told, cause, f.others, f.runs, f.equal, f.lost,
			f.doubled)
	}
	var all faultCount
	for _, kind := range faultKinds {
		if f, ran := lab.faults[kind.name]; ran {
			row(kind.name, string(kind.cause), f)
			all.add(f)
		}
	}
	row("all", "", all)
	_ = w.Flush() // cannot fail: writes to memory
	return b.String()
}

// TestLiveLimits tests gdrun on a cluster with accounts that limits the jobs of a user; `make test-slurm` starts one.
func TestLiveLimits(t *testing.T) {
	if os.Getenv("TESTCLUSTER_SACCT") != "1" {
		t.Skip("needs a cluster with accounts: make test-slurm starts one")
	}
	lab := newClusterLab(t)
	lab.plan(t, "few", jobstest.Spec{Train: 60, Trials: 8}, "  - {method: adam, alpha: 0.01}\n") // 8 tasks
	lab.plan(t, "three", jobstest.Spec{Train: 60, Trials: 3}, "  - {method: adam, alpha: 0.01}\n")
	lab.undisturbed(t, "few")
	lab.undisturbed(t, "three")
	user, err := exec.Command("id", "-un").Output()
	must(t, err)
	account := []string{"user", strings.TrimSpace(string(user)), "set"}
	for _, limit := range []struct {
		name     string
		set      []string
		submit   []string
		admitted int
		told     string
		plan     string
	}{
		{"of a quality of service", []string{"qos", "normal", "set", "MaxSubmitJobsPerUser="}, nil, 5, "accepts no more of your jobs", "few"},
		{"of an account", append(account, "MaxSubmitJobs="), nil, 3, "accepts no more of your jobs", "few"},
		{"of two jobs", append(account, "MaxSubmitJobs="), nil, 2, "accepts no more of your jobs", "three"},
		{"of the user", nil, []string{"--max-jobs=6"}, 7, "--max-jobs allows 6", "few"},
	} {
		t.Run(limit.name, func(t *testing.T) {
			if limit.set != nil {
				change := func(value string) {
					args := append([]string{"--immediate", "modify"}, limit.set...)
					args[len(args)-1] += value
					if out, err := exec.Command("sacctmgr", args...).CombinedOutput(); err != nil {
						t.Fatalf("%v: %s", err, out)
					}
				}
				change(fmt.Sprint(limit.admitted))
				defer change("-1")
			}
			r := lab.fresh(t, limit.plan, append(limit.submit, "--setup", jobstest.WriteFile(t, lab.dir, "gate.sh", gate))...)
			args := append([]string{"submit", r.path, "--until-done"}, r.args...)
			code, out, stderr := lab.run(t, "gdrun", args...)
			if code != 0 || !strings.Contains(stderr, limit.told) {
				t.Fatalf("exit code %d, %s%s", code, out, stderr)
			}
			if s := r.status(); len(r.active()) != limit.admitted || s.Queue.Running+s.Queue.Queued != limit.admitted-1 {
				t.Errorf("%d jobs in the queue, status %+v; want %d with the follow-up job", len(r.active()), s.Queue,
					limit.admitted)
			}
			jobstest.WriteFile(t, r.path, "go", "")
			r.waitIdle()
			if code, out, stderr := lab.run(t, "gdrun", "status", r.path); code != 0 {
				t.Errorf("status: exit code %d, %s%s", code, out, stderr)
			}
			r.compare(r.report(filepath.Join(r.path, "report")))
		})
	}
}
