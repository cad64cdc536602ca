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

// A CellState says whether a cell has results or, without results, what its job does.
type CellState uint8

// A cell is failed if it failed at a checkpoint and no file has its results. While its job is in the queue, it is
// running or queued instead. A cell is hidden if this user or cluster cannot see its job.
const (
	StateMissing CellState = iota
	StateFailed
	StateHidden
	StateQueued
	StateRunning
	StateDone
)

// CellStates maps names in the output of status to states.
var CellStates = map[string]CellState{
	"done": StateDone, "failed": StateFailed, "running": StateRunning, "queued": StateQueued, "hidden": StateHidden,
	"missing": StateMissing,
}

// A Stock describes a run's result files. A cell is done if the files of any task have its results.
type Stock struct {
	State    []CellState // state of each cell: StateMissing, StateFailed or StateDone
	failedIn map[int]int // by index of a cell: number of the last task in which it failed
	planned  []float64   // estimated seconds of each cell, by its first task

	Sealed  []bool // by index in Run.Tasks: the task has a shard
	Begun   []bool // by index in Run.Tasks: the task has finished rows, but no shard
	Damaged []Damage

	Attempts [][]results.Attempt // by index in Run.Tasks, the earliest attempt first

	used     float64   // seconds that all cells took
	measured []float64 // by dataset: seconds that finished cells took
	expected []float64 // by dataset: estimated seconds of the same cells
}

// IsDone tells whether all cells are done.
func (s *Stock) IsDone() bool {
	return !slices.ContainsFunc(s.State, func(of CellState) bool { return of != StateDone })
}

// A Damage is a shard that cannot be read, or a missing or damaged file of models.
type Damage struct {
	Task *plan.Task
	Path string // file to rename, see DamagedSuffix
	err  error
}

// TakeStock reads the result files. If verify is true, it checks every byte. Otherwise it reads only the footers of
// shards without failures. The cells of a damaged shard count as missing.
func (r *Run) TakeStock(verify bool) (*Stock, error) {
	s := &Stock{
		State: make([]CellState, len(r.Plan.Cells)), planned: make([]float64, len(r.Plan.Cells)), failedIn: map[int]int{},
		Sealed: make([]bool, len(r.Tasks)), Begun: make([]bool, len(r.Tasks)),
		Attempts: make([][]results.Attempt, len(r.Tasks)),
		measured: make([]float64, len(r.Plan.Datasets)), expected: make([]float64, len(r.Plan.Datasets)),
	}
	for _, t := range slices.Backward(r.Tasks) { // so that a cell's first estimate wins
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

// enterClean enters a sealed task whose cells are all done.
func (s *Stock) enterClean(t *plan.Task, seconds float64) {
	s.used += seconds
	s.measured[t.Dataset] += seconds
	for _, c := range t.Cells {
		s.State[c.Cell] = StateDone
		s.expected[t.Dataset] += s.planned[c.Cell]
	}
}

type holding struct {
	sealed, clean bool    // sealed: the task has a shard; clean: all cells of the task are done
	seconds       float64 // CPU seconds of all cells if the task is clean
	marks         []mark  // rows without measures, unless the task is clean
	attempts      []results.Attempt
	damage        *Damage
}

type mark struct {
	cell, checkpoint int32
	failed           bool
	seconds          float32
}

// readers is the number of files to read at once, because a read takes milliseconds on a network file system.
const readers = 8

func (r *Run) holdings(verify bool) ([]holding, error) {
	holdings := make([]holding, len(r.Tasks))
	err := r.eachTask(func(i int, t *plan.Task) (err error) {
		holdings[i], err = r.holding(t, verify)
		return err
	})
	return holdings, err
}

// eachTask calls the function do, in parallel, for each task with a shard or parts. i is the task's index in r.Tasks.
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

// present returns the numbers of the tasks with a shard or parts. It lists each folder once, because looking for each
// file would be too slow for a million cells.
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

// holding reads the files of a task. It records damage, and returns only other errors.
func (r *Run) holding(t *plan.Task, verify bool) (holding, error) {
	path := r.ShardPath(t)
	info, err := results.ReadShardInfo(path)
	if errors.Is(err, fs.ErrNotExist) {
		parts, err := results.ReadParts(r.Folder(t), t.Number, plan.Layout())
		if err != nil {
			return holding{}, err
		}
		if _, err := os.Stat(path); err == nil { // the task was sealed meanwhile
			return r.holding(t, verify)
		}
		attempts, err := results.ReadAttempts(r.Folder(t), t.Number)
		return holding{marks: r.marksOf(t, parts.Rows), attempts: attempts}, err
	}
	if err != nil && errors.Is(seal.IsSealed(path), seal.ErrDamaged) {
		err = fmt.Errorf("%s: %w", path, seal.ErrDamaged) // this error is clearer than the reader's
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

// marksOf returns a mark for each row, except rows of other tasks' cells and of unplanned checkpoints.
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

// findings sums up the rows of each cell in tasks that are not clean.
type findings map[int32]*finding

// A finding sums up the rows of a cell. Two attempts may have computed the cell, and a torn part may lack some of its
// rows.
type finding struct {
	good     map[int32]bool // checkpoints with a row that has not failed
	seconds  float64        // seconds up to the last checkpoint with a row
	failedIn int            // last task in which the cell failed
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

// settle sets the states of cells in f, except cells that a clean task has.
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

// DamagedSuffix is appended to the name of a damaged file, which then no longer counts.
const DamagedSuffix = ".damaged"

// RemoveLeftovers removes parts, notes and damaged files of tasks whose cells are all done. No task may be queued or
// running.
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
