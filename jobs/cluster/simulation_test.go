package cluster

import (
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"graphda/io/results"
	"graphda/jobs/cluster/journal"
	"graphda/jobs/experiment"
	"graphda/jobs/merge"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/slurm"
)

// A simulation is a cluster with nodes and its own clock. The elements of its arrays write real shards and parts with
// invented rows, and some elements fail.
type simulation struct {
	*cluster
	tb     testing.TB
	run    *run.Run
	random *rand.Rand
	share  float64 // share of the attempts that fail
	free   int     // number of free nodes
	now    time.Duration

	injected map[string]int // number of faults, by kind
	attempts int
}

func newSimulation(tb testing.TB, nodes int, share float64) *simulation {
	s := &simulation{cluster: newCluster(), tb: tb, random: rand.New(rand.NewPCG(1, 2)), share: share, free: nodes,
		injected: map[string]int{}}
	s.before = s.disturb
	return s
}

// disturb loses an answer of sbatch, which has accepted the job all the same, or an answer of squeue. It loses the
// first answer, and one in five.
func (s *simulation) disturb(name string, args []string) *slurm.Output {
	if name != "sbatch" && name != "squeue" || s.injected[lost(name)] > 0 && s.random.Float64() >= 0.2 {
		return nil
	}
	s.injected[lost(name)]++
	s.answer(name, args)
	return &slurm.Output{Code: 1, Stderr: name + ": error: Socket timed out on send/recv operation"}
}

func lost(name string) string { return "answer of " + name + " lost" }

// A fate is how an attempt ends.
type fate struct {
	name  string
	state slurm.State // the state that Slurm reports for the element
	leave func(s *simulation, t *plan.Task, attempt string)
}

var sealed = fate{"sealed", slurm.Completed, func(s *simulation, t *plan.Task, attempt string) { s.seal(t) }}

var badEnds = []fate{
	{"node fails at once", slurm.NodeFail, func(*simulation, *plan.Task, string) {}},
	{"node fails half way", slurm.NodeFail, func(s *simulation, t *plan.Task, attempt string) { s.part(t, attempt, 2) }},
	{"time limit", slurm.Timeout, func(s *simulation, t *plan.Task, attempt string) { s.part(t, attempt, 3) }},
	{"out of memory", slurm.OutOfMemory, func(s *simulation, t *plan.Task, attempt string) { s.part(t, attempt, 4) }},
	{"put back into the queue", slurm.Pending, func(s *simulation, t *plan.Task, attempt string) { s.part(t, attempt, 2) }},
	{"cancelled", slurm.Cancelled, func(s *simulation, t *plan.Task, attempt string) { s.part(t, attempt, 5) }},
	{"part torn", slurm.NodeFail, func(s *simulation, t *plan.Task, attempt string) {
		path := s.part(t, attempt, 2)
		info := must1(os.Stat(path))
		must(s.tb, os.Truncate(path, info.Size()-info.Size()/10))
	}},
	{"shard damaged", slurm.Completed, func(s *simulation, t *plan.Task, attempt string) {
		path := s.seal(t)
		data := must1(os.ReadFile(path))
		data[s.random.IntN(len(data))] ^= 1 << s.random.IntN(8)
		must(s.tb, os.WriteFile(path, data, 0o666))
	}},
	{"part left beside the shard", slurm.Completed, func(s *simulation, t *plan.Task, attempt string) {
		s.part(t, attempt, 2)
		s.seal(t)
	}},
}

// inventedRow returns a row whose test accuracy follows from the cell, so that the test notices any mix-up.
func inventedRow(r *run.Run, c *plan.Cell) results.Row {
	row := results.Row{Cell: c.ID, Dataset: r.Plan.Dataset(c).Name, Trial: c.Trial, Method: c.Method.Name,
		Params: make([]float64, len(plan.Layout())), Checkpoint: r.Plan.Checkpoints[0], W: results.NoMetrics(),
		Wbar: results.NoMetrics(), Seconds: 1, Host: "n1", Attempt: "a", Settings: plan.FreeSettings(c.Settings())}
	row.W.TestAccuracy = inventedValue(c.ID)
	if c.Method.Free {
		row.W.TestAUC = rand.Float64()
	}
	return row
}

func inventedValue(id string) float64 {
	var head [8]byte
	if _, err := hex.Decode(head[:], []byte(id[:16])); err != nil {
		panic(err)
	}
	return float64(binary.BigEndian.Uint64(head[:])>>11) / (1 << 53)
}

func (s *simulation) rows(t *plan.Task) []results.Row {
	rows := make([]results.Row, len(t.Cells))
	for i, c := range t.Cells {
		rows[i] = inventedRow(s.run, &s.run.Plan.Cells[c.Cell])
	}
	return rows
}

// seal writes the shard of a task, unless it exists, and returns its path.
func (s *simulation) seal(t *plan.Task) string {
	path := s.run.ShardPath(t)
	if _, err := os.Stat(path); err != nil {
		sealTask(s.tb, s.run, t, s.rows(t))
	}
	return path
}

