package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"graphda/jobs/cluster/journal"
	"graphda/jobs/jobstest"
	"graphda/jobs/plan"
	_ "graphda/jobs/reports" // its kinds of report
	"graphda/jobs/run"
	"graphda/jobs/runtest"
	"graphda/jobs/userinput"
	"graphda/slurm"
)

// A cluster is a fake Slurm in memory: sbatch reads the script's directives, squeue lists elements, and scancel ends
// them. It runs nothing.
type cluster struct {
	maxArray int
	jobs     []*clusterJob
	scripts  []string // scripts that sbatch received
	calls    []string // "sbatch", "squeue", …
	squeues  []string // arguments of squeue
	accounts string   // output of sacct; "" if there is no sacct
	sinfo    string   // output of sinfo; "" if there is no sinfo

	name    string              // name of the cluster; "" if it does not say
	private string              // value of PrivateData
	enforce string              // value of AccountingStorageEnforce
	limits  string              // output of scontrol show partition
	qos     string              // output of sacctmgr; "" if there is no sacctmgr
	asked   string              // the quality of service in the last question
	others  map[string]*cluster // clusters that --clusters reaches
	later   time.Duration       // how far the cluster's clock is ahead

	before func(name string, args []string) *slurm.Output // if not nil, may answer instead of the fake
	after  func(name string)                              // if not nil, called when a command has taken effect
}

type clusterJob struct {
	id        int
	name      string
	script    string // its path
	after     string // value of --dependency
	begin     string // earliest start
	dir       string
	elements  []slurm.State
	reason    string
	forgotten bool
	unseen    bool // whether the job belongs to another user and is not shown
	denied    bool // whether the job belongs to another user and cannot be cancelled
	array     bool
}

var _ slurm.Runner = (*cluster)(nil)

// Run implements slurm.Runner.
func (c *cluster) Run(_ context.Context, name string, args ...string) (slurm.Output, error) {
	if name == "sacct" && c.accounts == "" || name == "sinfo" && c.sinfo == "" ||
		name == "sacctmgr" && c.qos == "" {
		return slurm.Output{Code: -1}, &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	if slices.Equal(args, []string{"--version"}) {
		return slurm.Output{Stdout: "slurm 22.05.8\n"}, nil
	}
	c.calls = append(c.calls, name)
	if c.before != nil {
		if out := c.before(name, args); out != nil {
			return *out, nil
		}
	}
	if other, elsewhere := strings.CutPrefix(args[0], "--clusters="); elsewhere && other != c.name {
		if c.others[other] == nil {
			return slurm.Output{Code: 1, Stderr: "squeue: error: '" + other + "' can't be reached now, or it is an invalid entry for --cluster."}, nil
		}
		out := c.others[other].answer(name, args[1:])
		out.Stdout = "CLUSTER: " + other + "\n" + out.Stdout
		return out, nil
	}
	out := c.answer(name, args)
	if c.after != nil {
		c.after(name)
	}
	return out, nil
}

func (c *cluster) answer(name string, args []string) slurm.Output {
	switch name {
	case "sacctmgr":
		c.asked = args[len(args)-2]
		return slurm.Output{Stdout: c.qos}
	case "scontrol":
		if args[0] == "update" || args[0] == "requeue" {
			return c.update(args)
		}
		if args[len(args)-1] == "partition" {
			return slurm.Output{Stdout: c.limits}
		}
		return slurm.Output{Stdout: fmt.Sprintf("ClusterName             = %s\nMaxArraySize            = %d\nPrivateData             = %s\nAccountingStorageEnforce = %s\nMinJobAge               = 240 sec\nSLURM_VERSION = 22.05.8\n",
			c.name, c.maxArray, c.private, c.enforce)}
	case "sbatch":
		return c.sbatch(args)
	case "squeue":
		return c.squeue(args)
	case "scancel":
		for _, id := range args {
			for _, j := range c.jobs {
				if strconv.Itoa(j.id) == id && j.denied {
					return slurm.Output{Code: 1, Stderr: "scancel: error: Kill job error on job id " + id + ": Access/permission denied"}
				}
				if strconv.Itoa(j.id) == id {
					j.set(slurm.Cancelled)
				}
			}
		}
		return slurm.Output{}
	case "sacct":
		return c.sacct(args)
	case "sinfo":
		return slurm.Output{Stdout: c.sinfo}
	}
	return slurm.Output{Code: 1, Stderr: "no such command"}
}

var (
	nameOption  = regexp.MustCompile(`(?m)^#SBATCH --job-name=(.*)$`)
	arrayOption = regexp.MustCompile(`(?m)^#SBATCH --array=0-(\d+)`)
)

func (c *cluster) sbatch(args []string) slurm.Output {
	text, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		return slurm.Output{Code: 1, Stderr: err.Error()}
	}
	j := &clusterJob{id: 100 + len(c.jobs), script: args[len(args)-1], elements: []slurm.State{slurm.Pending}}
	j.name = nameOption.FindStringSubmatch(string(text))[1]
	if m := arrayOption.FindStringSubmatch(string(text)); m != nil {
		last, _ := strconv.Atoi(m[1])
		if last >= c.maxArray {
			return slurm.Output{Code: 1, Stderr: "sbatch: error: Batch job submission failed: Invalid job array specification"}
		}
		j.elements, j.array = slices.Repeat(j.elements, last+1), true
	}
	for _, a := range args {
		if after, ok := strings.CutPrefix(a, "--dependency=afterany:"); ok {
			j.after = after
		}
		if begin, ok := strings.CutPrefix(a, "--begin="); ok {
			j.begin = begin
		}
		if dir, ok := strings.CutPrefix(a, "--chdir="); ok {
			j.dir = dir
		}
	}
	c.jobs = append(c.jobs, j)
	c.scripts = append(c.scripts, string(text))
	return slurm.Output{Stdout: fmt.Sprintln(j.id)}
}

