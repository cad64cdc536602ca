// Package run reads a run's directory. It tells which cells are done, failed or missing, and how much time cells take.
// It also reads the rows for merging. Each attempt at a task writes its rows into a part. When all cells have rows, an
// attempt seals the task: it writes the models, and then all rows into one file, the shard (package io/results).
//
// The typical steps are:
//
//  1. Create writes a plan and opens the new run. Open reads an existing run. OpenTask reads only what one task needs.
//     OpenToMerge also opens a file of chosen rows (chosen.go).
//  2. Run.TakeStock reads the result files. It returns a Stock with the cells' states and damaged files
//     (resultfiles.go).
//  3. Run.Status counts states by dataset and method, and estimates the time left (status.go). Package
//     jobs/cluster/journal adds the state of the queue.
//  4. Run.Estimates corrects the planned time of cells by the measured time of finished cells (estimates.go).
//  5. Run.Collect streams all rows, trial by trial and in plan order, into package merge (collect.go).
//
// Run.Spending adds up the processors and memory of all attempts (spending.go). A ChosenWriter writes chosen.parquet.
// Its rows are enough to make all tables again (chosen.go).
//
// The main types are Run, Stock, Status, Estimates and Spending. ErrIncomplete and ErrFailed are the causes of errors
// about missing and failed cells.
//
// # What is promised
//
//   - A cell is done if the files of any task have its results.
//   - The Stock lists damaged shards, whose rows are not read. A shard of another plan is an error.
//   - TakeStock changes no file. It reads only the footer of a shard without failures, unless it verifies every byte.
//   - If the directory is moved, nothing is written to the old place (CheckPlace).
//
// status_test.go tests states and counts. open_test.go tests refused runs and plans that grow. Estimates are tested in
// jobs/cluster/repack_test.go, and chosen rows in cmd/gdmerge/main_test.go.
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

// A Run is a folder with a plan, its tasks and their results.
type Run struct {
	Dir   string
	Plan  *plan.Plan
	Tasks []*plan.Task // tasks of all lists, by number

	Added  int         // number of cells that Create added to an earlier plan
	opened fs.FileInfo // the folder when it was opened, for CheckPlace

	chosen map[trialNamed][]results.Row // rows from files of chosen rows; nil without such files
}

type trialNamed struct {
	dataset string
	trial   int
}

// Open opens the run in a folder.
func Open(dir string) (*Run, error) {
	p, tasks, err := plan.Read(dir)
	if err != nil {
		return nil, err
	}
	if lost := len(p.Unpacked(tasks)); lost > 0 {
		return nil, message.Because(plan.ErrPlan, "%s: %d of the plan's %d cells are in no list of tasks: a list is "+
			"missing, or belongs to another run; if gdrun plan was interrupted, run it again", dir, lost, len(p.Cells))
	}
	return runIn(dir, p, tasks)
}

// OpenTask opens the run in a folder. It reads only one task, with the task's cells.
func OpenTask(dir string, number int) (*Run, error) {
	p, tasks, err := plan.ReadTask(dir, number)
	if err != nil {
		return nil, err
	}
	return runIn(dir, p, tasks)
}

func runIn(dir string, p *plan.Plan, tasks []*plan.Task) (*Run, error) {
	if err := safefile.Share(dir); err != nil {
		return nil, err
	}
	opened, err := os.Stat(dir)
	return &Run{Dir: dir, Plan: p, Tasks: tasks, opened: opened}, err
}

// CheckPlace returns an error if the run's directory was moved or replaced after it was opened. Otherwise results would
// go into a new folder at the old place.
func (r *Run) CheckPlace() error {
	now, err := os.Stat(r.Dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, r.opened) {
		return fmt.Errorf("%s: the run's folder was moved or replaced while it ran; continue with gdrun local where it is "+
			"now", r.Dir)
	}
	return err
}

// MakeFolder calls CheckPlace, and makes the folder of the task's files.
func (r *Run) MakeFolder(t *plan.Task) error {
	if err := r.CheckPlace(); err != nil {
		return err
	}
	return os.MkdirAll(r.Folder(t), 0o777)
}

// Create writes a plan into dir with plan.Plan.Create, and opens the run. It returns true if the run is new.
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

// AddTasks adds tasks to the run and writes their list.
func (r *Run) AddTasks(tasks []*plan.Task) error {
	if err := r.Plan.AddTasks(r.Dir, tasks); err != nil {
		return err
	}
	r.Tasks = append(r.Tasks, tasks...)
	return nil
}

