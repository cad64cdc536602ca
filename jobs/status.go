package jobs

import (
	"errors"
	"io/fs"

	"graphda/io/results"
)

// A Status is how far a run has come, by its result files.
type Status struct {
	Name   string        `json:"name"`
	Dir    string        `json:"dir"`
	Plan   string        `json:"plan"` // hash
	Tasks  int           `json:"tasks"`
	Sealed int           `json:"tasks_sealed"`
	Begun  int           `json:"tasks_begun"` // not sealed, with finished cells
	Total  StatusCount   `json:"total"`
	Groups []StatusGroup `json:"groups"`       // in plan order
	Left   float64       `json:"seconds_left"` // estimated CPU time of what is missing
}

// A StatusCount counts cells.
type StatusCount struct {
	Cells   int `json:"cells"`
	Done    int `json:"done"`
	Failed  int `json:"failed"`
	Missing int `json:"missing"`
}

// A StatusGroup is the cells of one method on one dataset.
type StatusGroup struct {
	Dataset string `json:"dataset"`
	Method  string `json:"method"`
	StatusCount
}

// Complete tells whether every cell is done.
func (s *Status) Complete() bool { return s.Total.Done == s.Total.Cells }

// Status takes stock. Of sealed tasks it reads footers only, unless a cell failed there.
func (r *Run) Status() (*Status, error) {
	s := &Status{Name: r.Plan.Experiment.Name, Dir: r.Dir, Plan: r.Plan.Hash, Tasks: len(r.Tasks)}
	state := make([]cellState, len(r.Plan.Cells))
	for _, t := range r.Tasks {
		if err := r.taskStatus(t, s, state); err != nil {
			return nil, err
		}
	}
	for _, t := range r.Tasks {
		for _, c := range t.Cells {
			if state[c.Cell] == cellMissing {
				s.Left += c.Seconds
			}
		}
	}
	s.group(r.Plan, state)
	return s, nil
}

// A cellState is the best that is known of a cell.
type cellState uint8

const (
	cellMissing cellState = iota
	cellFailed
	cellDone
)

func (r *Run) taskStatus(t *Task, s *Status, state []cellState) error {
	layout := Layout()
	info, err := results.ReadShardInfo(r.shardPath(t))
	var rows []results.Row
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parts, err := results.ReadParts(r.folder(t), t.Number, layout)
		if err != nil {
			return err
		}
		rows = parts.Rows
		if len(rows) > 0 {
			s.Begun++
		}
	case err != nil:
		return err
	case info.Plan != r.Plan.Hash:
		return r.foreignShard(t, info)
	default:
		s.Sealed++
		if info.Failed == 0 && info.Done == len(t.Cells) {
			for _, c := range t.Cells {
				state[c.Cell] = cellDone
			}
			return nil
		}
		if rows, err = r.readShard(t, layout); err != nil {
			return err
		}
	}
	r.mark(t, rows, state)
	return nil
}

// mark enters the states of a task's cells from its rows.
func (r *Run) mark(t *Task, rows []results.Row, state []cellState) {
	type count struct{ good, bad int }
	counts := map[string]count{}
	for i := range rows {
		c := counts[rows[i].Cell]
		if rows[i].Failed() {
			c.bad++
		} else {
			c.good++
		}
		counts[rows[i].Cell] = c
	}
	for _, tc := range t.Cells {
		c := counts[r.Plan.Cells[tc.Cell].ID]
		switch want := len(r.Plan.Checkpoints); {
		case c.good >= want:
			state[tc.Cell] = cellDone
		case c.bad > 0 && c.good+c.bad >= want:
			state[tc.Cell] = max(state[tc.Cell], cellFailed)
		}
	}
}

// group counts the states by dataset and method.
func (s *Status) group(plan *Plan, state []cellState) {
	type key struct{ dataset, method string }
	place := map[key]int{}
	for i := range plan.Cells {
		c := &plan.Cells[i]
		k := key{plan.Dataset(c).Name, c.Method.Name}
		at, ok := place[k]
		if !ok {
			at = len(s.Groups)
			place[k] = at
			s.Groups = append(s.Groups, StatusGroup{Dataset: k.dataset, Method: k.method})
		}
		s.Groups[at].add(state[i])
		s.Total.add(state[i])
	}
}

func (c *StatusCount) add(state cellState) {
	c.Cells++
	switch state {
	case cellDone:
		c.Done++
	case cellFailed:
		c.Failed++
	default:
		c.Missing++
	}
}
