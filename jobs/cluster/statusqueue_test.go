package cluster

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/executor"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// asked returns the status of a run with the cluster's answers.
func asked(t *testing.T, r *run.Run, c *cluster) *run.Status {
	t.Helper()
	r = must1(run.Open(r.Dir))
	s := must1(r.Status(false))
	must(t, journal.AskQueue(context.Background(), s, c.client()))
	return s
}

func TestStatusOfTheQueue(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	if s := asked(t, r, c); s.Queue != nil || len(c.calls) > 0 {
		t.Errorf("nothing was submitted: queue %+v, commands %q", s.Queue, c.calls)
	}
	o := submitOptions()
	o.Resources.CPUsPerTask = 2
	submit(t, r, c, o)
	stopAfter(t, r, 1, 1) // a cell of the first task
	all, first, second := len(r.Plan.Cells), len(r.Tasks[0].Cells), len(r.Tasks[1].Cells)
	if len(r.Tasks) < 3 || first < 2 {
		t.Fatal("the run is too small for this test")
	}
	job := c.jobs[0]
	job.elements[0], job.elements[1] = slurm.Running, slurm.Completing
	s := asked(t, r, c)
	want := run.StatusCount{Cells: all, Done: 1, Running: first - 1 + second, Queued: all - first - second}
	if s.Total != want || s.Queue.Running != 2 || s.Queue.Queued != len(r.Tasks)-2 || len(s.Queue.Dead) != 0 {
		t.Errorf("%+v, %+v, want %+v", s.Total, s.Queue, want)
	}
	if w := s.Queue.Waiting; w == nil || len(w) > 0 {
		t.Errorf("%+v wait, want none that has a reason", w)
	}
	left := time.Duration(s.Left / 4 * float64(time.Second)) // two tasks with two processors each
	if d := time.Until(s.Queue.Finish) - left; d > 2*time.Second || d < -2*time.Second {
		t.Errorf("done at %v, want in %v", s.Queue.Finish, left)
	}
	if got := len(s.IDs(run.StateRunning, run.StateDone)); got != want.Running+1 {
		t.Errorf("%d ids of cells that run or are done, want %d", got, want.Running+1)
	}

	// The first element dies. The second has disappeared.
	jobstest.WriteFile(t, r.Dir, "logs/0001-1/100_0.log", "begun\n\x1b[31mslurmstepd: error: *** JOB 100 CANCELLED DUE TO TIME LIMIT ***\n\n")
	job.elements[0], job.reason = slurm.Timeout, "TimeLimit"
	s = asked(t, r, c)
	if s.Total.Missing != first-1 || len(s.Queue.Dead) != 1 || !s.Queue.Finish.IsZero() {
		t.Fatalf("%+v, %+v, want %d missing and one dead", s.Total, s.Queue, first-1)
	}
	d := s.Queue.Dead[0]
	if d.Task != 0 || d.Job != "100_0" || d.State != "TIMEOUT" || d.Reason != "TimeLimit" || d.Node != "n1" || d.Log != "logs/0001-1/100_0.log" {
		t.Errorf("%+v", d)
	}
	if !strings.HasSuffix(d.Last, "DUE TO TIME LIMIT ***") || strings.ContainsRune(d.Last, '\x1b') {
		t.Errorf("last line %q", d.Last)
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}

	c.forget(job)
	s = asked(t, r, c)
	if len(s.Queue.Dead) != len(r.Tasks) || s.Queue.Dead[1].State != "" {
		t.Errorf("%+v", s.Queue.Dead)
	}

	// The cells of these elements are now in new tasks.
	submit(t, r, c, submitOptions())
	if s := asked(t, r, c); len(s.Queue.Dead) != 0 || s.Total.Missing != 0 || s.Total.Queued != all-1 {
		t.Errorf("%+v, %+v", s.Total, s.Queue)
	}
	if files := filesBelow(t, filepath.Join(r.Dir, journal.SubmissionsDir)); len(files) != 7 {
		t.Errorf("files %q, want a lock, a program, a script, two of different memory, and two journals", files)
	}
}

// A task has not died if it is sealed between the look at the files and the look at the queue.
func TestDoneMeanwhile(t *testing.T) {
	r, c := submitted(t)
	c.on("squeue", func([]string) *slurm.Output {
		if c.active() > 0 {
			sealAll(t, r, r.Tasks)
			c.jobs[0].set(slurm.Completed)
		}
		return nil
	})
	if s := asked(t, r, c); len(s.Queue.Dead) > 0 || s.Total.Done != len(r.Plan.Cells) {
		t.Errorf("%+v, %+v, want all done", s.Total, s.Queue)
	}
}

