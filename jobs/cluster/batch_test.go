package cluster

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMergeFollowsAll(t *testing.T) {
	run, c := tinyRun(t), newCluster()
	c.maxArray = 2
	o := submitOptions()
	submit(t, run, c, o)
	c.jobs[0].set(slurm.Timeout)
	o.Merge = true
	s := submit(t, run, c, o)
	merge := c.jobs[len(c.jobs)-1]
	var want []string
	for _, job := range c.jobs[1 : len(c.jobs)-1] {
		want = append(want, strconv.Itoa(job.id))
	}
	got := strings.Split(merge.after, ":")
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("the merging job follows %v, want %v", got, want)
	}
	if script := c.scripts[len(c.scripts)-1]; !regexp.MustCompile(`exec \S*/submissions/gdmerge-\w{12} \. --out report\n`).MatchString(script) {
		t.Errorf("script\n%s", script)
	}
	if s.Jobs[len(s.Jobs)-1].Note.Count != 0 {
		t.Error("the merging job is not the last")
	}
}

// Tasks of other classes go to other arrays.
func TestClasses(t *testing.T) {
	run := tinyRun(t)
	for _, task := range run.Tasks[2:] {
		task.Memory = 4096
	}
	o := submitOptions()
	o.Resources.Time = "1:00:00"
	run.Tasks[0].Cells[0].Seconds = 5000
	c := newCluster()
	s := must1(Propose(t.Context(), run, c.client(), o))
	defer s.Close()
	var got []string
	for _, j := range s.Jobs {
		r := j.Submission.Script.Resources
		got = append(got, r.Mem+" "+r.Time)
	}
	if want := []string{"256M 4:00:00", "256M 1:00:00", "4G 1:00:00"}; !slices.Equal(got, want) {
		t.Errorf("arrays %q, want %q", got, want)
	}
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
		c.before = func(tool string, a []string) *slurm.Output {
			if tool == "sbatch" {
				args = a
			}
			return nil
		}
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

// The whole of a dry run: scripts and commands, with the run's own folder and token
// replaced.
func TestDryRun(t *testing.T) {
	run := tinyRun(t)
	o := submitOptions()
	o.DryRun, o.Merge, o.MergeOut, o.Parallelism = true, true, "/shared/me/my report", 3
	o.Setup, o.Scratch = jobstest.WriteFile(t, t.TempDir(), "s.sh", ""), "/scratch/me"
	o.Resources = slurm.Resources{Time: "45:00", Partition: "short", CPUsPerTask: 2, Extra: []string{"--nice=100"}}
	c := newCluster()
	c.maxArray = 3
	s := submit(t, run, c, o)
	var b strings.Builder
	must(t, s.Write(&b))
	token, _, _ := strings.Cut(strings.TrimPrefix(s.Jobs[0].Note.Name, "tiny-"), "-")
	got := strings.NewReplacer(s.options.dir, "/runs/tiny", token, "0123abcd").Replace(b.String())
	path := filepath.Join("testdata", "dryrun.golden")
	if *update {
		must(t, os.MkdirAll("testdata", 0o777))
		must(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want := must1(os.ReadFile(path))
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if slices.Contains(c.calls, "sbatch") {
		t.Error("a dry run submits")
	}
	o.DryRun = false
	sent := submit(t, run, c, o)
	for i, j := range sent.Jobs {
		text := must1(os.ReadFile(filepath.Join(run.Dir, journal.SubmissionsDir, j.Note.Script)))
		if !strings.Contains(b.String(), string(text)) || c.scripts[i] != string(text) {
			t.Errorf("%s is not what the dry run has shown", j.Note.Script)
		}
	}
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
