package merge

import (
	"cmp"
	"fmt"
	"slices"

	"graphda/io/results"
)

// A Batch is whole trials of a plan.
type Batch struct {
	Cells []Cell        // in plan order
	Rows  []results.Row // all there are of these cells, in any order
}

// A Read reads a batch.
type Read func() (Batch, error)

// A Placed batch is one whose rows are in order: repeated ones merged, foreign ones left out.
type Placed struct {
	Cells []Cell
	Rows  []*results.Row // in plan order, then by checkpoint

	slots   []*results.Row // by cell and checkpoint: the row, a failed row of the cell, or nil
	foreign int
	kept    keeper
}

// Complete tells whether every planned (cell, checkpoint) has a result, or failed.
func (p *Placed) Complete() bool { return !slices.Contains(p.slots, nil) }

// Decides tells for which models (selection.Model) one of the plan's first rules has chosen a row, from the whole grid
// or from a slice, and whether the row or another with the same score was chosen.
func (p *Placed) Decides(r *results.Row) (chosen [2]bool, tied bool) {
	chosen, tied = p.kept.decides[r]
	return chosen, tied
}

// A Use is what else is done with rows while they are there, such as writing them to a file.
type Use func(*Placed) error

// read reads a batch and puts its rows in order.
func (plan *Plan) read(read Read) (*Placed, error) {
	b, err := read()
	if err != nil {
		return nil, err
	}
	rows, err := results.Dedup(b.Rows)
	if err != nil {
		return nil, err
	}
	position, err := plan.positions(b.Cells)
	if err != nil {
		return nil, err
	}
	p := &Placed{Cells: b.Cells}
	placed, err := plan.place(p, position, rows)
	if err != nil {
		return nil, err
	}
	p.fill(plan.Checkpoints, placed)
	return p, nil
}

// positions returns the place of every cell of a batch, by id.
func (plan *Plan) positions(cells []Cell) (map[string]int32, error) {
	position := make(map[string]int32, len(cells))
	for i := range cells {
		c := &cells[i]
		if _, twice := position[c.ID]; twice {
			return nil, fmt.Errorf("merge: the plan holds cell %s twice", c.ID)
		}
		if plan.Features[c.Dataset] <= 0 {
			return nil, fmt.Errorf("merge: the number of features of dataset %s is not known", c.Dataset)
		}
		position[c.ID] = int32(i)
	}
	return position, nil
}

// A placedRow is a row with the position of its cell.
type placedRow struct {
	cell int32
	row  *results.Row
}

// place finds the planned cell of every row and returns them in plan order.
func (plan *Plan) place(p *Placed, position map[string]int32, rows []results.Row) ([]placedRow, error) {
	placed := make([]placedRow, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		at, ok := position[r.Cell]
		if !ok || !r.Failed() && !slices.Contains(plan.Checkpoints, r.Checkpoint) {
			p.foreign++
			continue
		}
		if err := plan.checkRow(&p.Cells[at], r); err != nil {
			return nil, err
		}
		placed = append(placed, placedRow{at, r})
	}
	slices.SortFunc(placed, func(a, b placedRow) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.row.Checkpoint, b.row.Checkpoint))
	})
	return placed, nil
}

// checkRow refuses a row that belongs to another plan in spite of its cell's id.
func (plan *Plan) checkRow(c *Cell, r *results.Row) error {
	if r.Dataset != c.Dataset || r.Trial != c.Trial || r.Method != c.Method {
		return fmt.Errorf("merge: cell %s is planned as %s, trial %d, %s; its result says %s, trial %d, %s",
			c.ID, c.Dataset, c.Trial, c.Method, r.Dataset, r.Trial, r.Method)
	}
	if len(r.Params) != len(plan.Params) {
		return fmt.Errorf("merge: cell %s: its result has %d parameters, its plan %d", c.ID, len(r.Params),
			len(plan.Params))
	}
	return nil
}

// fill finds what stands for every (cell, checkpoint): where a cell has no row, the first of
// its rows that carries an error.
func (p *Placed) fill(checkpoints []int, placed []placedRow) {
	width := len(checkpoints)
	p.Rows = make([]*results.Row, len(placed))
	p.slots = make([]*results.Row, len(p.Cells)*width)
	failed := make([]*results.Row, len(p.Cells))
	for i, at := range placed {
		p.Rows[i] = at.row
		if k := slices.Index(checkpoints, at.row.Checkpoint); k >= 0 {
			p.slots[int(at.cell)*width+k] = at.row
		}
		if at.row.Failed() && failed[at.cell] == nil {
			failed[at.cell] = at.row
		}
	}
	for i, r := range p.slots {
		if r == nil {
			p.slots[i] = failed[i/width]
		}
	}
}

// first returns the first row of a cell, nil if it has none.
func (p *Placed) first(cell, checkpoints int) *results.Row {
	for _, r := range p.slots[cell*checkpoints : (cell+1)*checkpoints] {
		if r != nil {
			return r
		}
	}
	return nil
}

// A keeper copies the rows of a batch that are chosen, each once, so that nothing keeps the
// others in memory.
type keeper struct {
	rows   map[*results.Row]*results.Row
	params map[string][]float64 // by cell

	decides map[*results.Row][2]bool // see Placed.Decides
}

func newKeeper() keeper {
	return keeper{map[*results.Row]*results.Row{}, map[string][]float64{}, map[*results.Row][2]bool{}}
}

// row returns the copy of a cell's row.
func (k keeper) row(c *Cell, r *results.Row) *results.Row {
	if kept := k.rows[r]; kept != nil {
		return kept
	}
	if k.params[c.ID] == nil {
		k.params[c.ID] = slices.Clone(r.Params)
	}
	kept := *r
	kept.Cell, kept.Dataset, kept.Method, kept.Params = c.ID, c.Dataset, c.Method, k.params[c.ID]
	k.rows[r] = &kept
	return &kept
}
