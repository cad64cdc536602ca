package merge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"graphda/io/results"
)

// A Cell is one planned cell.
type Cell struct {
	ID      string
	Dataset string
	Trial   int
	Method  string
	Variant string // of its Series
}

// A Series is what may be averaged over trials: the cells of a method on a dataset. An
// experiment that runs a method with several values of a setting that is not tuned, such as
// how a search is done, has a series for each of them.
type Series struct {
	Dataset string
	Method  string
	Variant string // the settings that tell it from the method's others, "search=warm"; mostly empty
}

// A Plan is what an experiment should have produced.
type Plan struct {
	Cells       []Cell             // in plan order
	Checkpoints []int              // of every cell, ascending
	Features    map[string]int     // the number of features p, by dataset; of its largest trial
	Trials      map[string][]Trial // what is known of the trials, by dataset
	Params      results.Layout     // names the rows' parameters
}

// A Grid holds the rows of a plan in plan order. It is not changed after Collect.
type Grid struct {
	plan  Plan
	rows  []*results.Row // in plan order, then by checkpoint
	slots []*results.Row // by cell and checkpoint: the row, a failed row of the cell, or nil
	lines []line

	Missing []Absence // pairs without a row, in plan order
	Failed  []Failure // pairs whose cell failed, in plan order
	Foreign int       // rows of no planned (cell, checkpoint), left out
}

// An Absence is a planned (cell, checkpoint) without a result.
type Absence struct {
	Cell
	Checkpoint int
}

// A Failure is a planned (cell, checkpoint) whose cell failed.
type Failure struct {
	Absence
	Error string
}

// A line is the cells of a series, by trial.
type line struct {
	Series
	trials []int   // ascending
	cells  [][]int // plan positions, by trial
	axes   []axis
}

// Collect sorts rows into the plan, and owns them afterwards. Repeated rows are merged
// as results.Dedup does it. A cell that failed at some checkpoint has failed at all
// those it has no row for. Datasets whose trials were not drawn alike are refused.
func Collect(plan Plan, rows []results.Row) (*Grid, error) {
	for _, dataset := range slices.Sorted(maps.Keys(plan.Trials)) {
		if err := CheckTrials(dataset, plan.Trials[dataset]); err != nil {
			return nil, err
		}
	}
	rows, err := results.Dedup(rows)
	if err != nil {
		return nil, err
	}
	position, err := plan.positions()
	if err != nil {
		return nil, err
	}
	g := &Grid{plan: plan}
	placed, err := g.place(position, rows)
	if err != nil {
		return nil, err
	}
	g.fill(placed)
	g.group()
	return g, nil
}

// positions returns the place of every cell in the plan, by id.
func (plan *Plan) positions() (map[string]int32, error) {
	position := make(map[string]int32, len(plan.Cells))
	for i := range plan.Cells {
		c := &plan.Cells[i]
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

// A placedRow is a row with the plan position of its cell.
type placedRow struct {
	cell int32
	row  *results.Row
}

// place finds the planned cell of every row and returns them in plan order.
func (g *Grid) place(position map[string]int32, rows []results.Row) ([]placedRow, error) {
	placed := make([]placedRow, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		at, ok := position[r.Cell]
		if !ok || !r.Failed() && !slices.Contains(g.plan.Checkpoints, r.Checkpoint) {
			g.Foreign++
			continue
		}
		if err := g.check(&g.plan.Cells[at], r); err != nil {
			return nil, err
		}
		placed = append(placed, placedRow{at, r})
	}
	slices.SortFunc(placed, func(a, b placedRow) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.row.Checkpoint, b.row.Checkpoint))
	})
	return placed, nil
}

// check refuses a row that belongs to another plan in spite of its cell's id.
func (g *Grid) check(c *Cell, r *results.Row) error {
	if r.Dataset != c.Dataset || r.Trial != c.Trial || r.Method != c.Method {
		return fmt.Errorf("merge: cell %s is planned as %s, trial %d, %s; its result says %s, trial %d, %s",
			c.ID, c.Dataset, c.Trial, c.Method, r.Dataset, r.Trial, r.Method)
	}
	if len(r.Params) != len(g.plan.Params) {
		return fmt.Errorf("merge: cell %s: its result has %d parameters, its plan %d", c.ID, len(r.Params),
			len(g.plan.Params))
	}
	return nil
}

// fill takes stock of every (cell, checkpoint).
func (g *Grid) fill(placed []placedRow) {
	width := len(g.plan.Checkpoints)
	g.rows = make([]*results.Row, len(placed))
	for i := range placed {
		g.rows[i] = placed[i].row
	}
	g.slots = make([]*results.Row, len(g.plan.Cells)*width)
	for c := range g.plan.Cells {
		var failed *results.Row
		slots := g.slots[c*width : (c+1)*width]
		for ; len(placed) > 0 && placed[0].cell == int32(c); placed = placed[1:] {
			r := placed[0].row
			if k := slices.Index(g.plan.Checkpoints, r.Checkpoint); k >= 0 {
				slots[k] = r
			}
			if r.Failed() && failed == nil {
				failed = r
			}
		}
		g.takeStock(c, slots, failed)
	}
}

// takeStock notes the checkpoints of a cell that have no result. failed is the first of
// the cell's rows that carries an error, if there is one.
func (g *Grid) takeStock(c int, slots []*results.Row, failed *results.Row) {
	for k := range slots {
		if slots[k] == nil {
			slots[k] = failed
		}
		r := slots[k]
		if r != nil && !r.Failed() {
			continue
		}
		absence := Absence{g.plan.Cells[c], g.plan.Checkpoints[k]}
		if r == nil {
			g.Missing = append(g.Missing, absence)
		} else {
			g.Failed = append(g.Failed, Failure{absence, r.Error})
		}
	}
}

// group gathers the cells of every series, in order of their first cells.
func (g *Grid) group() {
	at := map[Series]int{}
	for c := range g.plan.Cells {
		cell := &g.plan.Cells[c]
		series := Series{cell.Dataset, cell.Method, cell.Variant}
		i, ok := at[series]
		if !ok {
			i = len(g.lines)
			at[series] = i
			g.lines = append(g.lines, line{Series: series})
		}
		g.lines[i].add(cell.Trial, c)
	}
	for i := range g.lines {
		g.lines[i].axes = g.axes(&g.lines[i])
	}
}

// add files a cell under its trial.
func (l *line) add(trial, cell int) {
	i, found := slices.BinarySearch(l.trials, trial)
	if !found {
		l.trials = slices.Insert(l.trials, i, trial)
		l.cells = slices.Insert(l.cells, i, nil)
	}
	l.cells[i] = append(l.cells[i], cell)
}

// slot returns the row that stands for a cell at a checkpoint, nil if there is none.
func (g *Grid) slot(cell, checkpoint int) *results.Row {
	return g.slots[cell*len(g.plan.Checkpoints)+checkpoint]
}

// Rows returns all rows of the plan, in plan order, then by checkpoint. The slice and
// the rows are the grid's own.
func (g *Grid) Rows() []*results.Row { return g.rows }

// Params names the parameters of the rows.
func (g *Grid) Params() results.Layout { return g.plan.Params }

// Planned returns the number of (cell, checkpoint) pairs of the plan.
func (g *Grid) Planned() int { return len(g.slots) }

// Complete tells whether every planned pair has a good result.
func (g *Grid) Complete() bool { return len(g.Missing) == 0 && len(g.Failed) == 0 }
