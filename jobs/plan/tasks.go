package plan

import (
	"cmp"
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"graphda/graph"
	"graphda/io/results"
	"graphda/learners"
)

// A Task is a group of cells that one process runs. All cells use the same trial, which is loaded once.
type Task struct {
	Number  int
	Dataset int // index into Plan.Datasets
	Trial   int
	Cells   []TaskCell
	Memory  int // expected memory in MiB
}

// A TaskCell is a cell with its expected CPU seconds.
type TaskCell struct {
	Cell    int // index into Plan.Cells
	Seconds float64
}

// Seconds returns the task's expected CPU time.
func (t *Task) Seconds() float64 {
	total := 0.0
	for _, c := range t.Cells {
		total += c.Seconds
	}
	return total
}

// pack distributes cells over tasks. Task numbers begin at `first`. A task takes at most the time target, unless it
// is a single long cell. The tasks of a trial take about the same time.
func (plan *Plan) pack(cells []int, first int, target time.Duration, rates Rates) []*Task {
	rows := plan.Checkpoints[len(plan.Checkpoints)-1]
	return plan.PackBy(cells, first, target, func(i int) float64 {
		c := &plan.Cells[i]
		d := plan.Dataset(c)
		return rates.Seconds(c.Settings(), rows, d.Features, d.Edges)
	})
}

// PackBy is like pack, but calls the function seconds for the expected time of each cell.
func (plan *Plan) PackBy(cells []int, first int, target time.Duration, seconds func(cell int) float64) []*Task {
	var tasks []*Task
	for len(cells) > 0 {
		c := &plan.Cells[cells[0]]
		n := 1
		for n < len(cells) && plan.Cells[cells[n]].sharesTask(c) {
			n++
		}
		tasks = append(tasks, plan.packTrial(cells[:n], first+len(tasks), target, seconds)...)
		cells = cells[n:]
	}
	return tasks
}

// sharesTask tells whether two cells may be in one task: same trial, and methods with the same resources.
func (c *Cell) sharesTask(o *Cell) bool {
	return c.Dataset == o.Dataset && c.Trial == o.Trial && c.Method.Takes == o.Method.Takes
}

func (plan *Plan) packTrial(cells []int, first int, target time.Duration, seconds func(cell int) float64) []*Task {
	order := make([]TaskCell, len(cells))
	total := 0.0
	for k, i := range cells {
		order[k] = TaskCell{Cell: i, Seconds: seconds(i)}
		total += order[k].Seconds
	}
	slices.SortStableFunc(order, func(a, b TaskCell) int { return cmp.Compare(b.Seconds, a.Seconds) })
	limit := target.Seconds() * (1 + 1e-9) // 1e-9 allows for rounding errors
	loads := schedule(order, min(len(cells), max(1, int(math.Ceil(total/limit)))), limit)
	c := &plan.Cells[cells[0]]
	tasks := make([]*Task, len(loads))
	for k, cells := range loads {
		tasks[k] = &Task{Number: first + k, Dataset: c.Dataset, Trial: c.Trial, Cells: cells,
			Memory: memoryClass(plan.Dataset(c), c.Method)}
	}
	return tasks
}

// schedule distributes cells over tasks. The cells are sorted, the longest first. Each cell goes to the task that is
// shortest so far. schedule makes `count` tasks, or more if a task would exceed the limit.
func schedule(cells []TaskCell, count int, limit float64) [][]TaskCell {
	// Add several tasks at a time, because nearly every cell may need a task of its own.
	for ; ; count = min(len(cells), count+1+count/64) {
		all := make([]load, count)
		shortest := make(loads, count) // already a heap, because only the ascending numbers differ
		for i := range all {
			all[i].number, shortest[i] = i, &all[i]
		}
		fits := true
		for _, c := range cells {
			l := shortest[0]
			l.cells = append(l.cells, c)
			l.seconds += c.Seconds
			fits = fits && (l.seconds <= limit || len(l.cells) == 1)
			heap.Fix(shortest, 0)
		}
		if fits {
			tasks := make([][]TaskCell, count)
			for i := range all {
				tasks[i] = all[i].cells
			}
			return tasks
		}
	}
}

