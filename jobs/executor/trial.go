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

// A trial holds a trial's data, and results that are computed once for all cells. It also holds the files and waiting
// processes of users' programs. All waiting processes belong to one method, because a task's cells are sorted by
// method.
type trial struct {
	*plan.TrialData

	run        *run.Run
	scratch    string
	processors *semaphore.Weighted
	workers    int
	inJob      bool // set if this process runs in a cluster's job

	hindsight sync.Mutex
	least     map[int]float64 // results of leastLoss, by checkpoint

	mu    sync.Mutex
	files map[string]*program.Files // the trial's files, by method
	old   []*program.Files          // files that a program has changed
	wait  []*program.Process        // waiting processes
	kind  string                    // method of the waiting processes
	tasks int                       // number of tasks that have begun and are not sealed
	told  map[string]any            // Greeting of each program, by method
}

// leastLoss returns the smallest total loss of a fixed model on the training samples up to a checkpoint. If the true
// support is known, it considers only models on this support. If it finds no best model, it returns NaN. All calls must
// use the same loss.
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
