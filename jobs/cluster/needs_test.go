package cluster

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/learners"
	"graphda/slurm"
)

// asks returns the values of an option in the scripts that a submission has sent.
func asks(s *Submission, c *cluster, option string) (values []string) {
	for _, text := range c.scripts[len(c.scripts)-len(s.Jobs):] {
		for _, m := range regexp.MustCompile(`(?m)^#SBATCH --`+option+`=(.*)$`).FindAllStringSubmatch(text, -1) {
			values = append(values, m[1])
		}
	}
	return values
}

// wantAsks checks these values, in the order of their texts.
func wantAsks(t *testing.T, s *Submission, c *cluster, option string, want ...string) {
	t.Helper()
	if got := slices.Sorted(slices.Values(asks(s, c, option))); !slices.Equal(got, want) {
		t.Errorf("asks for --%s of %q, want %q", option, got, want)
	}
}

// again opens a run and submits its missing cells.
func again(t *testing.T, r *run.Run, c *cluster, o SubmitOptions) *Submission {
	t.Helper()
	r = must1(run.Open(r.Dir))
	return submit(t, r, c, o)
}

// die ends all active elements.
func (c *cluster) die(state slurm.State) {
	for _, j := range c.jobs {
		j.set(state)
	}
}

// If a task runs out of memory, the next job asks for twice as much, up to the partition's largest node. Then the cells
// are given up, until the user allows more memory.
func TestMoreMemoryAfterOutOfMemory(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.sinfo = "debug*|infinite|3000\ndebug*|infinite|3500\nlarge|infinite|64000\n"
	all := len(run.Plan.Cells)
	o := submitOptions()
	submit(t, run, c, o)
	for _, want := range []string{"512M", "1G", "2G", "3500M"} {
		c.die(slurm.OutOfMemory)
		s := again(t, run, c, o)
		if wantAsks(t, s, c, "mem", want); s.Cells != all {
			t.Fatalf("%d of %d cells ask for %s", s.Cells, all, want)
		}
		if !slices.Contains(s.Warnings, fmt.Sprintf("%d jobs died: %d × out of memory", len(run.Tasks), len(run.Tasks))) {
			t.Errorf("warnings %q", s.Warnings)
		}
		wantOnce(t, run, c)
	}
	c.die(slurm.OutOfMemory)
	if s := asked(t, run, c); len(s.Queue.Dead) != len(run.Tasks) || s.Queue.Dead[0].Attempt != 5 || s.Queue.Dead[0].Cause != results.OutOfMemory {
		t.Errorf("%+v, want five attempts", s.Queue.Dead)
	}
	s := again(t, run, c, o)
	if !s.Empty() || s.GivenUp != all || s.InQueue != 0 || !strings.Contains(strings.Join(s.Warnings, "\n"), "3500M, the most that a job may ask for") {
		t.Errorf("%+v, want all given up", s)
	}
	c.sinfo, o.MaxMemory = "debug*|infinite|8000\n", 6000
	wantAsks(t, again(t, run, c, o), c, "mem", "6000M")
}

// Memory that the user asked for is raised too, for the cells that need more, and per processor if the user asked per
// processor. If a job already has all of a node's memory, nothing can be raised.
func TestMoreOfWhatWasGiven(t *testing.T) {
	for _, c := range []struct {
		given  func(*slurm.Resources)
		option string
		want   []string
	}{
		{func(r *slurm.Resources) { r.Mem = "50M" }, "mem", []string{"50M", "100M"}},
		{func(r *slurm.Resources) { r.MemPerCPU, r.CPUsPerTask = "50M", 2 }, "mem-per-cpu", []string{"50M", "100M"}},
		{func(r *slurm.Resources) { r.Mem = "0" }, "mem", []string{"0"}},
	} {
		run, slurmd := tinyRun(t), newCluster()
		o := submitOptions()
		c.given(&o.Resources)
		submit(t, run, slurmd, o)
		slurmd.die(slurm.NodeFail)
		slurmd.jobs[0].elements[0] = slurm.OutOfMemory
		s := again(t, run, slurmd, o)
		wantAsks(t, s, slurmd, c.option, slices.Sorted(slices.Values(c.want))...)
		if given := map[bool]int{true: len(run.Tasks[0].Cells)}[o.Resources.Mem == "0"]; s.GivenUp != given {
			t.Errorf("%s: %d cells given up, want %d", c.option, s.GivenUp, given)
		} else if given == 0 {
			wantOnce(t, run, slurmd)
		}
	}
}