func TestStatusOfRetriedCells(t *testing.T) {
	r := divergingRun(t)
	finish(t, r, 1)
	c := newCluster()
	o := submitOptions()
	o.RetryFailed = true
	submit(t, r, c, o)
	if s := submit(t, r, c, o); !s.Empty() || s.InQueue != 0 {
		t.Errorf("cells that are tried again already are submitted: %+v", s)
	}
	if s := asked(t, r, c); s.Total != (run.StatusCount{Cells: 4, Done: 2, Queued: 2}) {
		t.Errorf("%+v", s.Total)
	}
	r = must1(run.Open(r.Dir))
	must1((&executor.Runner{Run: r, Workers: 1}).RunTasks(t.Context(), r.Tasks[1:]))
	c.jobs[0].set(slurm.Completing) // it has sealed its task and is about to end
	if s := asked(t, r, c); s.Total != (run.StatusCount{Cells: 4, Done: 2, Failed: 2}) {
		t.Errorf("%+v", s.Total)
	}
}

// Users and sites may rename a job. After the controller has lost its memory, another job may have the same id.
func TestForeignJob(t *testing.T) {
	run, c := submitted(t)
	c.jobs[0].name = "renamed"
	if s := asked(t, run, c); s.Total.Queued != len(run.Plan.Cells) {
		t.Errorf("renamed: %+v, %+v", s.Total, s.Queue)
	}
	c.jobs[0].script = "/somebody/else.sh"
	if s := asked(t, run, c); s.Queue.Queued != 0 || s.Total.Missing != len(run.Plan.Cells) {
		t.Errorf("%+v, %+v", s.Total, s.Queue)
	}
	cancelled, _, err := journal.Cancel(t.Context(), run, c.client())
	must(t, err)
	if len(cancelled) > 0 || c.jobs[0].elements[0] != slurm.Pending {
		t.Errorf("cancelled %+v", cancelled)
	}
}

// A job whose id was not recorded is cancelled too, even if the mark that stops the run cannot be written.
func TestCancelAfterACrash(t *testing.T) {
	run, c := crashed(t, tinyRun(t))
	j := must1(journal.Read(run))
	if id := j.Jobs()[len(j.Jobs())-1].ID; id != "" {
		t.Fatalf("the id %s was noted", id)
	}
	must(t, os.Mkdir(filepath.Join(j.Dir, ".stopped"), 0o777)) // or the disk is full
	cancelled, _, err := journal.Cancel(t.Context(), run, c.client())
	wantError(t, err, ".stopped: is a directory")
	if len(cancelled) != 1 || c.jobs[0].elements[0] != slurm.Cancelled {
		t.Errorf("cancelled %+v", cancelled)
	}
}

func TestJournalIsChecked(t *testing.T) {
	run, c := submitted(t)
	path := filepath.Join(run.Dir, "submissions/0001.json")
	good := must1(os.ReadFile(path))
	must(t, os.WriteFile(path, []byte(strings.Replace(string(good), `"id": "100"`, `"id": "101"`, 1)), 0o666))
	for _, err := range []error{
		journal.AskQueue(t.Context(), status(t, run), c.client()),
		func() error { _, _, err := journal.Cancel(t.Context(), run, c.client()); return err }(),
		func() error { _, err := Propose(t.Context(), run, c.client(), submitOptions()); return err }(),
	} {
		wantError(t, err, path, "checksum")
	}
	must(t, os.WriteFile(path, good, 0o666))
	other := tinyRun(t)
	other.Plan.Hash = "another"
	must(t, os.CopyFS(filepath.Join(other.Dir, journal.SubmissionsDir), os.DirFS(filepath.Join(run.Dir, journal.SubmissionsDir))))
	_, err := journal.Read(other)
	wantError(t, err, "belongs to plan")
}

// The journal is read in the order of its file numbers.
func TestJournalOrder(t *testing.T) {
	run, _ := submitted(t)
	dir := filepath.Join(run.Dir, journal.SubmissionsDir)
	good := must1(os.ReadFile(filepath.Join(dir, "0001.json")))
	for _, name := range []string{"9999.json", "10000.json", "notes.json", "0003.json~"} {
		must(t, os.WriteFile(filepath.Join(dir, name), good, 0o666))
	}
	j := must1(journal.Read(run))
	var got []int
	for _, f := range j.Files {
		got = append(got, f.Number())
	}
	if !slices.Equal(got, []int{1, 9999, 10000}) || j.Next() != 10001 {
		t.Errorf("files %v, next %d", got, j.Next())
	}
}

// A job was killed after all its cells were computed, but before the task was sealed. It leaves nothing to submit, so
// no submission records its death. Once it is not in the queue, its end is known all the same.
func TestEndOfWhatWasComputed(t *testing.T) {
	run, c := submitted(t)
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Begin: time.Now(), Workers: 1})
	writePart(t, run, run.Tasks[0], "slurm-100_0-0", rowsOf(run, run.Tasks[0])...)
	for state, want := range map[slurm.State]results.Cause{slurm.Running: "", slurm.Failed: results.Unknown} {
		c.jobs[0].elements[0] = state
		e := must1(journal.MeasureEfficiency(asked(t, run, c)))
		if len(e.Ends) != 1 || e.Ends[0].Cause != want || e.Ends[0].Attempts != 1 {
			t.Errorf("%s: ends %+v, want one of %q", state, e.Ends, want)
		}
	}
}

