package cluster

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// fails ends all elements as those do whose script fails before the program begins.
func (c *cluster) fails(t *testing.T, r *run.Run, log string) {
	t.Helper()
	for _, note := range must1(journal.Read(r)).Jobs() {
		for index := range note.Count {
			jobstest.WriteFile(t, r.Dir, note.LogOf(index), log)
		}
	}
	c.die(slurm.Failed)
}

// What fails for all jobs alike before the program begins is said so, with what the logs say; no node is blamed. After two
// rounds nothing is submitted, until something changes or that is asked for.
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

// What dies again and again and leaves no word is not submitted for ever.
func TestUnknownCauseIsCapped(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	rounds := 0
	for ; rounds < 20; rounds++ {
		if again(t, run, c, submitOptions()).Empty() {
			break
		}
		c.fails(t, run, "attempt slurm-1_0-0 on n1\nsignal: killed\n")
	}
	if rounds != roundsUnknown {
		t.Errorf("submitted %d times, want %d", rounds, roundsUnknown)
	}
	o := submitOptions()
	o.Again = true
	if s := again(t, run, c, o); s.Cells != len(run.Plan.Cells) {
		t.Errorf("--again submits %d cells", s.Cells)
	}
}

// A submission asks for no more than the partition gives, and what was asked for beyond it is refused with both numbers.
func TestPartitionsLimits(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.sinfo = "short*|1:00|200\nlong|1-00:00:00|64000\n"
	o := mergeOptions()
	s := submit(t, r, c, o)
	wantAsks(t, s, c, "time", "0:01:00", "0:01:00")
	wantAsks(t, s, c, "mem", "200M", "200M")
	for _, test := range []struct {
		resources slurm.Resources
		want      []string
	}{
		{slurm.Resources{Time: "50:00"}, []string{"time = 50:00", "the default partition gives at most 0:05:00"}},
		{slurm.Resources{Mem: "2G", Partition: "short"}, []string{"memory = 2G", "partition short has 900M"}},
		{slurm.Resources{MemPerCPU: "500M", CPUsPerTask: 2, Partition: "short"}, []string{"memory = 1000M", "900M"}},
	} {
		o := submitOptions()
		o.Resources = test.resources
		c.sinfo = "short*|5:00|900\n"
		_, err := Propose(t.Context(), copyOf(t, r), c.client(), o)
		wantUsage(t, err, test.want...)
	}
}

// Jobs run the programs that submitted them, from the run's folder, whatever becomes of those.
func TestProgramsAreKept(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	bin := t.TempDir()
	o := SubmitOptions{Program: jobstest.WriteFile(t, bin, "gdrun", "old"), MergeProgram: filepath.Join(bin, "gdmerge")}
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
	// A copy that was written over through its other name is made anew.
	must(t, os.WriteFile(s.Jobs[0].Submission.Script.Program, []byte("bad"), 0o666))
	must(t, os.Remove(filepath.Join(bin, "gdrun")))
	jobstest.WriteFile(t, bin, "gdrun", "new")
	c.die(slurm.NodeFail)
	s = again(t, r, c, o)
	wantText(t, s.Jobs[0].Submission.Script.Program, "new")
	o.Merge = true
	_, err := Propose(t.Context(), must1(run.Open(r.Dir)), c.client(), o)
	wantError(t, err, "needs gdmerge beside gdrun")
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s: %q, %v, want %q", path, text, err, want)
	}
}

// What was asked is on record: further options are lines of the scripts, and the call is in the journal. The job that
// merges has those that are not for what arrays need.
func TestWhatWasAskedIsOnRecord(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	o := submitOptions()
	o.Merge, o.After, o.Launcher = true, []slurm.JobID{"7"}, []string{"apptainer", "exec", "my image.sif"}
	o.Resources.Extra = []string{"--gres=gpu:1", "--exclusive", "--reservation=r", "--comment=a b", "--no-requeue"}
	o.Command = []string{"--sbatch-arg=--gres=gpu:1", "--merge=true"}
	o.Scratch = "/tmp/$USER/it's"
	submit(t, run, c, o)
	array, merge := c.scripts[0], c.scripts[1]
	for line, want := range map[string][2]bool{
		"#SBATCH --gres=gpu:1\n": {true, false}, "#SBATCH --exclusive\n": {true, false}, "#SBATCH --reservation=r\n": {true, true},
		"#SBATCH \"--comment=a b\"\n": {true, true}, "#SBATCH --no-requeue\n": {true, false}, "#SBATCH --requeue\n": {false, true},
		"exec apptainer exec 'my image.sif' /": {true, true}, ` --scratch /tmp/"$USER"'/it'\''s'`: {true, false},
	} {
		if got := [2]bool{strings.Contains(array, line), strings.Contains(merge, line)}; got != want {
			t.Errorf("%q is in the scripts: %v, want %v\n%s", line, got, want, array)
		}
	}
	if c.jobs[0].after != "7" || c.jobs[1].after != "100" {
		t.Errorf("jobs follow %q and %q", c.jobs[0].after, c.jobs[1].after)
	}
	if got := must1(journal.Read(run)).Last().Command; !slices.Equal(got, o.Command) {
		t.Errorf("the last command is %q", got)
	}
}