// note writes the note of an attempt at the k-th task's job.
func note(t *testing.T, r *run.Run, task int, a results.Attempt) {
	t.Helper()
	must(t, os.MkdirAll(r.Folder(r.Tasks[task]), 0o777))
	must(t, results.WriteAttempt(r.Folder(r.Tasks[task]), task, a))
}

// If a job reaches its limit without a finished cell, the next job asks for twice the limit, or for the expected time
// of the first pass, up to the partition's limit. If it has finished cells, the limit stays.
func TestMoreTimeAfterTheLimit(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.sinfo = "debug*|1:00:00|1000\n"
	o := submitOptions()
	o.Resources.Time = "10"
	submit(t, run, c, o)
	begin := time.Now()
	for i := range run.Tasks {
		a := results.Attempt{Name: fmt.Sprintf("slurm-100_%d-0", i), Begin: begin, End: results.TimeLimit}
		switch i {
		case 0:
			a.Cells = 1
		case 1:
			a.OnePass = 1500 // seconds
		}
		note(t, run, i, a)
	}
	c.die(slurm.Failed)
	s := again(t, run, c, o)
	limits := slices.Compact(slices.Sorted(slices.Values(asks(s, c, "time"))))
	if want := []string{"0:20:00", "0:40:00", "10"}; !slices.Equal(limits, want) {
		t.Errorf("time limits %q, want %q", limits, want)
	}
	for range 5 {
		c.die(slurm.Timeout)
		s = again(t, run, c, o)
	}
	if !s.Empty() || !strings.Contains(strings.Join(s.Warnings, "\n"), "longest time limit of the partition, 1h0m0s") {
		t.Errorf("%d cells in %d jobs, warnings %q, want none and why", s.Cells, len(s.Jobs), s.Warnings)
	}
}

// Cells that died of bad data are submitted again only if the user asks for it. A later death of another cause is
// treated as usual.
func TestBadDataIsNotTriedAgain(t *testing.T) {
	run, c := submitted(t)
	note(t, run, 0, results.Attempt{Name: "slurm-100_0-0", Begin: time.Now(), End: results.BadData, Error: "row 3"})
	c.die(slurm.Failed)
	bad := len(run.Tasks[0].Cells)
	s := again(t, run, c, submitOptions())
	if s.GivenUp != bad || s.Cells != len(run.Plan.Cells)-bad {
		t.Errorf("%d cells given up and %d submitted, want %d given up", s.GivenUp, s.Cells, bad)
	}
	o := submitOptions()
	o.RetryFailed = true
	if s = again(t, run, c, o); s.Cells != bad {
		t.Errorf("%d cells with --retry-failed, want %d", s.Cells, bad)
	}
	c.die(slurm.NodeFail)
	if s = again(t, run, c, submitOptions()); s.GivenUp != 0 || s.Cells != len(run.Plan.Cells) {
		t.Errorf("%d cells given up after a node failure, want none", s.GivenUp)
	}
}

