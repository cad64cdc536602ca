package cluster

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"graphda/io/seal"
	"graphda/jobs/experiment"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/learners"
	"graphda/slurm"
)

// largePlan returns a plan with cells of three methods, 10,000 for each trial of some datasets.
func largePlan(tb testing.TB, datasets, trials int) *plan.Plan {
	tb.Helper()
	planned := &plan.Plan{
		Version: seal.Version, Checkpoints: []int{400},
		Experiment: &experiment.Experiment{Name: "million", Loss: "logistic", Selection: []string{"validation"}, Checkpoints: []int{400}},
	}
	for d := range datasets {
		set := plan.Dataset{Name: "d" + strconv.Itoa(d), Dir: "/data", Features: 1089, Edges: 2112, Rows: 1200}
		for k := range trials {
			set.Trials = append(set.Trials, plan.TrialSummary{Trial: k, Digest: fmt.Sprint(d, k), Train: 400})
		}
		planned.Datasets = append(planned.Datasets, set)
		planned.Experiment.Datasets = append(planned.Experiment.Datasets, set.Name)
	}
	type setting struct {
		method *learners.Method
		values []float64
	}
	var settings []setting
	for i, name := range []string{"l1-rda", "graphda", "adam"} {
		m := must1(learners.Lookup(name))
		grid := experiment.Grid{Method: name}
		for p := range m.Params {
			if m.Params[p].Required() {
				grid.Axes = append(grid.Axes, experiment.Axis{Name: m.Params[p].Name, Values: []string{"1"}})
			}
		}
		planned.Experiment.Methods = append(planned.Experiment.Methods, grid)
		for k := range []int{5000, 4000, 1000}[i] {
			given := map[string]float64{}
			for p := range m.Params {
				if m.Params[p].Required() {
					given[m.Params[p].Name] = 1
				}
			}
			given[m.Params[0].Name] = float64(k+1) / 100_000
			values := must1(m.Fill(given))
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

// A million cells in 2,000 tasks are planned within 30 s and 1 GiB. They are submitted, and their status is reported,
// within 5 s, on two cores. The limits are on CPU time, because other programs affect the wall clock. Unless
// GRAPHDA_CELLS=1000000, the test uses a quarter of the cells, tasks and time.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	datasets := 1
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_CELLS")); err == nil {
		datasets = n / 250_000
	}
	within := func(what string, took, million time.Duration) { // of CPU time, on two cores
		t.Helper()
		if most := million * 2 * time.Duration(datasets) / 4; took > most {
			t.Errorf("%s took %v of CPU time, want less than %v", what, took, most)
		}
	}
	begin := spent(t)
	planned := largePlan(t, datasets, 25)
	dir := filepath.Join(t.TempDir(), "run")
	seconds := 0.0
	rates := plan.Rates{Entry: 2e-9, Edge: 5e-8}
	for i := range planned.Cells {
		c := &planned.Cells[i]
		seconds += rates.Seconds(learners.Settings{Method: c.Method, Values: c.Values}, 400, 1089, 2112)
	}
	target := time.Duration(seconds / float64(490*datasets) * float64(time.Second))
	r, _, err := run.Create(dir, planned, target, func() plan.Rates { return rates })
	must(t, err)
	within("planning", spent(t)-begin, 30*time.Second)
	t.Logf("planned %d cells in %d tasks within %v, %.0f MiB", len(planned.Cells), len(r.Tasks), spent(t)-begin, peak(t)/(1<<20))
	if n := len(r.Tasks) / datasets; n < 475 || n > 525 {
		t.Errorf("%d tasks of each quarter of a million cells, want about 500", n)
	}
	if p := peak(t) / (1 << 20); p > float64(256*datasets) {
		t.Errorf("%.0f MiB, want %d at most", p, 256*datasets)
	}
	u := apart(t, "task", dir)
	t.Logf("a task opens: %v", u)
	if u.peak > 75 { // all cells together take 90
		t.Errorf("%.0f MiB to open a task, want at most 75", u.peak)
	}
	tellsSoon := func(sealed int) {
		t.Helper()
		u := apart(t, "status", dir)
		t.Logf("status of %d sealed tasks: %v", sealed, u)
		within("the status", u.cpu, 5*time.Second)
	}
	tellsSoon(0)

	begin = spent(t)
	c := newCluster()
	submit(t, r, c, submitOptions())
	t.Logf("submitted %d jobs within %v", len(c.jobs), spent(t)-begin)

	sealAll(t, r, r.Tasks[:len(r.Tasks)-10])
	half := r.Tasks[len(r.Tasks)-1]
	writePart(t, r, half, "a", rowsOf(r, half)[:100]...)
	tellsSoon(len(r.Tasks) - 10)

	c.die(slurm.NodeFail)
	begin = spent(t)
	r = must1(run.Open(dir))
	s := submit(t, r, c, submitOptions())
	t.Logf("submitted %d cells again within %v", s.Cells, spent(t)-begin)
	if within("submitting again", spent(t)-begin, 20*time.Second); s.List == "" {
		t.Errorf("%d cells are submitted again in no list", s.Cells)
	}
}

// counted returns the operating system's counts for this process.
func counted(tb testing.TB) syscall.Rusage {
	tb.Helper()
	var u syscall.Rusage
	must(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u
}

// spent returns the CPU time of this process.
func spent(tb testing.TB) time.Duration {
	u := counted(tb)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak returns the peak memory of this process in bytes.
func peak(tb testing.TB) float64 {
	u := counted(tb)
	return float64(u.Maxrss) * 1024
}
