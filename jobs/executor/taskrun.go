package executor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A taskRun is the state of a running task.
type taskRun struct {
	session *session
	task    *plan.Task
	data    *trial
	missing []plan.TaskCell
	order   map[string]int // for each cell id: the cell's index in the plan

	mu        sync.Mutex
	part      *part // nil until the first rows are added
	rows      []results.Row
	left      int // number of unfinished cells
	shortlist *selection.Shortlist
	models    map[results.Key]results.Model // models on the shortlist that this attempt has learned
}

// takeOver makes a taskRun with the rows of a shard (found) and of earlier attempts' parts.
func (s *session) takeOver(t *plan.Task, data *trial, found []results.Row) (*taskRun, error) {
	parts, err := results.ReadParts(s.Run.Folder(t), t.Number, plan.Layout())
	if err != nil {
		return nil, err
	}
	p := s.Run.Plan
	found = append(found, parts.Rows...)
	s.mu.Lock()
	for _, c := range t.Cells {
		found = append(found, s.known[p.Cells[c.Cell].ID]...)
	}
	s.mu.Unlock()
	rows, err := results.Dedup(found)
	if err != nil {
		return nil, err
	}
	run := &taskRun{
		session: s, task: t, data: data, order: make(map[string]int, len(t.Cells)),
		shortlist: selection.NewShortlist(p.Experiment.Rules()), models: map[results.Key]results.Model{},
	}
	for _, c := range t.Cells {
		run.order[p.Cells[c.Cell].ID] = c.Cell
	}
	known := map[string][]results.Row{}
	for i := range rows {
		id := rows[i].Cell
		if _, ours := run.order[id]; ours && slices.Contains(p.Checkpoints, rows[i].Checkpoint) {
			known[id] = append(known[id], rows[i])
		}
	}
	taken := Event{Kind: TaskTakenOver, Task: t}
	var takenCells []plan.TaskCell
	for _, c := range t.Cells {
		if of := known[p.Cells[c.Cell].ID]; len(of) == len(p.Checkpoints) {
			run.rows = append(run.rows, of...)
			for i := range of {
				run.offer(&of[i])
			}
			takenCells = append(takenCells, c)
			taken.Seconds += c.Seconds
		} else {
			run.missing = append(run.missing, c)
		}
	}
	run.left = len(run.missing)
	slices.SortStableFunc(run.missing, func(a, b plan.TaskCell) int { // by method, so that cells of a program are together
		return cmp.Compare(p.Cells[a.Cell].Settings().FreeMethod(), p.Cells[b.Cell].Settings().FreeMethod())
	})
	if len(takenCells) > 0 {
		s.notify(taken, takenCells...)
	}
	return run, nil
}

// Cells of one method learn a sample together, because reading a sample from the cache is fast. On the benchmark, an
// ℓ1-RDA cell takes 1.1 ms in a batch of 32, and 1.9 ms alone. Batches are short, because a killed attempt loses its
// current batches.
const (
	batchCells   = 32
	batchSeconds = 1.0
)

// A batch is a group of cells of one method and one task.
type batch struct {
	task    *taskRun
	cells   []*cellRun
	seconds float64 // expected CPU time of all cells
}

func (run *taskRun) batches(yield func(batch) bool) {
	p := run.session.Run.Plan
	method := func(c plan.TaskCell) *learners.Method { return p.Cells[c.Cell].Method }
	for cells := run.missing; len(cells) > 0; {
		n, seconds := 1, cells[0].Seconds
		for n < len(cells) && n < batchCells && method(cells[n]) == method(cells[0]) && !method(cells[n]).Free &&
			seconds+cells[n].Seconds <= batchSeconds {
			seconds += cells[n].Seconds
			n++
		}
		b := batch{task: run, seconds: seconds}
		for _, c := range cells[:n] {
			b.cells = append(b.cells, run.cell(c))
		}
		if !yield(b) {
			return
		}
		cells = cells[n:]
	}
}

func (run *taskRun) cell(planned plan.TaskCell) *cellRun {
	cell := &run.session.Run.Plan.Cells[planned.Cell]
	c := newCellRun(cell.ID, cell.Settings(), run.session.host, run.session.attempt)
	c.planned = planned
	return c
}

// run runs a batch and appends its rows to the part. After the task's last cell it seals the task.
func (run *taskRun) run(ctx context.Context, w *worker, cells []*cellRun) error {
	plan := run.session.Run.Plan
	for c, err := range w.run(ctx, cells, plan.Checkpoints) {
		if err != nil {
			return err
		}
		run.mu.Lock()
		if run.offer(&c.row) {
			run.models[c.row.Key()] = w.model(c)
		}
		run.mu.Unlock()
	}
	for _, c := range cells {
		last, err := run.add(c.rows)
		if err != nil {
			return err
		}
		run.session.learnOf(c.rows)
		run.session.recorder.finished(1)
		event := Event{Kind: CellDone, Task: run.task, Seconds: c.planned.Seconds}
		if c.row.Failed() {
			event.Kind, event.Text = CellFailed, plan.Describe(&plan.Cells[c.planned.Cell])+": "+c.row.Error
		}
		run.session.notify(event, c.planned)
		if last {
			return run.seal(ctx, w)
		}
	}
	return nil
}

