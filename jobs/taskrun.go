package jobs

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// A taskRun is a task while it runs: its finished rows, the part they are appended to,
// and the models that may be kept.
type taskRun struct {
	session *session
	task    *Task
	data    *trialData
	missing []TaskCell
	order   map[string]int // place in the plan, by cell id

	mu     sync.Mutex
	part   *part // made with the first row
	rows   []results.Row
	left   int // cells not finished
	keeper keeper
}

// takeOver reads what earlier attempts at a task have left beside the given rows. A cell with
// a row for every checkpoint is finished.
func (s *session) takeOver(t *Task, data *trialData, found []results.Row) (*taskRun, error) {
	parts, err := results.ReadParts(s.Run.folder(t), t.Number, s.layout)
	if err != nil {
		return nil, err
	}
	plan := s.Run.Plan
	found = append(found, parts.Rows...)
	s.mu.Lock()
	for _, c := range t.Cells {
		found = append(found, s.known[plan.Cells[c.Cell].ID]...)
	}
	s.mu.Unlock()
	rows, err := results.Dedup(found)
	if err != nil {
		return nil, err
	}
	run := &taskRun{session: s, task: t, data: data, order: make(map[string]int, len(t.Cells)), keeper: newKeeper(plan.Experiment.Rules())}
	run.keeper.untuned = func(place int) string { return plan.Cells[place].untuned(nil) }
	for _, c := range t.Cells {
		run.order[plan.Cells[c.Cell].ID] = c.Cell
	}
	have := map[string]int{}
	for i := range rows {
		if _, ours := run.order[rows[i].Cell]; ours && slices.Contains(plan.Checkpoints, rows[i].Checkpoint) {
			have[rows[i].Cell]++
		}
	}
	complete := func(id string) bool { return have[id] == len(plan.Checkpoints) }
	for i := range rows {
		if complete(rows[i].Cell) {
			run.rows = append(run.rows, rows[i])
			run.keeper.offer(&rows[i], run.order[rows[i].Cell])
		}
	}
	taken := Event{Kind: TaskTakenOver, Task: t}
	for _, c := range t.Cells {
		if complete(plan.Cells[c.Cell].ID) {
			taken.Cells++
			taken.Seconds += c.Seconds
		} else {
			run.missing = append(run.missing, c)
		}
	}
	run.left = len(run.missing)
	if taken.Cells > 0 {
		s.notify(taken)
	}
	return run, nil
}

// run runs a batch of cells, appends their rows, and seals the task after its last cell.
func (run *taskRun) run(ctx context.Context, w *worker, batch []TaskCell) error {
	plan := run.session.Run.Plan
	cells := make([]*cellRun, len(batch))
	rows := make([][]results.Row, len(batch))
	for k := range batch {
		cells[k] = run.cellRun(batch[k].Cell)
	}
	err := w.run(ctx, cells, plan.Checkpoints, func(k int, row results.Row, model snapshot) error {
		rows[k] = append(rows[k], row)
		run.mu.Lock()
		defer run.mu.Unlock()
		if run.keeper.offer(&row, batch[k].Cell) {
			run.keeper.keep(model())
		}
		return nil
	})
	if err != nil {
		return err
	}
	for k, c := range batch {
		last, err := run.add(rows[k])
		if err != nil {
			return err
		}
		run.session.learnOf(rows[k])
		event := Event{Kind: CellDone, Task: run.task, Cells: 1, Seconds: c.Seconds}
		if failed := rows[k][len(rows[k])-1]; failed.Failed() {
			event.Kind, event.Text = CellFailed, plan.Describe(&plan.Cells[c.Cell])+": "+failed.Error
		}
		run.session.notify(event)
		if last {
			return run.seal(ctx, w)
		}
	}
	return nil
}

// Cells of one method go through the samples together, for a sample in the cache costs
// little: 32 ℓ1-RDA cells take 1.1 ms each on the benchmark, and 1.9 ms one by one. A
// batch is lost as a whole when its attempt is killed, so that it is kept short.
const (
	batchCells   = 32
	batchSeconds = 1.0
)

// batches cuts cells into batches of one method, as they follow each other.
func (run *taskRun) batches(yield func([]TaskCell) bool) {
	plan := run.session.Run.Plan
	for cells := run.missing; len(cells) > 0; {
		n, seconds := 1, cells[0].Seconds
		for n < len(cells) && n < batchCells && plan.Cells[cells[n].Cell].Method == plan.Cells[cells[0].Cell].Method {
			if seconds += cells[n].Seconds; seconds > batchSeconds {
				break
			}
			n++
		}
		if !yield(cells[:n]) {
			return
		}
		cells = cells[n:]
	}
}

func (run *taskRun) cellRun(cell int) *cellRun {
	s := run.session
	c := &s.Run.Plan.Cells[cell]
	return &cellRun{id: c.ID, settings: c.Settings(), layout: s.layout, host: s.host, attempt: s.attempt}
}

// add appends a cell's rows to the part and tells whether it was the last cell missing.
func (run *taskRun) add(rows []results.Row) (last bool, err error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.part == nil {
		if run.part, err = run.session.createPart(run.task); err != nil {
			return false, err
		}
	}
	if err := run.part.append(rows); err != nil {
		return false, err
	}
	run.rows = append(run.rows, rows...)
	run.left--
	return run.left == 0, nil
}

// close ends the part, if there is one.
func (run *taskRun) close() error {
	if run.part == nil {
		return nil
	}
	part := run.part
	run.part = nil
	return part.close()
}

