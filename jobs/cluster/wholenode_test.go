package cluster

import (
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A task with a node to itself asks for all of it, uses as many processors as it finds there, and has work for as long
// as one of a single processor. How many processors a node has is told, not guessed.
func TestWholeNode(t *testing.T) {
	whole, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.WholeNode = true
	_, err := Propose(t.Context(), whole, c.client(), o)
	wantError(t, err, "--cpus-per-task")
	o.Resources.CPUsPerTask = 8
	s := submit(t, whole, c, o)
	script := c.scripts[0]
	for _, line := range []string{"#SBATCH --exclusive", "#SBATCH --nodes=1", "#SBATCH --mem=0", "#SBATCH --cpus-per-task=8",
		`export GOMAXPROCS="${SLURM_CPUS_ON_NODE:-1}"`, "#SBATCH --time=0:02:00"} {
		if !strings.Contains(script, line+"\n") {
			t.Errorf("the script lacks %s:\n%s", line, script)
		}
	}
	if s.Tasks[0].Seconds() < 1.5*whole.Plan.Target.Seconds() || len(s.Tasks) >= len(whole.Tasks) {
		t.Errorf("%d tasks of %v s, of one processor they were %d of %v", len(s.Tasks), s.Tasks[0].Seconds(), len(whole.Tasks),
			whole.Plan.Target)
	}
	told := o
	told.Resources.CPUsPerTask, told.Resources.Mem, told.Target = 3, "2G", time.Hour
	told.wholeNode(whole.Plan)
	if r := told.Resources; r.CPUsPerTask != 3 || r.Mem != "2G" || told.Target != time.Hour || r.Time != "" {
		t.Errorf("what was asked for has become %+v, %v", r, told.Target)
	}
	// Nothing runs out of memory that has all of a node, and can ask for more.
	c.die(slurm.OutOfMemory)
	fresh := must1(run.Open(whole.Dir))
	s = must1(Propose(t.Context(), fresh, c.client(), o))
	defer s.Close()
	if s.Given != len(whole.Plan.Cells) || s.needs.given[0] != results.OutOfMemory {
		t.Errorf("%d cells given up", s.Given)
	}
}

// A list of partitions is Slurm's to read: it stays as it is, whatever jobs have died of.
func TestSlurmReadsTheList(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Resources.Partition = "spot,short"
	s := submit(t, run, c, o)
	c.die(slurm.Preempted)
	s2 := again(t, run, c, o)
	for _, s := range []*Submission{s, s2} {
		if got := s.Jobs[0].Submission.Script.Resources.Partition; got != "spot,short" {
			t.Errorf("partition %q", got)
		}
	}
}
