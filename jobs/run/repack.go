package run

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"graphda/jobs/plan"
)

// Outstanding lists the cells to compute, in plan order: cells without results, and failed cells for which retries is
// true. Cells of active tasks are not listed.
func Outstanding(r *Run, s *Stock, active func(task int) bool, retries func(cell int) bool) []int {
	taken := make([]bool, len(r.Plan.Cells))
	for _, t := range r.Tasks {
		if active(t.Number) {
			for _, c := range t.Cells {
				taken[c.Cell] = true
			}
		}
	}
	var cells []int
	for i, state := range s.State {
		if !taken[i] && (state == StateMissing || state == StateFailed && retries(i)) {
			cells = append(cells, i)
		}
	}
	return cells
}

// ReusableTasks returns the last tasks that were made for the given cells. It returns nil if these tasks have
// other cells too, if a task has begun, or if a task is now expected to take much longer than both the target and
// the earlier estimate.
func ReusableTasks(r *Run, cells []int, s *Stock, target time.Duration, e *Estimates) []*plan.Task {
	const longer = 1.5
	last, count := r.LastTasks(), map[int]int{}
	for _, c := range cells {
		count[last[c]]++
	}
	var tasks []*plan.Task
	for i, n := range count {
		t := r.Tasks[i]
		if n != len(t.Cells) || s.Sealed[i] || s.Begun[i] ||
			e.TaskSeconds(t) > longer*max(t.Seconds(), target.Seconds()) {
			return nil
		}
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, func(a, b *plan.Task) int { return cmp.Compare(a.Number, b.Number) })
	return tasks
}

// SamePacking tells whether a and b group the cells in the same way.
func SamePacking(a, b []*plan.Task) bool { return maps.Equal(mates(a), mates(b)) }

func mates(tasks []*plan.Task) map[int]int {
	first := map[int]int{}
	for _, t := range tasks {
		least := slices.MinFunc(t.Cells, func(a, b plan.TaskCell) int { return cmp.Compare(a.Cell, b.Cell) }).Cell
		for _, c := range t.Cells {
			first[c.Cell] = least
		}
	}
	return first
}

// Repack packs cells into new tasks, which have no numbers yet. All cells of a task have the same demands.
func Repack[D comparable](r *Run, cells []int, target time.Duration, e *Estimates,
	demands func(cell int) D) []*plan.Task {
	var order []D
	groups := map[D][]int{}
	for _, c := range cells {
		d := demands(c)
		if groups[d] == nil {
			order = append(order, d)
		}
		groups[d] = append(groups[d], c)
	}
	var tasks []*plan.Task
	for _, d := range order {
		tasks = append(tasks, r.Plan.PackBy(groups[d], r.NextTask(), target, e.Seconds)...)
	}
	return tasks
}

// Number sorts the tasks and numbers them, beginning with first. Tasks of one class are consecutive, the longest first,
// so that they make one array.
func Number(tasks []*plan.Task, first int, class func(*plan.Task) int) {
	type key struct {
		class   int
		seconds float64
	}
	keys := make(map[*plan.Task]key, len(tasks)) // because sorting compares often
	for _, t := range tasks {
		keys[t] = key{class(t), t.Seconds()}
	}
	slices.SortStableFunc(tasks, func(a, b *plan.Task) int {
		return cmp.Or(cmp.Compare(keys[a].class, keys[b].class), cmp.Compare(keys[b].seconds, keys[a].seconds))
	})
	for i, t := range tasks {
		t.Number = first + i
	}
}
