package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/jobs"
	"graphda/jobs/jobstest"
	"graphda/slurm"
)

// A faultKind is something that happens to a run on a cluster.
type faultKind struct {
	name   string
	often  int // how many there are in the full test
	plan   string
	args   func(lab *clusterLab, t *testing.T) []string // of gdrun submit; may be nil
	inject func(r *clusterRun, rng *rand.Rand) (times int)
	causes []results.Cause // that submit may find for the jobs that died
	raised bool            // every fault ends a job, and submit asks for more until none ends so
}

// The two faults of nodes have a node each, to which they bring tasks.
var faultKinds = []faultKind{
	{"time limit too short", 10, "long", shortLimit, (*clusterRun).runOutOfTime, causes(results.TimeLimit), false},
	{slowFault, 40, "slow", stubborn, (*clusterRun).raise, causes(results.TimeLimit), true},
	{"out of memory", 40, "long", given("--mem=5M"), (*clusterRun).raise, causes(results.OutOfMemory), true},
	{"node killed", 10, "slow", given("--sbatch-arg=--exclude=n1,n4"), (*clusterRun).killNode,
		causes(results.NodeFailure), false},
	{"node orphaned", 10, "long", given("--sbatch-arg=--nodelist=n4"), (*clusterRun).orphanNode,
		causes(results.NodeFailure), false},
	{"task cancelled", 50, "slow", nil, (*clusterRun).cancelTasks, causes(results.Cancelled), false},
	{"task requeued", 50, "slow", nil, (*clusterRun).requeueTasks, nil, false},
	{"shard truncated", 50, "slow", nil, (*clusterRun).truncateShards, causes(results.Lost), false},
	{"disk full", 50, "slow", nil, (*clusterRun).fillDisk, causes(results.FileSystem), false},
	{"submit killed", 50, "many", nil, (*clusterRun).killSubmit, nil, false},
}

func causes(all ...results.Cause) []results.Cause { return all }

// slowFault takes minutes, for a time limit is one at least. Only the full test has it.
const slowFault = "time limit raised twice"

// testFault injects faults of a kind into one run after the other, and completes each.
func (lab *clusterLab) testFault(t *testing.T, kind faultKind, seed uint64) {
	rng := rand.New(rand.NewPCG(4, seed))
	often, most := 1, 3
	if lab.full {
		often, most = kind.often, 3*kind.often
	}
	for n := range most {
		var args []string
		if kind.args != nil {
			args = kind.args(lab, t)
		}
		r := lab.fresh(t, kind.plan, args...)
		injected := kind.inject(r, rng)
		lost, doubled := r.settle()
		told := r.told(kind.causes)
		if kind.raised && told != injected {
			t.Errorf("%d jobs ended by a limit, and the journal tells of %d", injected, told)
		}
		sum := lab.count(kind.name, injected, told, lost, doubled)
		if sum >= often || t.Failed() || n > 0 && time.Now().After(lab.end) {
			return
		}
	}
	t.Errorf("fewer than %d times in %d runs", often, most)
}

// perRun is how many faults that may come more than once a run has.
func (r *clusterRun) perRun() int {
	if r.lab.full {
		return 8
	}
	return 3
}

func given(args ...string) func(*clusterLab, *testing.T) []string {
	return func(*clusterLab, *testing.T) []string { return args }
}

// told counts the deaths of jobs that submissions have noted. Their causes must be among those of
// what was injected.
func (r *clusterRun) told(causes []results.Cause) (times int) {
	r.Helper()
	files, err := filepath.Glob(filepath.Join(glob(r.path), "submissions", "*.json"))
	must(r.T, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(r.T, err)
		var noted struct{ Deaths []jobs.DeadTask }
		must(r.T, json.Unmarshal(text, &noted))
		for _, d := range noted.Deaths {
			times++
			if !slices.Contains(causes, d.Cause) {
				r.Errorf("%s: task %d died of %q, want one of %q: %+v", file, d.Task, d.Cause, causes, d)
			}
		}
	}
	return times
}

