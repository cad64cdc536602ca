package jobs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/learners"
	"graphda/slurm"
)

// millionPlan has a million cells of three methods on four datasets of 25 trials.
func millionPlan(tb testing.TB) *Plan {
	tb.Helper()
	const datasets, trials, cells = 4, 25, 10_000 // of a trial
	plan := &Plan{
		Version: Version, Checkpoints: []int{400},
		Experiment: &Experiment{Name: "million", Loss: "logistic", Selection: []string{"validation"}, Checkpoints: []int{400}},
	}
	for d := range datasets {
		set := Dataset{Name: "d" + strconv.Itoa(d), Dir: "/data", Features: 1089, Edges: 2112, Rows: 1200}
		for k := range trials {
			set.Trials = append(set.Trials, Trial{Trial: k, Digest: fmt.Sprint(d, k), Train: 400})
		}
		plan.Datasets = append(plan.Datasets, set)
	}
	var grids []methodGrid
	for i, name := range []string{"l1-rda", "graphda", "adam"} {
		m, err := learners.Lookup(name)
		must(tb, err)
		g := methodGrid{method: m}
		for k := range []int{5000, 4000, 1000}[i] {
			given := map[string]float64{}
			for p := range m.Params {
				if m.Params[p].Required() {
					given[m.Params[p].Name] = 1
				}
			}
			first := &m.Params[0]
			given[first.Name] = float64(k+1) / 100_000
			values, err := m.Fill(given)
			must(tb, err)
			g.values, g.params = append(g.values, values), append(g.params, canonicalParams(m, values))
		}
		grids = append(grids, g)
	}
	for d := range plan.Datasets {
		for _, t := range plan.Datasets[d].Trials {
			for _, g := range grids {
				for k := range g.values {
					id := cellID(t.Digest, "logistic", g.method.Name, g.params[k], t.Trial)
					plan.Cells = append(plan.Cells, Cell{ID: id, Dataset: d, Trial: t.Trial, Method: g.method, Values: g.values[k]})
				}
			}
		}
	}
	return plan
}

// peak is the most memory that the process has had, in bytes.
func peak(tb testing.TB) float64 {
	tb.Helper()
	_, bytes := processUsage()
	return float64(bytes)
}

// A million cells in 2,000 tasks are planned within 30 s and 1 GiB, submitted, and their
// status is told within 5 s, on two cores. What is counted is CPU time: the wall clock is
// also that of others on the machine.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	begin := spent()
	plan := millionPlan(t)
	dir := filepath.Join(t.TempDir(), "run")
	seconds := 0.0
	rates := Rates{Entry: 2e-9, Edge: 5e-8}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		seconds += rates.Seconds(c.Method, 400, 1089, 2112)
	}
	target := time.Duration(seconds / 1950 * float64(time.Second))
	run, _, err := Create(dir, plan, target, rates.self)
	must(t, err)
	if d := spent() - begin; d > 2*30*time.Second {
		t.Errorf("planning took %v of CPU time, want less than a minute", d)
	}
	t.Logf("planned %d cells in %d tasks within %v, %.0f MiB", len(plan.Cells), len(run.Tasks), spent()-begin, peak(t)/(1<<20))
	if len(run.Tasks) < 1900 || len(run.Tasks) > 2100 {
		t.Errorf("%d tasks, want about 2,000", len(run.Tasks))
	}
	if p := peak(t); p > 1<<30 {
		t.Errorf("%.0f MiB, want less than a GiB", p/(1<<20))
	}
	takeStatus(t, dir, 0)
	openOne(t, dir, run.Tasks[len(run.Tasks)/2])

	begin = spent()
	c := newCluster()
	submit(t, run, c, submitOptions())
	t.Logf("submitted %d jobs within %v", len(c.jobs), spent()-begin)

	for _, task := range run.Tasks[:len(run.Tasks)-10] {
		sealTask(t, run, task, rowsOf(run, task))
	}
	half := run.Tasks[len(run.Tasks)-1]
	part, err := results.CreatePart(run.folder(half), half.Number, "a", Layout())
	must(t, err)
	must(t, part.Append(rowsOf(run, half)[:100]...))
	must(t, part.Close())
	runtime.GC()
	takeStatus(t, dir, len(run.Tasks)-10)

	for _, job := range c.jobs {
		job.set(slurm.NodeFail)
	}
	begin = spent()
	run, err = Open(dir)
	must(t, err)
	s := submit(t, run, c, submitOptions())
	t.Logf("submitted %d cells again within %v", s.Cells, spent()-begin)
	if d := spent() - begin; d > 2*20*time.Second || s.List == "" {
		t.Errorf("submitting %d cells again, in list %q, took %v", s.Cells, s.List, d)
	}
}

// spent is the CPU time of this process.
func spent() time.Duration {
	cpu, _ := processUsage()
	return time.Duration(cpu * float64(time.Second))
}

// openOne opens one task of the run, as gdrun task does.
func openOne(t *testing.T, dir string, want *Task) {
	t.Helper()
	begin := spent()
	bytes := allocated(func() {
		one, err := OpenTask(dir, want.Number)
		must(t, err)
		if len(one.Plan.Cells) != len(want.Cells) {
			t.Errorf("a task of %d cells, want %d", len(one.Plan.Cells), len(want.Cells))
		}
	})
	t.Logf("a task opened within %v, %.0f MiB allocated", spent()-begin, float64(bytes)/(1<<20))
	if bytes > 150<<20 {
		t.Errorf("%d MiB allocated to open a task, want at most 150", bytes>>20)
	}
}

// takeStatus opens the run and tells its status, as gdrun status does.
func takeStatus(t *testing.T, dir string, sealed int) {
	t.Helper()
	begin := spent()
	run, err := Open(dir)
	must(t, err)
	opened := spent() - begin
	s, err := run.Status()
	must(t, err)
	must(t, AskQueue(context.Background(), s, newCluster().client()))
	d := spent() - begin
	t.Logf("status of %d sealed tasks: opened within %v, told within %v, %.0f MiB", s.Sealed, opened, d, peak(t)/(1<<20))
	if d > 2*5*time.Second {
		t.Errorf("the status took %v of CPU time, want less than 10 s", d)
	}
	if s.Sealed != sealed || s.Total.Cells != len(run.Plan.Cells) {
		t.Errorf("%d of %d tasks sealed, want %d", s.Sealed, s.Tasks, sealed)
	}
}

// rowsOf invents the results of a task, whose cells took twice as long as expected.
func rowsOf(run *Run, t *Task) []results.Row {
	layout := Layout()
	rows := make([]results.Row, 0, len(t.Cells)*len(run.Plan.Checkpoints))
	for _, tc := range t.Cells {
		c := &run.Plan.Cells[tc.Cell]
		row := results.Row{
			Cell: c.ID, Dataset: run.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
			Params: spread(layout, c.Settings()), W: results.NoMetrics(), Wbar: results.NoMetrics(), Host: "n1", Attempt: "a",
		}
		for k, checkpoint := range run.Plan.Checkpoints {
			row.Checkpoint, row.Seconds = checkpoint, 2*tc.Seconds*float64(k+1)/float64(len(run.Plan.Checkpoints))
			rows = append(rows, row)
		}
	}
	return rows
}

func sealTask(t *testing.T, run *Run, task *Task, rows []results.Row) {
	t.Helper()
	must(t, os.MkdirAll(run.folder(task), 0o777))
	info := results.ShardInfo{Task: task.Number, Plan: run.Plan.Hash, Version: Version}
	must(t, results.WriteShard(run.shardPath(task), info, Layout(), rows))
}
