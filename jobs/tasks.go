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
	hands := deal(order, min(len(cells), max(1, int(math.Ceil(total/limit)))), limit)
	c := &plan.Cells[cells[0]]
	tasks := make([]*Task, len(hands))
	for k, hand := range hands {
		tasks[k] = &Task{Number: first + k, Dataset: c.Dataset, Trial: c.Trial, Cells: hand, Memory: memoryClass(plan.Dataset(c))}
	}
	return tasks
}

// deal distributes cells, given dearest first, each to the hand that has least so far:
// over count hands, or about as many more as it takes for none of several cells to exceed
// the limit.
func deal(cells []TaskCell, count int, limit float64) [][]TaskCell {
	// Counting up by one would take long where as many hands are needed as there are cells.
	for ; ; count = min(len(cells), count+1+count/64) {
		d := newDealer(count)
		fits := true
		for _, c := range cells {
			hand := d.deal(c)
			fits = fits && (hand.seconds <= limit || len(hand.cells) == 1)
		}
		if fits {
			return d.hands()
		}
	}
}

// A dealer has a heap of hands, the one that has least on top: by seconds, then by cells,
// then by number.
type dealer []*hand

type hand struct {
	number  int
	seconds float64
	cells   []TaskCell
}

func newDealer(count int) dealer {
	d := make(dealer, count)
	for i := range d {
		d[i] = &hand{number: i} // equal but for the number, in whose order they are a heap
	}
	return d
}

// deal gives a cell to the hand that has least, and returns that hand.
func (d dealer) deal(c TaskCell) *hand {
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

func (h *hand) less(other *hand) bool {
	return cmp.Or(cmp.Compare(h.seconds, other.seconds), cmp.Compare(len(h.cells), len(other.cells)), cmp.Compare(h.number, other.number)) < 0
}

// hands returns what was dealt, in the order of the hands' numbers.
func (d dealer) hands() [][]TaskCell {
	all := make([][]TaskCell, len(d))
	for _, h := range d {
		all[h.number] = h.cells
	}
	return all
}
