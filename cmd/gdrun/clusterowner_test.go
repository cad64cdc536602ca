package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

// Five tasks of a large grid go first, with small demands. The follow-up job submits the other tasks with the measured
// demands, and merges.
func (lab *clusterLab) testPilot(t *testing.T) {
	r := lab.fresh(t, "grid")
	r.asksItself = true
	if out := r.submit("--until-done"); !strings.Contains(out, "5 cells in 5 tasks") {
		t.Errorf("the first submit: %s", out)
	}
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
	if k := r.efficiency().Kinds; len(k) != 2 || k[0].Memory >= 128 || k[0].Attempts != 196 || k[1].Memory != 256 {
		t.Errorf("%+v: want 196 tasks that ask for what the others took", k)
	}
}

// The scripts contain the options of sbatch, where Slurm reads them. Jobs expand variables in --scratch. submit
// without options repeats the last call. Requests that no node can meet are refused.
func (lab *clusterLab) testOptions(t *testing.T) {
	scratch := filepath.Join(lab.dir, "scratch of $SLURM_JOB_ID")
	launcher := "sh '" + jobstest.WriteFile(t, lab.dir, "launch it.sh", "echo launched; exec \"$@\"\n") + "'"
	r := lab.fresh(t, "many", "--sbatch-arg=--comment=a b", "--sbatch-arg=--no-requeue", "--launcher", launcher,
		"--setup", jobstest.WriteFile(t, lab.dir, "folder.sh", "mkdir -p \""+scratch+"\"\n"), "--scratch", scratch)
	r.submit("--max-jobs", "2")
	r.waitIdle()
	if n := r.status().Total.Done; n != 2 {
		t.Fatalf("%d cells done, want 2\n%s", n, r.logs())
	}
	found, err := filepath.Glob(filepath.Join(lab.dir, "scratch of [0-9]*"))
	must(t, err)
	if len(found) != 2 {
		t.Errorf("scratch folders %q", found)
	}
	if n := strings.Count(r.logs(), "launched\n"); n != 2 {
		t.Errorf("the launcher ran %d times:\n%s", n, r.logs())
	}
	told, err := exec.Command("scontrol", "show", "job", fmt.Sprint(r.queue()[0].Job)).CombinedOutput()
	if err != nil || !strings.Contains(string(told), "Requeue=0") || !strings.Contains(string(told), "Comment=a b") {
		t.Errorf("%v: %s", err, told)
	}
	lab.must(t, "gdrun", "submit", r.path, "--again", "--yes")
	r.waitIdle()
	if s := r.status(); s.Total.Done != 4 {
		t.Errorf("after --again, with --max-jobs 2: %+v", s.Total)
	}
	whole, err := run.Open(r.path)
	must(t, err)
	stock, err := whole.TakeStock(true)
	must(t, err)
	if !slices.Contains(stock.Sealed, true) {
		t.Error("no task is sealed")
	}
	if code, _, stderr := lab.run(t, "gdrun", "submit", r.path, "--mem=100T"); code != command.Usage || !strings.Contains(stderr, "largest node") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// Jobs run the program that submitted them, even if its file changes while they wait. gdmerge warns about results
// of two revisions.
func (lab *clusterLab) testReplaced(t *testing.T) {
	of := lab.inside(t, "replaced")
	jobstest.WriteDataset(t, filepath.Join(of.dir, "data", "grid"), jobstest.Spec{Trials: 3})
	jobstest.WriteFile(t, of.dir, "grid.yaml", jobstest.Experiment)
	of.must(t, "gdrun", "plan", "grid.yaml", "--out", "grid")
	of.undisturbed(t, "grid")
	r := of.fresh(t, "grid", "--setup", jobstest.WriteFile(t, of.dir, "gate.sh", gate))
	r.submit("--max-jobs", "2")
	program := filepath.Join(of.dir, "gdrun")
	first, err := os.ReadFile(program)
	must(t, err)
	must(t, os.Remove(program)) // only this link, because other tests run the same file
	jobstest.WriteFile(t, of.dir, "gdrun", "no program\n")
	jobstest.WriteFile(t, r.path, "go", "")
	r.waitIdle()
	if n := len(r.shards()); n != 2 {
		t.Fatalf("%d tasks sealed, want 2\n%s", n, r.logs())
	}
	other := first
	if at := bytes.Index(first, []byte("vcs.revision=")); at >= 0 {
		other = slices.Concat(first[:at+13], []byte("0123456789ab"), first[at+25:])
	}
	must(t, os.Remove(program))
	must(t, os.WriteFile(program, other, 0o777))
	r.finish()
	kept, err := filepath.Glob(filepath.Join(r.path, "submissions", "gdrun-*"))
	must(t, err)
	_, _, stderr := of.run(t, "gdmerge", r.path, "--out", r.path+"-report", "--csv")
	if told := strings.Contains(stderr, "built from different revisions"); told != (len(kept) == 2) {
		t.Errorf("programs %q, and merging says %q", kept, stderr)
	}
	r.compare(r.rows(r.path+"-report", "csv"))
}

// With --after, nothing starts before another job has ended.
func (lab *clusterLab) testAfter(t *testing.T) {
	id, err := exec.Command("sbatch", "--parsable", "--hold", "--output=/dev/null", "--wrap=true").Output()
	must(t, err)
	first := strings.TrimSpace(string(id))
	r := lab.fresh(t, "many")
	r.submit("--max-jobs", "2", "--after", first)
	r.wait("two tasks that wait for it", func() bool {
		return len(r.in(isPending)) == 2 && r.queue()[0].Reason == "Dependency"
	})
	must(t, exec.Command("scontrol", "release", first).Run())
	r.waitIdle()
	if n := r.status().Total.Done; n != 2 {
		t.Errorf("%d cells done, want 2\n%s", n, r.logs())
	}
}

// On a partition with a short limit, submit asks for at most the limit. A request for more is refused with both
// numbers.
func (lab *clusterLab) testPartition(t *testing.T) {
	scontrol := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("scontrol", args...).CombinedOutput(); err != nil {
			t.Skipf("needs the cluster's administrator: %v: %s", err, out)
		}
	}
	scontrol("create", "PartitionName=brief", "Nodes=n1", "MaxTime=1", "State=UP")
	t.Cleanup(func() { scontrol("delete", "PartitionName=brief") })
	r := lab.fresh(t, "many", "--partition=brief")
	r.asksItself = true
	code, _, stderr := lab.run(t, "gdrun", "submit", r.path, "--partition=brief", "--time=50:00")
	if code != command.Usage || !strings.Contains(stderr, "time = 50:00, but partition brief allows at most 0:01:00") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	r.submit("--max-jobs", "2")
	if script := content(t, filepath.Join(r.path, "submissions", "0001-1.sh")); !strings.Contains(script, "#SBATCH --time=0:01:00\n") {
		t.Error(script)
	}
	r.waitIdle()
	if n := r.status().Total.Done; n != 2 {
		t.Errorf("%d cells done, want 2\n%s", n, r.logs())
	}
}
