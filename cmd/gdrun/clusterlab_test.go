package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"graphda/cmd/internal/command"
	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// patience limits every wait for the cluster. No test depends on how long it takes.
const patience = 10 * time.Minute

// fullVariable names the environment variable that asks for the full test, which takes many minutes.
const fullVariable = "GRAPHDA_CLUSTER_FULL"

// A clusterLab is a folder with programs, data and plans for tests on a running cluster, and with the results of
// undisturbed runs.
type clusterLab struct {
	dir    string
	client slurm.Client
	full   bool      // repeat the faults
	end    time.Time // no fault is repeated after it

	board board

	mu     sync.Mutex
	copies int
	want   map[string]string // by plan: results.csv of an undisturbed run
	faults map[string]faultCount
}

// A board shows the queue to all tests. Tests that look at the same time share one query.
type board struct {
	mu    sync.Mutex
	asked time.Time
	queue []slurm.Entry
}

// look returns a queue that was asked for after this call.
func (b *board) look(client *slurm.Client) (queue []slurm.Entry, err error) {
	called := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked.Before(called) {
		asked := time.Now()
		if b.queue, err = client.QueueOf(context.Background(), []int{os.Getuid()}); err != nil { // when a cleanup runs, the test's context has ended
			return nil, err
		}
		b.asked = asked
	}
	return b.queue, nil
}

func newClusterLab(t *testing.T) *clusterLab {
	t.Helper()
	if os.Getenv("SLURM_TEST") != "1" {
		t.Skip("needs a Slurm cluster that it may use at will: make test-slurm starts one")
	}
	lab := &clusterLab{dir: t.TempDir(), full: os.Getenv(fullVariable) == "1", want: map[string]string{}, faults: map[string]faultCount{}}
	lab.end = time.Now().Add(18 * time.Minute)
	vcs := "-buildvcs=auto"
	if exec.Command("git", "status").Run() != nil {
		vcs = "-buildvcs=false"
	}
	build := exec.Command("go", "build", vcs, "-o", lab.dir, "graphda/cmd/gdrun", "graphda/cmd/gdmerge")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as in make build
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return lab
}

// plan writes a dataset and plans an experiment on it, with one task for each trial.
func (lab *clusterLab) plan(t *testing.T, name string, data jobstest.Spec, methods string) {
	t.Helper()
	jobstest.WriteDataset(t, filepath.Join(lab.dir, "data", name), data)
	text := "name: " + name + "\nloss: logistic\ndatasets: [" + name + "]\ncheckpoints: [50, 100]\nmethods:\n" + methods +
		"reports:\n  - {name: " + name + ", kind: classification}\n"
	jobstest.WriteFile(t, lab.dir, name+".yaml", jobstest.Replace(t, text, "100", fmt.Sprint(data.Train)))
	lab.must(t, "gdrun", "plan", name+".yaml", "--out", name)
}

func (lab *clusterLab) run(t *testing.T, name string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, notes bytes.Buffer
	c := exec.Command(filepath.Join(lab.dir, name), args...)
	c.Dir, c.Stdout, c.Stderr = lab.dir, &out, &notes
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), notes.String()
}

func (lab *clusterLab) must(t *testing.T, name string, args ...string) (stdout string) {
	t.Helper()
	code, stdout, stderr := lab.run(t, name, args...)
	if code != 0 {
		t.Fatalf("%s %q: exit code %d: %s", name, args, code, stderr)
	}
	return stdout
}

// undisturbed runs a plan with gdrun local, for comparison.
func (lab *clusterLab) undisturbed(t *testing.T, plan string) {
	t.Helper()
	r := lab.fresh(t, plan)
	lab.must(t, "gdrun", "local", r.path, "-j", "2")
	want := r.merged()
	lab.mu.Lock()
	defer lab.mu.Unlock()
	lab.want[plan] = want
}

type clusterRun struct {
	*testing.T
	lab  *clusterLab
	path string
	plan string
	args []string // further arguments of gdrun submit

	asksItself bool // submit chooses memory and time; otherwise the test gives values that suit all tests

	cause results.Cause               // the only cause that deaths may have; "" allows any cause
	hit   map[string]bool             // what faults have hit: names of attempts, ids of elements, or others
	ended map[slurm.JobID]slurm.State // ended elements, because Slurm forgets them
}

// inside returns a lab in a subfolder, with its own programs and data.
func (lab *clusterLab) inside(t *testing.T, folder string) *clusterLab {
	t.Helper()
	of := &clusterLab{dir: filepath.Join(lab.dir, folder), want: map[string]string{}}
	must(t, os.Mkdir(of.dir, 0o777))
	for _, program := range []string{"gdrun", "gdmerge"} {
		must(t, os.Link(filepath.Join(lab.dir, program), filepath.Join(of.dir, program)))
	}
	return of
}