// Folder returns the folder with the files of a task.
func (r *Run) Folder(t *plan.Task) string {
	return results.ShardDir(filepath.Join(r.Dir, plan.ResultsDir), t.Number)
}

// ShardPath returns the path of the task's shard.
func (r *Run) ShardPath(t *plan.Task) string {
	return filepath.Join(r.Folder(t), results.ShardName(t.Number))
}

// ModelsPath returns the path of the task's models.
func (r *Run) ModelsPath(t *plan.Task) string {
	return filepath.Join(r.Folder(t), results.ModelsName(t.Number))
}

// CheckModels returns an error if the models of a sealed task are missing, damaged, or do not match the shard. If
// verify is false, it only checks that the file exists.
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
		return fmt.Errorf("%s: differs from the models that were written with %s", path, results.ShardName(t.Number))
	}
	return err
}

// Models reads the models of a task. If the task is not sealed, the error is fs.ErrNotExist.
func (r *Run) Models(t *plan.Task) ([]results.Model, error) {
	if _, err := os.Stat(r.ShardPath(t)); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := r.CheckModels(t, true); err != nil {
		return nil, err
	}
	return results.ReadModels(r.ModelsPath(t))
}

// ReadShard reads the rows of a sealed task. If the task is not sealed, the error is fs.ErrNotExist. For a shard of
// another plan, the error wraps plan.ErrPlan.
func (r *Run) ReadShard(t *plan.Task) ([]results.Row, error) { return r.appendShard(nil, t) }

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

// checkShard refuses a shard of another plan or task. For another plan, the error wraps ErrPlan. A shard of another
// task counts as damaged.
func (r *Run) checkShard(t *plan.Task, info results.ShardInfo) error {
	if r.Plan.IsOf(info.Plan) && info.Task != t.Number {
		return fmt.Errorf("%s: has the results of task %d, not of task %d", r.ShardPath(t), info.Task, t.Number)
	}
	return r.CheckPlan(r.ShardPath(t), info.Plan)
}

// CheckPlan returns an error unless the file at path has the hash of the run's plan.
func (r *Run) CheckPlan(path, hash string) error {
	if r.Plan.IsOf(hash) {
		return nil
	}
	return message.Because(plan.ErrPlan, "%s: belongs to plan %.12s…, but the run has plan %.12s…", path, hash,
		r.Plan.Hash)
}

// appendTask appends the rows of a task's shard or, without a shard, of its parts.
func (r *Run) appendTask(all []results.Row, t *plan.Task) ([]results.Row, error) {
	rows, err := r.appendShard(all, t)
	if !errors.Is(err, fs.ErrNotExist) {
		return rows, err
	}
	parts, err := results.ReadParts(r.Folder(t), t.Number, plan.Layout())
	if err != nil {
		return nil, err
	}
	if rows, err = r.appendShard(all, t); err == nil { // the task was sealed meanwhile, so its parts may be gone
		return rows, nil
	}
	return append(all, parts.Rows...), nil
}

// Results reads the rows of all tasks, from shards and parts.
func (r *Run) Results() ([]results.Row, error) { return r.appendTasks(nil, r.Tasks) }

func (r *Run) appendTasks(rows []results.Row, tasks []*plan.Task) (_ []results.Row, err error) {
	for _, t := range tasks {
		if rows, err = r.appendTask(rows, t); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Repacked tells whether a cell belongs to several tasks.
func (r *Run) Repacked() bool {
	cells := 0
	for _, t := range r.Tasks {
		cells += len(t.Cells)
	}
	return cells > len(r.Plan.Cells)
}

// TaskAt returns the index in r.Tasks of the task with the given number.
func (r *Run) TaskAt(number int) (place int, ok bool) {
	return slices.BinarySearchFunc(r.Tasks, number, func(t *plan.Task, n int) int { return cmp.Compare(t.Number, n) })
}

// Task returns the task with the given number, or nil.
func (r *Run) Task(number int) *plan.Task {
	if i, ok := r.TaskAt(number); ok {
		return r.Tasks[i]
	}
	return nil
}

// NextTask returns the number for the next task.
func (r *Run) NextTask() int { return r.Tasks[len(r.Tasks)-1].Number + 1 }

// LastTasks returns the index of each cell's last task, or −1 if no task has the cell.
func (r *Run) LastTasks() []int { return r.Plan.LastTasks(r.Tasks) }

// Unreadable tells whether the error comes from the file system, not from a file's content.
func Unreadable(err error) bool {
	var system *fs.PathError
	return errors.As(err, &system)
}
