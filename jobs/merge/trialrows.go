package merge

import (
	"cmp"
	"fmt"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
)

// TrialRows are the sorted rows of one trial's cells, without repeated and unplanned rows.
type TrialRows struct {
	Cells []*plan.Cell   // in plan order
	Rows  []*results.Row // by cell in plan order, then by checkpoint
	Read  []results.Row  // rows in the order of reading; the last Use may overwrite them

	at      []*results.Row // by cell and checkpoint; one row of a failed cell may be at several checkpoints
	foreign int            // number of unplanned rows
	chosen  *chosenRows
}

// A chosenRows holds the rows that the rules chose in a trial.
type chosenRows struct {
	kept    map[*results.Row]*ChosenRow
	decides map[*results.Row][2]bool // whether a rule chose the row for w and for w̄
}

// A ChosenRow is a row that a rule chose, with only the fields that reports need.
type ChosenRow struct {
	Cell        *plan.Cell
	Checkpoint  int
	Measures    [2]results.Metrics // by selection.Model
	Seconds     float64
	Unbracketed int64
}

// Key returns the row's cell id and checkpoint.
func (r *ChosenRow) Key() results.Key { return results.Key{Cell: r.Cell.ID, Checkpoint: r.Checkpoint} }

// keep returns the row's ChosenRow. All rules share one ChosenRow.
func (c *chosenRows) keep(cell *plan.Cell, r *results.Row) *ChosenRow {
	kept := c.kept[r]
	if kept == nil {
		kept = &ChosenRow{cell, r.Checkpoint, [2]results.Metrics{r.W, r.Wbar}, r.Seconds, r.Unbracketed}
		c.kept[r] = kept
	}
	return kept
}

// Complete reports whether no planned result is missing.
func (t *TrialRows) Complete() bool { return !slices.Contains(t.at, nil) }

// Decides reports for w and w̄ whether a rule chose a row, from the whole grid or a slice. Only the first Request.Own
// rules count. `tied` is true if a rule chose the row, or another row with the same score.
func (t *TrialRows) Decides(r *results.Row) (chosen [2]bool, tied bool) {
	chosen, tied = t.chosen.decides[r]
	return chosen, tied
}

func (t *TrialRows) first(cell int) *results.Row {
	width := len(t.at) / len(t.Cells)
	for _, r := range t.at[cell*width : (cell+1)*width] {
		if r != nil {
			return r
		}
	}
	return nil
}

func readTrial(p *plan.Plan, cells []plan.Cell, read Read) (*TrialRows, error) {
	rows, err := read(cells)
	if err != nil {
		return nil, err
	}
	t := &TrialRows{Cells: make([]*plan.Cell, len(cells)), Read: rows,
		chosen: &chosenRows{map[*results.Row]*ChosenRow{}, map[*results.Row][2]bool{}}}
	position := make(map[string]int, len(cells))
	for i := range cells {
		t.Cells[i], position[cells[i].ID] = &cells[i], i
	}
	if len(position) < len(cells) {
		return nil, fmt.Errorf("merge: the plan holds a cell of trial %d of %s twice", cells[0].Trial,
			p.Dataset(&cells[0]).Name)
	}
	if again, err := t.place(p, position, rows); err != nil || !again {
		return t, err
	}
	if rows, err = results.Dedup(rows); err != nil {
		return nil, err
	}
	_, err = t.place(p, position, rows)
	return t, err
}

// place enters every row at its planned cell and checkpoint. If a row is unplanned or repeated, it returns true. The
// caller must then call results.Dedup and place again.
func (t *TrialRows) place(p *plan.Plan, position map[string]int, rows []results.Row) (again bool, err error) {
	width := len(p.Checkpoints)
	var early []*results.Row // failed rows from before the first checkpoint
	t.at, t.foreign = make([]*results.Row, len(t.Cells)*width), 0
	at, ok := 0, false
	for i := range rows {
		r := &rows[i]
		if i == 0 || r.Cell != rows[i-1].Cell {
			at, ok = position[r.Cell]
		}
		k := slices.Index(p.Checkpoints, r.Checkpoint)
		if !ok || k < 0 && !r.Failed() {
			t.foreign++
			continue
		}
		if c := t.Cells[at]; r.Dataset != p.Dataset(c).Name || r.Trial != c.Trial || r.Method != c.Method.Name {
			return false, fmt.Errorf("merge: cell %s is planned as %s, trial %d, %s; its result says %s, trial %d, %s",
				c.ID, p.Dataset(c).Name, c.Trial, c.Method.Name, r.Dataset, r.Trial, r.Method)
		}
		if k < 0 {
			early = append(early, r)
		} else {
			again = again || t.at[at*width+k] != nil
			t.at[at*width+k] = r
		}
	}
	t.Rows = slices.DeleteFunc(slices.Clone(t.at), func(r *results.Row) bool { return r == nil })
	if len(early) > 0 {
		t.Rows = append(t.Rows, early...)
		slices.SortStableFunc(t.Rows, func(a, b *results.Row) int {
			return cmp.Or(cmp.Compare(position[a.Cell], position[b.Cell]), cmp.Compare(a.Checkpoint, b.Checkpoint))
		})
	}
	t.fillFailed(position)
	return again || t.foreign+len(early) > 0, nil
}

// fillFailed enters a failed cell's first failed row at all checkpoints where the cell has no row.
func (t *TrialRows) fillFailed(position map[string]int) {
	failed := make([]*results.Row, len(t.Cells))
	for _, r := range slices.Backward(t.Rows) {
		if r.Failed() {
			failed[position[r.Cell]] = r
		}
	}
	for i, r := range t.at {
		if r == nil {
			t.at[i] = failed[i/(len(t.at)/len(t.Cells))]
		}
	}
}
