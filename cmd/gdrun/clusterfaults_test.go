package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"graphda/io/message"
	"graphda/io/results"
	"graphda/jobs/jobstest"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A faultKind is a kind of fault in a run on a cluster.
type faultKind struct {
	name   string
	often  int // number of faults in the full test
	plan   string
	args   []string // arguments for gdrun submit
	setup  string   // shell code for --setup
	inject func(r *clusterRun, rng *rand.Rand)
	cause  results.Cause // the cause that status must give; "" if jobs may not notice the fault
}

// If a kind of fault loses nodes or takes partitions away, it has its own nodes or partitions. See
// slurm/testcluster/slurm.conf.in.
var faultKinds = []faultKind{
	{"time limit too short", 60, "long", []string{"--time=1", "--partition=night"}, "",
		(*clusterRun).runOutOfTime, results.TimeLimit},
	{slowFault, 80, "slow", []string{"--time=1", "--partition=night"}, stubbornSetup,
		(*clusterRun).raise, results.TimeLimit},
	{"out of memory", 100, "long", []string{"--mem=2M"}, "", (*clusterRun).raise, results.OutOfMemory},
	{"out of address space", 80, "slow", []string{"--mem=100M"}, addressSetup, (*clusterRun).raise, results.OutOfMemory},
	{"node killed", 60, "long", []string{"--partition=frail"}, "", (*clusterRun).killNode, results.NodeFailure},
	{orphanFault, 60, "long", []string{"--partition=lost"}, hangUpSetup, (*clusterRun).orphanNode,
		results.NodeFailure},
	{"preempted and cancelled", 80, "long", []string{"--partition=spot"}, "", (*clusterRun).preempt,
		results.Preemption},
	{"preempted and requeued", 80, "long", []string{"--partition=spare"}, "", (*clusterRun).preemptRequeue,
		results.Requeued},
	{"cancelled while it ran", 100, "long", nil, "", (*clusterRun).cancelRunning, results.Cancelled},
	{"cancelled while it waited", 100, "many", []string{"--array-parallelism=2"}, "", (*clusterRun).cancelWaiting,
		results.Cancelled},
	{"requeued", 100, "long", nil, "", (*clusterRun).requeue, results.Requeued},
	{"shard truncated", 100, "slow", nil, "", (*clusterRun).truncateShards, results.Lost},
	{"disk full", 60, "slow", nil, "", (*clusterRun).fillDisk, results.FileSystem},
	{"task killed", 60, "long", nil, "", (*clusterRun).killTasks, results.Unknown},
	{"did not start", 30, "slow", nil, "[ -e go ] || module_of_nobody load x\n", (*clusterRun).failToStart, results.NotStarted},
	{"submit killed", 50, "many", nil, "", (*clusterRun).killSubmit, ""},
	{"run copied while its jobs wait", 5, "many", nil, gate, (*clusterRun).copyRun, ""},
	{"follow-up job died", 5, "many", nil, "", (*clusterRun).spoilMerge, ""},
}

// slowFault takes minutes, because a time limit is at least one minute. It is only in the full test.
const slowFault = "time limit raised twice"

const orphanFault = "node lost, its tasks go on"

const (
	// If their limit is one or two minutes, tasks do nothing and ignore the warning before the end.
	stubbornSetup = `case $(sed -n 's/^#SBATCH --time=//p' "$0") in
1 | 0:02:00) exec sleep 600 ;;
esac
`
	hangUpSetup = "trap '' HUP\n"
	// Go's runtime reserves nearly a gigabyte before the program begins.
	addressSetup = `ulimit -v $((3700 * SLURM_MEM_PER_NODE))
`
)

