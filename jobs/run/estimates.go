package run

import (
	"math"

	"graphda/jobs/plan"
	"graphda/learners"
)

// Estimates holds the expected time of cells. This is the planned time times a factor, which comes from finished cells
// of the same dataset and method.
type Estimates struct {
	plan    *plan.Plan
	planned []float64
	factors map[plan.MethodOn]float64    // measured time divided by planned time
	methods map[*learners.Method]float64 // measured time divided by planned time, over all datasets
}

// Seconds returns the expected CPU seconds of a cell, given by its index.
func (e *Estimates) Seconds(cell int) float64 {
	c := &e.plan.Cells[cell]
	factor, ok := e.factors[c.MethodOn()]
	if !ok {
		factor = ratio(e.methods[c.Method], 1, 1)
	}
	return e.planned[cell] * factor
}

// TaskSeconds returns the expected CPU seconds of a task.
func (e *Estimates) TaskSeconds(t *plan.Task) (sum float64) {
	for _, c := range t.Cells {
		sum += e.Seconds(c.Cell)
	}
	return sum
}

// sampled is the largest number of tasks whose times Run.Estimates reads.
const sampled = 256

// Estimates returns expected times, computed from finished cells in a sample of the tasks.
func (r *Run) Estimates(s *Stock) (*Estimates, error) {
	e := &Estimates{plan: r.Plan, planned: s.planned, factors: map[plan.MethodOn]float64{},
		methods: map[*learners.Method]float64{}}
	var with []*plan.Task
	for i, t := range r.Tasks {
		if s.Sealed[i] || s.Begun[i] {
			with = append(with, t)
		}
	}
	type sum struct{ measured, planned float64 }
	on, all := map[plan.MethodOn]sum{}, map[*learners.Method]sum{}
	for k := range min(sampled, len(with)) {
		t := with[k*len(with)/min(sampled, len(with))]
		rows, err := r.appendTask(nil, t)
		if err != nil {
			return nil, err
		}
		took := map[int]float64{}
		for _, m := range r.marksOf(t, rows) {
			if s.State[m.cell] == StateDone && !m.failed {
				took[int(m.cell)] = max(took[int(m.cell)], float64(m.seconds))
			}
		}
		for _, c := range t.Cells {
			if seconds, ok := took[c.Cell]; ok {
				key := r.Plan.Cells[c.Cell].MethodOn()
				one, every := on[key], all[key.Method]
				on[key] = sum{one.measured + seconds, one.planned + s.planned[c.Cell]}
				all[key.Method] = sum{every.measured + seconds, every.planned + s.planned[c.Cell]}
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

// ratio returns a/b if this is positive and finite, and else `otherwise`.
func ratio(a, b, otherwise float64) float64 {
	if r := a / b; r > 0 && !math.IsInf(r, 1) {
		return r
	}
	return otherwise
}
