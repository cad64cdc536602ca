package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"graphda/io/results"
	"graphda/io/seal"
)

// A CellState is the best that the result files say of a cell.
type CellState uint8

// A cell that failed at a checkpoint, and is not done in another file, has failed.
const (
	StateMissing CellState = iota
	StateFailed
	StateDone
)

// A Stock is what the result files of a run hold. A cell is done when any file has it,
// whichever task it was computed for.
type Stock struct {
	State    []CellState // by cell
	failedIn map[int]int // by failed cell, the number of the last task that failed it
	planned  []float64   // by cell, the seconds that were estimated when the run was planned

	Sealed  []bool // by place among the run's tasks
	Begun   []bool // not sealed, with finished rows
	Damaged []Damage

	used     float64   // seconds of all cells, by their rows
	measured []float64 // by dataset, the seconds of cells that are done …
	expected []float64 // … and what was estimated of them
}

// A Damage is a shard that cannot be read, or a shard without its models.
type Damage struct {
	Task *Task
	Path string // of the file to set aside
	err  error
}

// TakeStock takes stock of the result files. Of sealed tasks without failures it reads
// footers only, unless it is to verify every byte. A damaged shard counts as none.
func (r *Run) TakeStock(verify bool) (*Stock, error) {
	s := &Stock{
		State: make([]CellState, len(r.Plan.Cells)), planned: make([]float64, len(r.Plan.Cells)), failedIn: map[int]int{},
		Sealed: make([]bool, len(r.Tasks)), Begun: make([]bool, len(r.Tasks)),
		measured: make([]float64, len(r.Plan.Datasets)), expected: make([]float64, len(r.Plan.Datasets)),
	}
	for _, t := range slices.Backward(r.Tasks) { // the first list stands last
		for _, c := range t.Cells {
			s.planned[c.Cell] = c.Seconds
		}
	}
	holdings, err := r.holdings(verify)
	if err != nil {
		return nil, err
	}
	found := newFindings(len(r.Plan.Checkpoints))
	for i, t := range r.Tasks {
		h := &holdings[i]
		s.Sealed[i], s.Begun[i] = h.sealed, len(h.marks) > 0 && !h.sealed
		if h.damage != nil {
			s.Damaged = append(s.Damaged, Damage{t, h.damaged, h.damage})
		}
		if h.clean {
			s.enterClean(t, h.seconds)
		}
		found.enter(t, h.marks)
	}
	found.settle(r.Plan, s)
	return s, nil
}

// enterClean enters a sealed task all of whose cells are done.
func (s *Stock) enterClean(t *Task, seconds float64) {
	s.used += seconds
	if seconds > 0 { // older shards do not tell
		s.measured[t.Dataset] += seconds
	}
	for _, c := range t.Cells {
		s.State[c.Cell] = StateDone
		if seconds > 0 {
			s.expected[t.Dataset] += s.planned[c.Cell]
		}
	}
}

// A holding is what the files of a task hold.
type holding struct {
	sealed, clean bool    // clean: all of its cells are done, which the footer tells
	seconds       float64 // of a clean one
	marks         []mark  // of all others
	damage        error
	damaged       string // path of what is damaged
	err           error
}

// A mark is what a row says of its cell, without the measures.
type mark struct {
	cell, checkpoint int32
	failed           bool
	seconds          float32
}

// readers is how many files are read at once: on a network file system each takes some
// milliseconds, most of which is waiting.
const readers = 8

// holdings reads what there is of every task.
func (r *Run) holdings(verify bool) ([]holding, error) {
	present, err := r.present()
	if err != nil {
		return nil, err
	}
	holdings := make([]holding, len(r.Tasks))
	next := make(chan int)
	var pool sync.WaitGroup
	for range readers {
		pool.Go(func() {
			for i := range next {
				holdings[i] = r.holding(r.Tasks[i], verify)
			}
		})
	}
	for i, t := range r.Tasks {
		if present[t.Number] {
			next <- i
		}
	}
	close(next)
	pool.Wait()
	for i := range holdings {
		if err := holdings[i].err; err != nil {
			return nil, err
		}
	}
	return holdings, nil
}