// MeasureEfficiency multiplies the time of attempts by the resources that the journal says their jobs asked for.
func TestEfficiency(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.CPUsPerTask, o.Resources.Mem = 2, "4G"
	submit(t, r, c, o)
	c.die(slurm.Failed)
	at := must1(journal.Read(r)).Jobs()[0].At
	hour := func(name string, end results.Cause, begin time.Duration, cells int, peak int64) results.Attempt {
		return results.Attempt{Name: name, Begin: at.Add(begin), Seconds: 3600, CPUSeconds: 5400, Workers: 2, Cells: cells, Peak: peak, End: end}
	}
	tasks := r.Tasks
	if len(tasks) < 4 {
		t.Fatal("the run is too small for this test")
	}
	sealTask(t, r, tasks[0], rowsOf(r, tasks[0]),
		hour("slurm-100_0-0", results.TimeLimit, time.Minute, 1, 1<<30),
		hour("slurm-100_0-1", results.Cancelled, 2*time.Hour, 1, 1<<30),                  // ended by a requeue
		hour("slurm-100_0-2", "", 4*time.Hour, 0, 1<<30),                                 // its node was lost
		results.Attempt{Name: "slurm-100_0-4", Workers: 2, Begin: at.Add(7 * time.Hour)}, // its second start, while the first went on
		hour("slurm-100_0-3", results.Sealed, 6*time.Hour, 1, 1<<30),
		results.Attempt{Name: "laptop-17", Workers: 1, Peak: 9 << 30, Seconds: 60, End: results.Sealed}) // not in a job
	note(t, r, 1, hour("slurm-100_1-0", "", time.Minute, 0, 4<<30))
	note(t, r, 3, hour("slurm-100_3-0", "", time.Minute, 0, 1<<30)) // could not write its end, and no death is known
	c.jobs[0].elements[3] = slurm.Running
	log := filepath.Join(r.Dir, must1(journal.Read(r)).Jobs()[0].LogOf(3))
	must(t, os.MkdirAll(filepath.Dir(log), 0o777))
	must(t, os.WriteFile(log, []byte("gdrun: write: no space left on device\n"), 0o666))
	c.jobs[0].elements[1] = slurm.OutOfMemory // this element had written a note, the others had not
	c.jobs[0].elements[2] = slurm.OutOfMemory

	s := asked(t, r, c)
	e := must1(journal.MeasureEfficiency(s))
	ends := map[results.Cause]run.EndCount{}
	for _, end := range e.Ends {
		ends[end.Cause] = end
	}
	for cause, want := range map[results.Cause]run.EndCount{
		results.Sealed: {Attempts: 1, Hours: 2}, results.TimeLimit: {Attempts: 1, Hours: 2}, results.Requeued: {Attempts: 1, Hours: 2},
		results.NodeFailure: {Attempts: 1, Hours: 2}, results.OutOfMemory: {Attempts: 2, Hours: 2},
		results.FileSystem: {Attempts: 1, Hours: 2}, results.Overtaken: {Attempts: 1},
	} {
		if want.Cause = cause; ends[cause] != want {
			t.Errorf("%+v, want %+v", ends[cause], want)
		}
	}
	for what, v := range map[string][2]float64{
		"core-hours held": {e.Held, 12}, "used": {e.Used, 9}, "idle": {e.Idle, 0.5}, "lost": {e.Lost, 2},
		"memory held": {e.MemoryHeld, 24}, "used of it": {e.MemoryUsed, 9},
		"largest": {float64(e.LargestPeak), 4 << 30}, "attempts": {float64(e.Attempts), 7},
	} {
		if math.Abs(v[0]-v[1]) > 1e-9 {
			t.Errorf("%s: %g, want %g", what, v[0], v[1])
		}
	}
	if k := e.Kinds; len(k) != 1 || k[0].Dataset != "grid" || k[0].Memory != 4096 || k[0].Held != e.Held || len(k[0].Ends) != len(e.Ends) {
		t.Errorf("kinds %+v", k)
	}
}

// Tasks of one dataset are listed apart by the memory that they asked for, because later tasks ask for
// the measured memory.
func TestEfficiencyByKind(t *testing.T) {
	run, c := submitted(t)
	c.die(slurm.Failed)
	o := submitOptions()
	o.Resources.Mem = "160M"
	again(t, run, c, o)
	at := time.Now()
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Begin: at, Seconds: 3600, Workers: 1, Peak: 80 << 20})
	note(t, run, 1, results.Attempt{Name: "slurm-101_1-0", Begin: at, Seconds: 1800, Workers: 1, Peak: 80 << 20})
	e := must1(journal.MeasureEfficiency(asked(t, run, c)))
	if k := e.Kinds; len(k) != 2 || k[0].Memory != 160 || k[1].Memory != 256 || k[0].Held != 0.5 || k[1].Held != 1 || e.Held != 1.5 {
		t.Errorf("kinds %+v of %+v", k, e.Use)
	}
}
