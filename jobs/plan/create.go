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

// These are names of the files of a plan that has grown.
const (
	earlierPattern    = "plan-%04d.json"
	grownCellsPattern = "plan-%04d.parquet"
)

// A Created is the plan that Create found or made in a run's folder.
type Created struct {
	Plan  *Plan
	Tasks []*Task
	New   bool // the folder held no plan before
	Added int  // number of cells added to an earlier plan; 0 for a new plan
}

// Create writes the plan and its tasks into dir. On a machine with the given rates, a task takes about the time target.
// Unless PlanOptions.Force is set, other files in dir are an error. If dir already holds the same plan, Create reads
// it. If the plan in dir has only some of the cells, it grows into the new plan. Any other plan in dir gives an error
// that wraps ErrPlan.
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
	for _, name := range []string{firstCells, firstTasks} { // both tables have a row for each cell
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

// follow continues with old, the plan in dir. If old lacks cells of the new plan, it grows into the new plan. follow
// also adds tasks that an interrupted call did not write.
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

// differs returns an error that names a difference, unless the plans are the same or the old plan may grow into the new
// plan. For growth, the new plan must have all old cells and the same checkpoints, and store the same models.
func (plan *Plan) differs(old *Plan) error {
	grows := len(plan.Cells) > len(old.Cells)
	if len(plan.Cells) < len(old.Cells) {
		return message.Because(ErrPlan, "the new plan has only %d of %d cells", len(plan.Cells), len(old.Cells))
	}
	ids := make(map[string]bool, len(plan.Cells))
	for i := range plan.Cells {
		ids[plan.Cells[i].ID] = true
	}
	for i := range old.Cells {
		is, was := &plan.Cells[i], &old.Cells[i]
		switch {
		case grows && !ids[was.ID]:
			return message.Because(ErrPlan, "a plan can only gain cells, but the new plan lacks %s on %s, trial %d",
				was.Method.Name, old.Dataset(was).Name, was.Trial)
		case !grows && is.ID != was.ID:
			return message.Because(ErrPlan, "cell %d of the new plan is another cell: %s on %s, trial %d",
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

// grow replaces the old plan in a run's folder with this plan. It keeps the old plan.json under another name. Last it
// writes the new plan.json, which names the new table of cells.
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
