package merge

import (
	"sync"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// A function of type Read returns all rows of the cells of one trial, in any order.
type Read func(cells []plan.Cell) ([]results.Row, error)

// A function of type Use processes the rows of a trial.
type Use func(*TrialRows) error

// ahead is the number of trials that Stream reads in advance.
const ahead = 2

// Stream merges rows trial by trial, in plan order, so the rows of all trials need not fit into memory. It merges
// repeated rows as results.Dedup does. If a cell failed at any checkpoint, it counts as failed at every checkpoint
// without a row. Trials of a dataset that were drawn with different settings are an error.
func Stream(request Request, read Read, uses ...Use) (*Grid, error) {
	for i := range request.Plan.Datasets {
		if err := request.Plan.Datasets[i].CheckTrials(); err != nil {
			return nil, err
		}
	}
	type outcome struct {
		rows *TrialRows
		err  error
	}
	queue, stop := make(chan chan outcome, ahead), make(chan struct{})
	var pool sync.WaitGroup
	defer pool.Wait()
	defer close(stop)
	pool.Go(func() {
		defer close(queue)
		for _, cells := range request.Plan.ByTrial() {
			next := make(chan outcome, 1)
			select {
			case queue <- next:
			case <-stop:
				return
			}
			pool.Go(func() {
				rows, err := readTrial(request.Plan, cells, read)
				next <- outcome{rows, err}
			})
		}
	})
	g := newGrid(request, request.Plan.Checkpoints, request.Plan.Variants())
	for next := range queue {
		o := <-next
		if o.err != nil {
			return nil, o.err
		}
		g.add(o.rows)
		for _, use := range uses {
			if err := use(o.rows); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}
