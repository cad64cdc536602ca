package executor

import (
	"math"
	"sync"

	"golang.org/x/sync/semaphore"

	"graphda/jobs/plan"
	"graphda/jobs/program"
	"graphda/jobs/run"
	"graphda/learners"
)

// A trial is a trial's data with what workers find out about it once for all cells, and with what it has of the
// programs that learn its cells: its files, and processes that wait for a cell. Cells of a method follow each other, so
// that processes of others are not needed any more.
type trial struct {
	*plan.TrialData

	run        *run.Run
	scratch    string
	processors *semaphore.Weighted // of the session: as many as it has workers
	workers    int
	inJob      bool // of a cluster

	hindsight sync.Mutex
	least     map[int]float64 // by checkpoint: see leastLoss

	mu    sync.Mutex
	files map[string]*program.Files // by method
	old   []*program.Files          // that a program has changed
	wait  []*program.Process        // of one method
	kind  string                    // which that is
	tasks int                       // that were begun and are not sealed
	told  map[string]any            // what each method's program has answered to the hello
}

// leastLoss returns the least loss that a fixed model could have suffered on the training
// samples up to a checkpoint: one on the true support if that is known, else any. It is
// NaN if no such model was found. All cells of a run ask for it with the same loss.
func (d *trial) leastLoss(loss learners.Loss, checkpoint int) float64 {
	d.hindsight.Lock()
	defer d.hindsight.Unlock()
	if least, ok := d.least[checkpoint]; ok {
		return least
	}
	least, err := learners.Hindsight(loss, d.Problem.P, d.Train.Row, d.Train.Y[:checkpoint], d.Problem.Truth)
	if err != nil {
		least = math.NaN()
	}
	if d.least == nil {
		d.least = map[int]float64{}
	}
	d.least[checkpoint] = least
	return least
}
