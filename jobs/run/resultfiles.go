package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/plan"
)

// A CellState says whether a cell has results and, if not, what its job does.
type CellState uint8

// A cell has failed if it failed at a checkpoint and no file has its results. While the cell's job is in the queue,
// the cell counts as running or queued, even if it has failed before. A cell is hidden if this user or cluster cannot
// see its job.
const (
	StateMissing CellState = iota
	StateFailed
	StateHidden
	StateQueued
	StateRunning
	StateDone
)

// CellStates has the state for each name that Status uses.
var CellStates = map[string]CellState{
	"done": StateDone, "failed": StateFailed, "running": StateRunning, "queued": StateQueued, "hidden": StateHidden,
	"missing": StateMissing,
}

// A Stock describes the content of a run's result files. A cell is done if any file has the cell's results. It does not
// matter which task computed them.
type Stock struct {
	State    []CellState // by cell: StateMissing, StateFailed or StateDone
	failedIn map[int]int // by index of a failed cell: number of the last task in which it failed
	planned  []float64   // by cell: estimated seconds, from the first task that has the cell

	Sealed  []bool // by index in Run.Tasks: whether the task has a shard
	Begun   []bool // by index in Run.Tasks: whether the task has finished rows, but no shard
	Damaged []Damage

	Attempts [][]results.Attempt // by index in Run.Tasks; the earliest attempt comes first

	used     float64   // seconds that all cells took, according to their rows
	measured []float64 // by dataset: seconds that its finished cells took
	expected []float64 // by dataset: estimated seconds of the same cells
}

// IsDone tells whether all cells are done.
func (s *Stock) IsDone() bool {
	return !slices.ContainsFunc(s.State, func(of CellState) bool { return of != StateDone })
}

// A Damage describes a damaged file: a shard that cannot be read, or a file of models that is missing or damaged.
type Damage struct {
	Task *plan.Task
	Path string // the file to rename (see DamagedSuffix)
	err  error
}

// TakeStock reads the result files. For a task whose shard has no failures, it reads only the shard's footer. If verify
// is true, it checks every byte. The cells of a damaged shard count as missing.
func (r *Run) TakeStock(verify bool) (*Stock, error) {
	s := &Stock{
		State: make([]CellState, len(r.Plan.Cells)), planned: make([]float64, len(r.Plan.Cells)), failedIn: map[int]int{},
		Sealed: make([]bool, len(r.Tasks)), Begun: make([]bool, len(r.Tasks)),
		Attempts: make([][]results.Attempt, len(r.Tasks)),
		measured: make([]float64, len(r.Plan.Datasets)), expected: make([]float64, len(r.Plan.Datasets)),
	}
	for _, t := range slices.Backward(r.Tasks) { // backwards: estimates in the first list of tasks win
		for _, c := range t.Cells {
			s.planned[c.Cell] = c.Seconds
		}
	}
	holdings, err := r.holdings(verify)
	if err != nil {
		return nil, err
	}
	found := findings{}
	for i, t := range r.Tasks {
		h := &holdings[i]
		s.Sealed[i], s.Begun[i], s.Attempts[i] = h.sealed, len(h.marks) > 0 && !h.sealed, h.attempts
		if h.damage != nil {
			s.Damaged = append(s.Damaged, *h.damage)
		}
		if h.clean {
			s.enterClean(t, h.seconds)
		}
		found.enter(t, h.marks)
	}
	found.settle(r.Plan, s)
	return s, nil
}

// enterClean enters the sealed task t, whose cells are all done and took the given seconds.
func (s *Stock) enterClean(t *plan.Task, seconds float64) {
	s.used += seconds
	s.measured[t.Dataset] += seconds
	for _, c := range t.Cells {
		s.State[c.Cell] = StateDone
		s.expected[t.Dataset] += s.planned[c.Cell]
	}
}

// A holding says what the files of a task contain.
type holding struct {
	sealed, clean bool    // sealed: there is a shard; clean: according to its footer, all the task's cells are done
	seconds       float64 // CPU seconds of all cells, if the task is clean
	marks         []mark  // the rows, without measures, if the task is not clean
	attempts      []results.Attempt
	damage        *Damage
}

// A mark holds what a Stock needs to know of a row. It has no measures.
type mark struct {
	cell, checkpoint int32
	failed           bool
	seconds          float32
}

// readers is the number of files to read at once. On a network file system, each read takes milliseconds.
const readers = 8

// holdings reads the files of every task. If verify is true, it checks every byte.
func (r *Run) holdings(verify bool) ([]holding, error) {
	holdings := make([]holding, len(r.Tasks))
	err := r.eachTask(func(i int, t *plan.Task) (err error) {
		holdings[i], err = r.holding(t, verify)
		return err
	})
	return holdings, err
}

// eachTask calls do, in parallel, for each task that has a shard or parts. i is the task's index in r.Tasks.
func (r *Run) eachTask(do func(i int, t *plan.Task) error) error {
	present, err := r.present()
	if err != nil {
		return err
	}
	var pool errgroup.Group
	pool.SetLimit(readers)
	for i, t := range r.Tasks {
		if present[t.Number] {
			pool.Go(func() error { return do(i, t) })
		}
	}
	return pool.Wait()
}

// present returns the numbers of the tasks that have a shard or parts. It lists every folder once, because looking
// for each file would be too slow for a million cells.
func (r *Run) present() (map[int]bool, error) {
	present, seen := map[int]bool{}, map[string]bool{}
	for _, t := range r.Tasks {
		dir := r.Folder(t)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			stem, _, _ := strings.Cut(e.Name(), ".")
			if task, ok := results.ParseShardName(stem + filepath.Ext(results.ShardName(0))); ok {
				present[task] = true
			}
		}
	}
	return present, nil
}

