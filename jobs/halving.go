package jobs

import (
	"reflect"
	"slices"

	"graphda/io/plain"
	"graphda/jobs/experiment"
	"graphda/jobs/usage"
	"graphda/learners"
)

// A gridOf tells the cells of one grid from all others: a method on a trial, with one value of each parameter that
// is not tuned. Among them the experiment's halving, if it has one, chooses those that go on.
type gridOf struct {
	trialOf
	method  *learners.Method
	variant string
}

func (c *Cell) grid() gridOf { return gridOf{c.trialOf(), c.Method, c.untuned()} }

// setRungs fills in what the experiment leaves out of its halving, and makes the rungs checkpoints. It may be
// called again.
func (plan *Plan) setRungs(last int) error {
	if plan.Experiment.Halving == nil {
		return nil
	}
	h := plan.Experiment.Halving.For(last)
	if len(h.Rungs) == 0 || h.Rungs[len(h.Rungs)-1] >= last {
		return usage.Errorf("halving: rungs %s, want some before the last checkpoint, %d", experiment.Numbers(h.Rungs), last)
	}
	e := *plan.Experiment
	e.Halving = &h
	plan.Experiment = &e
	plan.Checkpoints = append(plan.Checkpoints, h.Rungs...)
	slices.Sort(plan.Checkpoints)
	plan.Checkpoints = slices.Compact(plan.Checkpoints)
	return nil
}

// halvesAs tells how another plan differs in which settings it stops, or returns nil.
func (plan *Plan) halvesAs(other *Plan) error {
	if reflect.DeepEqual(plan.Experiment.Halving, other.Experiment.Halving) {
		return nil
	}
	return plain.Because(ErrPlan, "settings are stopped early in one of the plans, or at other rungs: \"halving\" differs")
}

// keepsGrids tells why this plan cannot grow out of an old one: a cell more in a grid would decide anew which
// of the others are stopped. It returns nil where every grid is old or new.
func (plan *Plan) keepsGrids(old *Plan) error {
	if plan.Experiment.Halving == nil {
		return nil
	}
	ids := make(map[string]bool, len(old.Cells))
	for i := range old.Cells {
		ids[old.Cells[i].ID] = true
	}
	isOld := map[gridOf]bool{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		if was, seen := isOld[c.grid()]; seen && was != ids[c.ID] {
			return plain.Because(ErrPlan, "the new plan has other settings of %s on %s, trial %d, where halving has chosen "+
				"among the old ones; plan it in another folder, with --reuse", c.Method.Name, plan.Dataset(c).Name, c.Trial)
		}
		isOld[c.grid()] = ids[c.ID]
	}
	return nil
}

// shares returns the part of a pass that a cell is expected to learn, by grid; nil if every cell learns all.
func (plan *Plan) shares() map[gridOf]float64 {
	h := plan.Experiment.Halving
	if h == nil {
		return nil
	}
	shares := map[gridOf]float64{}
	for i := range plan.Cells {
		shares[plan.Cells[i].grid()]++
	}
	for grid, n := range shares {
		shares[grid] = h.Share(int(n), plan.Checkpoints[len(plan.Checkpoints)-1])
	}
	return shares
}

// wholeGrids returns the grids of some cells of a trial, all of whose cells they have, and for each a cell that
// stands for it: its place, and the seconds of all.
func (plan *Plan) wholeGrids(cells []int, seconds func(cell int) float64) (stand []TaskCell, grids [][]TaskCell) {
	place := map[gridOf]int{}
	for _, i := range cells {
		grid := plan.Cells[i].grid()
		if _, seen := place[grid]; !seen {
			place[grid] = len(grids)
			stand, grids = append(stand, TaskCell{Cell: len(grids)}), append(grids, nil)
		}
	}
	from, trial := cells[0], plan.Cells[cells[0]].trialOf()
	for from > 0 && plan.Cells[from-1].trialOf() == trial {
		from--
	}
	for i := from; i < len(plan.Cells) && plan.Cells[i].trialOf() == trial; i++ {
		if k, wanted := place[plan.Cells[i].grid()]; wanted {
			grids[k] = append(grids[k], TaskCell{i, seconds(i)})
			stand[k].Seconds += seconds(i)
		}
	}
	return stand, grids
}

// flatten returns the cells of the grids that others stand for.
func flatten(stand []TaskCell, grids [][]TaskCell) (cells []TaskCell) {
	for _, s := range stand {
		cells = append(cells, grids[s.Cell]...)
	}
	return cells
}