// update changes what a waiting job waits for, or makes a running job wait again.
func (c *cluster) update(args []string) slurm.Output {
	for _, j := range c.jobs {
		switch {
		case args[1] == fmt.Sprint(j.id) && j.elements[0] == slurm.Running:
			j.elements[0] = slurm.Pending
			return slurm.Output{}
		case args[1] == fmt.Sprint("JobId=", j.id) && j.elements[0] == slurm.Pending:
			j.after = strings.TrimPrefix(strings.TrimPrefix(args[2], "Dependency="), "afterany:")
			j.begin = strings.TrimPrefix(args[3], "StartTime=")
			return slurm.Output{}
		}
	}
	return slurm.Output{Code: 1, Stderr: "slurm_update error: Job is no longer pending execution"}
}

func (c *cluster) squeue(args []string) slurm.Output {
	c.squeues = append(c.squeues, strings.Join(args, " "))
	var b strings.Builder
	for _, j := range c.jobs {
		if j.forgotten || j.unseen || !selected(j, args) {
			continue
		}
		for index, state := range j.elements {
			if slices.Contains(args, "--format=%F") {
				fmt.Fprintln(&b, j.id)
				continue
			}
			at := strconv.Itoa(index)
			if !j.array {
				at = "N/A"
			}
			b.WriteString("\x1e" + strings.Join([]string{
				strconv.Itoa(j.id), at, string(state), j.reason, "n1", j.name, j.dir, j.script, "",
			}, "\x1f"))
		}
	}
	return slurm.Output{Stdout: b.String()}
}

// sacct prints the accounts, or the ids of the jobs with a name.
func (c *cluster) sacct(args []string) slurm.Output {
	if !slices.Contains(args, "--format=JobID") {
		return slurm.Output{Stdout: c.accounts}
	}
	var b strings.Builder
	for _, j := range c.jobs {
		if selected(j, args) {
			fmt.Fprintf(&b, "%d_[1-9]\n%d_0\n", j.id, j.id)
		}
	}
	return slurm.Output{Stdout: b.String()}
}

func selected(j *clusterJob, args []string) bool {
	for _, a := range args {
		if name, ok := strings.CutPrefix(a, "--name="); ok {
			return slices.Contains(strings.Split(name, ","), j.name)
		}
		if ids, ok := strings.CutPrefix(a, "--jobs="); ok {
			return slices.Contains(strings.Split(ids, ","), strconv.Itoa(j.id))
		}
	}
	return true
}

// set puts all elements of a job that have not ended into a state.
func (j *clusterJob) set(state slurm.State) {
	for i := range j.elements {
		if j.elements[i].Active() {
			j.elements[i] = state
		}
	}
}

// forget makes the queue forget jobs, as it does some minutes after their end.
func (c *cluster) forget(jobs ...*clusterJob) {
	for _, j := range jobs {
		j.forgotten = true
	}
	c.later += 5 * time.Minute
}

// client returns a client that does not wait.
func (c *cluster) client() *slurm.Client {
	return &slurm.Client{Runner: c, Sleep: func(context.Context, time.Duration) error { return nil },
		Clock: func() time.Time { return time.Now().Add(c.later) }}
}

func newCluster() *cluster { return &cluster{maxArray: 1001} }