// fresh returns a new run of a plan without results. Its jobs are cancelled when the test ends.
func (lab *clusterLab) fresh(t *testing.T, plan string, args ...string) *clusterRun {
	t.Helper()
	lab.mu.Lock()
	lab.copies++
	r := &clusterRun{T: t, lab: lab, path: filepath.Join(lab.dir, fmt.Sprintf("run-%d", lab.copies)), plan: plan, args: args,
		hit: map[string]bool{}, ended: map[slurm.JobID]slurm.State{}}
	lab.mu.Unlock()
	must(t, os.CopyFS(r.path, os.DirFS(filepath.Join(lab.dir, plan))))
	r.cancelled()
	return r
}

// cancelled makes sure that the run's jobs are cancelled when the test ends.
func (r *clusterRun) cancelled() {
	r.Cleanup(func() {
		if len(r.active()) > 0 {
			r.lab.run(r.T, "gdrun", "cancel", r.path)
			r.wait("the end of its jobs", func() bool { return len(r.active()) == 0 })
		}
	})
}

func (r *clusterRun) submit(args ...string) string {
	r.Helper()
	args = append([]string{"submit", r.path, "--yes"}, append(args, r.args...)...)
	for _, given := range []string{"--mem=200M", "--time=30"} {
		name, _, _ := strings.Cut(given, "=")
		if !r.asksItself && !slices.ContainsFunc(r.args, func(a string) bool { return strings.HasPrefix(a, name) }) {
			args = append(args, given)
		}
	}
	return r.lab.must(r.T, "gdrun", args...)
}

var jobNames = regexp.MustCompile(`"name": "(.*)"`)

// queue lists the elements of the run's jobs. Slurm also shows elements that ended within the last minutes.
func (r *clusterRun) queue() (entries []slurm.Entry) {
	r.Helper()
	all, err := r.lab.board.look(&r.lab.client)
	must(r.T, err)
	// Read the names after the queue: a follow-up job records its jobs, submits them, and ends.
	files, err := filepath.Glob(filepath.Join(glob(r.path), "submissions", "*.json"))
	must(r.T, err)
	ours := map[string]bool{}
	for _, file := range files {
		for _, m := range jobNames.FindAllStringSubmatch(content(r.T, file), -1) {
			ours[m[1]] = true
		}
	}
	for _, e := range all {
		if !ours[e.Name] {
			continue
		}
		entries = append(entries, e)
		if delete(r.ended, e.ID); !e.State.Active() { // it may run again
			r.ended[e.ID] = e.State
		}
	}
	return entries
}

func glob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// in lists the run's elements for whose state is returns true.
func (r *clusterRun) in(is func(slurm.State) bool) []slurm.Entry {
	r.Helper()
	return slices.DeleteFunc(r.queue(), func(e slurm.Entry) bool { return !is(e.State) })
}

func (r *clusterRun) active() []slurm.Entry { return r.in(slurm.State.Active) }

func (r *clusterRun) running() []slurm.Entry {
	return r.in(func(s slurm.State) bool { return s == slurm.Running })
}

// wait polls until ok returns true.
func (r *clusterRun) wait(what string, ok func() bool) {
	r.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		if ok() {
			return
		}
	}
	r.Fatalf("%s: in vain for %v: %+v\n%s", what, patience, r.queue(), r.logs())
}

func (r *clusterRun) logs() string {
	var all strings.Builder
	for _, pattern := range []string{"*.log", "*/*.log"} {
		names, err := filepath.Glob(filepath.Join(glob(r.path), "logs", pattern))
		must(r.T, err)
		for _, name := range names {
			fmt.Fprintf(&all, "%s:\n%s", filepath.Base(name), content(r.T, name))
		}
	}
	return all.String()
}

// lives returns the output of each attempt, by name.
func (r *clusterRun) lives() map[string]string {
	lives := map[string]string{}
	for _, part := range strings.Split(r.logs(), "\nattempt "+slurm.AttemptMark)[1:] {
		name, text, _ := strings.Cut(part, " ")
		lives[slurm.AttemptMark+name] = text
	}
	return lives
}

func (r *clusterRun) waitIdle() {
	r.Helper()
	r.wait("the end of its jobs", func() bool { return len(r.active()) == 0 })
}

// shards lists the shards of tasks that are sealed.
func (r *clusterRun) shards() []string {
	r.Helper()
	names, err := filepath.Glob(filepath.Join(glob(r.path), "results", "*", "task-?????.arrow"))
	must(r.T, err)
	return names
}

