package plan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/message"
	"graphda/io/planfile"
	"graphda/io/seal"
)

// The names of plans that have grown. The first has its cells in plan.parquet.
const (
	earlierPattern    = "plan-%04d.json"
	grownCellsPattern = "plan-%04d.parquet"
)

// A Created plan is what Create has found or made in a run's folder.
type Created struct {
	Plan  *Plan
	Tasks []*Task
	New   bool // there was no plan before
	Added int  // cells that the plan that was there has got
}

// Create writes a plan and its tasks of about target each into dir, by this machine's
// rates. Files of others in their place are not replaced, unless the plan was made
// with Force. If dir already holds the same plan, that one is read as it is. A plan there that lacks
// some of the cells grows into the one that is given, and gets tasks more. Any other plan there is an
// error that wraps ErrPlan.
func (plan *Plan) Create(dir string, target time.Duration, rates func() Rates) (*Created, error) {
	old, tasks, err := Read(dir)
	if err == nil {
		made, err := plan.follow(dir, old, tasks, target, rates)
		if err != nil {
			err = fmt.Errorf("%s already holds another plan; choose another --out or remove it: %w", dir, err)
		}
		return made, err
	}
	if !errors.Is(err, fs.ErrNotExist) && !plan.force {
		if !errors.As(err, new(*fs.PathError)) {
			err = fmt.Errorf("%w; choose another --out, or add --force", err)
		}
		return nil, err
	}
	place := seal.Output{Force: plan.force, Sealed: seal.IsSealed}
	files := []string{filepath.Join(dir, PlanFile)}
	for _, name := range []string{firstCells, firstTasks} { // a row for each cell in both
		files = append(files, planfile.Names(filepath.Join(dir, name), len(plan.Cells))...)
	}
	for _, path := range files {
		if err := place.Check(path); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	plan.Target = target
	made := &Created{Plan: plan, Tasks: plan.pack(plan.Unpacked(nil), 0, target, rates()), New: true}
	if err := plan.writeTasks(filepath.Join(dir, firstTasks), made.Tasks); err != nil {
		return nil, err
	}
	return made, plan.write(dir)
}

// follow goes on from the plan that is in dir, which is the same, or one that this one has grown from. If an
// earlier call was interrupted, it adds the tasks that are missing.
func (plan *Plan) follow(dir string, old *Plan, tasks []*Task, target time.Duration,
	rates func() Rates) (made *Created, err error) {
	now := old
	if err := plan.differs(old); err != nil {
		return nil, err
	}
	if len(plan.Cells) > len(old.Cells) {
		plan.Target = target
		if err := plan.grow(dir, old); err != nil {
			return nil, err
		}
		if now, tasks, err = Read(dir); err != nil {
			return nil, err
		}
	}
	missing := now.Unpacked(tasks)
	if len(missing) == 0 {
		return &Created{Plan: now, Tasks: tasks}, nil
	}
	more := now.pack(missing, tasks[len(tasks)-1].Number+1, now.Target, rates())
	return &Created{Plan: now, Tasks: append(tasks, more...), Added: len(missing)}, now.AddTasks(dir, more)
}

// differs tells why this plan is neither an old one again nor one that the old one may grow into, which has all
// of its cells, the same checkpoints, and what shards keep models by. Otherwise it returns nil.
func (plan *Plan) differs(old *Plan) error {
	grows := len(plan.Cells) > len(old.Cells)
	if len(plan.Cells) < len(old.Cells) {
		return message.Because(ErrPlan, "the new plan has %d cells, not %d", len(plan.Cells), len(old.Cells))
	}
	ids := make(map[string]bool, len(plan.Cells))
	for i := range plan.Cells {
		ids[plan.Cells[i].ID] = true
	}
	for i := range old.Cells {
		is, was := &plan.Cells[i], &old.Cells[i]
		switch {
		case grows && !ids[was.ID]:
			return message.Because(ErrPlan, "a plan grows by new cells, and the new one lacks %s on %s, trial %d",
				was.Method.Name, old.Dataset(was).Name, was.Trial)
		case !grows && is.ID != was.ID:
			return message.Because(ErrPlan, "cell %d of the new plan is another: %s on %s, trial %d",
				i, is.Method.Name, plan.Dataset(is).Name, is.Trial)
		}
	}
	if !slices.Equal(plan.Checkpoints, old.Checkpoints) {
		return message.Because(ErrPlan, "the new plan has checkpoints %s, not %s",
			message.List(plan.Checkpoints), message.List(old.Checkpoints))
	}
	switch e, was := plan.Experiment, old.Experiment; {
	case !grows && !was.ReadsAs(e):
		return message.Because(ErrPlan, "the new plan has the same cells, but another name, title, selection, reports or "+
			"limits of programs")
	case grows && !(slices.Equal(e.Selection, was.Selection) && slices.Equal(e.TracedAt(), was.TracedAt())):
		return message.Because(ErrPlan, "the new plan keeps other models: its selection or its reports differ")
	}
	return nil
}

// grow makes a plan that has grown that of the run in a directory. What was plan.json is kept,
// and the new one, which is written last, names the cells' new table. Tasks of the new cells are
// still to be added.
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
