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

// A faultKind is something that happens to a run on a cluster.
type faultKind struct {
	name   string
	often  int // how many there are in the full test
	plan   string
	args   []string // of gdrun submit
	setup  string   // shell, for its --setup
	inject func(r *clusterRun, rng *rand.Rand)
	cause  results.Cause // that status gives for each; empty: the jobs need not know of them
}

// Nodes that are lost, and partitions that are taken away, are there for one kind of fault each. See
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

// slowFault takes minutes, for a time limit is one at least. Only the full test has it.
const slowFault = "time limit raised twice"

const orphanFault = "node lost, its tasks go on"

const (
	// Tasks do nothing under limits of one and two minutes, and do not hear that the end is near.
	stubbornSetup = `case $(sed -n 's/^#SBATCH --time=//p' "$0") in
1 | 0:02:00) exec sleep 600 ;;
esac
`
	hangUpSetup = "trap '' HUP\n"
	// The runtime of Go reserves most of a gigabyte before the program begins.
	addressSetup = `ulimit -v $((3700 * SLURM_MEM_PER_NODE))
`
)

// testFault injects faults of a kind into one run after the other, and completes each.
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
		if kind.name == orphanFault { // it is a fault all the same, and told as what it is
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

// lostBySlurm counts the lives of the run's jobs that the controller gave up, as its log tells: under much load
// a node does not know at times of a job that it was sent.
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

// perRun is how many faults that may come more than once a run has.
func (r *clusterRun) perRun() int {
	if r.lab.full {
		return 8
	}
	return 3
}

// effective counts what faults have hit, and what was hit too late, for it has sealed its task.
func (r *clusterRun) effective() (hit, late int) {
	all := len(r.hit)
	for _, name := range r.sealing() {
		maps.DeleteFunc(r.hit, func(what string, _ bool) bool {
			return what == name || slurm.AttemptOf(name).ID == slurm.JobID(what)
		})
	}
	return len(r.hit), all - len(r.hit)
}

// hitIn notes the elements that have ended in some states.
func (r *clusterRun) hitIn(states ...slurm.State) {
	for id, state := range r.ended {
		if slices.Contains(states, state) {
			r.hit[string(id)] = true
		}
	}
}

// hitIf notes the attempts that have written one of some words.
func (r *clusterRun) hitIf(words ...string) {
	for name, text := range r.lives() {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			r.hit[name] = true
		}
	}
}

// raise submits until no job ends by a limit. Each that did is to be told of, with its number.
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

// Of a limit of a minute gdrun keeps twelve seconds for the end. Until less are left, tasks stand still.
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

// node does something to a node of the cluster.
func (r *clusterRun) node(action, node string) {
	r.Helper()
	cmd := exec.Command("../../slurm/testcluster/node.sh", action, node)
	cmd.Env = append(os.Environ(), "TESTCLUSTER="+filepath.Dir(os.Getenv("SLURM_CONF")))
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("node.sh %s %s: %v\n%s", action, node, err, out)
	}
}

// unended lists the attempts that have begun and have not ended.
func (r *clusterRun) unended() (names []string) {
	r.Helper()
	for _, a := range r.notes() {
		if a.End == "" {
			names = append(names, a.Name)
		}
	}
	return names
}

// hitBegun notes the attempts that have begun and not ended, when no more can.
func (r *clusterRun) hitBegun() []string {
	r.Helper()
	names := r.unended()
	for _, name := range names {
		r.hit[name] = true
	}
	return names
}

// submitAndHold submits, and waits until all tasks have begun, on one node, where those that have stand still
// meanwhile.
func (r *clusterRun) submitAndHold(node string) map[string]*os.Process {
	r.Helper()
	r.submit()
	return r.holdAll(node)
}

// holdAll waits until all that is not done has begun, on one node, and stands still.
func (r *clusterRun) holdAll(node string) map[string]*os.Process {
	r.Helper()
	return r.hold(node, "the beginning of all tasks", func(held int) bool { return len(r.active()) == held })
}

// holdSome waits until tasks have begun, which then stand still. It returns none if all have ended.
func (r *clusterRun) holdSome() map[string]*os.Process {
	r.Helper()
	return r.hold("", "the beginning of a task", func(held int) bool { return held > 0 || len(r.active()) == 0 })
}