func (r *clusterRun) status() (s run.Status) {
	r.Helper()
	code, stdout, stderr := r.lab.run(r.T, "gdrun", "status", r.path, "--format", "json")
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		r.Fatalf("status: %v, %s", err, stderr)
	}
	want := 0
	switch {
	case s.Undone() > 0 || s.Follow != nil && s.Follow.State != run.FollowDone:
		want = command.Incomplete
	case s.Total.Failed > 0:
		want = command.Failed
	}
	n := s.Total
	if code != want || n.Done+n.Failed+n.Running+n.Queued+n.Missing != n.Cells || s.Queue == nil && len(r.queue()) > 0 {
		r.Errorf("status: exit code %d, %s%s", code, stdout, stderr)
	}
	if s.Queue == nil { // nothing was submitted
		return s
	}
	for _, d := range s.Queue.Dead {
		if r.cause != "" && d.Cause != r.cause {
			r.Errorf("status: task %d died of %q, want %q: %+v\n%s", d.Task, d.Cause, r.cause, d, r.logs())
		}
	}
	return s
}

func (r *clusterRun) efficiency() (e journal.Efficiency) {
	r.Helper()
	must(r.T, json.Unmarshal([]byte(r.lab.must(r.T, "gdrun", "status", r.path, "--efficiency", "--format", "json")), &e))
	return e
}

// notes lists the notes of attempts at tasks that are not sealed.
func (r *clusterRun) notes() (all []results.Attempt) {
	r.Helper()
	paths, err := filepath.Glob(filepath.Join(glob(r.path), "results", "*", "task-*.attempt.json"))
	must(r.T, err)
	for _, path := range paths {
		var a results.Attempt
		if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &a) == nil { // otherwise it was just sealed
			all = append(all, a)
		}
	}
	return all
}

// sealing lists the attempts that have sealed tasks.
func (r *clusterRun) sealing() (names []string) {
	r.Helper()
	for _, path := range r.shards() {
		info, err := results.ReadShardInfo(path)
		must(r.T, err)
		for _, a := range info.Attempts {
			if a.End == results.Sealed {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// settle submits until nothing is missing, and compares the results with an undisturbed run.
func (r *clusterRun) settle() (lost, doubled int) {
	r.Helper()
	r.finish()
	return r.compare(r.merged())
}

// finish submits until nothing is missing.
func (r *clusterRun) finish() {
	r.Helper()
	const most = 12
	for round := 0; ; round++ {
		r.waitIdle()
		s := r.status()
		if s.Total.Done == s.Total.Cells {
			return
		}
		if round == most || s.Total.Failed > 0 || s.Total.Running+s.Total.Queued > 0 {
			r.Fatalf("after %d submissions: %+v, %+v\n%s", round, s.Total, s.Queue, r.logs())
		}
		r.submit()
	}
}

// merged merges the run with gdmerge and returns results.csv.
func (r *clusterRun) merged() string {
	r.Helper()
	r.lab.must(r.T, "gdmerge", r.path, "--out", r.path+"-report", "--csv")
	return r.rows(r.path+"-report", "csv")
}

// rows returns the file of all rows in a report's folder.
func (r *clusterRun) rows(dir, format string) string {
	r.Helper()
	return content(r.T, filepath.Join(dir, "data", "results."+format))
}

// report merges the run and returns results.csv. It checks that the report in a folder has the same rows.
func (r *clusterRun) report(dir string) string {
	r.Helper()
	text := r.merged()
	if r.rows(dir, "parquet") != r.rows(r.path+"-report", "parquet") {
		r.Errorf("%s: the rows in %s are not those of the run", r.path, dir)
	}
	return text
}

// compare compares a results.csv with the undisturbed run's.
func (r *clusterRun) compare(got string) (lost, doubled int) {
	r.Helper()
	r.lab.mu.Lock()
	want := r.lab.want[r.plan]
	r.lab.mu.Unlock()
	if got == want {
		return 0, 0
	}
	type key struct{ cell, checkpoint string }
	count := map[key]int{}
	for row := range strings.Lines(got) {
		f := strings.Split(row, ",")
		count[key{f[0], f[4]}]++
	}
	cells := map[string]bool{}
	for row := range strings.Lines(want) {
		f := strings.Split(row, ",")
		switch n := count[key{f[0], f[4]}]; {
		case n > 1:
			doubled++
		case n == 0 && !cells[f[0]]:
			cells[f[0]] = true
			lost++
		}
	}
	r.Errorf("%s: results.csv differs from that of an undisturbed run: %d cells lost, %d rows doubled", r.path, lost, doubled)
	return lost, doubled
}
