// Package run reads the state of a run's directory: which cells are done, failed or missing, what they took, how long
// the rest will take, and the rows for merging.
//
// The typical steps are:
//
//  1. Create writes a plan and opens the new run. Open reads a run that is there. OpenTask reads only what one task
//     needs. OpenToMerge also accepts a file of chosen rows instead of a directory (chosen.go).
//  2. Run.TakeStock reads the result files and returns a Stock: the state of each cell, and damaged files
//     (resultfiles.go).
//  3. Run.Status counts the states by dataset and method and estimates the time left (status.go). Package
//     jobs/cluster/journal adds what the queue knows.
//  4. Run.Estimates corrects the planned seconds of a cell by what finished cells took (estimates.go).
//  5. Run.Collect streams all rows, trial by trial and in plan order, into package merge (collect.go).
//
// Run.Reuse takes finished cells over from another run (reuse.go). Run.Spending adds up what attempts held and used
// (spending.go). A ChosenWriter writes chosen.parquet, the rows from which all tables can be made again (chosen.go).
//
// The main types are Run, Stock, Status, Estimates and Spending. CellState says how far a cell has come. ErrIncomplete
// and ErrFailed are the causes of errors about missing and failed cells.
//
// # What is promised
//
//   - A cell is done when any file has it, whichever task it was computed for.
//   - No rows are read from a damaged shard. The Stock lists the damage. A shard of another plan is refused.
//   - Taking stock changes no file. Of sealed tasks without failures it reads footers only, unless it is to verify
//     every byte.
//   - If the directory was moved away, nothing is written to the old place (CheckPlace).
//
// status_test.go tests states and counts, and open_test.go what is refused and plans that grow.
// jobs/cluster/repack_test.go tests the estimates, and cmd/gdmerge/main_test.go the chosen rows.
package run

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/message"
	"graphda/io/results"
	"graphda/io/safefile"
	"graphda/io/seal"
	"graphda/jobs/plan"
)

// A Run is a directory with a plan, its tasks and their results.
type Run struct {
	Dir   string
	Plan  *plan.Plan
	Tasks []*plan.Task // of all lists, in the order of their numbers

	Added  int         // cells that Create has added to a plan that was there
	opened fs.FileInfo // the directory, when it was opened

	chosen map[trialNamed][]results.Row // of files of chosen rows; nil without such
}

// A trialNamed is a trial by the name of its dataset.
type trialNamed struct {
	dataset string
	trial   int
}

// Open reads the run in dir.
func Open(dir string) (*Run, error) {
	p, tasks, err := plan.Read(dir)
	if err != nil {
		return nil, err
	}
	if lost := len(p.Unpacked(tasks)); lost > 0 {
		return nil, message.Because(plan.ErrPlan, "%s: %d of the plan's %d cells are in no list of tasks: one is missing, "+
			"or is another run's; if planning was interrupted, plan again", dir, lost, len(p.Cells))
	}
	return runIn(dir, p, tasks)
}

// OpenTask reads of the run in dir what one task needs: the run has no other tasks, and its
// plan no other cells.
func OpenTask(dir string, number int) (*Run, error) {
	p, tasks, err := plan.ReadTask(dir, number)
	if err != nil {
		return nil, err
	}
	return runIn(dir, p, tasks)
}

