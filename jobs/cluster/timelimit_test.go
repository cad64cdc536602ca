package cluster

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/runtest"
	"graphda/slurm"
)

// Time limits follow what sealed tasks took beside what was expected of them, unless one is given.
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
		least    time.Duration // that cells of tasks which died ask for
		want     string
		wantLong string // of a task that is expected to take longer than the target
	}{
		{"nothing is measured", nil, "", 0, "0:28:00", "1:52:00"}, // 1.5 × 15 + 5 minutes, less than 3.5 × 10 + 1
		{"nothing that counts is measured", []results.Attempt{few, other, torn}, "", 0, "0:28:00", "1:52:00"},
		// A quarter more than eleven minutes, and two to stop in.
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
		n.least[task.Cells[0].Cell] = demand{time: c.least}
		l := must1(newTimeLimits(n))
		l.fit(run.Tasks)
		if got, gotLong := hours(l.of(task)), hours(l.of(long)); got != c.want || gotLong != c.wantLong {
			t.Errorf("%s: %s and %s, want %s and %s", c.what, got, gotLong, c.want, c.wantLong)
		}
	}
	for _, c := range []struct {
		expected float64 // of a task, in seconds
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

// A later submission asks for what the first tasks took, all others in one array.
func TestLaterJobsAskForWhatTheFirstTook(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	s := submit(t, run, c, o)
	first := asks(s, c, "time")
	task := run.Tasks[0]
	info := results.ShardInfo{Task: 0, Plan: run.Plan.Hash, Version: plan.Version, Attempts: []results.Attempt{
		{Name: "slurm-100_0-0", Workers: 1, Begin: time.Now(), Seconds: 160, Cells: len(task.Cells), Peak: 1 << 20, End: results.Sealed}}}
	must(t, results.WriteModels(runtest.ModelsPath(run, task), nil))
	must(t, results.WriteShard(filepath.Join(run.Folder(task), results.ShardName(0)), info, plan.Layout(), rowsOf(run, task)))
	c.die(slurm.NodeFail)
	s = again(t, run, c, o)
	// 160 s where its cells were to take some seconds; at first a minute to start, and 3.5 times what is expected.
	if got := asks(s, c, "time"); !slices.Equal(got, []string{"0:04:00"}) || !slices.Equal(first, []string{"0:02:00"}) {
		t.Errorf("time limits %q, then %q", first, got)
	}
	wantOnce(t, run, c)
}
