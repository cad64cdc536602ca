package merge

import (
	"sync"

	"graphda/io/results"
)

// ahead is how many batches are read while another one is used.
const ahead = 2

// Stream collects rows that need not fit into memory together: it reads the batches, which are in
// plan order, two at a time, keeps of each what the plan's rules choose, and drops it when every
// use has had it, in their order. Repeated rows are merged as results.Dedup does it. A cell that
// failed at some checkpoint has failed at all those it has no row for. Datasets whose trials were
// not drawn alike are refused.
func Stream(plan Plan, batches []Read, uses ...Use) (*Grid, error) {
	if err := plan.check(); err != nil {
		return nil, err
	}
	type outcome struct {
		placed *Placed
		err    error
	}
	queue, stop := make(chan chan outcome, ahead), make(chan struct{})
	var pool sync.WaitGroup
	defer pool.Wait()
	defer close(stop)
	pool.Go(func() {
		defer close(queue)
		for _, read := range batches {
			next := make(chan outcome, 1)
			select {
			case queue <- next:
			case <-stop:
				return
			}
			pool.Go(func() {
				placed, err := plan.read(read)
				next <- outcome{placed, err}
			})
		}
	})
	g := newGrid(plan)
	for next := range queue {
		o := <-next
		if o.err != nil {
			return nil, o.err
		}
		o.placed.kept = newKeeper()
		g.add(o.placed, o.placed.kept)
		for _, use := range uses {
			if err := use(o.placed); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// Collect is Stream for a plan whose rows, which it owns afterwards, are all in memory.
func Collect(plan Plan, rows []results.Row, uses ...Use) (*Grid, error) {
	return Stream(plan, []Read{func() (Batch, error) { return Batch{plan.Cells, rows}, nil }}, uses...)
}
