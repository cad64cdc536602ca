package slurm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// doomed are the nodes that TestLiveNodeLoss kills. The other tests keep away from them.
const doomed = "n[3-4]"

// A lab is one test on the running cluster: a directory to submit from.
type lab struct {
	*testing.T
	client *Client
	dir    string
	jobs   []JobID
}

// onCluster skips the test unless there is a test cluster. The lab's jobs are gone when the
// test ends.
func onCluster(t *testing.T) *lab {
	t.Helper()
	if os.Getenv("SLURM_TEST") != "1" {
		t.Skip("needs a Slurm cluster that it may use at will: make test-slurm starts one")
	}
	l := &lab{T: t, client: new(Client), dir: t.TempDir()}
	l.Cleanup(func() {
		ctx := context.Background()
		if len(l.jobs) == 0 {
			return
		}
		if err := l.client.Cancel(ctx, l.jobs...); err != nil {
			l.Error(err)
		}
		for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			entries, err := l.client.OwnQueue(ctx)
			if err == nil && !slices.ContainsFunc(entries, func(e Entry) bool { // other tests have theirs
				return e.State.Active() && slices.Contains(l.jobs, JobID(strconv.Itoa(e.Job)))
			}) {
				return
			}
		}
		l.Error("jobs are left on the cluster")
	})
	return l
}

// script returns a script of count elements in the lab's directory, for the cluster.
func (l *lab) script(count int, args ...string) *Script {
	l.Helper()
	program, err := os.Executable()
	if err != nil {
		l.Fatal(err)
	}
	return &Script{
		Name: JobName(fmt.Sprintf("%s-%d", l.Name(), time.Now().UnixNano())), About: "a test", Program: program,
		Args: append([]string{"task", ".", "--record", "."}, args...), Array: &Array{Count: count}, Log: "logs/%A_%a.log",
		Resources: Resources{Extra: []string{"--exclude=" + doomed}},
	}
}

// prepare writes the script to the directory.
func (l *lab) prepare(s *Script, dir string) *Submission {
	l.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o777); err != nil {
		l.Fatal(err)
	}
	file := filepath.Join(dir, s.Name+".sh")
	if err := os.WriteFile(file, []byte(render(l, s)), 0o666); err != nil {
		l.Fatal(err)
	}
	return &Submission{Script: s, File: file, Dir: dir}
}

func (l *lab) submit(s *Script) JobID {
	l.Helper()
	job, err := l.client.Submit(l.Context(), l.prepare(s, l.dir))
	if err != nil {
		l.Fatal(err)
	}
	l.jobs = append(l.jobs, job)
	return job
}

// wait polls the queue until the elements of a job, by index, are as they should be.
func (l *lab) wait(job JobID, what string, ok func(byIndex map[int]Entry) bool) map[int]Entry {
	l.Helper()
	var entries []Entry
	for end := time.Now().Add(100 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var err error
		if entries, err = l.client.Queue(l.Context(), job); err != nil {
			l.Fatal(err)
		}
		byIndex := map[int]Entry{}
		for _, e := range entries {
			byIndex[e.Index] = e
		}
		if len(byIndex) != len(entries) {
			l.Fatalf("an element is listed twice: %+v", entries)
		}
		if ok(byIndex) {
			return byIndex
		}
	}
	logs, _ := filepath.Glob(filepath.Join(l.dir, "logs", "*")) // the pattern is well formed
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		l.Logf("%s:\n%s", log, text)
	}
	l.Fatalf("%s: it does not come to %s: %+v", job, what, entries)
	return nil
}

// all tells whether count elements are in the state.
func all(count int, state State) func(map[int]Entry) bool {
	return func(byIndex map[int]Entry) bool {
		n := 0
		for _, e := range byIndex {
			if e.State == state {
				n++
			}
		}
		return n == count && len(byIndex) == count
	}
}

// waitEvent polls a task's notes for an event of a life, and returns all notes of it.
func (l *lab) waitEvent(task, life int, what string) []event {
	l.Helper()
	for end := time.Now().Add(100 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		events := readEvents(l.T, l.dir, task, life)
		if slices.ContainsFunc(events, func(e event) bool { return e.What == what }) {
			return events
		}
	}
	l.Fatalf("task %d in its life %d: no %s: %+v", task, life, what, readEvents(l.T, l.dir, task, life))
	return nil
}

