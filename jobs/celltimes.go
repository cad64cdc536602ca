package jobs

import (
	"golang.org/x/sync/errgroup"
)

// A GroupTime is what the cells of one method on one dataset took.
type GroupTime struct {
	Dataset string  `json:"dataset"`
	Method  string  `json:"method"`
	Cells   int     `json:"cells"`
	Hours   float64 `json:"core_hours"` // of one processor, learning
}

// CellTimes adds up the times that the rows of all cells tell, by dataset and method in plan
// order. A cell that was computed twice counts once, with the longer time. It reads all rows.
func (r *Run) CellTimes() ([]GroupTime, error) {
	took := make([]float32, len(r.Plan.Cells))
	present, err := r.present()
	if err != nil {
		return nil, err
	}
	marks := make([][]mark, len(r.Tasks))
	var pool errgroup.Group
	pool.SetLimit(readers)
	for i, t := range r.Tasks {
		if present[t.Number] {
			pool.Go(func() error {
				rows, err := r.readTask(t, Layout())
				marks[i] = r.marksOf(t, rows)
				return err
			})
		}
	}
	if err := pool.Wait(); err != nil {
		return nil, err
	}
	for _, of := range marks {
		for _, m := range of {
			took[m.cell] = max(took[m.cell], m.seconds)
		}
	}
	var all []GroupTime
	place := map[methodOn]int{}
	for i, seconds := range took {
		c := &r.Plan.Cells[i]
		at, ok := place[c.methodOn()]
		if !ok {
			at = len(all)
			place[c.methodOn()] = at
			all = append(all, GroupTime{Dataset: r.Plan.Dataset(c).Name, Method: c.Method.Name})
		}
		if seconds > 0 {
			all[at].Cells++
			all[at].Hours += float64(seconds) / 3600
		}
	}
	return all, nil
}
