package jobs

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/jobs/experiment"
)

// An EarlierPlan is a plan that the run in a directory had before it grew. Results of its
// cells count, for a cell's id says all that it computes.
type EarlierPlan struct {
	Hash string `json:"hash"`
	File string `json:"file"` // what was plan.json then
}

// The names of plans that have grown. The first has its cells in plan.parquet.
const (
	earlierPattern    = "plan-%04d.json"
	grownCellsPattern = "plan-%04d.parquet"
)

// grownFrom tells why this plan is not one that an old one may grow into, or returns nil: it has
// all of the old one's cells, the same checkpoints, and what shards keep models by.
func (plan *Plan) grownFrom(old *Plan) error {
	ids := make(map[string]bool, len(plan.Cells))
	for i := range plan.Cells {
		ids[plan.Cells[i].ID] = true
	}
	for i := range old.Cells {
		if c := &old.Cells[i]; !ids[c.ID] {
			return plain.Because(ErrPlan, "a plan grows by new cells, and the new one lacks %s on %s, trial %d",
				c.Method.Name, old.Dataset(c).Name, c.Trial)
		}
	}
	if len(plan.Cells) == len(old.Cells) {
		return plain.Because(ErrPlan, "the new plan has the same cells in another order")
	}
	if !slices.Equal(plan.Checkpoints, old.Checkpoints) {
		return plain.Because(ErrPlan, "the new plan has checkpoints %s, not %s",
			experiment.Numbers(plan.Checkpoints), experiment.Numbers(old.Checkpoints))
	}
	if !slices.Equal(plan.Experiment.Selection, old.Experiment.Selection) ||
		!slices.Equal(plan.Experiment.TracedAt(), old.Experiment.TracedAt()) {
		return plain.Because(ErrPlan, "the new plan keeps other models: its selection or its reports differ")
	}
	return nil
}

// become returns the run with a plan that is its own, or one that its own may grow into. If an
// earlier call was interrupted, it adds what tasks are missing.
func (r *Run) become(plan *Plan, target time.Duration, rates func() Rates) (*Run, error) {
	if differs := r.Plan.sameAs(plan); differs != nil {
		if len(plan.Cells) <= len(r.Plan.Cells) {
			return nil, differs
		}
		if err := plan.grownFrom(r.Plan); err != nil {
			return nil, err
		}
		plan.Target = target
		if err := plan.grow(r.Dir, r.Plan); err != nil {
			return nil, err
		}
	}
	now, err := open(r.Dir)
	if err != nil {
		return nil, err
	}
	now.Added, err = now.addMissing(rates)
	return now, err
}

// grow makes a plan that has grown that of the run in a directory. What was plan.json is kept,
// and the new one, which is written last, names the cells' new table. Tasks of the new cells are
// still to be added: addMissing.
func (plan *Plan) grow(dir string, old *Plan) error {
	number := len(old.Before) + 1
	before := EarlierPlan{Hash: old.Hash, File: fmt.Sprintf(earlierPattern, number)}
	file, err := seal.ReadSealed(filepath.Join(dir, PlanFile))
	if err != nil {
		return err
	}
	keep := func(w io.Writer) error { _, err := w.Write(file.Data); return err }
	if err := seal.Write(filepath.Join(dir, before.File), keep); err != nil {
		return err
	}
	plan.Before = append(slices.Clone(old.Before), before)
	plan.CellsFile = fmt.Sprintf(grownCellsPattern, number+1)
	return plan.write(dir)
}

// addMissing packs the cells that are in no task, which a plan has that has just grown.
func (r *Run) addMissing(rates func() Rates) (added int, err error) {
	var missing []int
	for cell, task := range r.LastTasks() {
		if task < 0 {
			missing = append(missing, cell)
		}
	}
	if len(missing) == 0 {
		return 0, nil
	}
	return len(missing), r.AddTasks(r.Plan.pack(missing, r.NextTask(), r.Plan.Target, rates()))
}

// places returns the cells' places in a plan that has grown, by id, for lists of tasks have those
// in the plan before. It is nil for any other plan.
func (plan *Plan) places() map[string]int {
	if len(plan.Before) > 0 && plan.placeOf == nil {
		plan.placeOf = make(map[string]int, len(plan.Cells))
		for i := range plan.Cells {
			plan.placeOf[plan.Cells[i].ID] = i
		}
	}
	return plan.placeOf
}

// findPlaces is places for the rows of one task, whose places it sets. It reads the ids alone.
func (plan *Plan) findPlaces(cells *tables.File, rows []taskRow) error {
	if len(plan.Before) == 0 {
		return nil
	}
	row := make(map[string]int, len(rows))
	for i, r := range rows {
		row[r.cell] = i
	}
	for group := range cells.Groups() {
		from, _ := cells.Group(group)
		t, err := cells.Read(group, cellColumn)
		if err != nil {
			return err
		}
		for i, id := range t[0].Strings {
			if at, ok := row[id]; ok {
				rows[at].place = from + i
			}
		}
	}
	return nil
}

// isOf tells whether a file of this plan's hash is the run's: of its plan, or of one that it has
// grown from.
func (plan *Plan) isOf(hash string) bool {
	return hash == plan.Hash || slices.ContainsFunc(plan.Before, func(b EarlierPlan) bool { return b.Hash == hash })
}