// runIn returns the run in dir, which must be there.
func runIn(dir string, p *plan.Plan, tasks []*plan.Task) (*Run, error) {
	if err := safefile.Share(dir); err != nil {
		return nil, err
	}
	opened, err := os.Stat(dir)
	return &Run{Dir: dir, Plan: p, Tasks: tasks, opened: opened}, err
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
func (r *Run) MakeFolder(t *plan.Task) error {
	if err := r.CheckPlace(); err != nil {
		return err
	}
	return os.MkdirAll(r.Folder(t), 0o777)
}

// Create writes a plan into dir, as plan.Plan.Create does, and opens the run there. It tells whether the run is
// new.
func Create(dir string, p *plan.Plan, target time.Duration, rates func() plan.Rates) (*Run, bool, error) {
	if err := safefile.Share(dir); err != nil {
		return nil, false, err
	}
	made, err := p.Create(dir, target, rates)
	if err != nil {
		return nil, false, err
	}
	r, err := runIn(dir, made.Plan, made.Tasks)
	r.Added = made.Added
	return r, made.New, err
}

// AddTasks adds tasks to the run, in a list of their own.
func (r *Run) AddTasks(tasks []*plan.Task) error {
	if err := r.Plan.AddTasks(r.Dir, tasks); err != nil {
		return err
	}
	r.Tasks = append(r.Tasks, tasks...)
	return nil
}

// Folder is where a task's files are.
func (r *Run) Folder(t *plan.Task) string {
	return results.ShardDir(filepath.Join(r.Dir, plan.ResultsDir), t.Number)
}

// ShardPath is the file of a task's rows once it is sealed.
func (r *Run) ShardPath(t *plan.Task) string {
	return filepath.Join(r.Folder(t), results.ShardName(t.Number))
}

// ModelsPath is the file of the models that a sealed task keeps.
func (r *Run) ModelsPath(t *plan.Task) string {
	return filepath.Join(r.Folder(t), results.ModelsName(t.Number))
}

// CheckModels tells what is wrong with the models of a sealed task: they are missing,
// damaged, or not those that its shard was sealed with. The error is nil if they are good.
// Unless it is to verify every byte, it only looks whether they are there.
func (r *Run) CheckModels(t *plan.Task, verify bool) error {
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
	digest, err := seal.Digest(path)
	if err == nil && info.Models != digest {
		return fmt.Errorf("%s: not the models that %s was sealed with", path, results.ShardName(t.Number))
	}
	return err
}

// Models reads the models that a sealed task kept. The error is fs.ErrNotExist if the task is
// not sealed; else it tells what is wrong with its models.
func (r *Run) Models(t *plan.Task) ([]results.Model, error) {
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
func (r *Run) ReadShard(t *plan.Task) ([]results.Row, error) { return r.appendShard(nil, t) }

// appendShard is ReadShard with results.AppendShard.
func (r *Run) appendShard(all []results.Row, t *plan.Task) ([]results.Row, error) {
	rows, info, err := results.AppendShard(all, r.ShardPath(t), plan.Layout())
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
func (r *Run) checkShard(t *plan.Task, info results.ShardInfo) error {
	if r.Plan.IsOf(info.Plan) && info.Task != t.Number {
		return fmt.Errorf("%s: is the shard of task %d under the name of another", r.ShardPath(t), info.Task)
	}
	return r.CheckPlan(r.ShardPath(t), info.Plan)
}

// CheckPlan refuses a file of another plan than the run's.
func (r *Run) CheckPlan(path, hash string) error {
	if r.Plan.IsOf(hash) {
		return nil
	}
	return message.Because(plan.ErrPlan, "%s: belongs to plan %.12s…, this one is %.12s…", path, hash, r.Plan.Hash)
}

// appendTask appends what there is of a task, as results.AppendShard does: the rows of its shard, or what its attempts
// have left so far.
func (r *Run) appendTask(all []results.Row, t *plan.Task) ([]results.Row, error) {
	rows, err := r.appendShard(all, t)
	if !errors.Is(err, fs.ErrNotExist) {
		return rows, err
	}
	parts, err := results.ReadParts(r.Folder(t), t.Number, plan.Layout())
	if err != nil {
		return nil, err
	}
	if rows, err = r.appendShard(all, t); err == nil { // sealed just now: the parts may have been gone
		return rows, nil
	}
	return append(all, parts.Rows...), nil
}

// Results reads the rows of all tasks: of the sealed ones their shards, of the others
// what their attempts have left so far.
func (r *Run) Results() ([]results.Row, error) { return r.appendTasks(nil, r.Tasks) }

// appendTasks appends the rows of some tasks, as appendTask does.
func (r *Run) appendTasks(rows []results.Row, tasks []*plan.Task) (_ []results.Row, err error) {
	for _, t := range tasks {
		if rows, err = r.appendTask(rows, t); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Repacked tells whether some cells are in several tasks.
func (r *Run) Repacked() bool {
	cells := 0
	for _, t := range r.Tasks {
		cells += len(t.Cells)
	}
	return cells > len(r.Plan.Cells)
}

// TaskAt is the place of the task of a number, if there is one.
func (r *Run) TaskAt(number int) (place int, ok bool) {
	return slices.BinarySearchFunc(r.Tasks, number, func(t *plan.Task, n int) int { return cmp.Compare(t.Number, n) })
}

// Task returns the task of a number, nil if there is none.
func (r *Run) Task(number int) *plan.Task {
	if i, ok := r.TaskAt(number); ok {
		return r.Tasks[i]
	}
	return nil
}

// NextTask is the number of the task that follows all others.
func (r *Run) NextTask() int { return r.Tasks[len(r.Tasks)-1].Number + 1 }

// LastTasks returns, by cell, the place of the last task that was made for it; −1 if there is none.
func (r *Run) LastTasks() []int { return r.Plan.LastTasks(r.Tasks) }

// Unreadable tells whether an error is of the system, and not of what a file holds.
func Unreadable(err error) bool {
	var system *fs.PathError
	return errors.As(err, &system)
}
