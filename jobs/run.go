package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/jobs/merge"
)

// A Run is a directory with a plan, its tasks and their results.
type Run struct {
	Dir   string
	Plan  *Plan
	Tasks []*Task // of all lists, in the order of their numbers

	Added  int         // cells that Create has added to a plan that was there
	opened fs.FileInfo // the directory, when it was opened
}

// Open reads the run in dir.
func Open(dir string) (*Run, error) {
	run, err := open(dir)
	if err != nil {
		return nil, err
	}
	lost := 0
	for _, task := range run.LastTasks() {
		if task < 0 {
			lost++
		}
	}
	if lost > 0 {
		return nil, plain.Because(ErrPlan, "%s: %d of the plan's %d cells are in no list of tasks: one is missing, or is "+
			"another run's; if planning was interrupted, plan again", dir, lost, len(run.Plan.Cells))
	}
	return run, nil
}

// open is Open of a run that may lack tasks for some cells.
func open(dir string) (*Run, error) {
	plan, cells, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	defer cells.Close()
	if err := plan.readCells(cells, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, plan.cellsFile()), err)
	}
	tasks, err := plan.readTasks(dir)
	if err != nil {
		return nil, err
	}
	return runIn(dir, plan, tasks)
}

// OpenTask reads of the run in dir what one task needs: the run has no other tasks, and its
// plan no other cells. Every byte is checked as Open does, but only the groups of rows that
// the task is in are read: of ten million cells that takes 0.1 s and 58 MB, where all of them
// take ten times as much.
func OpenTask(dir string, number int) (*Run, error) {
	plan, cells, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	defer cells.Close()
	rows, err := findTask(dir, number)
	if err != nil {
		return nil, err
	}
	if err := plan.findPlaces(cells, rows); err != nil {
		return nil, err
	}
	places := make([]int, len(rows)) // ascending
	for i, row := range rows {
		places[i] = row.place
	}
	slices.Sort(places)
	places = slices.Compact(places)
	if err := plan.readCells(cells, places); err != nil {
		return nil, fmt.Errorf("%s: task %d: %w", filepath.Join(dir, plan.cellsFile()), number, err)
	}
	for i := range rows { // the plan at hand has the task's cells alone
		rows[i].place, _ = slices.BinarySearch(places, rows[i].place)
		if err := plan.locate(&rows[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	return runIn(dir, plan, plan.appendTasks(nil, rows))
}

// runIn returns the run in dir, which must be there.
func runIn(dir string, plan *Plan, tasks []*Task) (*Run, error) {
	opened, err := os.Stat(dir)
	return &Run{Dir: dir, Plan: plan, Tasks: tasks, opened: opened}, err
}

// CheckPlace refuses to go on with a run whose directory was moved away or replaced by
// another since it was opened: its results would come into a new folder at the old place.
func (r *Run) CheckPlace() error {
	now, err := os.Stat(r.Dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, r.opened) {
		return fmt.Errorf("%s: the run's folder was moved away or replaced while it ran; go on with gdrun local where it "+
			"is now", r.Dir)
	}
	return err
}

// MakeFolder makes the folder of a task's files, in the run's directory and no other.
func (r *Run) MakeFolder(t *Task) error {
	if err := r.CheckPlace(); err != nil {
		return err
	}
	return os.MkdirAll(r.Folder(t), 0o777)
}

// Create writes a plan and its tasks of about target each into dir, by this machine's
// rates. Files of others in their place are not replaced, unless the plan was made
// with Force. If dir already holds the same plan, that run is opened as it is and
// created is false. A plan there that lacks some of the cells grows: the run goes on with the
// plan that is given, and has tasks more. Any other plan there is an error that wraps ErrPlan.
func Create(dir string, plan *Plan, target time.Duration, rates func() Rates) (run *Run, created bool, err error) {
	old, err := open(dir)
	if err == nil {
		run, err := old.become(plan, target, rates)
		if err != nil {
			err = fmt.Errorf("%s already holds another plan; choose another --out or remove it: %w", dir, err)
		}
		return run, false, err
	}
	if !errors.Is(err, fs.ErrNotExist) && !plan.force {
		if !Unreadable(err) {
			err = fmt.Errorf("%w; choose another --out, or add --force", err)
		}
		return nil, false, err
	}
	place := seal.Output{Force: plan.force, Sealed: seal.IsSealed}
	files := []string{filepath.Join(dir, PlanFile)}
	for _, name := range []string{firstCells, firstTasks} { // a row for each cell in both
		files = append(files, tables.Names(filepath.Join(dir, name), len(plan.Cells))...)
	}
	for _, path := range files {
		if err := place.Check(path); err != nil {
			return nil, false, err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, false, err
	}
	all := make([]int, len(plan.Cells))
	for i := range all {
		all[i] = i
	}
	plan.Target = target
	if run, err = runIn(dir, plan, plan.pack(all, 0, target, rates())); err != nil {
		return nil, false, err
	}
	if err := plan.writeTasks(filepath.Join(dir, firstTasks), run.Tasks); err != nil {
		return nil, false, err
	}
	return run, true, plan.write(dir)
}

// Folder is where a task's files are.
func (r *Run) Folder(t *Task) string {
	return results.ShardDir(filepath.Join(r.Dir, resultsDir), t.Number)
}

// ShardPath is the file of a task's rows once it is sealed.
func (r *Run) ShardPath(t *Task) string {
	return filepath.Join(r.Folder(t), results.ShardName(t.Number))
}

// ModelsPath is the file of the models that a sealed task keeps.
func (r *Run) ModelsPath(t *Task) string {
	return filepath.Join(r.Folder(t), results.ModelsName(t.Number))
}

// CheckModels tells what is wrong with the models of a sealed task: they are missing,
// damaged, or not those that its shard was sealed with. The error is nil if they are good.
// Unless it is to verify every byte, it only looks whether they are there.
func (r *Run) CheckModels(t *Task, verify bool) error {
	path := r.ModelsPath(t)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing", path)
	}
	if !verify {
		return nil
	}
	info, err := results.ReadShardInfo(r.ShardPath(t))
	if err != nil {
		return err
	}
	digest, err := results.ModelsDigest(path)
	if err == nil && info.Models != "" && info.Models != digest {
		return fmt.Errorf("%s: not the models that %s was sealed with", path, results.ShardName(t.Number))
	}
	return err
}

// Models reads the models that a sealed task kept. The error is fs.ErrNotExist if the task is
// not sealed; else it tells what is wrong with its models.
func (r *Run) Models(t *Task) ([]results.Model, error) {
	if _, err := os.Stat(r.ShardPath(t)); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := r.CheckModels(t, true); err != nil {
		return nil, err
	}
	return results.ReadModels(r.ModelsPath(t))
}

// ReadShard reads the rows of a sealed task. The error is fs.ErrNotExist if it is not
// sealed, and wraps ErrPlan if the shard is of another plan.
func (r *Run) ReadShard(t *Task, layout results.Layout) ([]results.Row, error) {
	path := r.ShardPath(t)
	rows, info, err := results.ReadShard(path, layout)
	if err == nil {
		err = r.checkShard(t, info)
	}
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// checkShard refuses a shard of another plan, which is kept, and that of another task, which
// is damage like any other: its own task can be run again.
func (r *Run) checkShard(t *Task, info results.ShardInfo) error {
	if r.Plan.isOf(info.Plan) && info.Task != t.Number {
		return fmt.Errorf("%s: is the shard of task %d under the name of another", r.ShardPath(t), info.Task)
	}
	return r.CheckPlan(r.ShardPath(t), info.Plan)
}

// CheckPlan refuses a file of another plan than the run's.
func (r *Run) CheckPlan(path, hash string) error {
	if r.Plan.isOf(hash) {
		return nil
	}
	return plain.Because(ErrPlan, "%s: belongs to plan %.12s…, this one is %.12s…", path, hash, r.Plan.Hash)
}

// readTask reads what there is of a task: its shard, or what its attempts have left so
// far.
func (r *Run) readTask(t *Task, layout results.Layout) ([]results.Row, error) {
	rows, err := r.ReadShard(t, layout)
	if !errors.Is(err, fs.ErrNotExist) {
		return rows, err
	}
	parts, err := results.ReadParts(r.Folder(t), t.Number, layout)
	if err != nil {
		return nil, err
	}
	if rows, err = r.ReadShard(t, layout); err == nil { // sealed just now: the parts may have been gone
		return rows, nil
	}
	return parts.Rows, nil
}

// Results reads the rows of all tasks: of the sealed ones their shards, of the others
// what their attempts have left so far.
func (r *Run) Results() ([]results.Row, error) { return r.resultsOf(r.Tasks, 0) }

// resultsOf reads the rows of some tasks, which are about as many as expected.
func (r *Run) resultsOf(tasks []*Task, expected int) ([]results.Row, error) {
	layout := Layout()
	var all []results.Row
	if len(tasks) > 1 {
		all = make([]results.Row, 0, expected)
	}
	for _, t := range tasks {
		rows, err := r.readTask(t, layout)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = rows
		} else {
			all = append(all, rows...)
		}
	}
	return all, nil
}

// Collect reads the results trial by trial, and keeps what the rules choose of them. Every use
// is given all rows, in plan order.
func (r *Run) Collect(uses ...merge.Use) (*merge.Grid, error) {
	return merge.Stream(r.Plan.merged(), r.batches(), uses...)
}

// DescribeCell names the cell of an id as describe does.
func (r *Run) DescribeCell(id string) string {
	for i := range r.Plan.Cells {
		if r.Plan.Cells[i].ID == id {
			return r.Plan.Describe(&r.Plan.Cells[i])
		}
	}
	return "cell " + id
}

// Repacked tells whether some cells are in several tasks.
func (r *Run) Repacked() bool {
	cells := 0
	for _, t := range r.Tasks {
		cells += len(t.Cells)
	}
	return cells > len(r.Plan.Cells)
}

// LastTasks returns, by cell, the place of the last task that was made for it; −1 if there is none.
func (r *Run) LastTasks() []int {
	last := slices.Repeat([]int{-1}, len(r.Plan.Cells))
	for i, t := range r.Tasks {
		for _, c := range t.Cells {
			last[c.Cell] = i
		}
	}
	return last
}

// NextTask is the number of the task that follows all others.
func (r *Run) NextTask() int { return r.Tasks[len(r.Tasks)-1].Number + 1 }