// part writes what an attempt leaves after the given share of its cells, and returns the path.
func (s *simulation) part(t *plan.Task, attempt string, of int) string {
	return writePart(s.tb, s.run, t, attempt, s.rows(t)[:(len(t.Cells)+of-1)/of]...)
}

// An element runs until its end time.
type element struct {
	end   time.Duration
	job   *clusterJob
	index int
	node  int
	fate  fate
}

// byEnd is a heap of elements, ordered by time, then job and index.
type byEnd []element

func (h byEnd) Len() int      { return len(h) }
func (h byEnd) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h byEnd) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].end, h[j].end), cmp.Compare(h[i].job.id, h[j].job.id), cmp.Compare(h[i].index, h[j].index)) < 0
}
func (h *byEnd) Push(x any) { *h = append(*h, x.(element)) }
func (h *byEnd) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// drain runs everything in the queue to its end. Elements start in the order of the queue, as nodes become free.
func (s *simulation) drain() {
	j := must1(journal.Read(s.run))
	tasks := map[string]*journal.Job{}
	for _, note := range j.Jobs() {
		tasks[note.Name] = note
	}
	type waiting struct {
		job   *clusterJob
		index int
	}
	var queue []waiting
	for _, job := range s.jobs {
		for index, state := range job.elements {
			if state == slurm.Pending {
				queue = append(queue, waiting{job, index})
			}
		}
	}
	var active byEnd
	for len(queue) > 0 || len(active) > 0 {
		for s.free > 0 && len(queue) > 0 {
			w := queue[0]
			queue = queue[1:]
			s.free--
			s.attempts++
			f, task := sealed, s.run.Tasks[tasks[w.job.name].Task(w.index)]
			if s.random.Float64() < s.share {
				f = badEnds[s.random.IntN(len(badEnds))]
				s.injected[f.name]++
			}
			w.job.elements[w.index] = slurm.Running
			took := time.Duration(task.Seconds() * (0.5 + s.random.Float64()) * float64(time.Second))
			heap.Push(&active, element{s.now + took, w.job, w.index, s.attempts % 10_000, f})
		}
		r := heap.Pop(&active).(element)
		s.now, s.free = r.end, s.free+1
		task := s.run.Tasks[tasks[r.job.name].Task(r.index)]
		r.fate.leave(s, task, "attempt"+strconv.Itoa(s.attempts)+"-"+strconv.Itoa(r.index))
		r.job.elements[r.index] = r.fate.state
		if r.fate.state == slurm.Pending {
			queue = append(queue, waiting{r.job, r.index})
		} else if r.fate.state != slurm.Completed {
			s.accounts += fmt.Sprintf("%d_%d|%s|0:0|n%d|2099-01-01T10:00:00\n", r.job.id, r.index, r.fate.state, r.node)
		}
	}
	s.forget(s.jobs...)
}

// A used holds the time and memory that a process has used.
type used struct {
	wall, cpu time.Duration
	peak      float64 // MiB
}

func (u used) String() string {
	return fmt.Sprintf("%6.1f s, %6.1f s of CPU time, %5.0f MiB", u.wall.Seconds(), u.cpu.Seconds(), u.peak)
}

// This variable makes the test binary do only one step of a simulation, so that the step's memory can be measured. Its
// value is the step and the run's folder.
const stepVariable = "GRAPHDA_SIMULATION"

var simulationSteps = map[string]func(tb testing.TB, dir string){
	"status": func(tb testing.TB, dir string) {
		run := must1(run.Open(dir))
		must1(run.Status(false))
	},
	"task": func(tb testing.TB, dir string) {
		must1(run.OpenTask(dir, 1))
	},
	"merge": mergeInvented,
}

// mergeInvented reads the rows of a run, and checks that it has each cell's own row once.
func mergeInvented(tb testing.TB, dir string) {
	r := must1(run.Open(dir))
	n := 0
	grid, err := r.Collect(func(t *merge.TrialRows) error {
		for _, row := range t.Rows {
			n++
			if row.W.TestAccuracy != inventedValue(row.Cell) {
				tb.Errorf("cell %s has the value %v, want %v", row.Cell, row.W.TestAccuracy, inventedValue(row.Cell))
			}
		}
		return nil
	})
	must(tb, err)
	if n != len(r.Plan.Cells) || grid.Missing.N != 0 {
		tb.Errorf("%d rows and %d missing of %d cells", n, grid.Missing.N, len(r.Plan.Cells))
	}
}