// hold has attempts that have begun stand still, on one node or on any if it is empty, until they are enough. It
// returns their processes by their names.
func (r *clusterRun) hold(node, what string, enough func(held int) bool) (held map[string]*os.Process) {
	r.Helper()
	r.wait(what, func() bool {
		for range 5 { // a task lasts half a second; to look at all processes takes a while itself
			held = map[string]*os.Process{}
			if begun := r.unended(); len(begun) > 0 {
				for name, p := range r.processes(node) {
					if slices.Contains(begun, name) && p.Signal(syscall.SIGSTOP) == nil { // else it has ended
						held[name] = p
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
		_ = p.Signal(syscall.SIGCONT) // it may have ended
	}
}

func (r *clusterRun) killNode(rng *rand.Rand) {
	r.submitAndHold("frail")
	r.node("kill", "frail")
	defer r.node("start", "frail")
	r.wait("the end of all processes", func() bool { return len(r.processes("frail")) == 0 })
	r.hitBegun()
	if rng.IntN(2) > 0 { // else it is back before it is missed
		r.wait("the loss of the node", func() bool { return len(r.running()) == 0 })
	}
}

// An orphan stands still until the cluster has started its task a second time, so that
// both compute at once.
func (r *clusterRun) orphanNode(rng *rand.Rand) {
	orphans := r.submitAndHold("lost")
	defer goOn(orphans)
	r.node("orphan", "lost") // who stands still when his keeper dies is hung up on, and goes on
	for _, p := range orphans {
		_ = p.Signal(syscall.SIGSTOP) // it may have ended
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
	if sealed := len(r.shards()); rng.IntN(2) > 0 { // the orphans come too late
		r.wait("a second life's end", func() bool { return len(r.shards()) > sealed || len(r.active()) == 0 })
	}
}

// processes finds the run's attempts on a node, or on any if it is empty, by their names.
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

// strike does something to some of the tasks that have begun, and to no other.
func (r *clusterRun) strike(rng *rand.Rand, act func(slurm.JobID, *os.Process) error) {
	r.Helper()
	r.submit()
	held := r.holdSome()
	defer goOn(held)
	names := slices.Sorted(maps.Keys(held))
	rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	for _, name := range names[:min(len(names), r.perRun())] {
		if act(slurm.AttemptOf(name).ID, held[name]) == nil { // else it has just ended
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
		if r.lab.client.Cancel(r.Context(), e.ID) == nil { // else it has just ended
			r.hit[string(e.ID)] = true
		}
		time.Sleep(time.Duration(rng.IntN(300)) * time.Millisecond)
	}
}

func (r *clusterRun) requeue(rng *rand.Rand) {
	r.strike(rng, func(id slurm.JobID, _ *os.Process) error { return r.lab.client.Requeue(r.Context(), id) })
}

// killTasks kills tasks so that they can tell nothing.
func (r *clusterRun) killTasks(rng *rand.Rand) {
	r.strike(rng, func(_ slurm.JobID, p *os.Process) error { return p.Kill() })
}

// urgent runs a job that takes a node from others.
func (r *clusterRun) urgent(partition string) {
	r.Helper()
	cmd := exec.Command("sbatch", "--wait", "--partition="+partition, "--exclusive", "--output=/dev/null", "--wrap=sleep 1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%v: %s", err, out)
	}
}

// Jobs that another one takes the node from are cancelled, and told as preempted.
func (r *clusterRun) preempt(rng *rand.Rand) {
	r.submit()
	held := r.holdSome()
	time.Sleep(time.Duration(rng.IntN(1000)) * time.Millisecond)
	r.urgent("short")
	goOn(held)
	r.waitIdle()
	r.hitIn(slurm.Preempted)
}

// Jobs that Slurm puts back into the queue have another life, of which the logs tell.
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
		i := strings.LastIndexByte(name, '-')
		life, err := strconv.Atoi(name[i+1:])
		must(r.T, err)
		if _, another := lives[fmt.Sprintf("%s-%d", name[:i], life+1)]; another {
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

// fillDisk gives a run a disk on which the results of some tasks have room, and, when
// nothing goes on any more, a larger one.
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

// failToStart has a setup file fail in all jobs, until it is mended.
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

// copyRun copies a run whose jobs wait. The copy owns no jobs: cancel finds none, and submit sends its own.
func (r *clusterRun) copyRun(*rand.Rand) {
	r.submit()
	copied := *r
	copied.path, copied.hit, copied.ended = r.path+"-copied", map[string]bool{}, map[slurm.JobID]slurm.State{}
	must(r.T, os.CopyFS(copied.path, os.DirFS(r.path)))
	if _, out, stderr := r.lab.run(r.T, "gdrun", "cancel", copied.path); !strings.Contains(out, "nothing is in the queue") ||
		!strings.Contains(stderr, "works in "+r.path+",") {
		r.Errorf("cancel of the copy: %s%s", out, stderr)
	}
	if n := len(r.active()); n != 60 {
		r.Errorf("%d jobs of the original, want 60", n)
	}
	r.hit["copy"] = true
	for _, dir := range []string{r.path, copied.path} {
		jobstest.WriteFile(r.T, dir, "go", "")
	}
	copied.settle()
}

// spoilMerge has the follow-up job find that it cannot merge, another one killed, and a third merge.
func (r *clusterRun) spoilMerge(*rand.Rand) {
	jobstest.WriteFile(r.T, r.path, "report", "in the way\n") // where a folder is to be
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
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil { // else it has the lock itself
		r.wait("its begin", func() bool { return len(r.running()) > 0 })
		must(r.T, r.lab.client.Cancel(r.Context(), r.running()[0].ID))
		r.waitIdle()
		if s := r.status(); s.Follow.State != run.FollowDied {
			r.Errorf("status: %+v", s.Follow)
		}
		must(r.T, syscall.Flock(int(lock.Fd()), syscall.LOCK_UN))
		r.submit("--until-done")
	}
	r.waitIdle()
	r.compare(r.report(filepath.Join(r.path, "report")))
}

// killSubmit kills gdrun submit when it has told of its first job and is about to submit,
// or submits, the next.
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
			_ = c.Process.Kill() // it may have ended
			break
		}
	}
	_, _ = io.Copy(io.Discard, lines)
	if c.Wait() != nil && c.ProcessState.ExitCode() == -1 {
		r.hit["submit"] = true
	}
	r.submit()
	r.waitIdle()
	if n := len(r.queue()); n > 60 {
		r.Errorf("%d elements for 60 tasks: some were submitted twice", n)
	}
}
