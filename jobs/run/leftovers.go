package run

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// DamagedSuffix is added to the name of a damaged file that is set aside.
const DamagedSuffix = ".damaged"

// RemoveLeftovers removes, where all cells of a task are in whole shards, what no reader of the run looks at any
// more: parts and notes of the task, if it was never sealed, and damaged files that were set aside. No task may
// wait or run.
func (r *Run) RemoveLeftovers(s *Stock) error {
	whole := make([]bool, len(r.Plan.Cells))
	for i, t := range r.Tasks {
		for _, c := range t.Cells {
			whole[c.Cell] = whole[c.Cell] || s.Sealed[i] && s.State[c.Cell] == StateDone
		}
	}
	for i, t := range r.Tasks {
		if slices.ContainsFunc(t.Cells, func(c plan.TaskCell) bool { return !whole[c.Cell] }) {
			continue
		}
		if !s.Sealed[i] {
			if err := results.RemoveUnneeded(r.Folder(t), t.Number); err != nil {
				return err
			}
		}
		for _, path := range []string{r.ShardPath(t), r.ModelsPath(t)} {
			if err := os.Remove(path + DamagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
