package running

import (
	"math"
	"sync"

	"graphda/jobs/plan"
	"graphda/learners"
)

// A trial is a trial's data with what workers find out about it once for all cells.
type trial struct {
	*plan.TrialData

	programs  *programs
	hindsight sync.Mutex
	least     map[int]float64 // by checkpoint: see leastLoss
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