// If jobs have died twice on a node, it is excluded for a day. It is not excluded if tasks succeed there later, if it
// is half of all nodes, or if the user chooses nodes.
func TestNodesThatFail(t *testing.T) {
	run, c := submitted(t)
	begin := time.Now()
	if len(run.Tasks) < 4 {
		t.Fatal("the run is too small for this test")
	}
	for i, node := range []string{"n2", "n2", "n3", "n4"} {
		note(t, run, i, results.Attempt{Name: fmt.Sprintf("slurm-100_%d-0", i), Begin: begin, Node: node})
	}
	c.die(slurm.Failed)
	c.forget(c.jobs[0])
	dry := submitOptions()
	dry.DryRun = true
	chosen := dry
	chosen.Resources.Extra = []string{"--nodelist=n2"}
	if s := again(t, run, c, chosen); len(s.needs.exclude) > 0 {
		t.Errorf("%q excluded although n2 was asked for", s.needs.exclude)
	}
	stock := must1(run.TakeStock(false))
	queue := must1(again(t, run, c, dry).journal.Queue(t.Context(), c.client(), nil))
	all := journal.FindDeaths(run, stock.State, stock, queue)
	want := func(what string, all []*journal.Death, nodes ...string) {
		t.Helper()
		n := learn(run, stock, all, &dry, demand{memory: math.MaxInt, time: slurm.Unlimited})
		if !slices.Equal(n.exclude, nodes) {
			t.Errorf("%s: %q excluded, want %q; %q", what, n.exclude, nodes, n.notes)
		}
	}
	want("two failures", all[:4], "n2")
	seen := stock.Attempts
	stock.Attempts = make([][]results.Attempt, len(seen))
	want("the only node", all[:2:2])
	stock.Attempts = seen
	all[1].Cause = results.OutOfMemory
	want("no fault of the node", all[:4])
	all[1].Cause = results.NodeFailure
	want("again two failures", all[:4], "n2")
	all[1].At = time.Now().Add(-25 * time.Hour)
	want("one of them a day ago", all[:4])
	all[1].At = begin
	stock.Attempts[0] = append(stock.Attempts[0], results.Attempt{Node: "n2", Begin: begin.Add(time.Second), End: results.Sealed})
	want("a later success", all[:4])

	s := again(t, run, c, submitOptions())
	if got := asks(s, c, "exclude"); len(got) == 0 || got[0] != "n2" {
		t.Errorf("scripts exclude %q, want n2", got)
	}
}

// Tasks ask for the memory that other tasks on the same data took, and not for the plan's estimate.
func TestMeasuredMemory(t *testing.T) {
	r := tinyRun(t)
	stock := must1(r.TakeStock(false))
	o := submitOptions()
	most := demand{memory: math.MaxInt, time: slurm.Unlimited}
	task := r.Tasks[0]
	if got := learn(r, stock, nil, &o, most).memory(task); got != 256 {
		t.Errorf("%d MiB before anything is measured, want the plan's 256", got)
	}
	for range 99 {
		stock.Attempts[0] = append(stock.Attempts[0], results.Attempt{End: results.Sealed, Workers: 1, Peak: 100 << 20})
	}
	stock.Attempts[1] = []results.Attempt{{End: results.Sealed, Workers: 1, Peak: 4 << 30}, {End: results.Cancelled, Workers: 1, Peak: 8 << 30}}
	if got := learn(r, stock, nil, &o, most).memory(task); got != 160 { // 125 + 32, rounded
		t.Errorf("%d MiB, want those of 95 %% of the tasks", got)
	}
	cell := &r.Plan.Cells[task.Cells[0].Cell]
	plain := cell.Method
	program := *plain
	program.Takes.Memory = 512 << 20
	cell.Method = &program
	if got := learn(r, stock, nil, &o, most).memory(task); got != 160+512 {
		t.Errorf("%d MiB for a task with a program of 512, want both", got)
	}
	cell.Method = plain
	oom := &journal.Death{DeadTask: run.DeadTask{Cause: results.OutOfMemory}, Memory: 160}
	n := learn(r, stock, []*journal.Death{oom}, &o, most)
	if first, other := n.memory(task), n.memory(r.Tasks[1]); first != 320 || other != 160 {
		t.Errorf("%d and %d MiB after one ran out of it, want 320 and 160", first, other)
	}
	many := slices.Repeat([]*journal.Death{oom}, 10)
	if other := learn(r, stock, many, &o, most).memory(r.Tasks[1]); other != 320 {
		t.Errorf("%d MiB after ten of a hundred ran out of it, want 320", other)
	}
	o.Resources.CPUsPerTask = 4
	if got := learn(r, stock, nil, &o, most).memory(task); got != 256 {
		t.Errorf("%d MiB for four workers, of which nothing is known, want 256", got)
	}
}

