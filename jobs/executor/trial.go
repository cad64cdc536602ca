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

// A trial holds a trial's data, and results that workers compute once for all cells. It also holds the files and the
// waiting processes of users' programs. Cells of one method run one after the other, so only processes of one method
// wait.
type trial struct {
	*plan.TrialData

	run        *run.Run
	scratch    string
	processors *semaphore.Weighted // the session's semaphore; its weight is the number of workers
	workers    int
	inJob      bool // set if this process is in a job of a cluster

	hindsight sync.Mutex
	least     map[int]float64 // for each checkpoint: the result of leastLoss

	mu    sync.Mutex
	files map[string]*program.Files // the trial's files for each method
	old   []*program.Files          // files that a program has changed
	wait  []*program.Process        // waiting processes, all of one method
	kind  string                    // method of the waiting processes
	tasks int                       // number of tasks that have begun and are not sealed
	told  map[string]any            // for each method: the Greeting of its program
}

// leastLoss returns the smallest loss of any fixed model on the training samples up to a checkpoint. If the true
// support is known, only models on this support are considered. leastLoss returns NaN if it finds no best model. All
// calls must use the same loss.
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
