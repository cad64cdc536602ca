package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"graphda/io/plain"
	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/merge"
)

// A Run is a directory with a plan, its tasks and their results.
type Run struct {
	Dir   string
	Plan  *Plan
	Tasks []*Task // of all lists, in the order of their numbers

	opened fs.FileInfo // the directory, when it was opened
}

// runIn returns the run in dir, which must be there.
func runIn(dir string, plan *Plan, tasks []*Task) (*Run, error) {
	opened, err := os.Stat(dir)
	return &Run{Dir: dir, Plan: plan, Tasks: tasks, opened: opened}, err
}

// checkPlace refuses to go on with a run whose directory was moved away or replaced by
// another since it was opened: its results would come into a new folder at the old place.
func (r *Run) checkPlace() error {
	now, err := os.Stat(r.Dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, r.opened) {
		return fmt.Errorf("%s: the run's folder was moved away or replaced while it ran; go on with gdrun local where it "+
			"is now", r.Dir)
	}
	return err
}

// makeFolder makes the folder of a task's files, in the run's directory and no other.
func (r *Run) makeFolder(t *Task) error {
	if err := r.checkPlace(); err != nil {
		return err
	}
	return os.MkdirAll(r.Folder(t), 0o777)
}

// Create writes a plan and its tasks of about target each into dir, by the rates that
// calibrate finds. Files of others in their place are not replaced, unless the plan was made
// with Force. If dir already holds the same plan, that run is opened as it is and
// created is false; a different plan there is an error that wraps ErrPlan.
func Create(dir string, plan *Plan, target time.Duration, calibrate func() Rates) (run *Run, created bool, err error) {
	old, err := Open(dir)
	if err == nil {
		if err := old.Plan.sameAs(plan); err != nil {
			return nil, false, fmt.Errorf("%s already holds another plan; choose another --out or remove it: %w", dir, err)
		}
		return old, false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !plan.force {
		if system := (*fs.PathError)(nil); !errors.As(err, &system) {
			err = fmt.Errorf("%w; choose another --out, or add --force", err)
		}
		return nil, false, err
	}
	place := seal.Output{Force: plan.force, Sealed: seal.IsSealed}
	for _, name := range []string{PlanFile, cellsFile, fmt.Sprintf(tasksPattern, 1)} {
		if err := place.Check(filepath.Join(dir, name)); err != nil {
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
	if run, err = runIn(dir, plan, plan.pack(all, 0, target, calibrate())); err != nil {
		return nil, false, err
	}
	if err := plan.writeTasks(dir, 1, run.Tasks); err != nil {
		return nil, false, err
	}
	return run, true, plan.write(dir)
}

// Task returns the task of that number.
func (r *Run) Task(number int) (*Task, error) {
	for _, t := range r.Tasks {
		if t.Number == number {
			return t, nil
		}
	}
	return nil, noTask(number, r.Tasks[len(r.Tasks)-1].Number)
}

// Folder is where a task's files are.
func (r *Run) Folder(t *Task) string {
	return results.ShardDir(filepath.Join(r.Dir, resultsDir), t.Number)
}

func (r *Run) shardPath(t *Task) string {
	return filepath.Join(r.Folder(t), results.ShardName(t.Number))
}

func (r *Run) modelsPath(t *Task) string {
	return filepath.Join(r.Folder(t), results.ModelsName(t.Number))
}

// checkModels tells what is wrong with the models of a sealed task: they are missing,
// damaged, or not those that its shard was sealed with. The error is nil if they are good.
// Unless it is to verify every byte, it only looks whether they are there.
func (r *Run) checkModels(t *Task, verify bool) error {
	path := r.modelsPath(t)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing", path)
	}
	if !verify {
		return nil
	}
	info, err := results.ReadShardInfo(r.shardPath(t))
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
	if _, err := os.Stat(r.shardPath(t)); errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := r.checkModels(t, true); err != nil {
		return nil, err
	}
	return results.ReadModels(r.modelsPath(t))
}

// readShard reads the rows of a sealed task. The error is fs.ErrNotExist if it is not
// sealed, and wraps ErrPlan if the shard is of another plan.
func (r *Run) readShard(t *Task, layout results.Layout) ([]results.Row, error) {
	path := r.shardPath(t)
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
	switch {
	case info.Plan != r.Plan.Hash:
		return plain.Because(ErrPlan, "%s: belongs to plan %.12s…, this one is %.12s…", r.shardPath(t), info.Plan,
			r.Plan.Hash)
	case info.Task != t.Number:
		return fmt.Errorf("%s: is the shard of task %d under the name of another", r.shardPath(t), info.Task)
	}
	return nil
}

// readTask reads what there is of a task: its shard, or what its attempts have left so
// far.
func (r *Run) readTask(t *Task, layout results.Layout) ([]results.Row, error) {
	rows, err := r.readShard(t, layout)
	if !errors.Is(err, fs.ErrNotExist) {
		return rows, err
	}
	parts, err := results.ReadParts(r.Folder(t), t.Number, layout)
	if err != nil {
		return nil, err
	}
	if rows, err = r.readShard(t, layout); err == nil { // sealed just now: the parts may have been gone
		return rows, nil
	}
	return parts.Rows, nil
}

// Results reads the rows of all tasks: of the sealed ones their shards, of the others
// what their attempts have left so far.
func (r *Run) Results() ([]results.Row, error) {
	layout := Layout()
	var all []results.Row
	for _, t := range r.Tasks {
		rows, err := r.readTask(t, layout)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Collect reads all results and sorts them into the plan.
func (r *Run) Collect() (*merge.Grid, error) {
	rows, err := r.Results()
	if err != nil {
		return nil, err
	}
	return merge.Collect(r.Plan.merged(), rows)
}

// DescribeCell names the cell of an id as Describe does.
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

// LastTasks returns, by cell, the place of the last task that was made for it.
func (r *Run) LastTasks() []int {
	last := make([]int, len(r.Plan.Cells))
	for i, t := range r.Tasks {
		for _, c := range t.Cells {
			last[c.Cell] = i
		}
	}
	return last
}

// NextTask is the number of the task that follows all others.
func (r *Run) NextTask() int {
	next := 0
	for _, t := range r.Tasks {
		next = max(next, t.Number+1)
	}
	return next
}