// present tells which tasks have a shard or parts. It lists every folder once, where
// looking for each file would take a million cells' status too long.
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

// holding reads what there is of a task.
func (r *Run) holding(t *Task, verify bool) (h holding) {
	path := r.shardPath(t)
	info, err := results.ReadShardInfo(path)
	if err != nil && errors.Is(seal.IsSealed(path), seal.ErrDamaged) {
		err = fmt.Errorf("%s: %w", path, seal.ErrDamaged) // which says more than the reader
	}
	if err == nil {
		err = r.checkShard(t, info)
	}
	if err == nil && verify {
		_, err = seal.ReadSealed(path)
	}
	if err == nil && info.Models != "" { // older shards do not tell
		if lost := r.checkModels(t, verify); lost != nil {
			return holding{damage: lost, damaged: r.modelsPath(t)}
		}
	}
	if err == nil && info.Failed == 0 && info.Done == len(t.Cells) {
		return holding{sealed: true, clean: true, seconds: info.Seconds}
	}
	var rows []results.Row
	switch {
	case err == nil:
		if rows, err = r.readShard(t, Layout()); err == nil {
			h.sealed = true
		}
	case errors.Is(err, fs.ErrNotExist):
		var parts results.Parts
		if parts, err = results.ReadParts(r.Folder(t), t.Number, Layout()); err != nil {
			return holding{err: err}
		}
		if _, sealed := os.Stat(path); sealed == nil { // just now: the parts may have been gone
			return r.holding(t, verify)
		}
		rows = parts.Rows
	}
	if err != nil {
		if system := (*fs.PathError)(nil); errors.As(err, &system) || errors.Is(err, ErrPlan) {
			return holding{err: err} // it may be good, but cannot be read
		}
		return holding{damage: err, damaged: path}
	}
	h.marks = r.marksOf(t, rows)
	return h
}

// marksOf shortens the rows of a task's own cells at the plan's checkpoints.
func (r *Run) marksOf(t *Task, rows []results.Row) []mark {
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

// findings gathers the rows of all tasks that are not clean. Two attempts may have
// computed a cell, and a torn part may end within one, so that (cell, checkpoint) pairs
// are counted and not rows.
type findings struct {
	checkpoints int
	best        map[[2]int32]bool // by cell and checkpoint: a good row
	seconds     map[int32]float64 // by cell, of its last checkpoint
	failedIn    map[int32]int
}

func newFindings(checkpoints int) *findings {
	return &findings{checkpoints, map[[2]int32]bool{}, map[int32]float64{}, map[int32]int{}}
}

func (f *findings) enter(t *Task, marks []mark) {
	for _, m := range marks {
		key := [2]int32{m.cell, m.checkpoint}
		f.best[key] = f.best[key] || !m.failed
		f.seconds[m.cell] = max(f.seconds[m.cell], float64(m.seconds))
		if m.failed {
			f.failedIn[m.cell] = t.Number
		}
	}
}

// settle enters the states of the cells that no clean shard has.
func (f *findings) settle(plan *Plan, s *Stock) {
	type count struct{ good, all int }
	counts := map[int32]count{}
	for key, good := range f.best {
		c := counts[key[0]]
		c.all++
		if good {
			c.good++
		}
		counts[key[0]] = c
	}
	for cell, c := range counts {
		if s.State[cell] == StateDone {
			continue
		}
		s.used += f.seconds[cell]
		switch {
		case c.good == f.checkpoints:
			s.State[cell] = StateDone
			dataset := plan.Cells[cell].Dataset
			s.measured[dataset] += f.seconds[cell]
			s.expected[dataset] += s.planned[cell]
		case c.all == f.checkpoints:
			s.State[cell] = StateFailed
			s.failedIn[int(cell)] = f.failedIn[cell]
		}
	}
}

func (d Damage) String() string { return d.err.Error() }