// A load is a task that schedule is filling.
type load struct {
	number  int
	seconds float64
	cells   []TaskCell
}

// loads is a heap with the shortest task on top. Among equal times, fewer cells come first, then the lower number.
type loads []*load

func (l loads) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].seconds, l[j].seconds), cmp.Compare(len(l[i].cells), len(l[j].cells)),
		cmp.Compare(l[i].number, l[j].number)) < 0
}

func (l loads) Len() int      { return len(l) }
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l loads) Push(any)      { panic("plan: the number of tasks is given") }
func (l loads) Pop() any      { panic("plan: the number of tasks is given") }

// memoryClass estimates the MiB of a task of method m on dataset d that runs one cell at a time. The estimate is 1.3
// times the size of the samples and the graph, plus 64 MiB, rounded up. A program's memory limit is added.
func memoryClass(d *Dataset, m *learners.Method) int {
	return roundMemory(1.3*(float64(d.Rows)*float64(d.Features)*8+250*float64(d.Edges))+64<<20) + m.Takes.MiB()
}

// roundMemory converts bytes to MiB. It rounds up to a power of two, and to at least 256.
func roundMemory(bytes float64) int {
	class := 256
	for float64(class)*(1<<20) < bytes {
		class *= 2
	}
	return class
}

// Rates say how much CPU time this machine needs for a cell.
type Rates struct {
	Entry float64 // CPU seconds for one feature of one sample
	Edge  float64 // CPU seconds for one edge in one Steiner forest
}

// solvesPerSample has, by kind of search, the number of Steiner forests that a graph method solves for each sample of
// the benchmark.
var solvesPerSample = map[string]float64{"paper": 18, "warm": 6, "lazy": 2}

// Seconds estimates the CPU seconds of one pass of a method over the given number of samples (rows).
func (r Rates) Seconds(s learners.Settings, rows, features, edges int) float64 {
	if s.Method.Takes.Seconds > 0 {
		return s.Method.Takes.Seconds
	}
	perSample := r.Entry * float64(features)
	if s.Method.Needs&learners.NeedsGraph != 0 {
		perSample += solvesPerSample[s.Word("search")] * r.Edge * float64(edges)
	}
	return float64(rows) * perSample
}

// Calibrate measures this machine's rates in about a second.
func Calibrate() Rates {
	const side, rows = 33, 40
	g := graph.Grid(side, side)
	pr := &learners.Problem{P: side * side, Graph: g}
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, rows*pr.P)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	r := Rates{Entry: secondsPerSample(pr, x, "l1-rda", Param{"lambda", "0.01"}, Param{"gamma", "10"},
		Param{"rho", "0"}) / float64(pr.P)}
	perSample := secondsPerSample(pr, x, "graphda", Param{"gamma", "10"}, Param{"s", "30"})
	r.Edge = max(0, perSample-r.Entry*float64(pr.P)) / (solvesPerSample["paper"] * float64(g.NumEdges()))
	return r
}

// secondsPerSample repeats a pass over samples for half a second. It returns the fastest pass's seconds per sample.
func secondsPerSample(pr *learners.Problem, x []float64, method string, params ...Param) float64 {
	settings, err := Settings(method, params)
	if err != nil {
		panic(err)
	}
	ws := learners.NewWorkspace(pr)
	least := math.Inf(1)
	for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
		l, err := ws.NewLearner(settings, learners.Logistic{})
		if err != nil {
			panic(err)
		}
		begin := results.CPUSeconds()
		for i := range len(x) / pr.P {
			if err := l.Learn(x[i*pr.P:(i+1)*pr.P], float64(1-i%2*2)); err != nil {
				panic(err)
			}
		}
		least = min(least, max(results.CPUSeconds()-begin, 1e-9)*float64(pr.P)/float64(len(x)))
	}
	return least
}