// shortLimit is a minute, of which tasks that have not done so yet sleep all but a second
// of what is theirs: gdrun keeps twelve seconds for the end.
func shortLimit(lab *clusterLab, t *testing.T) []string {
	setup := jobstest.WriteFile(t, lab.dir, "sleep.sh", `! mkdir "logs/slept.$SLURM_ARRAY_TASK_ID" 2>/dev/null || sleep 47`+"\n")
	return []string{"--time", "1", "--setup", setup}
}

// stubborn are tasks that do nothing under limits of one and two minutes, and do not hear
// that the end is near.
func stubborn(lab *clusterLab, t *testing.T) []string {
	setup := jobstest.WriteFile(t, lab.dir, "stubborn.sh", `case $(sed -n 's/^#SBATCH --time=//p' "$0") in
1 | 0:02:00) exec sleep 600 ;;
esac
`)
	return []string{"--time", "1", "--setup", setup}
}

// raise submits until no job ends by a limit, and counts those that did.
func (r *clusterRun) raise(*rand.Rand) int {
	const most = 6
	for round := 1; ; round++ {
		r.submit()
		r.waitIdle()
		if s := r.status(); s.Total.Done == s.Total.Cells {
			if round < 3 {
				r.Errorf("done in %s, want more than one raise", plain.Count(round, "submission"))
			}
			return len(r.in(func(s slurm.State) bool { return !s.Active() && s != slurm.Completed }))
		}
		if round == most {
			r.Fatalf("not done after %d submissions\n%s", round, r.logs())
		}
	}
}

func (r *clusterRun) runOutOfTime(*rand.Rand) int {
	r.submit()
	r.waitIdle()
	logs := r.logs()
	return strings.Count(logs, "stopped early") + strings.Count(logs, "no cell was finished within the time limit")
}

// node does something to a node of the cluster.
func (r *clusterRun) node(action, node string) {
	r.Helper()
	cmd := exec.Command("../../slurm/testcluster/node.sh", action, node)
	cmd.Env = append(os.Environ(), "TESTCLUSTER="+filepath.Dir(os.Getenv("SLURM_CONF")))
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("node.sh %s %s: %v\n%s", action, node, err, out)
	}
}

// on lists the run's elements that run on a node.
func (r *clusterRun) on(node string) (entries []slurm.Entry) {
	r.Helper()
	for _, e := range r.running() {
		if e.Node == node {
			entries = append(entries, e)
		}
	}
	return entries
}

func (r *clusterRun) killNode(rng *rand.Rand) int {
	r.lab.calm.Wait()
	r.submit()
	r.wait("a task on n3", func() bool { return len(r.on("n3")) > 0 || len(r.active()) == 0 })
	time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
	hit := min(1, len(r.on("n3")))
	r.node("kill", "n3")
	defer r.node("start", "n3")
	if rng.IntN(2) > 0 { // else it is back before it is missed
		r.wait("the loss of n3", func() bool { return len(r.on("n3")) == 0 })
	}
	return hit
}

// An orphan stands still until the cluster has started its task a second time, so that
// both compute at once.
func (r *clusterRun) orphanNode(rng *rand.Rand) int {
	r.lab.calm.Wait()
	r.submit()
	r.wait("a task on n4", func() bool { return len(r.on("n4")) > 0 || len(r.active()) == 0 })
	time.Sleep(time.Duration(rng.IntN(1500)) * time.Millisecond)
	there := r.on("n4")
	r.node("orphan", "n4")
	orphans := r.processes("n4")
	for _, p := range orphans {
		_ = p.Signal(syscall.SIGSTOP) // it may have ended
	}
	defer func() {
		for _, p := range orphans {
			_ = p.Signal(syscall.SIGCONT)
		}
	}()
	r.wait("the loss of n4", func() bool { return len(r.on("n4")) == 0 })
	r.node("start", "n4")
	again := func() bool {
		return slices.ContainsFunc(r.running(), func(e slurm.Entry) bool {
			return slices.ContainsFunc(there, func(was slurm.Entry) bool { return e.ID == was.ID })
		})
	}
	r.wait("the second life of an orphan's task", func() bool { return again() || len(r.active()) == 0 })
	r.Logf("%d orphans of %d tasks, a second life beside them: %v", len(orphans), len(there), again())
	return min(1, len(orphans))
}

