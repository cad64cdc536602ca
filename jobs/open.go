package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"graphda/io/plain"
	"graphda/io/seal"
	"graphda/io/tables"
	"graphda/learners"
)

// Open reads the run in dir.
func Open(dir string) (*Run, error) {
	plan, err := readPlan(dir)
	if err != nil {
		return nil, err
	}
	tasks, err := plan.readTasks(dir)
	if err != nil {
		return nil, err
	}
	return runIn(dir, plan, tasks)
}

// OpenTask reads of the run in dir what one task needs: the run has no other tasks, and its
// plan no other cells. Every byte is checked as Open does, but only the groups of rows that
// the task is in are read: of a million cells that takes 0.2 s and 70 MB, where all of them
// take ten times as much.
func OpenTask(dir string, number int) (*Run, error) {
	plan, cells, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	defer cells.Close()
	rows, err := findTask(dir, number)
	if errors.Is(err, errNoPlaces) {
		return openTaskOf(dir, number)
	}
	if err != nil {
		return nil, err
	}
	if err := plan.readSome(cells, rows); err != nil {
		return nil, fmt.Errorf("%s: task %d: %w", filepath.Join(dir, cellsFile), number, err)
	}
	b := taskBuilder{plan: plan}
	for i := range rows {
		if !b.add(&rows[i]) {
			return nil, plain.Because(ErrPlan, "%s: task %d: cell %.12s… is not at its place in the plan", dir, number,
				rows[i].cell)
		}
	}
	return runIn(dir, plan, b.tasks)
}

// openTaskOf is OpenTask for runs whose lists of tasks do not tell the cells' places.
func openTaskOf(dir string, number int) (*Run, error) {
	run, err := Open(dir)
	if err != nil {
		return nil, err
	}
	t, err := run.Task(number)
	if err != nil {
		return nil, err
	}
	run.Tasks = []*Task{t}
	return run, nil
}

// openPlan reads all of a plan but its cells, and opens the table of those.
func openPlan(dir string) (*Plan, *tables.File, error) {
	path := filepath.Join(dir, PlanFile)
	file, err := seal.ReadSealed(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, plain.Because(fs.ErrNotExist, "%s holds no plan: make one with gdrun plan … --out %s", dir, dir)
	}
	if err != nil {
		return nil, nil, err
	}
	var h planHeader
	if err := json.Unmarshal(file.Data, &h); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	path = filepath.Join(dir, cellsFile)
	cells, err := tables.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if cells.Digest() != h.Hash {
		cells.Close()
		return nil, nil, plain.Because(ErrPlan, "%s belongs to another plan than %s beside it "+
			"(hash %.12s…, not %.12s…)", path, PlanFile, cells.Digest(), h.Hash)
	}
	plan := &Plan{Version: h.Version, Experiment: h.Experiment, Datasets: h.Datasets, Checkpoints: h.Checkpoints,
		Hash: h.Hash}
	plan.Target = time.Duration(h.Target * float64(time.Second))
	return plan, cells, nil
}

// readPlan reads the plan of a run's directory.
func readPlan(dir string) (*Plan, error) {
	plan, cells, err := openPlan(dir)
	if err != nil {
		return nil, err
	}
	defer cells.Close()
	plan.Cells = make([]Cell, 0, cells.Rows())
	for group := range cells.Groups() {
		if err := plan.readGroup(cells, group, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, cellsFile), err)
		}
	}
	return plan, nil
}

// readSome reads the cells of a task's rows.
func (plan *Plan) readSome(cells *tables.File, rows []taskRow) error {
	places := make([]int, len(rows))
	for i, row := range rows {
		places[i] = row.place
	}
	slices.Sort(places)
	places = slices.Compact(places)
	if first, last := places[0], places[len(places)-1]; first < 0 || last >= cells.Rows() {
		return plain.Because(ErrPlan, "a task has the cells %d to %d of a plan of %d", first, last, cells.Rows())
	}
	for group := range cells.Groups() {
		from, to := cells.Group(group)
		n, _ := slices.BinarySearch(places, to)
		if n == 0 {
			continue
		}
		wanted := make([]int, n)
		for i, place := range places[:n] {
			wanted[i] = place - from
		}
		places = places[n:]
		if err := plan.readGroup(cells, group, wanted); err != nil {
			return err
		}
	}
	return nil
}

// readGroup appends cells of a group of rows: those wanted, or all.
func (plan *Plan) readGroup(cells *tables.File, group int, wanted []int) error {
	t, err := cells.Read(group)
	if err != nil {
		return err
	}
	r, err := plan.reader(t)
	if err != nil {
		return err
	}
	from, to := cells.Group(group)
	if wanted == nil {
		wanted = make([]int, to-from)
		for i := range wanted {
			wanted[i] = i
		}
	}
	for _, i := range wanted {
		c, err := r.cell(i)
		if err != nil {
			return fmt.Errorf("row %d: %w", from+i, err)
		}
		if n := len(plan.Cells); n > 0 { // neighbours differ in little: share what is equal
			c.Values = shared(plan.Cells[n-1], c)
		}
		plan.Cells = append(plan.Cells, c)
	}
	return nil
}

// A planReader turns rows of the plan's table into cells.
type planReader struct {
	id, dataset, trial, method *tables.Column
	params                     map[string]*tables.Column
	datasets                   map[string]int
}

func (plan *Plan) reader(t tables.Table) (*planReader, error) {
	r := &planReader{params: map[string]*tables.Column{}, datasets: map[string]int{}}
	var err error
	for _, want := range []struct {
		name string
		at   **tables.Column
	}{{"cell", &r.id}, {"dataset", &r.dataset}, {"trial", &r.trial}, {"method", &r.method}} {
		if *want.at, err = t.Column(want.name); err != nil {
			return nil, err
		}
	}
	for i := range t {
		r.params[t[i].Name] = &t[i]
	}
	for i := range plan.Datasets {
		r.datasets[plan.Datasets[i].Name] = i
	}
	return r, nil
}

func shared(previous, c Cell) []float64 {
	if previous.Method != c.Method {
		return c.Values
	}
	for i := range c.Values {
		if c.Values[i] != previous.Values[i] {
			return c.Values
		}
	}
	return previous.Values
}

func (r *planReader) cell(i int) (Cell, error) {
	m, err := learners.Lookup(r.method.Strings[i])
	if err != nil {
		return Cell{}, err
	}
	dataset, ok := r.datasets[r.dataset.Strings[i]]
	if !ok {
		return Cell{}, fmt.Errorf("unknown dataset %q", r.dataset.Strings[i])
	}
	c := Cell{ID: r.id.Strings[i], Dataset: dataset, Trial: int(r.trial.Ints[i]), Method: m,
		Values: make([]float64, len(m.Params))}
	for k := range m.Params {
		p := &m.Params[k]
		column := r.params[p.Name]
		switch {
		case column == nil:
			c.Values[k] = p.Default
		case p.Words != nil:
			c.Values[k], err = p.Parse(column.Strings[i])
		default:
			c.Values[k] = column.Floats[i]
			err = p.Check(c.Values[k])
		}
		if err != nil {
			return Cell{}, err
		}
	}
	return c, nil
}
