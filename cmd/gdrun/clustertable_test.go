package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/paper"
)

// TestLiveTable1 runs a whole trial of the paper's Table 1 over the four nodes of the
// cluster, merged by the chained job, and compares its tables with those of gdrun local.
// The graph methods search warm, which takes half the time.
func TestLiveTable1(t *testing.T) {
	if os.Getenv(fullVariable) != "1" {
		t.Skip("takes minutes: make test-slurm-full runs it")
	}
	lab := newClusterLab(t)
	const cells = 3093
	lab.must(t, "gdrun", "simulate", "benchmark", "--graph", "1", "--trials", "1", "--out", "data")
	jobstest.WriteFile(t, lab.dir, "table1.yaml", table1Warm(t))
	lab.must(t, "gdrun", "plan", "table1.yaml", "--trials", "0", "--data", "data", "--target-time", "10s", "--out", "table1")
	begin := time.Now()
	lab.undisturbed(t, "table1")
	t.Logf("gdrun local: %.0f s on two workers", time.Since(begin).Seconds())

	r := lab.fresh(t, "table1", "--sbatch-arg=--exclusive") // one task at a time on a node
	r.patience = 20 * time.Minute
	begin = time.Now()
	r.submit("--merge")
	r.waitIdle()
	took := time.Since(begin)
	local := filepath.Join(lab.dir, "run-1-report") // of the first run, which was undisturbed
	for _, name := range csvFiles(t, local) {
		want, err := os.ReadFile(filepath.Join(local, name))
		must(t, err)
		got, err := os.ReadFile(filepath.Join(r.path, "report", name))
		must(t, err)
		if string(got) != string(want) {
			t.Errorf("%s differs from that of gdrun local", name)
		}
		t.Logf("%s: %s, the same as that of gdrun local", name, plain.Count(len(want), "byte"))
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
	cpu := 0.0
	for _, path := range r.shards() {
		info, err := results.ReadShardInfo(path)
		must(t, err)
		for _, a := range info.Attempts {
			cpu += a.CPUSeconds
		}
	}
	t.Logf("%s done in %s on %s within %.0f s and %.0f s of CPU time, %d lost, %d doubled", plain.Count(s.Total.Done, "cell"),
		plain.Count(s.Sealed, "task"), plain.Count(len(nodes), "node"), took.Seconds(), cpu, lost, doubled)
	if n := strings.Count(r.logs(), "cells done, 0 failed"); n != s.Sealed {
		t.Errorf("%d logs tell of an end, want %d", n, s.Sealed)
	}
}

// table1Warm is the experiment of Table 1 with the grids of the one it is like, where the
// graph methods search warm.
func table1Warm(t *testing.T) string {
	t.Helper()
	table1, err := paper.Experiment("table1")
	must(t, err)
	benchmark, err := paper.Experiment("benchmark")
	must(t, err)
	_, grids, _ := strings.Cut(string(benchmark), "\nmethods:\n")
	grids, _, _ = strings.Cut(grids, "\nreports:\n")
	for _, method := range []string{"graphstoiht", "graphda"} {
		grids = jobstest.Replace(t, grids, "  - method: "+method+"\n", "  - method: "+method+"\n    search: warm\n")
	}
	return string(table1) + "methods:\n" + grids + "\n"
}

// csvFiles lists the CSV files in a folder of reports.
func csvFiles(t *testing.T, dir string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	must(t, err)
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	if len(names) < 2 {
		t.Fatalf("%s has %q, want results.csv and a table", dir, names)
	}
	return names
}
