package cluster

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/learners"
	"graphda/slurm"
)

// largePlan has cells of three methods on some datasets, 10,000 a trial.
func largePlan(tb testing.TB, datasets, trials int) *plan.Plan {
	tb.Helper()
	planned := &plan.Plan{
		Version: plan.Version, Checkpoints: []int{400},
		Experiment: &experiment.Experiment{Name: "million", Loss: "logistic", Selection: []string{"validation"}, Checkpoints: []int{400}},
	}
	for d := range datasets {
		set := plan.Dataset{Name: "d" + strconv.Itoa(d), Dir: "/data", Features: 1089, Edges: 2112, Rows: 1200}
		for k := range trials {
			set.Trials = append(set.Trials, plan.Trial{Trial: k, Digest: fmt.Sprint(d, k), Train: 400})
		}
		planned.Datasets = append(planned.Datasets, set)
	}
	type setting struct {
		method *learners.Method
		values []float64
	}
	var settings []setting
	for i, name := range []string{"l1-rda", "graphda", "adam"} {
		m, err := learners.Lookup(name)
		must(tb, err)
		for k := range []int{5000, 4000, 1000}[i] {
			given := map[string]float64{}
			for p := range m.Params {
				if m.Params[p].Required() {
					given[m.Params[p].Name] = 1
				}
			}
			given[m.Params[0].Name] = float64(k+1) / 100_000
			values, err := m.Fill(given)
			must(tb, err)
			settings = append(settings, setting{m, values})
		}
	}
	for d := range planned.Datasets {
		for _, t := range planned.Datasets[d].Trials {
			for _, s := range settings {
				id := fmt.Sprintf("%x", sha256.Sum256(strconv.AppendInt(nil, int64(len(planned.Cells)), 10)))
				planned.Cells = append(planned.Cells, plan.Cell{ID: id, Dataset: d, Trial: t.Trial, Method: s.method, Values: s.values})
			}
		}
	}
	return planned
}

// A million cells in 2,000 tasks are planned within 30 s and 1 GiB, submitted, and their
// status is told within 5 s, on two cores. What is counted is CPU time: the wall clock is
// also that of others on the machine.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	begin := spent(t)
	planned := largePlan(t, 4, 25)
	dir := filepath.Join(t.TempDir(), "run")
	seconds := 0.0
	rates := plan.Rates{Entry: 2e-9, Edge: 5e-8}
	for i := range planned.Cells {
		c := &planned.Cells[i]
		seconds += rates.Seconds(learners.Settings{Method: c.Method, Values: c.Values}, 400, 1089, 2112)
	}
	target := time.Duration(seconds / 1950 * float64(time.Second))
	r, _, err := run.Create(dir, planned, target, func() plan.Rates { return rates })
	must(t, err)
	if d := spent(t) - begin; d > 2*30*time.Second {
		t.Errorf("planning took %v of CPU time, want less than a minute", d)
	}
	t.Logf("planned %d cells in %d tasks within %v, %.0f MiB", len(planned.Cells), len(r.Tasks), spent(t)-begin, peak(t)/(1<<20))
	if len(r.Tasks) < 1900 || len(r.Tasks) > 2100 {
		t.Errorf("%d tasks, want about 2,000", len(r.Tasks))
	}
	if p := peak(t); p > 1<<30 {
		t.Errorf("%.0f MiB, want less than a GiB", p/(1<<20))
	}
	u := apart(t, "task", dir)
	t.Logf("a task opens: %v", u)
	if u.peak > 150 {
		t.Errorf("%.0f MiB to open a task, want at most 150", u.peak)
	}
	tellsSoon := func(sealed int) {
		t.Helper()
		u := apart(t, "status", dir)
		t.Logf("status of %d sealed tasks: %v", sealed, u)
		if u.cpu > 2*5*time.Second {
			t.Errorf("the status took %v, want less than 10 s of CPU time", u)
		}
	}
	tellsSoon(0)

	begin = spent(t)
	c := newCluster()
	submit(t, r, c, submitOptions())
	t.Logf("submitted %d jobs within %v", len(c.jobs), spent(t)-begin)

	for _, task := range r.Tasks[:len(r.Tasks)-10] {
		sealTask(t, r, task, rowsOf(r, task))
	}
	half := r.Tasks[len(r.Tasks)-1]
	part, err := results.CreatePart(results.ShardDir(filepath.Join(r.Dir, "results"), half.Number), half.Number, "a", plan.Layout())
	must(t, err)
	must(t, part.Append(rowsOf(r, half)[:100]...))
	must(t, part.Close())
	tellsSoon(len(r.Tasks) - 10)

	for _, job := range c.jobs {
		job.set(slurm.NodeFail)
	}
	begin = spent(t)
	r, err = run.Open(dir)
	must(t, err)
	s := submit(t, r, c, submitOptions())
	t.Logf("submitted %d cells again within %v", s.Cells, spent(t)-begin)
	if d := spent(t) - begin; d > 2*20*time.Second || s.List == "" {
		t.Errorf("submitting %d cells again, in list %q, took %v", s.Cells, s.List, d)
	}
}

// counted is what the operating system has counted of this process.
func counted(tb testing.TB) syscall.Rusage {
	tb.Helper()
	var u syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u
}

// spent is the CPU time of this process.
func spent(tb testing.TB) time.Duration {
	u := counted(tb)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that the process has had, in bytes.
func peak(tb testing.TB) float64 {
	u := counted(tb)
	return float64(u.Maxrss) * 1024
}
