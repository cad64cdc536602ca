package jobs

import (
	"cmp"
	"context"
	"slices"

	"graphda/io/results"
	"graphda/jobs/experiment"
)

// waitingBytes is how much the learners of a grid take at most that wait at a rung for the others. Those
// beyond start over, if they go on. A learner has about so many vectors of the features.
const (
	waitingBytes   = 256 << 20
	learnerVectors = 5
)

// A gridRun is a grid of a task on its way from rung to rung. Which cells go on is a function of the rows of
// the rung alone, whichever attempts have computed them: after any interruption, the rows in the parts lead to
// the same decisions. A grid is run by one worker, and its cells wait for each other with what they have learned;
// an attempt that finds rows of an earlier one learns again only what cells need that go on.
type gridRun struct {
	task    *taskRun
	halving *experiment.Halving
	cells   []*gridCell // in plan order
	rungs   int         // whose decision is taken
	going   int         // cells that may go on from there, those that failed counted
}

// A gridCell is a cell of a grid.
type gridCell struct {
	*cellRun
	reached []results.Row // of the first checkpoints: computed, and behind a stop those that stand for it
	settled bool          // it has all its rows
}

// takeOverGrids makes the task's grids, of whose cells rows are known, and returns the rows of those that are
// at their end. The grids of the others are what is left to run.
func (run *taskRun) takeOverGrids(known map[string][]results.Row) map[string][]results.Row {
	plan := run.session.Run.Plan
	of, order := map[gridOf][]TaskCell{}, []gridOf(nil)
	for _, c := range run.task.Cells {
		grid := plan.Cells[c.Cell].grid()
		if of[grid] == nil {
			order = append(order, grid)
		}
		of[grid] = append(of[grid], c)
	}
	settled := map[string][]results.Row{}
	for _, grid := range order {
		g := run.newGridRun(of[grid], known)
		lacking, _, _ := g.next(func(c *gridCell) error {
			settled[c.row.Cell] = c.reached
			return nil
		})
		if len(lacking) > 0 {
			run.grids = append(run.grids, g)
		}
	}
	return settled
}

// batchGrids yields the cells that are missing of each grid.
func (run *taskRun) batchGrids(yield func([]*cellRun) bool) {
	for _, g := range run.grids {
		var open []*cellRun
		for _, c := range g.cells {
			if !c.settled {
				open = append(open, c.cellRun)
			}
		}
		if !yield(open) {
			return
		}
	}
}

// newGridRun returns the grid of planned cells, of which rows are known, those of a cell by checkpoint.
func (run *taskRun) newGridRun(cells []TaskCell, known map[string][]results.Row) *gridRun {
	plan := run.session.Run.Plan
	g := &gridRun{task: run, halving: plan.Experiment.Halving, going: len(cells)}
	cells = slices.SortedFunc(slices.Values(cells), func(a, b TaskCell) int { return cmp.Compare(a.Cell, b.Cell) })
	for _, planned := range cells {
		c := &gridCell{cellRun: run.cell(planned)}
		c.grid = g
		rows := known[c.row.Cell]
		slices.SortFunc(rows, func(a, b results.Row) int { return cmp.Compare(a.Checkpoint, b.Checkpoint) })
		for _, row := range rows {
			next := len(c.reached)
			if next == len(plan.Checkpoints) || row.Checkpoint != plan.Checkpoints[next] || row.Stopped > 0 ||
				row.Failed() && len(rows) < len(plan.Checkpoints) { // it has failed rows behind it, which are lost
				break
			}
			c.reached = append(c.reached, row)
		}
		g.cells = append(g.cells, c)
	}
	return g
}

// next takes the decisions that the rows at hand allow. It returns the cells that go on and lack rows, and the
// number of checkpoints of which they lack some; no cells, if all are settled. Each that is settled by now is
// yielded once.
func (g *gridRun) next(settled func(*gridCell) error) (cells []*gridCell, checkpoints int, err error) {
	plan := g.task.session.Run.Plan
	for {
		last := g.rungs == len(g.halving.Rungs)
		checkpoints = len(plan.Checkpoints)
		if !last {
			checkpoints = 1 + slices.Index(plan.Checkpoints, g.halving.Rungs[g.rungs])
		}
		for _, c := range g.cells {
			if whole := len(c.reached) == len(plan.Checkpoints); whole && !c.settled && (last || c.stopped() || c.lost()) {
				c.settled = true
				if err := settled(c); err != nil {
					return nil, 0, err
				}
			}
			if !c.settled && len(c.reached) < checkpoints {
				cells = append(cells, c)
			}
		}
		if last || len(cells) > 0 {
			return cells, checkpoints, nil
		}
		g.decide(checkpoints)
		g.rungs++
	}
}