// Each cell that runs at once has memory for its program. If the user or the node gives less, submit refuses and names
// both numbers.
func TestMemoryOfPrograms(t *testing.T) {
	r := tinyRun(t)
	stock := must1(r.TakeStock(false))
	for _, task := range r.Tasks { // tasks of one method each, like tasks of programs
		task.Cells = task.Cells[:1]
		of := &r.Plan.Cells[task.Cells[0].Cell]
		program := *of.Method
		program.Name, program.Takes = "mine", learners.Takes{Memory: 512 << 20, Processors: 2}
		of.Method, task.Memory = &program, 256+512
	}
	for _, c := range []struct {
		asks    slurm.Resources
		ceiling int
		memory  int
		refused []string
	}{
		{slurm.Resources{}, 1 << 20, 768, nil},
		{slurm.Resources{CPUsPerTask: 1}, 768, 768, nil},
		{slurm.Resources{CPUsPerTask: 2}, 1 << 20, 768, nil}, // one cell at a time
		{slurm.Resources{CPUsPerTask: 8}, 1 << 20, 4 * 768, nil},
		{slurm.Resources{CPUsPerTask: 8}, 3000, 3000, []string{"mine needs 3G", "at most 3000M"}},
		{slurm.Resources{Mem: "300M"}, 1 << 20, 0, []string{"mine needs 768M", "would get 300M", "--mem 768M"}},
		{slurm.Resources{Mem: "768M"}, 1 << 20, 0, nil},
		{slurm.Resources{MemPerCPU: "300M", CPUsPerTask: 8}, 1 << 20, 0, []string{"mine needs 3G", "would get 2400M"}},
		{slurm.Resources{Mem: "0"}, 700, 0, []string{"mine needs 768M", "at most 700M"}},
	} {
		o := submitOptions()
		o.Resources = c.asks
		n := learn(r, stock, nil, &o, demand{memory: c.ceiling, time: slurm.Unlimited})
		err := n.checkPrograms(r.Tasks)
		if got := n.memory(r.Tasks[0]); got != c.memory || (err == nil) != (c.refused == nil) {
			t.Errorf("%+v: %d MiB, want %d; error %v", c.asks, got, c.memory, err)
		}
		if c.refused != nil {
			wantUsage(t, err, c.refused...)
		}
	}
}

func TestRoundMemory(t *testing.T) {
	for mib, want := range map[int]int{1: 64, 64: 64, 65: 80, 128: 128, 129: 160, 1000: 1024, 1025: 1280, 5000: 5120} {
		if got := roundMemory(mib); got != want || got < mib || got > 64 && 4*got > 5*mib+4*16 {
			t.Errorf("%d MiB: %d, want %d", mib, got, want)
		}
	}
}

// The cause of a death stays known after the queue has forgotten the job.
func TestDeathsAreKept(t *testing.T) {
	run, c := submitted(t)
	c.die(slurm.OutOfMemory)
	again(t, run, c, submitOptions())
	c.forget(c.jobs...)
	s := again(t, run, c, submitOptions())
	if wantAsks(t, s, c, "mem", "512M"); s.journal.Deaths()[0].Cause != results.OutOfMemory {
		t.Errorf("deaths %+v", s.journal.Deaths())
	}
	jobstest.WriteFile(t, run.Dir, filepath.Join(journal.LogsDir, "0003-1", "102_0.log"), "slurmstepd: error: Detected 1 oom_kill event in StepId=102.batch.\n")
	c.forget(c.jobs[2])
	wantAsks(t, again(t, run, c, submitOptions()), c, "mem", "1G") // the log of a task gives the cause; one death among so few tasks is more than 5 %
}