// holding reads the files of the task t. It returns an error if it cannot read a file that may be undamaged.
func (r *Run) holding(t *plan.Task, verify bool) (holding, error) {
	path := r.ShardPath(t)
	info, err := results.ReadShardInfo(path)
	if errors.Is(err, fs.ErrNotExist) {
		parts, err := results.ReadParts(r.Folder(t), t.Number, plan.Layout())
		if err != nil {
			return holding{}, err
		}
		if _, err := os.Stat(path); err == nil { // the task was sealed meanwhile, so its parts may be gone
			return r.holding(t, verify)
		}
		attempts, err := results.ReadAttempts(r.Folder(t), t.Number)
		return holding{marks: r.marksOf(t, parts.Rows), attempts: attempts}, err
	}
	if err != nil && errors.Is(seal.IsSealed(path), seal.ErrDamaged) {
		err = fmt.Errorf("%s: %w", path, seal.ErrDamaged) // clearer than the reader's error
	}
	if err == nil {
		err = r.checkShard(t, info)
	}
	if err == nil && verify {
		_, err = seal.ReadSealed(path)
	}
	if err == nil {
		if lost := r.CheckModels(t, verify); lost != nil {
			return holding{damage: &Damage{t, r.ModelsPath(t), lost}}, nil
		}
		if info.Failed == 0 && info.Done == len(t.Cells) {
			return holding{sealed: true, clean: true, seconds: info.Seconds, attempts: info.Attempts}, nil
		}
		var rows []results.Row
		if rows, err = r.ReadShard(t); err == nil {
			return holding{sealed: true, marks: r.marksOf(t, rows), attempts: info.Attempts}, nil
		}
	}
	if Unreadable(err) || errors.Is(err, plan.ErrPlan) {
		return holding{}, err
	}
	return holding{damage: &Damage{t, path, err}}, nil
}

// marksOf returns a mark for each row. It skips cells of other tasks, and checkpoints that are not in the plan.
func (r *Run) marksOf(t *plan.Task, rows []results.Row) []mark {
	if len(rows) == 0 {
		return nil
	}
	index := make(map[string]int32, len(t.Cells))
	for _, c := range t.Cells {
		index[r.Plan.Cells[c.Cell].ID] = int32(c.Cell)
	}
	var marks []mark
	for i := range rows {
		row := &rows[i]
		cell, ours := index[row.Cell]
		checkpoint := slices.Index(r.Plan.Checkpoints, row.Checkpoint)
		if ours && checkpoint >= 0 {
			marks = append(marks, mark{cell, int32(checkpoint), row.Failed(), float32(row.Seconds)})
		}
	}
	return marks
}

// findings sums up, for each cell, its rows in tasks that are not clean.
type findings map[int32]*finding

// A finding sums up the rows of a cell. It records which checkpoints have rows. Counting rows would mislead: two
// attempts may have computed the cell, and a torn part may lack some of the cell's rows.
type finding struct {
	good     map[int32]bool // by checkpoint: whether the cell has a row there that has not failed
	seconds  float64        // seconds up to the last checkpoint that the cell has reached
	failedIn int            // number of the last task in which the cell failed
}

func (f findings) enter(t *plan.Task, marks []mark) {
	for _, m := range marks {
		c := f[m.cell]
		if c == nil {
			c = &finding{good: map[int32]bool{}}
			f[m.cell] = c
		}
		c.good[m.checkpoint] = c.good[m.checkpoint] || !m.failed
		c.seconds = max(c.seconds, float64(m.seconds))
		if m.failed {
			c.failedIn = t.Number
		}
	}
}

// settle sets the states of the cells in f that are in no clean shard.
func (f findings) settle(p *plan.Plan, s *Stock) {
	for cell, c := range f {
		if s.State[cell] == StateDone {
			continue
		}
		s.used += c.seconds
		good := 0
		for _, g := range c.good {
			if g {
				good++
			}
		}
		switch len(p.Checkpoints) {
		case good:
			s.State[cell] = StateDone
			dataset := p.Cells[cell].Dataset
			s.measured[dataset] += c.seconds
			s.expected[dataset] += s.planned[cell]
		case len(c.good):
			s.State[cell] = StateFailed
			s.failedIn[int(cell)] = c.failedIn
		}
	}
}

func (d Damage) String() string { return d.err.Error() }

// DamagedSuffix is appended to the name of a damaged file, so that the file no longer counts.
const DamagedSuffix = ".damaged"

// RemoveLeftovers removes files that no reader needs. If all cells of a task are done in shards, it removes the
// parts and notes of the task, and its damaged files. The caller ensures that no task is queued or running.
func (r *Run) RemoveLeftovers(s *Stock) error {
	whole := make([]bool, len(r.Plan.Cells))
	for i, t := range r.Tasks {
		for _, c := range t.Cells {
			whole[c.Cell] = whole[c.Cell] || s.Sealed[i] && s.State[c.Cell] == StateDone
		}
	}
	for i, t := range r.Tasks {
		if slices.ContainsFunc(t.Cells, func(c plan.TaskCell) bool { return !whole[c.Cell] }) {
			continue
		}
		if !s.Sealed[i] {
			if err := results.RemoveUnneeded(r.Folder(t), t.Number); err != nil {
				return err
			}
		}
		for _, path := range []string{r.ShardPath(t), r.ModelsPath(t)} {
			if err := os.Remove(path + DamagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
