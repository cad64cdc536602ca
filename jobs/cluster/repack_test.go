package cluster

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// The measured time of finished cells corrects the estimates of other cells, by dataset and method.
func TestEstimatesAreCorrected(t *testing.T) {
	run := tinyRun(t)
	factor := map[string]float64{"l1-rda": 10, "graphda": 0.25}
	first := run.Tasks[0]
	rows := rowsOf(run, first)
	rows = slices.DeleteFunc(rows, func(r results.Row) bool { return r.Method == "adam" })
	for i := range rows {
		rows[i].Seconds *= factor[rows[i].Method] / 2
	}
	writePart(t, run, first, "a", rows...)
	stock := must1(run.TakeStock(true))
	e := must1(run.Estimates(stock))
	planned := map[int]float64{}
	for _, task := range run.Tasks {
		for _, c := range task.Cells {
			planned[c.Cell] = c.Seconds
		}
	}
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row.Method] = true
	}
	for i := range run.Plan.Cells {
		c := &run.Plan.Cells[i]
		want := planned[i]
		if seen[c.Method.Name] {
			want *= factor[c.Method.Name]
		}
		if got := e.Seconds(i); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("cell %d of %s: %v s, want %v", i, c.Method.Name, got, want)
		}
	}
	if len(seen) != 2 {
		t.Errorf("the first task has cells of %v, want two methods", seen)
	}
}

// A cell with a good row in any file is done, no matter what other files say.
func TestAnyFileCounts(t *testing.T) {
	whole := divergingRun(t)
	finish(t, whole, 1)
	c := newCluster()
	o := submitOptions()
	o.RetryFailed = true
	submit(t, whole, c, o)
	whole = must1(run.Open(whole.Dir))
	retried := whole.Tasks[len(whole.Tasks)-1]
	rows := must1(whole.Results())
	rows = slices.DeleteFunc(rows, func(r results.Row) bool {
		return !slices.ContainsFunc(retried.Cells, func(c plan.TaskCell) bool { return whole.Plan.Cells[c.Cell].ID == r.Cell })
	})
	for i := range rows {
		rows[i].Error = ""
	}
	sealTask(t, whole, retried, rows)
	if s := status(t, whole); s.Total.Done < s.Total.Cells || s.Tasks != s.Sealed {
		t.Errorf("status %+v, want all done", s)
	}
	grid := must1(whole.Collect())
	if !grid.Complete() {
		t.Errorf("%d missing and %d failed, want all done", grid.Missing.N, grid.Failed.N)
	}
}

// Rows of one checkpoint in two parts do not count as two checkpoints.
func TestTornCellsAreNotDone(t *testing.T) {
	run := tinyRun(t)
	first := run.Tasks[0]
	rows := rowsOf(run, first)
	for _, attempt := range []string{"a", "b"} {
		writePart(t, run, first, attempt, rows[0])
	}
	if s := status(t, run); s.Total.Done != 0 || s.Begun != 1 {
		t.Errorf("status %+v, want no cell done", s.Total)
	}
}

// Whatever happens between submissions, every cell is done or in exactly one job.
func TestRandomRuns(t *testing.T) {
	origin := tinyRun(t)
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		r := copyOf(t, origin)
		c := newCluster()
		c.maxArray = 1 + rng.IntN(6)
		for range 6 {
			o := submitOptions()
			o.Parallelism = rng.IntN(4)
			o.RetryFailed = true
			if rng.IntN(2) == 0 {
				o.Target = time.Duration(1+rng.IntN(5)) * time.Second
			}
			submit(t, r, c, o)
			wantOnce(t, r, c)
			r = must1(run.Open(r.Dir))
			happen(t, rng, r, c)
		}
		c.die(slurm.Cancelled)
		finish(t, r, 1)
		if s := submit(t, r, c, submitOptions()); !s.Empty() || status(t, r).Undone() > 0 {
			t.Errorf("seed %d: something is left: %+v", seed, s)
		}
		if len(r.Tasks) > len(origin.Tasks)+6*len(r.Plan.Cells) {
			t.Errorf("seed %d: %d tasks", seed, len(r.Tasks))
		}
	}
}