// TestSimulationStep does one of simulationSteps in a separate process.
func TestSimulationStep(t *testing.T) {
	step, dir, ok := strings.Cut(os.Getenv(stepVariable), " ")
	if !ok {
		t.Skip("a part of TestSimulatedCluster")
	}
	simulationSteps[step](t, dir)
	if status, err := os.ReadFile("/proc/self/status"); err == nil { // the parent's measurement would include the parent's own memory
		fmt.Println(string(status))
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// apart does a step in a separate process.
func apart(t *testing.T, step, dir string) used {
	t.Helper()
	debug.FreeOSMemory() // the machine may not have enough memory for both processes
	c := exec.Command(os.Args[0], "-test.run=^TestSimulationStep$")
	c.Env = append(os.Environ(), stepVariable+"="+step+" "+dir)
	begin := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", step, err, out)
	}
	u := used{wall: time.Since(begin), cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if m := highWater.FindSubmatch(out); m != nil { // only on Linux
		kib := must1(strconv.ParseFloat(string(m[1]), 64))
		u.peak = kib / 1024
	}
	return u
}

// A run of 20,000 cells goes through faults of all kinds on a simulated cluster of 10⁴ nodes and is merged. No cell is
// lost, and none is doubled. A tenth of the cells belong to a program whose attempts do not agree in all measures.
// GRAPHDA_CELLS=10000000 sets the number of cells. One in a hundred attempts then fails, and the test prints a table of
// times and memory.
func TestSimulatedCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("writes some hundred shards, again and again")
	}
	cells, share := 20_000, 0.3
	if n, err := strconv.Atoi(os.Getenv("GRAPHDA_CELLS")); err == nil {
		cells, share = n, 0.01
	}
	p := largePlan(t, (cells+249_999)/250_000, min(25, (cells+9_999)/10_000))
	p.Experiment.Methods = append(p.Experiment.Methods, experiment.Grid{Method: "mine", Axes: []experiment.Axis{{Name: "n", Values: []string{"1"}}, {Name: "kind", Values: []string{"a b", "c"}}},
		Program: &experiment.Program{Command: []string{"mine"}, Data: "npy", Timeout: time.Minute, Memory: 512 << 20, Processors: 1}})
	for i := range p.Cells {
		if c := &p.Cells[i]; c.Method.Name == "adam" {
			c.Method, c.Values = must1(p.Experiment.Lookup("mine")), []float64{c.Values[0], float64(i % 2)}
		}
	}
	s := newSimulation(t, 10_000, share)
	dir := filepath.Join(t.TempDir(), "run")

	begin, cpu := time.Now(), spent(t)
	r, _, err := run.Create(dir, p, 400*time.Second, func() plan.Rates { return plan.Rates{Entry: 2e-9, Edge: 5e-8} })
	must(t, err)
	t.Logf("planning:     %v; %d cells in %d tasks", used{time.Since(begin), spent(t) - cpu, peak(t) / (1 << 20)}, len(p.Cells), len(r.Tasks))
	t.Logf("a task opens: %v", apart(t, "task", dir))
	t.Logf("status:       %v", apart(t, "status", dir))

	options, waves, lost := submitOptions(), 0, 0
	options.RetryFailed = true
	for done := false; !done; waves++ {
		if waves > 60 {
			t.Fatalf("not done after %d submissions", waves)
		}
		begin, cpu = time.Now(), spent(t)
		s.run = must1(run.Open(dir))
		if done, err = s.submit(options); err != nil {
			lost++
			t.Logf("submission %d: %v", waves+1, err)
		}
		took := used{time.Since(begin), spent(t) - cpu, peak(t) / (1 << 20)}
		begin, cpu = time.Now(), spent(t)
		s.drain()
		t.Logf("submission %d: %v; its elements %v", waves+1, took, used{time.Since(begin), spent(t) - cpu, peak(t) / (1 << 20)})
	}
	stock := must1(s.run.TakeStock(true))
	if len(stock.Damaged) > 0 {
		t.Errorf("damaged: %v", stock.Damaged)
	}
	t.Logf("status:       %v", apart(t, "status", dir))
	t.Logf("merging:      %v", apart(t, "merge", dir))
	t.Logf("%d attempts on the simulation's clock of %v; %d submissions without an answer; faults: %v", s.attempts, s.now.Round(time.Second), lost, s.injected)
	for _, f := range badEnds {
		if s.injected[f.name] == 0 {
			t.Errorf("no attempt came to the end %q", f.name)
		}
	}
}

// submit submits the missing cells, and reports whether there are none. The error is about a lost answer.
func (s *simulation) submit(o SubmitOptions) (done bool, err error) {
	sub, err := Propose(context.Background(), s.run, s.client(), o)
	if err != nil {
		return false, err
	}
	defer sub.Close()
	for _, j := range sub.Jobs {
		if j.Note.Count >= s.maxArray {
			s.tb.Errorf("an array of %d elements, want less than %d", j.Note.Count, s.maxArray)
		}
	}
	if sub.Empty() {
		if sub.GivenUp > 0 {
			s.tb.Errorf("%d cells are given up", sub.GivenUp)
		}
		return true, nil
	}
	return false, sub.Send(context.Background(), func(*ProposedJob) {})
}
