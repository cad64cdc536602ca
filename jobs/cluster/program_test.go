package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/slurm"
)

// Jobs run a copy of the program, so overwriting the original does not change it. All users who may read the folder may
// run the copy. An existing copy is used again.
func TestProgramIsCopied(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	dir := t.TempDir()
	o := submitOptions()
	o.Program = jobstest.WriteFile(t, dir, "gdrun", "first")
	must(t, os.Chmod(o.Program, 0o700))
	must(t, os.MkdirAll(filepath.Join(r.Dir, "submissions"), 0o777))
	must(t, os.Chmod(filepath.Join(r.Dir, "submissions"), 0o775))
	submit(t, r, c, o)
	kept := must1(filepath.Glob(filepath.Join(r.Dir, "submissions", "gdrun-*")))
	if len(kept) != 1 || must1(os.Stat(kept[0])).Mode().Perm() != 0o775 {
		t.Fatalf("copies %q, of mode %v, want one of the folder's", kept, must1(os.Stat(kept[0])).Mode())
	}
	must(t, os.WriteFile(o.Program, []byte("other"), 0o700)) // overwritten in place, as cp does
	if text := string(must1(os.ReadFile(kept[0]))); text != "first" {
		t.Errorf("the copy has become %q", text)
	}
	must(t, os.WriteFile(o.Program, []byte("first"), 0o700))
	at := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(kept[0], at, at))
	c.die(slurm.Failed)
	submit(t, r, c, o)
	if !must1(os.Stat(kept[0])).ModTime().Equal(at) || len(must1(filepath.Glob(filepath.Join(r.Dir, "submissions", "gdrun-*")))) != 1 {
		t.Error("the copy that was there is replaced")
	}
}

// Once sbatch does not know a node any more, the node is no longer excluded.
func TestGoneNodes(t *testing.T) {
	r, c := submitted(t)
	c.sinfo = "debug*|infinite|4000\n"
	for i := range r.Tasks {
		c.accounts += "100_" + string(rune('0'+i)) + "|NODE_FAIL|0:0|" + []string{"gone", "n2"}[i%2] + "|2099-01-01T10:00:00\n"
	}
	c.forget(c.jobs[0])
	r0 := filepath.Join(r.Dir, "submissions", "0002-1.sh")
	c.before = func(name string, args []string) *slurm.Output {
		switch text, _ := os.ReadFile(r0); {
		case name == "sinfo" && strings.HasPrefix(args[len(args)-1], "--nodes="):
			return &slurm.Output{Stdout: "n2\n"}
		case name == "sbatch" && strings.Contains(string(text), "gone"):
			return &slurm.Output{Code: 1, Stderr: "sbatch: error: Batch job submission failed: Invalid node name specified"}
		}
		return nil
	}
	for _, n := range []string{"n3", "n4", "n5"} { // other nodes were used
		note(t, r, 0, results.Attempt{Name: "other-" + n, Node: n})
	}
	s := again(t, r, c, submitOptions())
	if got := asks(s, c, "exclude"); len(s.Jobs) == 0 || len(got) == 0 || got[len(got)-1] != "n2" {
		t.Errorf("%d jobs exclude %q, want n2", len(s.Jobs), got)
	}
}

// A job never asks for more than its partition or quality of service allows.
func TestLimitsOfOneJob(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.sinfo = "small*|1:00:00|1000\nlarge|infinite|8000\n"
	c.limits = "PartitionName=small AllowGroups=ALL MaxMemPerNode=400 QoS=N/A\nPartitionName=large MaxMemPerNode=UNLIMITED\n"
	o := submitOptions()
	o.Resources.Mem = "800M"
	_, err := Propose(t.Context(), r, c.client(), o)
	wantUsage(t, err, "asks for 800M", "at most 400M")
	o.Resources.Partition = "large"
	must(t, must1(Propose(t.Context(), r, c.client(), o)).Close())

	c.qos = "00:30:00|cpu=4,mem=500M\n"
	must(t, must1(Propose(t.Context(), r, c.client(), o)).Close()) // the limits are not enforced
	c.enforce = "associations,limits"
	_, err = Propose(t.Context(), r, c.client(), o)
	wantUsage(t, err, "asks for 800M", "at most 500M")
	o.Resources.Mem, o.Resources.Time, o.Resources.QOS = "", "45:00", "long"
	_, err = Propose(t.Context(), r, c.client(), o)
	wantUsage(t, err, "time = 45:00", "quality of service long", "at most 0:30:00")
	if c.asked != "name=long" {
		t.Errorf("asked for the limits of %q", c.asked)
	}
	// After running out of memory, a job asks for no more than the limit.
	c.qos, c.enforce = "", ""
	submit(t, r, c, submitOptions())
	c.die(slurm.OutOfMemory)
	wantAsks(t, again(t, r, c, submitOptions()), c, "mem", "400M")
}

// A partition without a node has no largest node.
func TestEmptyPartition(t *testing.T) {
	r, c := tinyRun(t), newCluster()
	c.sinfo = "cloud*|infinite|0\n"
	o := submitOptions()
	o.Resources.Mem = "256M"
	wantAsks(t, submit(t, r, c, o), c, "mem", "256M")
	wantAsks(t, submit(t, tinyRun(t), c, submitOptions()), c, "mem", "256M")
}