// on lets a function answer a command. If the function returns nil, the fake answers.
func (c *cluster) on(command string, answer func(args []string) *slurm.Output) {
	c.before = func(name string, args []string) *slurm.Output {
		if name == command {
			return answer(args)
		}
		return nil
	}
}

// active counts the elements that wait or run.
func (c *cluster) active() (n int) {
	for _, j := range c.jobs {
		for _, state := range j.elements {
			if state.Active() {
				n++
			}
		}
	}
	return n
}

func submitOptions() SubmitOptions {
	return SubmitOptions{Program: filepath.Join(programs(), "gdrun")}
}

// untilDone returns options with the follow-up job.
func untilDone() SubmitOptions {
	o := submitOptions()
	o.UntilDone = true
	return o
}

// programs returns a folder with a file that stands for the program.
var programs = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "graphda-programs")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gdrun"), []byte("gdrun"), 0o777); err != nil {
		panic(err)
	}
	return dir
})

// submit proposes a submission and, unless it is empty, sends it.
func submit(tb testing.TB, r *run.Run, c *cluster, o SubmitOptions) *Submission {
	tb.Helper()
	s := must1(Propose(context.Background(), r, c.client(), o))
	defer s.Close()
	if !s.Empty() && !o.DryRun {
		must(tb, s.Send(context.Background(), func(*ProposedJob) {}))
	}
	return s
}

// send proposes a submission and sends it, which may fail. It counts the jobs that were sent.
func send(t *testing.T, r *run.Run, c *cluster, o SubmitOptions) (sent int, err error) {
	t.Helper()
	s := must1(Propose(t.Context(), r, c.client(), o))
	err = s.Send(t.Context(), func(*ProposedJob) { sent++ })
	must(t, s.Close())
	return sent, err
}

// wantUsage fails unless the error is about usage and contains all parts.
func wantUsage(t *testing.T, err error, parts ...string) {
	t.Helper()
	wantError(t, err, parts...)
	if !errors.As(err, new(*userinput.Error)) {
		t.Errorf("%v is no error of usage", err)
	}
}

func sealAll(tb testing.TB, r *run.Run, tasks []*plan.Task) {
	tb.Helper()
	for _, task := range tasks {
		sealTask(tb, r, task, rowsOf(r, task))
	}
}

// submitted returns a tiny run with all its tasks in the queue.
func submitted(tb testing.TB) (*run.Run, *cluster) {
	tb.Helper()
	r, c := tinyRun(tb), newCluster()
	submit(tb, r, c, submitOptions())
	return r, c
}

// wantOnce checks that every unfinished cell is in exactly one active task, and no finished cell is in one.
func wantOnce(tb testing.TB, r *run.Run, c *cluster) {
	tb.Helper()
	r = must1(run.Open(r.Dir))
	stock := must1(r.TakeStock(true))
	j := must1(journal.Read(r))
	times := make([]int, len(r.Plan.Cells))
	for _, note := range j.Jobs() {
		for _, job := range c.jobs {
			if strconv.Itoa(job.id) != string(note.ID) || job.name != note.Name {
				continue
			}
			for index, state := range job.elements {
				if !state.Active() || note.Count == 0 {
					continue
				}
				task := r.Tasks[note.Task(index)]
				for _, cell := range task.Cells {
					times[cell.Cell]++
				}
			}
		}
	}
	for cell, n := range times {
		want := 1
		if stock.State[cell] == run.StateDone {
			want = 0
		}
		if n != want {
			tb.Fatalf("cell %d is in %d active tasks, want %d", cell, n, want)
		}
	}
	noted := 0
	queue := must1(j.Queue(context.Background(), c.client(), nil))
	for _, a := range queue.Jobs {
		noted += a.Running + a.Queued
	}
	if active := c.active(); noted != active {
		tb.Fatalf("%d elements are active, the journal knows of %d", active, noted)
	}
}

var (
	must         = jobstest.Must
	wantError    = jobstest.WantError
	filesBelow   = jobstest.FilesBelow
	tinyRun      = runtest.Tiny
	divergingRun = runtest.Diverging
	copyOf       = runtest.Copy
	finish       = runtest.Finish
	finished     = runtest.Finished
	stopAfter    = runtest.StopAfter
	status       = runtest.Status
	resultsCSV   = runtest.CSV
	rowsOf       = runtest.Rows
	sealTask     = runtest.Seal
	writePart    = runtest.Part
	sameResults  = runtest.SameResults
)

func must1[T any](v T, err error) T { return jobstest.Must1(v, err) }