// testFault injects faults of one kind into several runs, and completes each run.
func (lab *clusterLab) testFault(t *testing.T, kind faultKind, seed uint64) {
	rng := rand.New(rand.NewPCG(4, seed))
	often, most := 1, 3
	if lab.full {
		often, most = kind.often, 3*kind.often
	}
	args := kind.args
	if kind.setup != "" {
		args = append(slices.Clone(args), "--setup", jobstest.WriteFile(t, lab.dir, fmt.Sprintf("setup-%d.sh", seed), kind.setup))
	}
	for n := range most {
		r := lab.fresh(t, kind.plan, args...)
		r.cause = kind.cause
		kind.inject(r, rng)
		lost, doubled := r.settle()
		hit, late := r.effective()
		f := faultCount{injected: hit, runs: 1, lost: lost, doubled: doubled}
		if kind.name == orphanFault { // a late orphan is also a fault, and status reports it
			f.injected, f.told = hit+late, late
		}
		if !t.Failed() {
			f.equal = 1
		}
		for _, end := range r.efficiency().Ends {
			switch end.Cause {
			case kind.cause:
				f.told += end.Attempts
			case results.Sealed, results.Overtaken:
			case results.NodeFailure:
				f.others += max(0, end.Attempts-r.lostBySlurm())
			default:
				f.others += end.Attempts
			}
		}
		if kind.cause != "" && f.told != f.injected || f.others > 0 {
			t.Errorf("%s: %d of %q, and status tells of %d and of %d others: %v, %+v", r.path, f.injected, kind.cause,
				f.told, f.others, slices.Sorted(maps.Keys(r.hit)), r.efficiency().Ends)
		}
		if sum := lab.count(kind.name, f); sum >= often || t.Failed() || n > 0 && time.Now().After(lab.end) {
			return
		}
	}
	t.Errorf("fewer than %d times in %d runs", often, most)
}

var lostByItself = regexp.MustCompile(`requeue (?:job )?JobId=(\d+)_.* due to (?:node failure|failure of node)`)

// lostBySlurm counts, from the controller's log, the run's jobs that Slurm itself lost and requeued. Under heavy
// load, a node sometimes does not know a job that it was sent.
func (r *clusterRun) lostBySlurm() (n int) {
	r.Helper()
	log := content(r.T, filepath.Join(filepath.Dir(os.Getenv("SLURM_CONF")), "log", "slurmctld.log"))
	ours := map[string]bool{}
	for id := range r.ended {
		job, _, _ := strings.Cut(string(id), "_")
		ours[job] = true
	}
	for _, m := range lostByItself.FindAllStringSubmatch(log, -1) {
		if ours[m[1]] {
			n++
		}
	}
	return n
}

// perRun returns the number of faults per run, for faults that may occur more than once.
func (r *clusterRun) perRun() int {
	if r.lab.full {
		return 8
	}
	return 3
}

// effective counts the attempts that faults have hit, and the attempts that were hit too late, after they sealed
// their task.
func (r *clusterRun) effective() (hit, late int) {
	all := len(r.hit)
	for _, name := range r.sealing() {
		maps.DeleteFunc(r.hit, func(what string, _ bool) bool {
			return what == name || slurm.AttemptOf(name).ID == slurm.JobID(what)
		})
	}
	return len(r.hit), all - len(r.hit)
}

func (r *clusterRun) hitIn(states ...slurm.State) {
	for id, state := range r.ended {
		if slices.Contains(states, state) {
			r.hit[string(id)] = true
		}
	}
}

// hitIf records the attempts that have written one of the given words.
func (r *clusterRun) hitIf(words ...string) {
	for name, text := range r.lives() {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			r.hit[name] = true
		}
	}
}

// raise submits until no job reaches a limit. Status must report each such job with the number of its attempt.
func (r *clusterRun) raise(*rand.Rand) {
	const most = 8
	for round := 1; ; round++ {
		r.submit()
		r.waitIdle()
		s := r.status()
		if s.Total.Done == s.Total.Cells {
			if round < 3 {
				r.Errorf("done in %s, want more than one raise", message.Count(round, "submission"))
			}
			break
		}
		for _, d := range s.Queue.Dead {
			if d.Attempt != round {
				r.Errorf("submission %d: %+v", round, d)
			}
		}
		if round == most {
			r.Fatalf("not done after %d submissions\n%s", round, r.logs())
		}
	}
	r.hitIn(slurm.OutOfMemory, slurm.Timeout, slurm.Failed, slurm.Cancelled)
}

// runOutOfTime stops tasks until less than twelve seconds of their minute are left. gdrun needs these seconds to end.
func (r *clusterRun) runOutOfTime(*rand.Rand) {
	held := r.submitAndHold("night")
	r.wait("the end of their time", func() bool {
		return !slices.ContainsFunc(r.running(), func(e slurm.Entry) bool {
			left, err := r.lab.client.TimeLeft(r.Context(), e.ID)
			return err == nil && left > 9*time.Second
		})
	})
	goOn(held)
	r.finish()
	r.hitIf("stopped early", "no cell was finished within the time limit")
}