// Time limits follow the ratio of measured to expected time of sealed tasks, unless the user gives a limit.
func TestMeasuredTime(t *testing.T) {
	run := tinyRun(t)
	for _, task := range run.Tasks {
		for k := range task.Cells {
			task.Cells[k].Seconds = 600 / float64(len(task.Cells))
		}
	}
	long := run.Tasks[len(run.Tasks)-1]
	long.Cells[0].Seconds = 3000
	task := run.Tasks[0]
	sealed := func(seconds float64) results.Attempt {
		return results.Attempt{End: results.Sealed, Workers: 1, Cells: len(task.Cells), Seconds: seconds}
	}
	few, other, torn := sealed(6000), sealed(6000), sealed(6000)
	few.Cells--
	other.Workers = 2
	torn.End = results.Cancelled
	for _, c := range []struct {
		what     string
		attempts []results.Attempt
		given    string
		least    time.Duration // demand of cells whose tasks died
		want     string
		wantLong string // limit of a task that is expected to take longer than the target
	}{
		{"nothing is measured", nil, "", 0, "0:28:00", "1:52:00"}, // 1.5 × 15 + 5 minutes, less than 3.5 × 10 + 1
		{"nothing that counts is measured", []results.Attempt{few, other, torn}, "", 0, "0:28:00", "1:52:00"},
		// A quarter more than eleven minutes, plus two minutes to stop.
		{"as long as expected", []results.Attempt{sealed(660)}, "", 0, "0:16:00", "2:08:00"},
		{"shorter than expected", []results.Attempt{sealed(60)}, "", 0, "0:16:00", "2:08:00"},
		{"one of twenty took longer", append(slices.Repeat([]results.Attempt{sealed(660)}, 19), sealed(3000)), "", 0, "0:16:00", "2:08:00"},
		{"half as long again", []results.Attempt{sealed(990)}, "", 0, "0:24:00", "1:36:00"}, // 22.6, rounded
		{"much longer", []results.Attempt{sealed(2640)}, "", 0, "0:28:00", "1:52:00"},
		{"some died of their limit", []results.Attempt{sealed(660)}, "", 40 * time.Minute, "1:04:00", "2:08:00"},
		{"one is given", []results.Attempt{sealed(660)}, "45:00", 0, "0:45:00", "3:00:00"},
	} {
		stock := must1(run.TakeStock(false))
		stock.Attempts[0] = c.attempts
		o := submitOptions()
		o.Target, o.Resources.Time = 15*time.Minute, c.given
		n := learn(run, stock, nil, &o, demand{time: slurm.Unlimited})
		n.floor[task.Cells[0].Cell] = demand{time: c.least}
		l := must1(newTimeLimits(n))
		l.fit(run.Tasks)
		if got, gotLong := slurm.FormatTime(l.of(task)), slurm.FormatTime(l.of(long)); got != c.want || gotLong != c.wantLong {
			t.Errorf("%s: %s and %s, want %s and %s", c.what, got, gotLong, c.want, c.wantLong)
		}
	}
	for _, c := range []struct {
		expected float64 // expected time of a task, in seconds
		want     time.Duration
	}{{0.001, 2 * time.Minute}, {20, 3 * time.Minute}, {300, 20 * time.Minute}} {
		for _, task := range run.Tasks {
			for k := range task.Cells {
				task.Cells[k].Seconds = c.expected / float64(len(task.Cells))
			}
		}
		stock := must1(run.TakeStock(false))
		o := SubmitOptions{Target: 15 * time.Minute}
		n := learn(run, stock, nil, &o, demand{time: slurm.Unlimited})
		l := must1(newTimeLimits(n))
		l.fit(run.Tasks)
		if got := l.of(task); got != c.want || got.Seconds() > 4*c.expected+2*starting {
			t.Errorf("%v for %v s by the plan, want %v", got, c.expected, c.want)
		}
	}
	for minutes := 1; minutes < 3000; minutes++ {
		got := int(roundLimit(60 * float64(minutes)).Minutes())
		if got < minutes || float64(got) > 1.125*float64(minutes) {
			t.Errorf("%d minutes are rounded to %d", minutes, got)
		}
	}
}

