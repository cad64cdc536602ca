package merge

import (
	"fmt"
	"maps"
	"slices"

	"graphda/io/results"
	"graphda/jobs/selection"
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

// A Plan is what an experiment should have produced, and what its reports ask of it.
type Plan struct {
	Cells       []Cell             // in plan order; Stream has them in its batches
	Checkpoints []int              // of every cell, ascending
	Features    map[string]int     // the number of features p, by dataset; of its largest trial
	Trials      map[string][]Trial // what is known of the trials, by dataset
	Params      results.Layout     // names the rows' parameters
	Rules       []selection.Rule   // those that may be asked of Summarize
	Own         int                // the first of them are those that Placed.Decides knows
	Along       []Along            // what may be asked of Slices
	Sweeps      []Sweep            // what may be asked of Profiles

	// Bounds returns values beyond which a method's parameter has none on so many features; nil if
	// nothing is known of that. No parameter of words is asked about.
	Bounds func(method, param string, features int) (least, most float64)
}

// A Grid holds what the rules chose of a plan's rows, and counts of all others. It is not
// changed once it is collected.
type Grid struct {
	plan    Plan
	lines   []*line
	planned int
	seconds float64
	cuts    []cut   // by plan.Along
	sweeps  []swept // by plan.Sweeps

	Missing Tally[Absence] // pairs without a row, in plan order
	Failed  Tally[Failure] // pairs whose cell failed, in plan order
	Foreign int            // rows of no planned (cell, checkpoint), left out
}

// A Tally counts things, and knows the first of them.
type Tally[T any] struct {
	N     int
	First []T
}

// mostListed is how many things a tally knows: nobody reads a list of thirty million.
const mostListed = 100

func (t *Tally[T]) add(thing T) {
	if t.N++; t.N <= mostListed {
		t.First = append(t.First, thing)
	}
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
	trials []tried     // ascending
	values [][]float64 // by parameter: what the rows present have, ascending
}

// A tried is what came of the cells of a series in one trial.
type tried struct {
	trial, cells int
	points       []point // by checkpoint
}

// A point is what came of them at one checkpoint.
type point struct {
	missing, failed int
	seconds         float64   // of all rows that did not fail
	chosen          [][2]pick // by rule and selection.Model
}

// A pick is the row that a rule chose, nil where there is nothing to choose.
type pick struct {
	row  *results.Row
	ties int // settings with the same score
}

func newGrid(plan Plan) *Grid {
	g := &Grid{plan: plan, cuts: make([]cut, len(plan.Along))}
	g.plan.Cells = nil
	for _, asked := range plan.Sweeps {
		g.sweeps = append(g.sweeps, swept{Sweep: asked, scores: map[Series]map[setTo]*reached{}})
	}
	return g
}

// check refuses datasets whose trials were not drawn alike.
func (plan *Plan) check() error {
	for _, dataset := range slices.Sorted(maps.Keys(plan.Trials)) {
		if err := CheckTrials(dataset, plan.Trials[dataset]); err != nil {
			return err
		}
	}
	return nil
}

// add enters whole trials, which follow in plan order on those entered before.
func (g *Grid) add(p *Placed, keep keeper) {
	width := len(g.plan.Checkpoints)
	g.planned += len(p.slots)
	g.Foreign += p.foreign
	g.addSeconds(p.Rows)
	type key struct {
		Series
		trial int
	}
	cells, order := map[key][]int{}, []key(nil)
	for c := range p.Cells {
		cell := &p.Cells[c]
		k := key{Series{cell.Dataset, cell.Method, cell.Variant}, cell.Trial}
		if cells[k] == nil {
			order = append(order, k)
		}
		cells[k] = append(cells[k], c)
		g.takeStock(cell, p.slots[c*width:(c+1)*width])
	}
	for _, k := range order {
		l := g.line(k.Series)
		l.noteValues(p, cells[k], width)
		t := tried{trial: k.trial, cells: len(cells[k])}
		for at := range width {
			t.points = append(t.points, g.choose(p, cells[k], at, keep))
		}
		i, _ := slices.BinarySearchFunc(l.trials, k.trial, func(t tried, trial int) int { return t.trial - trial })
		l.trials = slices.Insert(l.trials, i, t)
		for i := range g.sweeps {
			g.sweeps[i].add(&g.plan, p, k.Series, k.trial, cells[k])
		}
	}
	for i := range g.cuts {
		g.cuts[i].add(&g.plan, g.plan.Along[i], p, keep)
	}
}

// takeStock notes the checkpoints of a cell that have no result.
func (g *Grid) takeStock(c *Cell, slots []*results.Row) {
	for k, r := range slots {
		switch {
		case r == nil:
			g.Missing.add(Absence{*c, g.plan.Checkpoints[k]})
		case r.Failed():
			g.Failed.add(Failure{Absence{*c, g.plan.Checkpoints[k]}, r.Error})
		}
	}
}

// choose selects by every rule among cells at the k-th checkpoint.
func (g *Grid) choose(p *Placed, cells []int, k int, keep keeper) point {
	pt := point{chosen: make([][2]pick, len(g.plan.Rules))}
	rows := make([]*results.Row, len(cells))
	for i, c := range cells {
		rows[i] = p.slots[c*len(g.plan.Checkpoints)+k]
		switch {
		case rows[i] == nil:
			pt.missing++
		case rows[i].Failed():
			pt.failed++
		default:
			pt.seconds += rows[i].Seconds
		}
	}
	for i, rule := range g.plan.Rules {
		for _, m := range selection.Models {
			if best := rule.Best(rows, m); best >= 0 {
				ties := rule.Ties(rows, best, m)
				pt.chosen[i][m] = pick{keep.row(&p.Cells[cells[best]], rows[best]), len(ties)}
				for _, k := range append(ties, best) {
					if i < g.plan.Own {
						chosen := keep.decides[rows[k]]
						chosen[m] = chosen[m] || k == best
						keep.decides[rows[k]] = chosen
					}
				}
			}
		}
	}
	return pt
}

// line returns the line of a series, a new one at its first cell.
func (g *Grid) line(s Series) *line {
	i := slices.IndexFunc(g.lines, func(l *line) bool { return l.Series == s })
	if i < 0 {
		i = len(g.lines)
		g.lines = append(g.lines, &line{Series: s, values: make([][]float64, len(g.plan.Params))})
	}
	return g.lines[i]
}

// noteValues notes the parameters of cells that have a row.
func (l *line) noteValues(p *Placed, cells []int, width int) {
	for _, c := range cells {
		if r := p.first(c, width); r != nil {
			for j, v := range r.Params {
				l.values[j] = insert(l.values[j], v)
			}
		}
	}
}

// Seconds is the CPU time that the cells' learning took in all, without evaluation.
func (g *Grid) Seconds() float64 { return g.seconds }

// SecondsOf is the time that learning up to a checkpoint took in each trial of a series, ascending, of
// all its cells together but for those that failed; nothing of a series that is not planned.
func (g *Grid) SecondsOf(s Series, checkpoint int) []float64 {
	k := slices.Index(g.plan.Checkpoints, checkpoint)
	var seconds []float64
	for _, l := range g.lines {
		if l.Series != s || k < 0 {
			continue
		}
		for i := range l.trials {
			seconds = append(seconds, l.trials[i].points[k].seconds)
		}
	}
	return seconds
}

// addSeconds adds what the cells of rows took: a later checkpoint has the time of those before it.
func (g *Grid) addSeconds(rows []*results.Row) {
	for i, most := 0, 0.0; i < len(rows); i++ {
		if most = max(most, rows[i].Seconds); i+1 == len(rows) || rows[i+1].Cell != rows[i].Cell {
			g.seconds, most = g.seconds+most, 0
		}
	}
}

// Params names the parameters of the rows.
func (g *Grid) Params() results.Layout { return g.plan.Params }

// Planned returns the number of (cell, checkpoint) pairs of the plan.
func (g *Grid) Planned() int { return g.planned }

// Complete tells whether every planned pair has a good result.
func (g *Grid) Complete() bool { return g.Missing.N == 0 && g.Failed.N == 0 }

// rule returns the place of a rule among the plan's. To ask for another is a programming
// error, and panics.
func (g *Grid) rule(r selection.Rule) int {
	i := slices.IndexFunc(g.plan.Rules, func(known selection.Rule) bool { return known.String() == r.String() })
	if i < 0 {
		panic(fmt.Sprintf("merge: the rows were not collected for rule %v", r))
	}
	return i
}
