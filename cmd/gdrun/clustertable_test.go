package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/io/message"
	"graphda/jobs/jobstest"
	"graphda/jobs/paper"
)

// TestLiveTable1 runs two trials of the paper's Table 1 over the four nodes of the cluster, merged by the chained
// job, and compares its tables with those of gdrun local. The second trial is submitted when the first is done, and
// asks for what that has measured. The graph methods search lazily, which takes half the time.
func TestLiveTable1(t *testing.T) {
	if os.Getenv(fullVariable) != "1" {
		t.Skip("takes minutes: make test-slurm-full runs it")
	}
	lab := newClusterLab(t)
	const cells = 2 * 3093
	lab.must(t, "gdrun", "simulate", "benchmark", "--graph", "1", "--trials", "2", "--out", "data")
	jobstest.WriteFile(t, lab.dir, "table1.yaml", table1Lazy(t))
	lab.must(t, "gdrun", "plan", "table1.yaml", "--trials", "0-1", "--data", "data", "--target-time", "5s", "--out", "table1")
	begin := time.Now()
	lab.undisturbed(t, "table1")
	t.Logf("gdrun local: %.0f s on two workers", time.Since(begin).Seconds())

	r := lab.fresh(t, "table1", "--sbatch-arg=--exclusive") // one task at a time on a node
	r.patience, r.asksItself = 30*time.Minute, true
	begin = time.Now()
	r.submit("--max-jobs", fmt.Sprint(r.status().Tasks/2))
	r.waitIdle()
	t.Logf("the first trial, whose tasks ask for what the plan expects:\n%s", r.tellEfficiency())
	r.submit("--merge")
	r.waitIdle()
	took := time.Since(begin)
	t.Logf("both, of which the second asks for what the first took:\n%s", r.tellEfficiency())
	r.wantThrift()
	local := filepath.Join(lab.dir, "run-1-report") // of the first run, which was undisturbed
	for _, name := range csvFiles(t, local) {
		want := content(t, filepath.Join(local, "data", name))
		if content(t, filepath.Join(r.path, "report", "data", name)) != want {
			t.Errorf("%s differs from that of gdrun local", name)
		}
		t.Logf("%s: %s, the same as that of gdrun local", name, message.Count(len(want), "byte"))
	}
	lost, doubled := r.compare(r.report(filepath.Join(r.path, "report")))
	nodes := map[string]bool{}
	for _, e := range r.queue() {
		nodes[e.Node] = true
	}
	s := r.status()
	if s.Total.Done != cells || len(nodes) != 4 {
		t.Errorf("%d cells done on %d nodes, want %d on 4", s.Total.Done, len(nodes), cells)
	}
	t.Logf("%s done in %s on %s within %.0f s, %d lost, %d doubled", message.Count(s.Total.Done, "cell"),
		message.Count(s.Sealed, "task"), message.Count(len(nodes), "node"), took.Seconds(), lost, doubled)
	if n := strings.Count(r.logs(), "cells done, 0 failed"); n != s.Sealed {
		t.Errorf("%d logs tell of an end, want %d", n, s.Sealed)
	}
}

// tellEfficiency is what status --efficiency prints.
func (r *clusterRun) tellEfficiency() string {
	r.Helper()
	return r.lab.must(r.T, "gdrun", "status", r.path, "--efficiency")
}

// wantThrift wants tasks of the first submission that asked for at most four times what they used, and tasks of the second
// that asked for less and had enough.
func (r *clusterRun) wantThrift() {
	r.Helper()
	e := r.efficiency()
	if len(e.Kinds) != 2 || len(e.Ends) != 1 {
		r.Fatalf("kinds %+v, ends %+v", e.Kinds, e.Ends)
	}
	then, first := e.Kinds[0], e.Kinds[1] // by memory
	if float64(first.Memory) > 4*float64(first.LargestPeak)/(1<<20) {
		r.Errorf("the first tasks asked for %d MiB and used %.0f", first.Memory, float64(first.LargestPeak)/(1<<20))
	}
	if then.MemoryUsed/then.MemoryHeld <= first.MemoryUsed/first.MemoryHeld {
		r.Errorf("the first submission held %+v, the second %+v", first, then)
	}
}

// table1Lazy is the experiment of Table 1 with the grids of the one it is like, where the
// graph methods search lazily.
func table1Lazy(t *testing.T) string {
	t.Helper()
	table1, err := paper.Experiment("table1")
	must(t, err)
	benchmark, err := paper.Experiment("benchmark")
	must(t, err)
	_, grids, _ := strings.Cut(string(benchmark), "\nmethods:\n")
	grids, _, _ = strings.Cut(grids, "\nreports:\n")
	for _, method := range []string{"graphstoiht", "graphda"} {
		grids = jobstest.Replace(t, grids, "  - method: "+method+"\n", "  - method: "+method+"\n    search: lazy\n")
	}
	return string(table1) + "methods:\n" + grids + "\n"
}

// csvFiles lists the CSV files in a folder of reports, but that of all rows, which is made on request.
func csvFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "data", "*.csv"))
	must(t, err)
	for _, path := range paths {
		if name := filepath.Base(path); name != "results.csv" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s has no table", dir)
	}
	return names
}