// fails ends all elements as if their script failed before the program began.
func (c *cluster) fails(t *testing.T, r *run.Run, log string) {
	t.Helper()
	for _, note := range must1(journal.Read(r)).Jobs() {
		for index := range note.Count {
			jobstest.WriteFile(t, r.Dir, note.LogOf(index), log)
		}
	}
	c.die(slurm.Failed)
}

// If all jobs fail before the program begins, submit says so and quotes the logs, and blames no node. After two rounds
// it submits nothing, until something changes or the user says --again.
func TestDidNotStart(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	setup := jobstest.WriteFile(t, t.TempDir(), "setup.sh", "module load nothing\n")
	o := submitOptions()
	o.Setup = setup
	const log = "line 1: module 7: command not found\nthe setup file failed with status 127; nothing was run\n"
	all := len(run.Plan.Cells)
	submit(t, run, c, o)
	c.fails(t, run, log)
	s := asked(t, run, c)
	if d := s.Queue.Dead[0]; d.Cause != results.NotStarted || d.Last != "line 1: module 7: command not found" {
		t.Errorf("%+v", d)
	}
	sub := again(t, run, c, o)
	if sub.Cells != all || len(sub.needs.exclude) > 0 || !slices.Contains(sub.Warnings,
		"4 jobs died: 4 × did not start (line 1: module 7: command not found)") {
		t.Errorf("%d cells, %q", sub.Cells, sub.Warnings)
	}
	c.fails(t, run, log)
	sub = again(t, run, c, o)
	if !sub.Empty() || sub.GivenUp != all || len(sub.needs.exclude) > 0 || len(c.jobs) != 2 {
		t.Fatalf("after two rounds %d cells are submitted, %d given up", sub.Cells, sub.GivenUp)
	}
	must(t, sub.GiveUp())
	if s := asked(t, run, c); len(s.Queue.GivenUp) != 1 || s.Queue.GivenUp[0].Cells != all || s.Queue.GivenUp[0].Cause != results.NotStarted {
		t.Errorf("given up: %+v", s.Queue.GivenUp)
	}
	files := len(must1(journal.Read(run)).Files)
	must(t, again(t, run, c, o).GiveUp())
	if n := len(must1(journal.Read(run)).Files); n != files {
		t.Errorf("%d files of the journal, then %d, although nothing was new", files, n)
	}
	o.Again = true
	dry := o
	dry.DryRun = true
	if sub := again(t, run, c, dry); sub.Cells != all {
		t.Errorf("--again submits %d cells", sub.Cells)
	}
	o.Again = false
	must(t, os.WriteFile(setup, []byte("module load something\n"), 0o666))
	if sub := again(t, run, c, o); sub.Cells != all || sub.GivenUp != 0 {
		t.Errorf("with a setup file that was mended %d cells are submitted, %d given up", sub.Cells, sub.GivenUp)
	}
}

