package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"graphda/io/results"
	"graphda/io/seal"
	"graphda/jobs/plan"
)

// Reuse takes over the finished cells of another run that this one has and lacks. They are the
// same by their ids, which say all that a cell computes; every byte of the other's files is checked.
// Their rows become parts of this run's tasks, as an earlier attempt would have left them, and
// keep the names of the hosts and attempts that computed them. Models are learned again when the tasks
// are sealed. Interrupted, it goes on when it is called again.
func (r *Run) Reuse(source *Run) (cells int, err error) {
	stock, err := r.TakeStock(false)
	if err != nil {
		return 0, err
	}
	lacks := map[string]int{} // place by id
	for i, state := range stock.State {
		if state != StateDone {
			lacks[r.Plan.Cells[i].ID] = i
		}
	}
	last := r.LastTasks()
	for _, t := range source.Tasks {
		rows, err := source.readTask(t)
		if err != nil {
			return cells, err
		}
		taken := map[*plan.Task][]results.Row{}
		for id, of := range r.finished(rows, lacks) {
			task := r.Tasks[last[lacks[id]]]
			taken[task] = append(taken[task], of...)
			delete(lacks, id)
			cells++
		}
		name := fmt.Sprintf("reused-%.12s-%05d", source.Plan.Hash, t.Number)
		for task, rows := range taken {
			if err := r.addPart(task, name, rows); err != nil {
				return cells, err
			}
		}
	}
	if cells == 0 {
		return 0, nil
	}
	return cells, r.noteReuse(source, cells)
}

// finished returns the rows of those cells that have a good row at every checkpoint of the plan.
func (r *Run) finished(rows []results.Row, lacks map[string]int) map[string][]results.Row {
	found := map[string][]results.Row{}
	for i := range rows {
		row := rows[i]
		place, lacked := lacks[row.Cell]
		if !lacked || row.Failed() || !slices.Contains(r.Plan.Checkpoints, row.Checkpoint) {
			continue
		}
		if slices.ContainsFunc(found[row.Cell], func(o results.Row) bool { return o.Checkpoint == row.Checkpoint }) {
			continue // two attempts at a task that is not sealed
		}
		row.Dataset = r.Plan.Dataset(&r.Plan.Cells[place]).Name // the same data may have another name
		found[row.Cell] = append(found[row.Cell], row)
	}
	for id, of := range found {
		if len(of) < len(r.Plan.Checkpoints) {
			delete(found, id)
		}
	}
	return found
}

// addPart writes rows as a part of a task, in the order of their cells.
func (r *Run) addPart(t *plan.Task, name string, rows []results.Row) error {
	slices.SortFunc(rows, func(a, b results.Row) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Checkpoint, b.Checkpoint))
	})
	if err := r.MakeFolder(t); err != nil {
		return err
	}
	p, err := results.CreatePart(r.Folder(t), t.Number, name, plan.Layout())
	if err != nil {
		return err
	}
	return errors.Join(p.Append(rows...), p.Close())
}

// noteReuse notes where cells came from: in reused-0001.json and so on.
func (r *Run) noteReuse(source *Run, cells int) error {
	dir, err := filepath.Abs(source.Dir)
	if err != nil {
		return err
	}
	note := struct {
		Run   string `json:"run"`   // absolute path of the other
		Plan  string `json:"plan"`  // its hash
		Cells int    `json:"cells"` // that were taken
		Seal  string `json:"graphda.seal"`
	}{dir, source.Plan.Hash, cells, seal.Blank()}
	for n := 1; ; n++ {
		path := filepath.Join(r.Dir, fmt.Sprintf("reused-%04d.json", n))
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return seal.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(note) })
		}
	}
}