func (r *clusterRun) node(action, node string) {
	r.Helper()
	cmd := exec.Command("../../slurm/testcluster/node.sh", action, node)
	cmd.Env = append(os.Environ(), "TESTCLUSTER="+filepath.Dir(os.Getenv("SLURM_CONF")))
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("node.sh %s %s: %v\n%s", action, node, err, out)
	}
}

func (r *clusterRun) unended() (names []string) {
	r.Helper()
	for _, a := range r.notes() {
		if a.End == "" {
			names = append(names, a.Name)
		}
	}
	return names
}

// hitBegun records the attempts that have begun but not ended, when no more can begin.
func (r *clusterRun) hitBegun() []string {
	r.Helper()
	names := r.unended()
	for _, name := range names {
		r.hit[name] = true
	}
	return names
}

// submitAndHold submits and waits until all tasks have begun on one node. It stops each task that begins.
func (r *clusterRun) submitAndHold(node string) map[string]*os.Process {
	r.Helper()
	r.submit()
	return r.holdAll(node)
}

// holdAll waits until all unfinished tasks have begun on one node, and stops them.
func (r *clusterRun) holdAll(node string) map[string]*os.Process {
	r.Helper()
	return r.hold(node, "the beginning of all tasks", func(held int) bool { return len(r.active()) == held })
}

// holdSome waits until some tasks have begun, and stops them. It returns none if all tasks have ended.
func (r *clusterRun) holdSome() map[string]*os.Process {
	r.Helper()
	return r.hold("", "the beginning of a task", func(held int) bool { return held > 0 || len(r.active()) == 0 })
}

// hold stops attempts that have begun, until enough returns true. It returns their processes by name. An empty
// node means any node.
func (r *clusterRun) hold(node, what string, enough func(held int) bool) (held map[string]*os.Process) {
	r.Helper()
	held = map[string]*os.Process{}
	r.wait(what, func() bool {
		for range 5 { // look often: a task lasts half a second, and a look at all processes takes time
			maps.DeleteFunc(held, func(_ string, p *os.Process) bool { return p.Signal(syscall.SIGSTOP) != nil })
			if begun := r.unended(); len(begun) > 0 {
				for name, p := range r.processes(node) {
					if slices.Contains(begun, name) && p.Signal(syscall.SIGSTOP) == nil { // otherwise the attempt has ended
						held[name] = p // even if it has just sealed its task, so that it has no note any more
					}
				}
			}
			time.Sleep(80 * time.Millisecond)
		}
		return enough(len(held))
	})
	return held
}

func goOn(held map[string]*os.Process) {
	for _, p := range held {
		_ = p.Signal(syscall.SIGCONT) // the process may have ended
	}
}

func (r *clusterRun) killNode(rng *rand.Rand) {
	r.submitAndHold("frail")
	r.node("kill", "frail")
	defer r.node("start", "frail")
	r.wait("the end of all processes", func() bool { return len(r.processes("frail")) == 0 })
	r.hitBegun()
	if rng.IntN(2) > 0 { // otherwise the node comes back before Slurm notices
		r.wait("the loss of the node", func() bool { return len(r.running()) == 0 })
	}
}

// orphanNode stops orphaned tasks until the cluster has started them a second time, so that both compute at once.
func (r *clusterRun) orphanNode(rng *rand.Rand) {
	orphans := r.submitAndHold("lost")
	defer goOn(orphans)
	r.node("orphan", "lost") // a stopped process gets SIGHUP and continues when its parent dies
	for _, p := range orphans {
		_ = p.Signal(syscall.SIGSTOP) // the process may have ended
	}
	there := r.hitBegun()
	r.wait("the loss of the node", func() bool { return len(r.running()) == 0 })
	r.node("start", "lost")
	again := func() bool {
		return slices.ContainsFunc(r.running(), func(e slurm.Entry) bool {
			return slices.ContainsFunc(there, func(name string) bool { return slurm.AttemptOf(name).ID == e.ID })
		})
	}
	r.wait("the second life of an orphan's task", func() bool { return again() || len(r.active()) == 0 })
	if sealed := len(r.shards()); rng.IntN(2) > 0 { // the orphans come after their tasks were sealed
		r.wait("a second life's end", func() bool { return len(r.shards()) > sealed || len(r.active()) == 0 })
	}
}