// If cells die again and again of a cause that may be the same everywhere, they are not submitted for ever.
func TestUnknownCauseIsCapped(t *testing.T) {
	for state, log := range map[slurm.State]string{slurm.Failed: "gdrun: data: no space left on device\n", slurm.Completed: "hello\n"} {
		run, c := submitted(t) // a full disk, or a setup file that ends with exit 0
		for round := range 2 {
			jobstest.WriteFile(t, run.Dir, fmt.Sprintf("logs/%04d-1/%d_0.log", round+1, 100+round), log)
			c.die(state)
			if s := again(t, run, c, submitOptions()); s.Empty() != (round == 1) {
				t.Errorf("%s after round %d: %d jobs", log, round+1, len(s.Jobs))
			}
		}
	}
	run, c := tinyRun(t), newCluster()
	rounds := 0
	for ; rounds < 20; rounds++ {
		if again(t, run, c, submitOptions()).Empty() {
			break
		}
		c.fails(t, run, "attempt slurm-1_0-0 on n1\nsignal: killed\n")
	}
	if rounds != roundsAlike {
		t.Errorf("submitted %d times, want %d", rounds, roundsAlike)
	}
	o := submitOptions()
	o.Again = true
	if s := again(t, run, c, o); s.Cells != len(run.Plan.Cells) {
		t.Errorf("--again submits %d cells", s.Cells)
	}
}

// A submission asks for no more than the partition allows. If the user asks for more, it is refused with both numbers.
func TestPartitionsLimits(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.sinfo = "short*|1:00|200\nlong|1-00:00:00|64000\n"
	s := submit(t, r, c, untilDone())
	wantAsks(t, s, c, "time", "0:01:00")
	wantAsks(t, s, c, "mem", "200M")
	if r := s.FollowUp.Submission.Script.Resources; r.Time != "0:01:00" || r.Mem != "200M" {
		t.Errorf("the follow-up job asks for %+v", r)
	}
	for _, test := range []struct {
		resources slurm.Resources
		want      []string
	}{
		{slurm.Resources{Time: "50:00"}, []string{"time = 50:00", "the default partition allows at most 0:05:00"}},
		{slurm.Resources{Mem: "2G", Partition: "short"}, []string{"asks for 2G", "partition short can have at most 900M"}},
		{slurm.Resources{MemPerCPU: "500M", CPUsPerTask: 2, Partition: "short"}, []string{"asks for 1000M", "900M"}},
	} {
		o := submitOptions()
		o.Resources = test.resources
		c.sinfo = "short*|5:00|900\n"
		_, err := Propose(t.Context(), copyOf(t, r), c.client(), o)
		wantUsage(t, err, test.want...)
	}
}

// Jobs run copies of the programs in the run's folder, so changes of the programs do not matter.
func TestProgramsAreKept(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	bin := t.TempDir()
	o := SubmitOptions{Program: jobstest.WriteFile(t, bin, "gdrun", "old")}
	s := submit(t, r, c, o)
	kept := s.Jobs[0].Submission.Script.Program
	if filepath.Dir(kept) != filepath.Join(r.Dir, journal.SubmissionsDir) || !strings.Contains(c.scripts[0], "exec "+kept+" task") {
		t.Errorf("the program is %s", kept)
	}
	must(t, os.Remove(filepath.Join(bin, "gdrun"))) // as go build and install do
	jobstest.WriteFile(t, bin, "gdrun", "new")
	wantText(t, kept, "old")
	c.die(slurm.NodeFail)
	s = again(t, r, c, o)
	wantText(t, s.Jobs[0].Submission.Script.Program, "new")
	wantText(t, kept, "old")
	// If a copy was overwritten through another name of the file, it is made again.
	must(t, os.WriteFile(s.Jobs[0].Submission.Script.Program, []byte("bad"), 0o666))
	must(t, os.Remove(filepath.Join(bin, "gdrun")))
	jobstest.WriteFile(t, bin, "gdrun", "new")
	c.die(slurm.NodeFail)
	s = again(t, r, c, o)
	wantText(t, s.Jobs[0].Submission.Script.Program, "new")
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s: %q, %v, want %q", path, text, err, want)
	}
}