// stopped tells whether the cell was stopped, lost whether it failed.
func (c *gridCell) stopped() bool { return c.reached[len(c.reached)-1].Stopped > 0 }
func (c *gridCell) lost() bool    { return c.reached[len(c.reached)-1].Failed() }

// decide stops cells at the last of the given number of checkpoints, which all have reached that go on. What
// another attempt, or a run whose cells are reused, has computed beyond it is dropped: the result is the same
// whatever it was.
func (g *gridRun) decide(checkpoints int) {
	plan := g.task.session.Run.Plan
	g.going = g.halving.Keep(g.going)
	rows := make([]*results.Row, len(g.cells))
	for i, c := range g.cells {
		if !c.settled { // else it was stopped, or has failed
			rows[i] = &c.reached[checkpoints-1]
		}
	}
	for i, goesOn := range plan.Experiment.Rules()[0].Survivors(rows, g.going) {
		c := g.cells[i]
		if goesOn || rows[i] == nil {
			continue
		}
		c.reached = c.reached[:checkpoints:checkpoints]
		for _, checkpoint := range plan.Checkpoints[checkpoints:] {
			c.reached = append(c.reached, rows[i].StoppedFrom(checkpoint))
		}
		c.forget()
	}
}

// forget drops what the cell has learned.
func (c *gridCell) forget() {
	c.learner, c.seen, c.learned, c.rows, c.trace = nil, 0, 0, nil, results.Trace{}
}

// run takes the cells that are missing to their ends.
func (g *gridRun) run(ctx context.Context, w *worker) error {
	settled := func(c *gridCell) error {
		if c.stopped() {
			at := slices.IndexFunc(c.reached, func(r results.Row) bool { return r.Stopped > 0 })
			if err := g.task.append(c.reached[at:]); err != nil {
				return err
			}
		}
		g.task.offerAll(c.reached)
		return g.task.settle(ctx, w, c.cellRun, c.reached)
	}
	for {
		cells, checkpoints, err := g.next(settled)
		if err != nil || len(cells) == 0 {
			return err
		}
		for len(cells) > 0 {
			n := 1
			for n < len(cells) && n < cells[0].together() && cells[n].seen == cells[0].seen {
				n++
			}
			if err := g.learn(ctx, w, cells[:n], checkpoints); err != nil {
				return err
			}
			cells = cells[n:]
		}
	}
}

// together is how many cells like this one go through the samples together.
func (c *gridCell) together() int {
	return int(min(batchCells, max(1, batchSeconds/c.planned.Seconds)))
}

// learn takes cells that have seen the same samples to the last of the given number of checkpoints, and appends the
// rows that they lacked.
func (g *gridRun) learn(ctx context.Context, w *worker, cells []*gridCell, checkpoints int) error {
	all := g.task.session.Run.Plan.Checkpoints
	batch := make([]*cellRun, len(cells))
	for i, c := range cells {
		batch[i] = c.cellRun
	}
	if err := g.task.pass(ctx, w, batch, all[:checkpoints]); err != nil {
		return err
	}
	g.task.session.recorder.finished(0)
	for _, c := range cells {
		for c.failed() && len(c.rows) < len(all) {
			w.report(c.cellRun, all[len(c.rows)])
		}
		lacked := c.rows[len(c.reached):]
		if err := g.task.append(lacked); err != nil {
			return err
		}
		c.reached = append(c.reached, lacked...)
		most := max(batchCells, waitingBytes/(learnerVectors*8*w.data.problem.P))
		if len(c.reached) == len(all) || g.waiting() > most {
			c.forget()
		}
	}
	return nil
}

// waiting counts the learners of the grid.
func (g *gridRun) waiting() (n int) {
	for _, c := range g.cells {
		if c.learner != nil {
			n++
		}
	}
	return n
}
