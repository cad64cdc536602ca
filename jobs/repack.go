package jobs

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"time"
)

// defaultTarget is the target time of runs that do not tell theirs.
const defaultTarget = 30 * time.Minute

// ratio is a/b where that is a positive number, else otherwise.
func ratio(a, b, otherwise float64) float64 {
	if r := a / b; r > 0 && !math.IsInf(r, 1) {
		return r
	}
	return otherwise
}

// outstanding lists the cells that have to be computed, in plan order: those without
// results, and with retry those that failed, but none that an active task has.
func (r *Run) outstanding(s *stock, active func(task int) bool, retry bool) []int {
	taken := make([]bool, len(r.Plan.Cells))
	for _, t := range r.Tasks {
		if active(t.Number) {
			for _, c := range t.Cells {
				taken[c.Cell] = true
			}
		}
	}
	var cells []int
	for i, state := range s.state {
		if !taken[i] && (state == cellMissing || retry && state == cellFailed) {
			cells = append(cells, i)
		}
	}
	return cells
}

// An estimate is what cells are expected to take: what was estimated when the run was
// planned, times what the finished cells of the same dataset and method took more.
type estimate struct {
	plan    *Plan
	planned []float64
	factors map[methodOn]float64
	methods map[string]float64 // over all datasets
}

// A methodOn is a method on a dataset; the cells of one cost about the same.
type methodOn struct {
	dataset int
	method  string
}

func (e *estimate) seconds(cell int) float64 {
	c := &e.plan.Cells[cell]
	factor, ok := e.factors[methodOn{c.Dataset, c.Method.Name}]
	if !ok {
		factor = ratio(e.methods[c.Method.Name], 1, 1)
	}
	return e.planned[cell] * factor
}

// sampled is of how many tasks the rows are read to correct the estimates.
const sampled = 256

// estimate measures what the cells that are done have taken, on a sample of the tasks.
func (r *Run) estimate(s *stock) (*estimate, error) {
	e := &estimate{plan: r.Plan, planned: s.planned, factors: map[methodOn]float64{}, methods: map[string]float64{}}
	var with []*Task
	for i, t := range r.Tasks {
		if s.sealed[i] || s.begun[i] {
			with = append(with, t)
		}
	}
	type sum struct{ measured, planned float64 }
	on, all := map[methodOn]sum{}, map[string]sum{}
	for k := range min(sampled, len(with)) {
		t := with[k*len(with)/min(sampled, len(with))]
		rows, err := r.readTask(t, Layout())
		if err != nil {
			return nil, err
		}
		took := map[int]float64{}
		for _, m := range r.marksOf(t, rows) {
			if s.state[m.cell] == cellDone && !m.failed {
				took[int(m.cell)] = max(took[int(m.cell)], float64(m.seconds))
			}
		}
		for _, c := range t.Cells {
			if seconds, ok := took[c.Cell]; ok {
				cell := &r.Plan.Cells[c.Cell]
				key := methodOn{cell.Dataset, cell.Method.Name}
				one, every := on[key], all[key.method]
				on[key] = sum{one.measured + seconds, one.planned + s.planned[c.Cell]}
				all[key.method] = sum{every.measured + seconds, every.planned + s.planned[c.Cell]}
			}
		}
	}
	for key, v := range on {
		e.factors[key] = ratio(v.measured, v.planned, 1)
	}
	for method, v := range all {
		e.methods[method] = ratio(v.measured, v.planned, 1)
	}
	return e, nil
}

// asTheyAre returns the tasks that hold exactly these cells and nothing else, if there
// are such: each cell in the last task that was made for it. A task that was begun is not
// among them, nor one that is now expected to take much longer than when it was packed.
func (r *Run) asTheyAre(cells []int, s *stock, e *estimate) []*Task {
	const longer = 1.5
	last, count := r.lastTasks(), map[int]int{}
	for _, c := range cells {
		count[last[c]]++
	}
	var tasks []*Task
	for i, n := range count {
		t := r.Tasks[i]
		seconds := 0.0
		for _, c := range t.Cells {
			seconds += e.seconds(c.Cell)
		}
		if n != len(t.Cells) || s.sealed[i] || s.begun[i] || seconds > longer*t.Seconds() {
			return nil
		}
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, func(a, b *Task) int { return cmp.Compare(a.Number, b.Number) })
	return tasks
}

// lastTasks returns, by cell, the place of the last task that was made for it.
func (r *Run) lastTasks() []int {
	last := make([]int, len(r.Plan.Cells))
	for i, t := range r.Tasks {
		for _, c := range t.Cells {
			last[c.Cell] = i
		}
	}
	return last
}

// samePacking tells whether two lists have the same cells in the same tasks, in whatever
// order.
func samePacking(a, b []*Task) bool {
	if len(a) != len(b) {
		return false
	}
	of := map[int]int{} // 1 + place in a, by cell
	for i, t := range a {
		for _, c := range t.Cells {
			of[c.Cell] = i + 1
		}
	}
	for _, t := range b {
		i := of[t.Cells[0].Cell] - 1
		if i < 0 || len(a[i].Cells) != len(t.Cells) {
			return false
		}
		for _, c := range t.Cells {
			if of[c.Cell] != i+1 {
				return false
			}
		}
	}
	return true
}

// repack packs cells into new tasks, numbered onward. Those of one class follow each
// other, so that they make one array, and within a class the longest begin first.
func (r *Run) repack(cells []int, target time.Duration, e *estimate, class func(*Task) int) []*Task {
	first := 0
	for _, t := range r.Tasks {
		first = max(first, t.Number+1)
	}
	tasks := r.Plan.packBy(cells, first, target, e.seconds)
	slices.SortStableFunc(tasks, func(a, b *Task) int {
		return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(b.Seconds(), a.Seconds()))
	})
	for i, t := range tasks {
		t.Number = first + i
	}
	return tasks
}

// lists is the number of lists of tasks.
func (r *Run) lists() (int, error) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(r.Dir), tasksGlob))
	return len(names), err
}
