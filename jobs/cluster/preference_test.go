package cluster

import (
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs"
	"graphda/slurm"
)

// spots are a cluster with cheap partitions whose jobs those in others preempt.
const spots = "short*|1:00:00|4000|4|8|2|OFF\nlong|2-00:00:00|16000|2|16|2|OFF\n" +
	"spot|12:00:00|3000|9|4|1|REQUEUE\ncheap|12:00:00|3000|9|4|1|CANCEL\nidle|12:00:00|3000|9|4|0|CANCEL\n" +
	"debug|12:00:00|3000|9|4|1|OFF\n"

func TestPreferred(t *testing.T) {
	c := newCluster()
	c.sinfo = spots
	known := must1(c.client().Partitions(t.Context(), ""))
	for list, want := range map[string][2]string{
		"spot,short": {"spot", "short"}, "spot,cheap,short,long": {"spot,cheap", "short,long"},
		"idle,spot,short": {"idle,spot", "short"},
		// Slurm's own reading: nothing is preempted by what follows, or not first, or not known.
		"short,spot": {"short,spot", ""}, "spot,cheap": {"spot,cheap", ""}, "short,long": {"short,long", ""},
		"debug,short": {"debug,short", ""}, "spot": {"spot", ""}, "": {"", ""}, "none,short": {"none,short", ""},
		"spot,idle": {"spot,idle", ""},
	} {
		if first, then := preferred(list, known); first != want[0] || then != want[1] {
			t.Errorf("%q: %q, then %q, want %q", list, first, then, want)
		}
	}
}

// A task goes to the preemptible partition, and once it was preempted there to the next. Other tasks
// do not follow it, nor does one that died of something else.
func TestFallBackAfterPreemption(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.sinfo = spots
	o := submitOptions()
	o.Resources.Partition = "spot,short"
	s := submit(t, run, c, o)
	if got := asks(s, c, "partition"); !slices.Equal(got, []string{"spot"}) || s.Jobs[0].Note.Partition != "spot" {
		t.Fatalf("partitions %q, note %+v", got, s.Jobs[0].Note)
	}
	if !slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, "after a preemption to short") }) {
		t.Errorf("warnings %q", s.Warnings)
	}
	for i := range c.jobs[0].elements {
		c.jobs[0].elements[i] = slurm.Running
	}
	c.jobs[0].elements[0], c.jobs[0].elements[1] = slurm.Preempted, slurm.NodeFail
	s = again(t, run, c, o)
	got := map[string]int{}
	for _, j := range s.Jobs {
		got[j.Submission.Script.Resources.Partition] += j.Note.Count
	}
	if len(got) != 2 || got["short"] != 1 || got["spot"] != 1 {
		t.Errorf("tasks by partition: %v", got)
	}
	// It stays there, whatever happens next, and the job that merges is never preempted.
	c.die(slurm.NodeFail)
	o.Merge = true
	s = again(t, run, c, o)
	short := 0
	for _, j := range s.Jobs {
		if j.Submission.Script.Resources.Partition == "short" && j.Note.Count > 0 {
			short += j.Note.Count
		}
	}
	if last := s.Jobs[len(s.Jobs)-1]; short != 1 || last.Note.Count != 0 || last.Submission.Script.Resources.Partition != "short" {
		t.Errorf("%d tasks in short, and the job that merges in %q", short, last.Submission.Script.Resources.Partition)
	}
	wantOnce(t, run, c)
}

// A list that Slurm is to read is not asked about more than it takes, and stays as it is.
func TestSlurmReadsTheList(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.Partition = "short,long"
	s := submit(t, run, c, o) // there is no sinfo
	c.die(slurm.Preempted)
	s2 := again(t, run, c, o)
	for _, s := range []*Submission{s, s2} {
		if got := s.Jobs[0].Submission.Script.Resources.Partition; got != "short,long" {
			t.Errorf("partition %q", got)
		}
	}
}

// A task with a node to itself asks for all of it, uses as many processors as it finds there, and has work for as long
// as one of a single processor.
func TestWholeNode(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.sinfo = spots
	o := submitOptions()
	o.Resources.WholeNode = true
	s := submit(t, run, c, o)
	script := c.scripts[0]
	for _, line := range []string{"#SBATCH --exclusive", "#SBATCH --nodes=1", "#SBATCH --mem=0", "#SBATCH --cpus-per-task=8",
		`export GOMAXPROCS="${SLURM_CPUS_ON_NODE:-1}"`, "#SBATCH --time=0:06:00"} {
		if !strings.Contains(script, line+"\n") {
			t.Errorf("the script lacks %s:\n%s", line, script)
		}
	}
	if s.Tasks[0].Seconds() < 1.5*run.Plan.Target.Seconds() || len(s.Tasks) >= len(run.Tasks) {
		t.Errorf("%d tasks of %v s, of one processor they were %d of %v", len(s.Tasks), s.Tasks[0].Seconds(), len(run.Tasks),
			run.Plan.Target)
	}
	o.Resources.CPUsPerTask, o.Resources.Mem, o.Target = 3, "2G", time.Hour
	o.wholeNode(64, run.Plan)
	if r := o.Resources; r.CPUsPerTask != 3 || r.Mem != "2G" || o.Target != time.Hour || r.Time != "" {
		t.Errorf("what was asked for has become %+v, %v", r, o.Target)
	}
	// Nothing runs out of memory that has all of a node, and can ask for more.
	c.die(slurm.OutOfMemory)
	fresh, err := jobs.Open(run.Dir)
	must(t, err)
	o = submitOptions()
	o.Resources.WholeNode = true
	s, err = Propose(t.Context(), fresh, c.client(), o)
	must(t, err)
	defer s.Close()
	if s.Given != len(run.Plan.Cells) || s.needs.given[0] != results.OutOfMemory {
		t.Errorf("%d cells given up", s.Given)
	}
}
