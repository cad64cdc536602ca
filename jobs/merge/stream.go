package merge

import (
	"sync"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// A Read returns all rows of the cells of one trial, in any order.
type Read func(cells []plan.Cell) ([]results.Row, error)

// A Use does something with the rows of a trial while the rows are in memory, such as writing them to a file.
type Use func(*TrialRows) error

// ahead is how many trials are read in advance, while the rules choose among the rows of the current trial.
const ahead = 2

// Stream merges rows that need not all fit into memory. It reads the rows trial by trial, in plan order. For each
// trial, the rules choose among the rows, then every Use gets the rows, and then Stream drops them. Repeated rows are
// merged as in results.Dedup. If a cell failed at any checkpoint, it counts as failed at every checkpoint without a
// row. Stream refuses a dataset whose trials were drawn with different settings.
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
