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
	"strings"
	"testing"
	"time"
)

// A lab is a directory from which a test submits to the running cluster.
type lab struct {
	*testing.T
	client *Client
	dir    string
	jobs   []JobID
}

// onCluster skips the test unless there is a test cluster. When the test ends, the lab's jobs are cancelled.
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
			entries, err := l.client.QueueOf(ctx, []int{os.Getuid()})
			if err == nil && !slices.ContainsFunc(entries, func(e Entry) bool { // other tests have jobs of their own
				return e.State.Active() && slices.Contains(l.jobs, e.Job)
			}) {
				return
			}
		}
		l.Error("jobs are left on the cluster")
	})
	return l
}

// script returns a script with count elements for the cluster, in the lab's directory.
func (l *lab) script(count int, args ...string) *Script {
	l.Helper()
	program := must1(os.Executable())
	return &Script{
		Name: JobName(fmt.Sprintf("%s-%d", l.Name(), time.Now().UnixNano())), About: "a test", Program: program,
		Args: append([]string{"task", ".", "--record", "."}, args...), Array: &Array{Count: count}, Log: "logs/%A_%a.log",
	}
}

func (l *lab) prepare(s *Script, dir string) *Submission {
	l.Helper()
	must(l, os.MkdirAll(filepath.Join(dir, "logs"), 0o777))
	file := filepath.Join(dir, s.Name+".sh")
	must(l, os.WriteFile(file, []byte(render(l, s)), 0o666))
	return &Submission{Script: s, File: file, Dir: dir}
}

func (l *lab) submit(s *Script) JobID {
	l.Helper()
	job := must1(l.client.Submit(l.Context(), l.prepare(s, l.dir))).ID
	l.jobs = append(l.jobs, job)
	return job
}

// wait polls the queue until ok returns true for the elements of a job, by index.
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
	logs, _ := filepath.Glob(filepath.Join(l.dir, "logs", "*")) // the pattern is valid
	for _, log := range logs {
		text, _ := os.ReadFile(log)
		l.Logf("%s:\n%s", log, text)
	}
	l.Fatalf("%s: it does not come to %s: %+v", job, what, entries)
	return nil
}

// all returns a function that reports whether count elements are in the state.
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

// waitEvent polls a task's records for an event of one start, and returns all its records.
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

// readEvents reads what a task recorded in one of its starts.
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
			return events // the file is being written
		}
		events = append(events, e)
	}
	return events
}

// TestLiveTestOnly asks the cluster whether it would take each script.
func TestLiveTestOnly(t *testing.T) {
	l := onCluster(t)
	t.Parallel()
	try := func(s *Submission) error {
		_, err := l.client.query(t.Context(), "sbatch", append([]string{"--test-only"}, s.args()...)...)
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		s := l.prepare(scripts[name], l.dir)
		if err := try(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused := *scripts["array"]
	refused.Resources.Partition = "nope"
	err := try(l.prepare(&refused, l.dir))
	if !IsKind(err, Refused) || !strings.Contains(err.Error(), "invalid partition specified: nope") {
		t.Errorf("no such partition: %v", err)
	}
}