// readEvents reads what a task has noted in one of its lives.
func readEvents(t *testing.T, dir string, task, life int) []event {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%05d.%d.json", task, life)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var events []event
	for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
		var e event
		if err := dec.Decode(&e); err != nil {
			return events // it is being written
		}
		events = append(events, e)
	}
	return events
}

func TestLiveArray(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	s := l.script(12, "--sleep", "1s")
	s.Array.Offset, s.Array.Parallelism = 500, 3
	job := l.submit(s)
	l.wait(job, "three elements running", func(byIndex map[int]Entry) bool {
		running := 0
		for index, e := range byIndex {
			if e.State == Running {
				running++
			}
			if e.ID != JobID(fmt.Sprintf("%s_%d", job, index)) || e.Name != s.Name {
				t.Fatalf("%+v", e)
			}
		}
		if running > 3 {
			t.Fatalf("%d elements run, want at most 3: %+v", running, byIndex)
		}
		return running == 3 && len(byIndex) == 12 && byIndex[11].State == Pending && byIndex[11].Reason == "JobArrayTaskLimit"
	})
	byIndex := l.wait(job, "its end", all(12, Completed))
	for i := range 12 {
		events := readEvents(t, l.dir, 500+i, 0)
		if len(events) != 2 || events[1].What != "end" || events[0].Env.ID != byIndex[i].ID || events[0].Env.Restarts != 0 || events[0].Env.Node != byIndex[i].Node {
			t.Errorf("element %d: %+v, in the queue %+v", i, events, byIndex[i])
		}
		if _, err := os.Stat(filepath.Join(l.dir, "logs", fmt.Sprintf("%s.log", byIndex[i].ID))); err != nil {
			t.Error(err)
		}
	}
}

// TestLiveNames has every awkward name in the paths of the directory, the program and the
// setup file, and in arguments.
func TestLiveNames(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	type run struct {
		name, dir string
		script    *Script
		job       JobID
	}
	var runs []run
	for _, name := range awkward {
		r := run{name: name, dir: filepath.Join(l.dir, name)}
		r.script = awkwardScript(t, r.dir, name)
		plain := l.script(1)
		r.script.Name, r.script.Resources.Extra = plain.Name, plain.Resources.Extra
		job, err := l.client.Submit(t.Context(), l.prepare(r.script, r.dir))
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		r.job = job
		l.jobs = append(l.jobs, job)
		runs = append(runs, r)
	}
	for _, r := range runs {
		l.wait(r.job, "its end", all(1, Completed))
		checkAwkward(t, r.script, r.dir, r.name, readEvents(t, r.dir, 1000, 0))
		if _, err := os.Stat(filepath.Join(r.dir, "logs", string(r.job)+"_0.log")); err != nil {
			t.Errorf("%q: %v", r.name, err)
		}
	}
}

// TestLiveSplit runs more tasks than an array may have.
func TestLiveSplit(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	limits, err := l.client.Limits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	most := limits.longest()
	if most > 100 {
		t.Skipf("arrays of this cluster may have %d elements; TESTCLUSTER_MAX_ARRAY=50 makes it quick", most)
	}
	_, err = l.client.Submit(t.Context(), l.prepare(l.script(most+1), l.dir))
	if !IsKind(err, Refused) || !strings.Contains(err.Error(), "Invalid job array specification") {
		t.Errorf("an array of %d elements: %v", most+1, err)
	}
	arrays, err := limits.SplitTasks(0, most+7)
	if err != nil || len(arrays) != 2 {
		t.Fatal(arrays, err)
	}
	var jobs []JobID
	for i := range arrays {
		s := l.script(1)
		s.Array = &arrays[i]
		jobs = append(jobs, l.submit(s))
	}
	for i, job := range jobs {
		l.wait(job, "its end", all(arrays[i].Count, Completed))
	}
	for task := range most + 7 {
		if events := readEvents(t, l.dir, task, 0); len(events) != 2 {
			t.Errorf("task %d: %+v, want start and end", task, events)
		}
	}
}

func TestLiveTestOnly(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		s := l.prepare(scripts[name], l.dir)
		if err := l.client.TestOnly(t.Context(), s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused := *scripts["array"]
	refused.Resources.Partition = "nope"
	err := l.client.TestOnly(t.Context(), l.prepare(&refused, l.dir))
	if !IsKind(err, Refused) || !strings.Contains(err.Error(), "invalid partition specified: nope") {
		t.Errorf("no such partition: %v", err)
	}
}