// happen lets elements run, begin, die or wait at random.
func happen(t *testing.T, rng *rand.Rand, r *run.Run, c *cluster) {
	t.Helper()
	j := must1(journal.Read(r))
	for _, note := range j.Jobs() {
		for _, job := range c.jobs {
			if job.name != note.Name {
				continue
			}
			for index, state := range job.elements {
				if !state.Active() {
					continue
				}
				task := r.Tasks[note.Task(index)]
				switch rng.IntN(5) {
				case 0:
					if _, err := (&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), []*plan.Task{task}); err != nil {
						t.Fatal(err)
					}
					job.elements[index] = slurm.Completed
				case 1:
					half := *r
					half.Tasks = []*plan.Task{task}
					_, stopped := stopAfter(t, &half, 1, 1)
					job.elements[index] = slurm.NodeFail
					if !stopped {
						job.elements[index] = slurm.Completed
					}
				case 2:
					job.elements[index] = slurm.Cancelled
				case 3:
					job.elements[index] = slurm.Running
				}
			}
		}
	}
}

// A damaged shard is renamed, and its task is submitted unchanged.
func TestDamagedShardIsSubmitted(t *testing.T) {
	run := finished(t)
	path := run.ShardPath(run.Tasks[1])
	data := must1(os.ReadFile(path))
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o666))
	c := newCluster()
	o := submitOptions()
	o.DryRun = true
	if s := submit(t, run, c, o); len(s.Damaged) != 1 || s.Cells != len(run.Tasks[1].Cells) {
		t.Errorf("dry: %+v", s)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("a dry run has set a shard aside")
	}
	s := submit(t, run, c, submitOptions())
	if s.List != "" || len(s.Tasks) != 1 || s.Tasks[0].Number != 1 {
		t.Errorf("tasks %v of list %q, want the second task", s.Tasks, s.List)
	}
	wantOnce(t, run, c)
}

func TestTargetTime(t *testing.T) {
	run := tinyRun(t) // 3 s
	c := newCluster()
	o := submitOptions()
	o.DryRun = true
	for _, target := range []struct {
		time time.Duration
		list string
	}{{0, ""}, {3 * time.Second, ""}, {time.Hour, "tasks-0002.parquet"}, {time.Second, "tasks-0002.parquet"}} {
		o.Target = target.time
		s := submit(t, run, c, o)
		if s.List != target.list || s.Cells != len(run.Plan.Cells) {
			t.Errorf("target %v: %d cells in list %q, want %q", target.time, s.Cells, s.List, target.list)
		}
		for _, task := range s.Tasks {
			if target.time > 0 && len(task.Cells) > 1 && task.Seconds() > target.time.Seconds()*1.001 {
				t.Errorf("target %v: a task of %v s", target.time, task.Seconds())
			}
		}
	}
	if left := filesBelow(t, filepath.Join(run.Dir, journal.SubmissionsDir)); len(left) > 0 {
		t.Errorf("dry runs left %q", left)
	}
}

// If a task is expected to take longer than before, it is packed again only if it also exceeds the target.
func TestLongerTasksAreKeptBelowTheTarget(t *testing.T) {
	r := tinyRun(t)
	rows := rowsOf(r, r.Tasks[0])
	for i := range rows {
		rows[i].Seconds *= 100
	}
	sealTask(t, r, r.Tasks[0], rows)
	stock := must1(r.TakeStock(true))
	cells := run.Outstanding(r, stock, func(int) bool { return false }, new(SubmitOptions).retries)
	e := must1(r.Estimates(stock))
	if kept := run.ReusableTasks(r, cells, stock, time.Hour, e); len(kept) != len(r.Tasks)-1 {
		t.Errorf("%d of %d tasks are kept", len(kept), len(r.Tasks)-1)
	}
	if kept := run.ReusableTasks(r, cells, stock, time.Nanosecond, e); kept != nil {
		t.Errorf("%d tasks are kept that are too long", len(kept))
	}
}