// seal writes the task's models and its shard and removes the parts. If another attempt
// was first, its shard stands. If ctx ends while models are learned again, the rows are
// in the parts and the next attempt seals them.
func (run *taskRun) seal(ctx context.Context, w *worker) error {
	s, t := run.session, run.task
	if err := run.close(); err != nil {
		return err
	}
	slices.SortFunc(run.rows, func(a, b results.Row) int {
		return cmp.Or(cmp.Compare(run.order[a.Cell], run.order[b.Cell]), cmp.Compare(a.Checkpoint, b.Checkpoint))
	})
	models, err := run.models(ctx, w)
	if err != nil {
		return err
	}
	// An attempt that seals the task while this one writes also removes this one's temporary
	// files: if all is there, every error of writing is moot.
	if err := run.write(models); err != nil && s.Run.checkModels(t, true) != nil {
		return err
	}
	s.mu.Lock()
	delete(s.open, run)
	s.mu.Unlock()
	s.count(countCells(run.rows))
	s.notify(Event{Kind: TaskSealed, Task: t})
	return results.RemoveParts(s.Run.folder(t), t.Number)
}

// write writes the task's models and then its shard, which names them, unless another
// attempt has. A shard that is there is made to name these models.
func (run *taskRun) write(models []results.Model) error {
	s, t := run.session, run.task
	if s.Run.checkModels(t, true) == nil {
		return nil
	}
	if err := s.Run.makeFolder(t); err != nil {
		return err
	}
	if err := results.WriteModels(s.Run.modelsPath(t), models); err != nil {
		return err
	}
	digest, err := results.ModelsDigest(s.Run.modelsPath(t))
	if err != nil {
		return err
	}
	info := results.ShardInfo{Task: t.Number, Plan: s.Run.Plan.Hash, Version: Version, Models: digest}
	if s.usage != nil {
		info.CPUSeconds, info.PeakBytes = s.usage()
	}
	err = results.WriteShard(s.Run.shardPath(t), info, s.layout, run.rows)
	if errors.Is(err, fs.ErrExist) {
		return results.RecordModels(s.Run.shardPath(t), s.layout, digest)
	}
	return err
}

// models returns the models of the cells that each rule chose, in plan order. Those that
// an earlier attempt ran are learned again.
func (run *taskRun) models(ctx context.Context, w *worker) ([]results.Model, error) {
	var models []results.Model
	for _, want := range run.keeper.chosen() {
		model, ok := run.keeper.model(want)
		if !ok {
			cell := []*cellRun{run.cellRun(run.order[want.cell])}
			err := w.run(ctx, cell, []int{want.checkpoint}, func(_ int, _ results.Row, snap snapshot) error {
				model = snap()
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		models = append(models, model)
	}
	slices.SortFunc(models, func(a, b results.Model) int {
		return cmp.Or(cmp.Compare(run.order[a.Cell], run.order[b.Cell]), cmp.Compare(a.Checkpoint, b.Checkpoint))
	})
	return models, nil
}

// A keeper finds, as rows come in any order, the cells that the experiment's rules would
// choose within the task, and holds their models.
type keeper struct {
	rules   []selection.Rule
	untuned func(place int) string // of the cell at a place in the plan; nil: the same for all
	best    map[choice]candidate
	models  map[modelKey]results.Model
}

// A choice is a decision between cells.
type choice struct {
	rule       int
	model      selection.Model
	method     string
	untuned    string
	checkpoint int
}

type candidate struct {
	row   results.Row
	place int // in the plan
}

type modelKey struct {
	cell       string
	checkpoint int
}

func newKeeper(rules []selection.Rule) keeper {
	return keeper{rules: rules, best: map[choice]candidate{}, models: map[modelKey]results.Model{}}
}

// offer enters a row and tells whether its model is to be kept for now.
func (k *keeper) offer(row *results.Row, place int) (keep bool) {
	untuned := ""
	if k.untuned != nil {
		untuned = k.untuned(place)
	}
	for i, rule := range k.rules {
		for _, model := range selection.Models {
			c := choice{i, model, row.Method, untuned, row.Checkpoint}
			best, ok := k.best[c]
			wins := false
			switch {
			case !ok:
				wins = rule.Usable(row, model)
			case place > best.place:
				wins = rule.Better(row, &best.row, model)
			default:
				wins = rule.Usable(row, model) && !rule.Better(&best.row, row, model)
			}
			if !wins {
				continue
			}
			k.best[c] = candidate{*row, place}
			keep = true
			if ok {
				k.forget(modelKey{best.row.Cell, best.row.Checkpoint})
			}
		}
	}
	return keep
}

func (k *keeper) keep(m results.Model) { k.models[modelKey{m.Cell, m.Checkpoint}] = m }

// forget drops a model unless it is still some rule's choice.
func (k *keeper) forget(key modelKey) {
	for _, b := range k.best {
		if b.row.Cell == key.cell && b.row.Checkpoint == key.checkpoint {
			return
		}
	}
	delete(k.models, key)
}

func (k *keeper) model(key modelKey) (results.Model, bool) {
	m, ok := k.models[key]
	return m, ok
}

// chosen returns every cell and checkpoint that some rule has chosen, once each.
func (k *keeper) chosen() []modelKey {
	seen := map[modelKey]bool{}
	var keys []modelKey
	for _, b := range k.best {
		key := modelKey{b.row.Cell, b.row.Checkpoint}
		if !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}
