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

// A trial holds a trial's data and what workers compute once for all cells. It also holds the files and the waiting
// processes of the programs that learn its cells. Cells of one method follow each other, so only processes of one
// method wait.
type trial struct {
	*plan.TrialData

	run        *run.Run
	scratch    string
	processors *semaphore.Weighted // of the session; there are as many as workers
	workers    int
	inJob      bool // whether this process is in a job of a cluster

	hindsight sync.Mutex
	least     map[int]float64 // by checkpoint: see leastLoss

	mu    sync.Mutex
	files map[string]*program.Files // by method
	old   []*program.Files          // files that a program has changed
	wait  []*program.Process        // processes of one method
	kind  string                    // the method of the waiting processes
	tasks int                       // number of tasks that have begun and are not sealed
	told  map[string]any            // by method: the program's answer to the hello
}

// leastLoss returns the smallest loss that a fixed model could have on the training samples up to a checkpoint. If the
// true support is known, the model uses only this support. leastLoss returns NaN if it finds no such model. All calls
// must use the same loss.
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