// processes returns the run's attempts on a node by name. An empty node means any node.
func (r *clusterRun) processes(node string) map[string]*os.Process {
	r.Helper()
	found := map[string]*os.Process{}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	must(r.T, err)
	for _, dir := range dirs {
		cwd, err := os.Readlink(filepath.Join(dir, "cwd"))
		if err != nil || cwd != r.path {
			continue
		}
		environ, err := os.ReadFile(filepath.Join(dir, "environ"))
		pid := 0
		if _, bad := fmt.Sscanf(filepath.Base(dir), "%d", &pid); err != nil || bad != nil {
			continue
		}
		env := map[string]string{}
		for _, v := range strings.Split(string(environ), "\x00") {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		job, err := slurm.ReadEnv(func(name string) string { return env[name] })
		if p, gone := os.FindProcess(pid); err == nil && gone == nil && (node == "" || job.Node == node) {
			found[job.Attempt()] = p
		}
	}
	return found
}

// strike calls act for some of the tasks that have begun.
func (r *clusterRun) strike(rng *rand.Rand, act func(slurm.JobID, *os.Process) error) {
	r.Helper()
	r.submit()
	held := r.holdSome()
	defer goOn(held)
	names := slices.Sorted(maps.Keys(held))
	rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	for _, name := range names[:min(len(names), r.perRun())] {
		if act(slurm.AttemptOf(name).ID, held[name]) == nil { // otherwise it has just ended
			r.hit[name] = true
		}
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
	}
}

func isPending(s slurm.State) bool { return s == slurm.Pending }

func (r *clusterRun) cancelRunning(rng *rand.Rand) {
	r.strike(rng, func(id slurm.JobID, _ *os.Process) error { return r.lab.client.Cancel(r.Context(), id) })
}

func (r *clusterRun) cancelWaiting(rng *rand.Rand) {
	r.submit()
	for len(r.hit) < 3*r.perRun() && len(r.active()) > 0 {
		waiting := r.in(isPending)
		if len(waiting) == 0 {
			continue
		}
		e := waiting[rng.IntN(len(waiting))]
		if r.lab.client.Cancel(r.Context(), e.ID) == nil { // otherwise it has just ended
			r.hit[string(e.ID)] = true
		}
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
	}
}

func (r *clusterRun) requeue(rng *rand.Rand) {
	r.strike(rng, func(id slurm.JobID, _ *os.Process) error { return r.lab.client.Requeue(r.Context(), id) })
}

// killTasks kills tasks in a way that prevents them from recording why they ended.
func (r *clusterRun) killTasks(rng *rand.Rand) {
	r.strike(rng, func(_ slurm.JobID, p *os.Process) error { return p.Kill() })
}

// urgent runs a job that preempts others on a node.
func (r *clusterRun) urgent(partition string) {
	r.Helper()
	cmd := exec.Command("sbatch", "--wait", "--partition="+partition, "--exclusive", "--output=/dev/null", "--wrap=sleep 1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v: %s", err, out)
	}
}

// A job that preempts others cancels them, and status reports them as preempted.
func (r *clusterRun) preempt(rng *rand.Rand) {
	r.submit()
	held := r.holdSome()
	time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
	r.urgent("short")
	goOn(held)
	r.waitIdle()
	r.hitIn(slurm.Preempted)
}

// Jobs that Slurm requeues run again, and their logs show each life.
func (r *clusterRun) preemptRequeue(rng *rand.Rand) {
	r.submit()
	for range 3 {
		held := r.holdAll("spare")
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
		r.urgent("urgent")
		goOn(held)
	}
	r.waitIdle()
	lives := r.lives()
	for name := range lives {
		parts := strings.SplitN(strings.TrimPrefix(name, slurm.AttemptMark), "-", 3) // job, start, cluster
		life, err := strconv.Atoi(parts[1])
		must(r.T, err)
		parts[1] = strconv.Itoa(life + 1)
		if _, another := lives[slurm.AttemptMark+strings.Join(parts, "-")]; another {
			r.hit[name] = true
		}
	}
}

