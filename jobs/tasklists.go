package jobs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"graphda/io/plain"
	"graphda/io/tables"
	"graphda/jobs/usage"
)

// The names of the lists of tasks.
const (
	tasksPattern = "tasks-%04d.parquet"
	tasksGlob    = "tasks-[0-9][0-9][0-9][0-9].parquet"
)

// The columns of a list of tasks: a row for every cell of every task.
const (
	taskColumn    = "task"
	cellColumn    = "cell"  // its id
	placeColumn   = "place" // of the cell in the plan, from 0; the first lists had none
	secondsColumn = "seconds"
)

// A taskRow is a row of a list of tasks.
type taskRow struct {
	task    int
	cell    string
	place   int
	seconds float64
}

// writeTasks writes the n-th list of tasks, from 1.
func (plan *Plan) writeTasks(dir string, n int, tasks []*Task) error {
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
	return tables.Write(filepath.Join(dir, fmt.Sprintf(tasksPattern, n)), t)
}

// taskLists returns the names of a run's lists of tasks, in order.
func taskLists(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), tasksGlob))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, plain.Because(os.ErrNotExist, "%s has no list of tasks (tasks-0001.parquet and the like): plan it again "+
			"into another folder", dir)
	}
	slices.Sort(names)
	return names, nil
}

// escapeGlob makes a path stand for itself in a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// NextList is the name of the list of tasks that AddTasks writes next.
func (r *Run) NextList() (string, error) {
	n, err := r.lists()
	return fmt.Sprintf(tasksPattern, n+1), err
}

// AddTasks adds tasks to the run, in a list of their own.
func (r *Run) AddTasks(tasks []*Task) error {
	n, err := r.lists()
	if err != nil {
		return err
	}
	if err := r.Plan.writeTasks(r.Dir, n+1, tasks); err != nil {
		return err
	}
	r.Tasks = append(r.Tasks, tasks...)
	return nil
}

// lists is the number of lists of tasks.
func (r *Run) lists() (int, error) {
	names, err := taskLists(r.Dir)
	return len(names), err
}

// readTasks reads all lists of tasks of a run, in order.
func (plan *Plan) readTasks(dir string) ([]*Task, error) {
	names, err := taskLists(dir)
	if err != nil {
		return nil, err
	}
	b := taskBuilder{plan: plan}
	for _, name := range names {
		if err := b.readList(name); err != nil {
			return nil, err
		}
	}
	return b.tasks, plan.inTasks(dir, b.tasks)
}

// inTasks refuses lists of tasks that do not have all cells of the plan.
func (plan *Plan) inTasks(dir string, tasks []*Task) error {
	there, n := make([]bool, len(plan.Cells)), 0
	for _, t := range tasks {
		for _, c := range t.Cells {
			if !there[c.Cell] {
				there[c.Cell] = true
				n++
			}
		}
	}
	if n < len(there) {
		return plain.Because(ErrPlan, "%s: %d of the plan's %d cells are in no list of tasks: one is missing, or is "+
			"another run's",
			dir, len(there)-n, len(there))
	}
	return nil
}

// A taskBuilder makes tasks of rows.
type taskBuilder struct {
	plan  *Plan
	tasks []*Task
	index map[string]int // of the plan's cells by id; made when it is needed
}

func (b *taskBuilder) readList(path string) error {
	f, err := tables.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for group := range f.Groups() {
		rows, err := readRows(f, group)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		from, _ := f.Group(group)
		for i := range rows {
			if !b.add(&rows[i]) {
				return plain.Because(ErrPlan, "%s: row %d: cell %.12s… is not in the plan", path, from+i, rows[i].cell)
			}
		}
	}
	return nil
}

// add enters a row, whose place may be unknown or that in a larger plan. It tells whether
// the plan has the cell.
func (b *taskBuilder) add(row *taskRow) bool {
	plan := b.plan
	i := row.place
	if i < 0 || i >= len(plan.Cells) || plan.Cells[i].ID != row.cell {
		if b.index == nil {
			b.index = make(map[string]int, len(plan.Cells))
			for i := range plan.Cells {
				b.index[plan.Cells[i].ID] = i
			}
		}
		var ok bool
		if i, ok = b.index[row.cell]; !ok {
			return false
		}
	}
	if n := len(b.tasks); n == 0 || b.tasks[n-1].Number != row.task {
		c := &plan.Cells[i]
		b.tasks = append(b.tasks, &Task{Number: row.task, Dataset: c.Dataset, Trial: c.Trial,
			Memory: memoryClass(plan.Dataset(c))})
	}
	task := b.tasks[len(b.tasks)-1]
	task.Cells = append(task.Cells, TaskCell{Cell: i, Seconds: row.seconds})
	return true
}

// readRows reads a group of a list's rows.
func readRows(f *tables.File, group int) ([]taskRow, error) {
	t, err := f.Read(group, taskColumn, cellColumn, placeColumn, secondsColumn)
	if err != nil {
		return nil, err
	}
	numbers, err := t.Column(taskColumn)
	if err != nil {
		return nil, err
	}
	cells, err := t.Column(cellColumn)
	if err != nil {
		return nil, err
	}
	seconds, err := t.Column(secondsColumn)
	if err != nil {
		return nil, err
	}
	rows := make([]taskRow, len(cells.Strings))
	for i := range rows {
		rows[i] = taskRow{task: int(numbers.Ints[i]), cell: cells.Strings[i], place: -1, seconds: seconds.Floats[i]}
	}
	if places, err := t.Column(placeColumn); err == nil {
		for i := range rows {
			rows[i].place = int(places.Ints[i])
		}
	}
	return rows, nil
}

// errNoPlaces says that a list of tasks does not tell its cells' places.
var errNoPlaces = errors.New("the list of tasks does not tell the places of cells")

// findTask reads the rows of one task. It looks at the latest list first.
func findTask(dir string, number int) ([]taskRow, error) {
	names, err := taskLists(dir)
	if err != nil {
		return nil, err
	}
	last := -1
	for _, name := range slices.Backward(names) {
		rows, most, err := findIn(name, number)
		if err != nil || len(rows) > 0 {
			return rows, err
		}
		last = max(last, most)
	}
	return nil, noTask(number, last)
}

// findIn reads the rows of one task in a list, whose highest number it returns too.
func findIn(path string, number int) (rows []taskRow, last int, err error) {
	f, err := tables.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if !f.Has(placeColumn) {
		return nil, 0, errNoPlaces
	}
	for group := range f.Groups() {
		t, err := f.Read(group, taskColumn)
		if err != nil {
			return nil, 0, err
		}
		last = max(last, int(slices.Max(t[0].Ints)))
		if !slices.Contains(t[0].Ints, int64(number)) {
			continue
		}
		all, err := readRows(f, group)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
		rows = append(rows, slices.DeleteFunc(all, func(r taskRow) bool { return r.task != number })...)
	}
	return rows, last, nil
}

func noTask(number, last int) error {
	return usage.Errorf("no task %d: the run has those from 0 to %d", number, last)
}
