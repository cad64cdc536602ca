package jobs

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A Task is the cells that one array element runs. They are all of one trial of one
// dataset, so that it is loaded once.
type Task struct {
	Number  int
	Dataset int // index into the plan's Datasets
	Trial   int
	Cells   []TaskCell
	Memory  int // GiB
}

// A TaskCell is a cell with the CPU seconds it is expected to take.
type TaskCell struct {
	Cell    int // index into the plan's Cells
	Seconds float64
}

// Seconds returns the CPU time that the task is expected to take.
func (t *Task) Seconds() float64 {
	total := 0.0
	for _, c := range t.Cells {
		total += c.Seconds
	}
	return total
}

// pack distributes cells over tasks, numbered from first. A task takes target at most,
// unless it is one cell that takes longer, and those of a trial take about the same time.
func (plan *Plan) pack(cells []int, first int, target time.Duration, rates Rates) []*Task {
	rows := plan.Checkpoints[len(plan.Checkpoints)-1]
	return plan.PackBy(cells, first, target, func(i int) float64 {
		c := &plan.Cells[i]
		d := plan.Dataset(c)
		return rates.Seconds(c.Method, rows, d.Features, d.Edges)
	})
}

// PackBy is pack with the cells' seconds.
func (plan *Plan) PackBy(cells []int, first int, target time.Duration, seconds func(cell int) float64) []*Task {
	var tasks []*Task
	for len(cells) > 0 {
		c := &plan.Cells[cells[0]]
		n := 1
		for n < len(cells) && plan.Cells[cells[n]].Dataset == c.Dataset && plan.Cells[cells[n]].Trial == c.Trial {
			n++
		}
		tasks = append(tasks, plan.packTrial(cells[:n], first+len(tasks), target, seconds)...)
		cells = cells[n:]
	}
	return tasks
}

func (plan *Plan) packTrial(cells []int, first int, target time.Duration, seconds func(cell int) float64) []*Task {
	order := make([]TaskCell, len(cells))
	total := 0.0
	for k, i := range cells {
		order[k] = TaskCell{Cell: i, Seconds: seconds(i)}
		total += order[k].Seconds
	}
	slices.SortStableFunc(order, func(a, b TaskCell) int { return cmp.Compare(b.Seconds, a.Seconds) })
	limit := target.Seconds() * (1 + 1e-9) // sums are rounded
	loads := schedule(order, min(len(cells), max(1, int(math.Ceil(total/limit)))), limit)
	c := &plan.Cells[cells[0]]
	tasks := make([]*Task, len(loads))
	for k, cells := range loads {
		tasks[k] = &Task{Number: first + k, Dataset: c.Dataset, Trial: c.Trial, Cells: cells,
			Memory: memoryClass(plan.Dataset(c))}
	}
	return tasks
}

// schedule is list scheduling by the rule of the longest processing time: cells, given longest
// first, each go to the task that is the shortest so far. There are count tasks, or about as
// many more as it takes for no task of several cells to exceed the limit.
func schedule(cells []TaskCell, count int, limit float64) [][]TaskCell {
	// Counting up by one would take long where as many tasks are needed as there are cells.
	for ; ; count = min(len(cells), count+1+count/64) {
		d := newLoads(count)
		fits := true
		for _, c := range cells {
			l := d.add(c)
			fits = fits && (l.seconds <= limit || len(l.cells) == 1)
		}
		if fits {
			return d.cells()
		}
	}
}

// loads are a heap of tasks in the making, the shortest on top: by seconds, then by the number
// of cells, then by number.
type loads []*load

type load struct {
	number  int
	seconds float64
	cells   []TaskCell
}

func newLoads(count int) loads {
	d := make(loads, count)
	for i := range d {
		d[i] = &load{number: i} // equal but for the number, in whose order they are a heap
	}
	return d
}

// add gives a cell to the shortest load, and returns that load.
func (d loads) add(c TaskCell) *load {
	h := d[0]
	h.cells = append(h.cells, c)
	h.seconds += c.Seconds
	for at := 0; ; { // down to its new place
		child := 2*at + 1
		if child+1 < len(d) && d[child+1].less(d[child]) {
			child++
		}
		if child >= len(d) || !d[child].less(h) {
			d[at] = h
			return h
		}
		d[at] = d[child]
		at = child
	}
}

func (h *load) less(other *load) bool {
	return cmp.Or(cmp.Compare(h.seconds, other.seconds), cmp.Compare(len(h.cells), len(other.cells)),
		cmp.Compare(h.number, other.number)) < 0
}

// cells returns the cells of the loads, in the order of their numbers.
func (d loads) cells() [][]TaskCell {
	all := make([][]TaskCell, len(d))
	for _, h := range d {
		all[h.number] = h.cells
	}
	return all
}
