package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A warning counts the tasks that will take longer than the time limit.
func TestLongTasksAreTold(t *testing.T) {
	run, o := tinyRun(t), submitOptions()
	o.Resources.Time = "1:00:00"
	run.Tasks[0].Cells[0].Seconds = 5000
	s := must1(Propose(t.Context(), run, newCluster().client(), o))
	defer s.Close()
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "1 of ") {
		t.Errorf("warnings %q", s.Warnings)
	}
}

// The command of a dry run means to a shell what sbatch is given, whatever the run is
// called.
func TestNames(t *testing.T) {
	origin := tinyRun(t)
	for _, name := range []string{"a run", `it's "quoted"`, "two\nlines", "$HOME (copy); rm -rf `x`", "*?[a]"} {
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.MkdirAll(filepath.Dir(dir), 0o777))
		must(t, os.CopyFS(dir, os.DirFS(origin.Dir)))
		r := must1(run.Open(dir))
		setup := jobstest.WriteFile(t, t.TempDir(), "it's my setup.sh", "module load x\n")
		c := newCluster()
		var args []string
		c.on("sbatch", func(a []string) *slurm.Output { args = a; return nil })
		o := submitOptions()
		o.Setup, o.Scratch, o.Merge = setup, "/scratch/$USER", true
		dry := o
		dry.DryRun = true
		s := submit(t, r, c, dry)
		line := s.Jobs[0].Submission.Line()
		o.Merge = false
		submit(t, r, c, o)
		wantOnce(t, r, c)
		out := must1(exec.Command("sh", "-c", `sbatch() { for a; do printf '%s\0' "$a"; done; }; `+line).Output())
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, args) {
			t.Errorf("%q: a shell reads %q, sbatch was given %q", name, got, args)
		}
		copied := must1(os.ReadFile(filepath.Join(dir, "submissions/0001-setup.sh")))
		if string(copied) != "module load x\n" {
			t.Errorf("setup %q", copied)
		}
	}
	dir := filepath.Join(t.TempDir(), "100%")
	must(t, os.CopyFS(dir, os.DirFS(origin.Dir)))
	r := must1(run.Open(dir))
	_, err := Propose(t.Context(), r, newCluster().client(), submitOptions())
	wantError(t, err, "rename it")
}

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
	if s.GivenUp != len(whole.Plan.Cells) || s.needs.givenUp[0] != results.OutOfMemory {
		t.Errorf("%d cells given up", s.GivenUp)
	}
}