// processes finds the run's tasks on a node.
func (r *clusterRun) processes(node string) (found []*os.Process) {
	r.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	must(r.T, err)
	for _, dir := range dirs {
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		if err != nil || cwd != r.path {
			continue
		}
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		pid := 0
		if err != nil || !bytes.Contains(environ, []byte("\x00SLURMD_NODENAME="+node+"\x00")) {
			continue
		}
		if _, err := fmt.Sscanf(filepath.Base(dir), "%d", &pid); err != nil {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil {
			found = append(found, p)
		}
	}
	return found
}

// choose calls act with random elements, one after the other, and counts what succeeds.
func (r *clusterRun) choose(rng *rand.Rand, from func() []slurm.Entry, act func(context.Context, ...slurm.JobID) error) (times int) {
	r.Helper()
	r.submit()
	r.wait("a running task", func() bool { return len(r.running()) > 0 || len(r.active()) == 0 })
	for times < r.perRun() && len(r.active()) > 0 {
		if entries := from(); len(entries) > 0 && act(r.Context(), entries[rng.IntN(len(entries))].ID) == nil { // else it has just ended
			times++
		}
		time.Sleep(time.Duration(rng.IntN(500)) * time.Millisecond)
	}
	return times
}

func (r *clusterRun) cancelTasks(rng *rand.Rand) int {
	return r.choose(rng, r.active, r.lab.client.Cancel)
}

func (r *clusterRun) requeueTasks(rng *rand.Rand) int {
	return r.choose(rng, r.running, r.lab.client.Requeue)
}

func (r *clusterRun) truncateShards(rng *rand.Rand) (times int) {
	r.submit()
	done := map[string]bool{}
	r.wait("shards to truncate", func() bool {
		last := len(r.active()) == 0
		for _, path := range r.shards() {
			if info, err := os.Stat(path); err == nil && !done[path] && len(done) < r.perRun() {
				must(r.T, os.Truncate(path, rng.Int64N(info.Size())))
				done[path] = true
			}
		}
		return last || len(done) == r.perRun()
	})
	return len(done)
}

// fillDisk gives a run a disk on which the results of some tasks have room, and, when
// nothing goes on any more, a larger one.
func (r *clusterRun) fillDisk(rng *rand.Rand) int {
	dir := filepath.Join(r.path, "results")
	must(r.T, os.MkdirAll(dir, 0o777))
	mount := func(args ...string) error {
		out, err := exec.Command("mount", append(args, dir)...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		return err
	}
	if err := mount("-t", "tmpfs", "-o", fmt.Sprintf("size=%dk", 100+4*rng.IntN(20)), "graphda-test"); err != nil {
		r.Skipf("needs root, who may mount a small disk: %v", err)
	}
	r.Cleanup(func() {
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			r.Errorf("umount: %v: %s", err, out)
		}
	})
	r.submit()
	r.waitIdle()
	times := strings.Count(r.logs(), "no space left on device")
	must(r.T, mount("-o", "remount,size=50m"))
	return times
}

// killSubmit kills gdrun submit when it has told of its first job and is about to submit,
// or submits, the next.
func (r *clusterRun) killSubmit(rng *rand.Rand) (times int) {
	c := exec.Command(filepath.Join(r.lab.dir, "gdrun"), "submit", r.path, "--yes", "--mem", "200M", "--merge")
	out, err := c.StdoutPipe()
	must(r.T, err)
	must(r.T, c.Start())
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if strings.HasPrefix(line, "job ") {
			time.Sleep(time.Duration(rng.IntN(10)) * time.Millisecond)
			_ = c.Process.Kill() // it may have ended
			break
		}
	}
	_, _ = io.Copy(io.Discard, lines)
	if c.Wait() != nil && c.ProcessState.ExitCode() == -1 {
		times = 1
	}
	r.submit()
	r.waitIdle()
	if n := len(r.queue()); n > 61 {
		r.Errorf("%d elements for 60 tasks and gdmerge: some were submitted twice", n)
	}
	return times
}
