package jobs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/plain"
	"graphda/io/tables"
	"graphda/jobs/usage"
)

// The names of the lists of tasks.
const (
	tasksPattern = "tasks-%04d.parquet"
	firstTasks   = "tasks-0001.parquet"
	tasksGlob    = "tasks-[0-9][0-9][0-9][0-9].parquet"
)

// The columns of a list of tasks: a row for every cell of every task.
const (
	taskColumn    = "task"
	placeColumn   = "place" // of the cell in the plan, from 0
	secondsColumn = "seconds"
)

// A taskRow is a row of a list of tasks.
type taskRow struct {
	task    int
	cell    string
	place   int
	seconds float64
}

// writeTasks writes a list of tasks.
func (plan *Plan) writeTasks(path string, tasks []*Task) error {
	t := tables.Table{
		{Name: taskColumn, Ints: []int64{}}, {Name: cellColumn, Strings: []string{}},
		{Name: placeColumn, Ints: []int64{}}, {Name: secondsColumn, Floats: []float64{}},
	}
	for _, task := range tasks {
		for _, c := range task.Cells {
			t[0].Ints = append(t[0].Ints, int64(task.Number))
			t[1].Strings = append(t[1].Strings, plan.Cells[c.Cell].ID)
			t[2].Ints = append(t[2].Ints, int64(c.Cell))
			t[3].Floats = append(t[3].Floats, c.Seconds)
		}
	}
	return tables.Write(path, t)
}

// taskLists returns the names of a run's lists of tasks, in order.
func taskLists(dir string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(dir), tasksGlob)
	if err == nil && len(names) == 0 {
		err = plain.Because(fs.ErrNotExist, "%s has no list of tasks (%s and the like): plan it again into another folder",
			dir, firstTasks)
	}
	return names, err
}

// NextList is the name of the list of tasks that AddTasks writes next.
func (r *Run) NextList() (string, error) {
	names, err := taskLists(r.Dir)
	return fmt.Sprintf(tasksPattern, len(names)+1), err
}

// AddTasks adds tasks to the run, in a list of their own.
func (r *Run) AddTasks(tasks []*Task) error {
	list, err := r.NextList()
	if err != nil {
		return err
	}
	if err := r.Plan.writeTasks(filepath.Join(r.Dir, list), tasks); err != nil {
		return err
	}
	r.Tasks = append(r.Tasks, tasks...)
	return nil
}

// readTasks reads all lists of tasks of a run, in order.
func (plan *Plan) readTasks(dir string) (tasks []*Task, err error) {
	names, err := taskLists(dir)
	if err != nil {
		return nil, err
	}
	all := func([]int64) bool { return true }
	for _, name := range names {
		err := readList(filepath.Join(dir, name), all, func(rows []taskRow) (err error) {
			tasks, err = plan.appendTasks(tasks, rows)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// findTask reads the rows of one task. It looks at the latest list first.
func findTask(dir string, number int) (found []taskRow, err error) {
	names, err := taskLists(dir)
	if err != nil {
		return nil, err
	}
	last := -1
	has := func(tasks []int64) bool {
		last = max(last, int(slices.Max(tasks)))
		return slices.Contains(tasks, int64(number))
	}
	for _, name := range slices.Backward(names) {
		err := readList(filepath.Join(dir, name), has, func(rows []taskRow) error {
			found = append(found, slices.DeleteFunc(rows, func(r taskRow) bool { return r.task != number })...)
			return nil
		})
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, usage.Errorf("no task %d: the run has those from 0 to %d", number, last)
}

// readList reads a list of tasks by groups of rows, those of whose tasks some are wanted.
func readList(path string, wanted func(tasks []int64) bool, take func([]taskRow) error) error {
	f, err := tables.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for group := range f.Groups() {
		tasks, err := f.Read(group, taskColumn)
		if err != nil {
			return err
		}
		if !wanted(tasks[0].Ints) {
			continue
		}
		t, err := f.Read(group, taskColumn, cellColumn, placeColumn, secondsColumn)
		if err != nil {
			return err
		}
		rows := make([]taskRow, len(t[0].Ints))
		for i := range rows {
			rows[i] = taskRow{int(t[0].Ints[i]), t[1].Strings[i], int(t[2].Ints[i]), t[3].Floats[i]}
		}
		if err := take(rows); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// appendTasks makes tasks of rows, of which the first may go on with the last task.
func (plan *Plan) appendTasks(tasks []*Task, rows []taskRow) ([]*Task, error) {
	for _, row := range rows {
		if row.place < 0 || row.place >= len(plan.Cells) || plan.Cells[row.place].ID != row.cell {
			place, ok := plan.places()[row.cell]
			if !ok {
				return nil, plain.Because(ErrPlan, "task %d: cell %.12s… is not in the plan, or not at its place",
					row.task, row.cell)
			}
			row.place = place
		}
		if n := len(tasks); n == 0 || tasks[n-1].Number != row.task {
			c := &plan.Cells[row.place]
			tasks = append(tasks, &Task{Number: row.task, Dataset: c.Dataset, Trial: c.Trial,
				Memory: memoryClass(plan.Dataset(c))})
		}
		task := tasks[len(tasks)-1]
		task.Cells = append(task.Cells, TaskCell{Cell: row.place, Seconds: row.seconds})
	}
	return tasks, nil
}
