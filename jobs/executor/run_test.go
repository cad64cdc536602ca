package executor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	_ "graphda/jobs/reports" // registers its kinds of report
	"graphda/jobs/run"
	"graphda/jobs/runtest"
)

// cellRequest asks for a planned cell as a single cell.
func cellRequest(planned *plan.Plan, c *plan.Cell) executor.CellRequest {
	req := executor.CellRequest{
		Dataset: planned.Dataset(c).Dir, Trial: c.Trial, Method: c.Method.Name,
		Loss: planned.Experiment.Loss, Checkpoints: planned.Checkpoints,
	}
	for i := range c.Method.Params {
		p := &c.Method.Params[i]
		req.Params = append(req.Params, plan.Param{Name: p.Name, Value: p.Format(c.Values[i])})
	}
	return req
}

func TestShardsHoldWhatRunCellReturns(t *testing.T) {
	run := runtest.Tiny(t)
	outcome := runtest.Finish(t, run, 2)
	if outcome != (executor.Outcome{Done: len(run.Plan.Cells), Computed: len(run.Plan.Cells)}) {
		t.Errorf("outcome %+v, want all %d done", outcome, len(run.Plan.Cells))
	}
	runtest.WantSealed(t, run)
	rows := must1(run.Results())
	if want := len(run.Plan.Cells) * 2; len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	got := strippedAll(rows)
	for i := range run.Plan.Cells {
		direct := must1(executor.RunCell(context.Background(), cellRequest(run.Plan, &run.Plan.Cells[i])))
		if len(direct) != 2 {
			t.Fatalf("%d rows of a cell, want 2", len(direct))
		}
		for key, want := range strippedAll(direct) {
			if got[key] != want {
				t.Errorf("%s: the shard has\n%s\nRunCell returns\n%s", runtest.DescribeCell(run, run.Plan.Cells[i].ID), got[key], want)
			}
		}
	}
}

func TestRowsOfAShard(t *testing.T) {
	run := runtest.Tiny(t)
	start := time.Now()
	runtest.Finish(t, run, 1)
	rows := must1(run.Results())
	solves := map[string]int64{}
	for _, r := range rows {
		if r.Host == "" || r.Attempt == "" || r.Seconds < 0 || r.Started.Before(start.Add(-time.Second)) || r.Finished.Before(r.Started) {
			t.Errorf("a row without its provenance: %+v", r)
		}
		if r.Method == "graphda" {
			if r.Solves <= solves[r.Cell] {
				t.Errorf("%d solves at checkpoint %d, %d before", r.Solves, r.Checkpoint, solves[r.Cell])
			}
			solves[r.Cell] = r.Solves
		} else if r.Solves != 0 || r.Unbracketed != 0 {
			t.Errorf("%s has solved %d forests", r.Method, r.Solves)
		}
	}
	info := must1(results.ReadShardInfo(run.ShardPath(run.Tasks[0])))
	if info.Plan != run.Plan.Hash || info.Version != seal.Version || info.Done != len(run.Tasks[0].Cells) || info.Failed != 0 {
		t.Errorf("info %+v", info)
	}
}

func TestWorkersDoNotChangeResults(t *testing.T) {
	one := runtest.Tiny(t)
	four := runtest.Copy(t, one)
	runtest.Finish(t, one, 1)
	runtest.Finish(t, four, 4)
	a := must1(one.Results())
	b := must1(four.Results())
	if len(a) != len(b) {
		t.Fatalf("%d rows by one worker, %d by four", len(a), len(b))
	}
	for i := range a { // shards are in plan order, not in order of completion
		if x, y := stripped(a[i]), stripped(b[i]); x != y {
			t.Errorf("row %d: one worker\n%s\nfour workers\n%s", i, x, y)
		}
	}
	for _, task := range one.Tasks {
		runtest.SameModels(t, runtest.Models(t, one, task), runtest.Models(t, four, task))
	}
}

func TestCheckpointsOfOnePassEqualSeparatePasses(t *testing.T) {
	plan := runtest.Plan(t, dataFolder(t, jobstest.Spec{}), jobstest.Experiment)
	for i := range plan.Cells {
		req := cellRequest(plan, &plan.Cells[i])
		req.Checkpoints = []int{1, 7, 20, 39, 40}
		together := must1(executor.RunCell(context.Background(), req))
		for k, checkpoint := range req.Checkpoints {
			alone := req
			alone.Checkpoints = []int{checkpoint}
			rows := must1(executor.RunCell(context.Background(), alone))
			if got, want := stripped(together[k]), stripped(rows[0]); got != want {
				t.Errorf("checkpoint %d of one pass\n%s\nof its own\n%s", checkpoint, got, want)
			}
		}
	}
}

