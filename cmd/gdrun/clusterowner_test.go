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
	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
)

// A setup file that fails is told as such, blames no node, and is not sent a third time before it is mended.
func (lab *clusterLab) testNotStarted(t *testing.T) {
	setup := jobstest.WriteFile(t, lab.dir, "module.sh", "module_of_nobody load x\n")
	r := lab.fresh(t, "slow", "--setup", setup)
	r.cause = results.NotStarted
	for range 2 {
		r.submit()
		r.waitIdle()
		d := r.status().Queue.Dead
		if len(d) != 10 || !strings.Contains(d[0].Last, "module_of_nobody") {
			t.Fatalf("dead: %+v", d)
		}
	}
	code, out, stderr := lab.run(t, "gdrun", "submit", r.path, "--yes", "--mem=200M", "--setup", setup)
	if code != command.GivenUp || !strings.Contains(stderr, "module_of_nobody") || !strings.Contains(out, "60 given up") {
		t.Errorf("the third submit: exit code %d, %s%s", code, out, stderr)
	}
	if code, out, _ := lab.run(t, "gdrun", "status", r.path); code != command.GivenUp || !strings.Contains(out, "60 cells are given up") {
		t.Errorf("status: exit code %d, %s", code, out)
	}
	jobstest.WriteFile(t, lab.dir, "module.sh", ":\n")
	r.submit()
	if text := content(t, filepath.Join(r.path, "submissions", "0004-1.sh")); strings.Contains(text, "--exclude") {
		t.Error(text)
	}
	r.waitIdle()
	r.settle()
}

// Of a large grid five tasks go first, with the least that is asked for. The others follow them, with what they took and
// the job that merges.
func (lab *clusterLab) testPilot(t *testing.T) {
	r := lab.fresh(t, "grid")
	r.asksItself = true
	if out := r.submit("--merge"); !strings.Contains(out, "5 cells in 5 tasks") {
		t.Errorf("the first submit: %s", out)
	}
	r.waitIdle()
	if out := r.submit(); !strings.Contains(out, "196 cells in 196 tasks") || !strings.Contains(out, "gdmerge") {
		t.Errorf("the second submit: %s", out)
	}
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
	if k := r.efficiency().Kinds; len(k) != 2 || k[0].Memory >= 128 || k[0].Attempts != 196 || k[1].Memory != 256 {
		t.Errorf("%+v: want 196 tasks that ask for what the others took", k)
	}
}

// Options of sbatch stand in the scripts, where Slurm reads them; scratch is filled in by the job; the last call is
// repeated; what no node has is refused.
func (lab *clusterLab) testOptions(t *testing.T) {
	scratch := filepath.Join(lab.dir, "scratch of $SLURM_JOB_ID")
	launcher := "sh " + jobstest.WriteFile(t, lab.dir, "launch.sh", "echo launched; exec \"$@\"\n")
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

// Jobs run the program that submitted them, whatever becomes of its file while they wait. Results of two revisions are
// told of when they are merged.
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
	must(t, os.Remove(program)) // and not what the other tests run
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

// With --after nothing starts before another job has ended.
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

// Of a partition with a short limit no more is asked for than it gives, and more is refused with both numbers.
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
	if code != command.Usage || !strings.Contains(stderr, "time = 50:00, and partition brief gives at most 0:01:00") {
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

// What docs/for-admins.md says of the commands that ask the controller, counted by a program in the place of each.
func (lab *clusterLab) testCalls(t *testing.T) {
	of := lab.inside(t, "calls")
	must(t, os.CopyFS(filepath.Join(of.dir, "many"), os.DirFS(filepath.Join(lab.dir, "many"))))
	of.first = filepath.Join(of.dir, "first")
	must(t, os.Mkdir(of.first, 0o777))
	log := filepath.Join(of.dir, "log")
	for _, name := range []string{"sbatch", "squeue", "scontrol", "scancel", "sacct", "sinfo"} {
		real, err := exec.LookPath(name)
		must(t, err)
		jobstest.WriteFile(t, of.first, name, "#!/bin/sh\n[ \"$*\" = --version ] || echo "+name+" >> '"+log+"'\nexec "+real+" \"$@\"\n")
		must(t, os.Chmod(filepath.Join(of.first, name), 0o777))
	}
	r := of.fresh(t, "many", "--setup", jobstest.WriteFile(t, lab.dir, "gate.sh", gate))
	calls := func(what string, do func(), want string) {
		t.Helper()
		must(t, os.WriteFile(log, nil, 0o666))
		do()
		text := content(t, log)
		names := strings.Fields(text)
		slices.Sort(names)
		var counted []string
		for _, name := range slices.Compact(names) {
			counted = append(counted, fmt.Sprint(strings.Count(text, name), " ", name))
		}
		if got := strings.Join(counted, ", "); got != want {
			t.Errorf("%s: %s; want %s", what, got, want)
		}
	}
	calls("submit of two arrays", func() { r.submit() }, "2 sbatch, 1 scontrol, 1 sinfo")
	calls("status", func() { r.status() }, "2 squeue")
	calls("60 jobs", func() { jobstest.WriteFile(t, r.path, "go", ""); r.waitIdle() }, "60 squeue")
	calls("status when all is done", func() { r.status() }, "")
	calls("submit when all is done", func() { r.submit() }, "")
}