func (r *clusterRun) truncateShards(rng *rand.Rand) {
	r.submit()
	r.wait("shards to truncate", func() bool {
		last := len(r.active()) == 0
		for _, path := range r.shards() {
			if info, err := os.Stat(path); err == nil && !r.hit[path] && len(r.hit) < r.perRun() {
				must(r.T, os.Truncate(path, rng.Int64N(info.Size())))
				r.hit[path] = true
			}
		}
		return last || len(r.hit) == r.perRun()
	})
}

// fillDisk gives a run a disk with space for the results of some tasks. When nothing runs any more, it gives the
// run a larger disk.
func (r *clusterRun) fillDisk(rng *rand.Rand) {
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
	r.hitIf("no space left on device")
	must(r.T, mount("-o", "remount,size=50m"))
}

// failToStart makes a setup file fail in all jobs, and then repairs it.
func (r *clusterRun) failToStart(*rand.Rand) {
	r.submit()
	r.waitIdle()
	for _, d := range r.status().Queue.Dead {
		if !strings.Contains(d.Last, "module_of_nobody") {
			r.Errorf("%+v", d)
		}
	}
	r.hitIn(slurm.Failed)
	jobstest.WriteFile(r.T, r.path, "go", "")
}

// copyRun copies a run with waiting jobs. The copy owns no jobs: cancel finds none, and submit submits new ones.
func (r *clusterRun) copyRun(*rand.Rand) {
	r.submit()
	copied := *r
	copied.path, copied.hit, copied.ended = r.path+"-copied", map[string]bool{}, map[slurm.JobID]slurm.State{}
	must(r.T, os.CopyFS(copied.path, os.DirFS(r.path)))
	if _, out, stderr := r.lab.run(r.T, "gdrun", "cancel", copied.path); !strings.Contains(out, "the run has no jobs in the queue") ||
		!strings.Contains(stderr, "belongs to "+r.path+",") {
		r.Errorf("cancel of the copy: %s%s", out, stderr)
	}
	if n := len(r.active()); n != manyTasks {
		r.Errorf("%d jobs of the original, want %d", n, manyTasks)
	}
	r.hit["copy"] = true
	for _, dir := range []string{r.path, copied.path} {
		jobstest.WriteFile(r.T, dir, "go", "")
	}
	copied.settle()
}

// spoilMerge makes the first follow-up job fail to merge. Then the second is killed, and the third merges.
func (r *clusterRun) spoilMerge(*rand.Rand) {
	jobstest.WriteFile(r.T, r.path, "report", "in the way\n") // a file where a folder is needed
	r.submit("--until-done")
	r.waitIdle()
	if s := r.status(); s.Follow.State != run.FollowStopped || !strings.Contains(s.Follow.Why, "could not be merged") {
		r.Errorf("status: %+v", s.Follow)
	}
	r.hit["merge"] = true
	must(r.T, os.Remove(filepath.Join(r.path, "report")))
	lock := must1(os.Open(filepath.Join(r.path, "submissions", ".lock")))
	defer lock.Close()
	if out := r.submit("--until-done"); !strings.Contains(out, ": only the follow-up job; ") {
		r.Errorf("with --until-done again: %s", out)
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil { // otherwise it has the lock itself
		r.wait("its begin, or its end", func() bool { return len(r.running()) > 0 || len(r.active()) == 0 })
		killed := r.running()
		for _, e := range killed {
			must(r.T, r.lab.client.Cancel(r.Context(), e.ID))
		}
		r.waitIdle()
		if s := r.status(); len(killed) > 0 && s.Follow.State != run.FollowDied {
			r.Errorf("status: %+v", s.Follow)
		}
		must(r.T, syscall.Flock(int(lock.Fd()), syscall.LOCK_UN))
		if len(killed) > 0 {
			r.submit("--until-done")
		}
	}
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
}

// killSubmit kills gdrun submit after it has reported its first job, before or during the next sbatch.
func (r *clusterRun) killSubmit(rng *rand.Rand) {
	c := exec.Command(filepath.Join(r.lab.dir, "gdrun"), "submit", r.path, "--yes", "--mem=200M")
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
			_ = c.Process.Kill() // the process may have ended
			break
		}
	}
	_, _ = io.Copy(io.Discard, lines)
	if c.Wait() != nil && c.ProcessState.ExitCode() == -1 {
		r.hit["submit"] = true
	}
	r.submit()
	r.waitIdle()
	if n := len(r.queue()); n > manyTasks {
		r.Errorf("%d elements for %d tasks: some were submitted twice", n, manyTasks)
	}
}