// add appends a cell's rows to the part, and creates the part if there is none. It returns true if this was the last
// missing cell.
func (run *taskRun) add(rows []results.Row) (last bool, err error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.part == nil {
		s := run.session
		if run.part, err = createPart(s.Run, run.task, s.attempt, s.Scratch); err != nil {
			return false, err
		}
		s.mu.Lock()
		s.open[run.part] = true
		s.mu.Unlock()
	}
	if err := run.part.append(rows); err != nil {
		return false, err
	}
	run.rows = append(run.rows, rows...)
	run.left--
	return run.left == 0, nil
}

// offer reports whether the shortlist accepts a row. It deletes the models of rows that leave the shortlist.
func (run *taskRun) offer(row *results.Row) bool {
	place := run.order[row.Cell]
	chosen, dropped := run.shortlist.Offer(row, place, run.session.Run.Plan.Cells[place].Untuned())
	for _, key := range dropped {
		delete(run.models, key)
	}
	return chosen
}

func (run *taskRun) close() error {
	if run.part == nil {
		return nil
	}
	part := run.part
	run.part = nil
	run.session.mu.Lock()
	delete(run.session.open, part)
	run.session.mu.Unlock()
	return part.close()
}

// seal writes the task's models and its shard, and removes the parts. If another attempt has sealed the task, that
// attempt's shard stays. If ctx ends while models are learned again, the parts stay for the next attempt.
func (run *taskRun) seal(ctx context.Context, w *worker) error {
	s, t := run.session, run.task
	if err := run.close(); err != nil {
		return err
	}
	slices.SortFunc(run.rows, func(a, b results.Row) int { return run.compare(a.Key(), b.Key()) })
	models, err := run.chosenModels(ctx, w)
	if err := errors.Join(err, run.data.leave()); err != nil {
		return err
	}
	// Another attempt may seal the task at the same time and remove this attempt's temporary files. So an error does
	// not matter if there are good models.
	if err := run.write(models); err != nil && s.Run.CheckModels(t, true) != nil {
		return err
	}
	s.count(run.rows)
	return results.RemoveParts(s.Run.Folder(t), t.Number)
}

// write stores the task's models and then its shard, which contains the models' digest. It does nothing if good models
// and a shard are already there. If the shard is good and the models are not, it stores the models and corrects the
// digest in the shard.
func (run *taskRun) write(models []results.Model) error {
	s, t := run.session, run.task
	if s.Run.CheckModels(t, true) == nil {
		return nil
	}
	if err := s.Run.MakeFolder(t); err != nil {
		return err
	}
	if err := results.WriteModels(s.Run.ModelsPath(t), models); err != nil {
		return err
	}
	digest, err := seal.Digest(s.Run.ModelsPath(t))
	if err != nil {
		return err
	}
	info := results.ShardInfo{Task: t.Number, Plan: s.Run.Plan.Hash, Version: seal.Version, Built: seal.Revision(),
		Models: digest, Attempts: s.recorder.sealing(), Programs: run.data.greetings()}
	err = results.WriteShard(s.Run.ShardPath(t), info, plan.Layout(), run.rows)
	if errors.Is(err, fs.ErrExist) {
		return results.RecordModels(s.Run.ShardPath(t), plan.Layout(), digest)
	}
	return err
}

// chosenModels returns the models that the selection rules chose, in plan order. If an earlier attempt ran a cell,
// chosenModels learns the cell's models again.
func (run *taskRun) chosenModels(ctx context.Context, w *worker) ([]results.Model, error) {
	chosen := run.shortlist.Chosen()
	var models []results.Model
	for _, key := range chosen {
		if _, ok := run.models[key]; !ok {
			if err := run.learnAgain(ctx, w, key.Cell, chosen); err != nil {
				return nil, err
			}
		}
		models = append(models, run.models[key])
	}
	slices.SortFunc(models, func(a, b results.Model) int { return run.compare(a.Key(), b.Key()) })
	return models, nil
}

// learnAgain learns the chosen models of a cell again. It uses all checkpoints, so that a program gets the same
// question as the first time.
func (run *taskRun) learnAgain(ctx context.Context, w *worker, cell string, chosen []results.Key) error {
	p, last := run.session.Run.Plan, 0
	for _, key := range chosen {
		if key.Cell == cell {
			last = max(last, key.Checkpoint)
		}
	}
	again := []*cellRun{run.cell(plan.TaskCell{Cell: run.order[cell]})}
	for c, err := range w.run(ctx, again, p.Checkpoints) {
		if err == nil && c.failed() {
			err = fmt.Errorf("%s was chosen, but fails when its model is learned again: %s",
				p.Describe(&p.Cells[run.order[cell]]), c.row.Error)
		}
		if err != nil {
			return err
		}
		if key := c.row.Key(); slices.Contains(chosen, key) {
			run.models[key] = w.model(c)
		}
		if c.row.Checkpoint == last {
			break
		}
	}
	return nil
}

// compare orders rows and models by the plan's order of cells, then by checkpoint.
func (run *taskRun) compare(a, b results.Key) int {
	return cmp.Or(cmp.Compare(run.order[a.Cell], run.order[b.Cell]), cmp.Compare(a.Checkpoint, b.Checkpoint))
}