func TestRunCellDefaults(t *testing.T) {
	data := dataFolder(t, jobstest.Spec{})
	var told []int
	rows, err := executor.RunCell(context.Background(), executor.CellRequest{
		Dataset: filepath.Join(data, "grid"), Method: "adam", Params: []plan.Param{{Name: "alpha", Value: "0.1"}}, Loss: "logistic",
		Progress: func(done, total int) {
			if told = append(told, done); done != len(told) || total != 40 {
				t.Errorf("progress of %d of %d after %d samples of 40", done, total, len(told))
			}
		},
	})
	must(t, err)
	if len(told) != 40 {
		t.Errorf("progress was told of %d samples, want 40", len(told))
	}
	if len(rows) != 1 || rows[0].Checkpoint != 40 || rows[0].Dataset != "grid" || rows[0].Failed() {
		t.Errorf("rows %+v, want one after all 40 samples", rows)
	}
}

// Checkpoints out of order are refused, and a stopped pass has no rows.
func TestRunCellRefuses(t *testing.T) {
	dir := filepath.Join(dataFolder(t, jobstest.Spec{}), "grid")
	req := executor.CellRequest{Dataset: dir, Method: "adam", Params: []plan.Param{{Name: "alpha", Value: "1"}}, Loss: "logistic"}
	for want, checkpoints := range map[string][]int{"checkpoints 30, 20, want ascending": {30, 20}, "checkpoints 0, want": {0}} {
		req.Checkpoints = checkpoints
		_, err := executor.RunCell(t.Context(), req)
		wantError(t, err, want, "from 1")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req.Checkpoints = nil
	if _, err := executor.RunCell(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want Canceled", err)
	}
}

func TestFailedCells(t *testing.T) {
	run := runtest.Diverging(t)
	for _, computed := range []int{4, 0} { // the second time, the task is already sealed
		if outcome := runtest.Finish(t, run, 2); outcome != (executor.Outcome{Done: 2, Failed: 2, Computed: computed}) {
			t.Errorf("outcome %+v, want 2 done and 2 failed", outcome)
		}
	}
	runtest.WantSealed(t, run)
	good := map[string][]bool{}
	rows := must1(run.Results())
	for _, r := range rows {
		name := runtest.DescribeCell(run, r.Cell)
		good[name] = append(good[name], !r.Failed())
		if r.Failed() && (r.W.TestMSE == r.W.TestMSE || !strings.Contains(r.Error, "no longer finite")) {
			t.Errorf("%s: a failed row with figures, or another error: %+v", name, r)
		}
	}
	for name, want := range map[string][]bool{
		"stoiht eta=0.01 s=4 on grid, trial 0":   {true, true, true},
		"stoiht eta=0.02 s=4 on grid, trial 0":   {true, true, true},
		"stoiht eta=1e+20 s=4 on grid, trial 0":  {true, false, false},
		"stoiht eta=1e+300 s=4 on grid, trial 0": {false, false, false},
	} {
		if !slices.Equal(good[name], want) {
			t.Errorf("%s: good rows %v, want %v", name, good[name], want)
		}
	}
	grid := must1(run.Collect())
	if grid.Failed.N != 5 || grid.Missing.N != 0 {
		t.Errorf("%d failed and %d missing results, want 5 and 0", grid.Failed.N, grid.Missing.N)
	}
}

func TestDamagedShardIsSetAside(t *testing.T) {
	for name, from := range map[string]int{"a bit flipped": 1, "the shard of another task": 0} {
		t.Run(name, func(t *testing.T) {
			run := runtest.Finished(t)
			want := runtest.CSV(t, run)
			data := must1(os.ReadFile(run.ShardPath(run.Tasks[from])))
			if from == 1 {
				data[len(data)/2] ^= 1
			}
			damagedShard(t, run, data, want)
		})
	}
}

// damagedShard writes data over task 1's shard. It checks that the shard is set aside and made again.
func damagedShard(t *testing.T, r *run.Run, data []byte, want string) {
	t.Helper()
	path := r.ShardPath(r.Tasks[1])
	must(t, os.WriteFile(path, data, 0o666))

	if _, err := r.Results(); err == nil {
		t.Error("a damaged shard is merged")
	} else {
		wantError(t, err, path)
	}
	var events []executor.EventKind
	runner := executor.Runner{Run: r, Workers: 2, Notify: func(e executor.Event) {
		events = append(events, e.Kind)
		if e.Kind == executor.TaskDamaged {
			if e.Task != r.Tasks[1] || !strings.Contains(e.Text, path) {
				t.Errorf("event %+v does not name %s", e, path)
			}
		}
	}}
	outcome := must1(runner.RunTasks(context.Background(), r.Tasks))
	if outcome.Done != len(r.Plan.Cells) {
		t.Errorf("outcome %+v", outcome)
	}
	counts := map[executor.EventKind]int{}
	for _, k := range events {
		counts[k]++
	}
	if counts[executor.TaskDamaged] != 1 || counts[executor.TaskSkipped] != len(r.Tasks)-1 || counts[executor.CellDone] != len(r.Tasks[1].Cells) {
		t.Errorf("events %v", counts)
	}
	if got, err := os.ReadFile(path + ".damaged"); err != nil || string(got) != string(data) {
		t.Errorf("the damaged shard is not kept: %v", err)
	}
	if got := runtest.CSV(t, r); got != want {
		t.Error("the results differ after the damaged shard's task ran again")
	}
}

// Two runners share a run. Their results equal the results of one runner, each task has one shard, and nothing
// else is left.
func TestTwoRunnersAtOnce(t *testing.T) {
	t.Parallel()
	undisturbed := runtest.Finished(t)
	want := runtest.CSV(t, undisturbed)
	for _, c := range []struct {
		name  string
		tasks func(r *run.Run) []*plan.Task
	}{
		{"all tasks", func(r *run.Run) []*plan.Task { return r.Tasks }},
		{"one task", func(r *run.Run) []*plan.Task { return r.Tasks[:1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 4 {
				whole := runtest.Copy(t, undisturbed)
				var group sync.WaitGroup
				for range 3 {
					group.Go(func() {
						own, err := run.Open(whole.Dir)
						if err != nil {
							t.Error(err)
							return
						}
						tasks := c.tasks(own)
						outcome, err := (&executor.Runner{Run: own, Workers: 2}).RunTasks(context.Background(), tasks)
						cells := 0
						for _, task := range tasks {
							cells += len(task.Cells)
						}
						if err != nil || outcome.Done != cells {
							t.Errorf("outcome %+v, %v, want %d done", outcome, err, cells)
						}
					})
				}
				group.Wait()
				runtest.Finish(t, whole, 2)
				runtest.WantSealed(t, whole)
				if got := runtest.CSV(t, whole); got != want {
					t.Fatal("the results differ from those of one runner")
				}
			}
		})
	}
}

// An unreadable shard may be good, so it is not set aside.
func TestUnreadableShardIsNotSetAside(t *testing.T) {
	run := runtest.Tiny(t)
	path := run.ShardPath(run.Tasks[0])
	must(t, os.MkdirAll(path, 0o777)) // a directory cannot be read as a file, even by root
	_, err := (&executor.Runner{Run: run}).RunTasks(context.Background(), run.Tasks)
	wantError(t, err, path)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		t.Errorf("%s was set aside: %v", path, err)
	}
}

var (
	must       = jobstest.Must
	wantError  = jobstest.WantError
	dataFolder = jobstest.Folder
	filesBelow = jobstest.FilesBelow
)

const resultsFolder = "results"

// stripped returns a row as text without its cost and provenance. The text shows all bits of its numbers.
func stripped(r results.Row) string {
	var b strings.Builder
	for _, f := range results.Fields(plan.Layout()) {
		if f.Role == results.RoleCost || f.Role == results.RoleProvenance {
			continue
		}
		switch v := f.Value(&r).(type) {
		case float64:
			fmt.Fprintf(&b, "%s=%x ", f.Name, v)
		default:
			fmt.Fprintf(&b, "%s=%v ", f.Name, v)
		}
	}
	return b.String() + r.Error
}

// strippedAll strips rows and returns them by cell and checkpoint.
func strippedAll(rows []results.Row) map[string]string {
	out := map[string]string{}
	for _, r := range rows {
		out[fmt.Sprint(r.Cell, " ", r.Checkpoint)] = stripped(r)
	}
	return out
}

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
