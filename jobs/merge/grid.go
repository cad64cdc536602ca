package merge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"graphda/io/results"
	"graphda/jobs/selection"
)

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

// noteValues notes the parameters of cells that have a row; NaN is one that the method lacks.
func (l *line) noteValues(p *Placed, cells []int, width int) {
	for _, c := range cells {
		if r := p.first(c, width); r != nil {
			for j, v := range r.Params {
				if i, known := slices.BinarySearch(l.values[j], v); !known && !math.IsNaN(v) {
					l.values[j] = slices.Insert(l.values[j], i, v)
				}
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

// Profiles returns what a sweep of the plan's gives: in plan order of the series, a profile for each
// hyperparameter of numbers that varies in its grid. To ask for another sweep is a programming
// error, and panics.
func (g *Grid) Profiles(asked Sweep) []Profile {
	i := slices.IndexFunc(g.sweeps, func(w swept) bool { return w.Sweep == asked })
	if i < 0 {
		panic(fmt.Sprintf("merge: the rows were not collected for sweep %+v", asked))
	}
	var profiles []Profile
	for _, s := range g.sweeps[i].order {
		scores := g.sweeps[i].scores[s]
		last := -1
		for _, at := range slices.SortedFunc(maps.Keys(scores), func(a, b setTo) int {
			return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.value, b.value))
		}) {
			if g.plan.Params[at.param].Words != nil {
				continue
			}
			if at.param != last {
				profiles, last = append(profiles, Profile{Series: s, Param: at.param}), at.param
			}
			p := &profiles[len(profiles)-1]
			p.Values = append(p.Values, at.value)
			p.Best, p.Median = append(p.Best, statOf(scores[at].best)), append(p.Median, statOf(scores[at].median))
		}
	}
	return slices.DeleteFunc(profiles, func(p Profile) bool { return len(p.Values) < 2 })
}

// A Slice is the part of a grid whose cells have one value of a parameter.
type Slice struct {
	Value float64
	Grid  *Grid
}

// A cut is the slices along a parameter, ascending.
type cut []Slice

// Slices cuts the grid along a parameter of the plan's Along: a slice for each of its values,
// ascending. Cells without a row, and those of methods without the parameter, are in none. To
// ask for another parameter is a programming error, and panics.
func (g *Grid) Slices(param int) []Slice {
	i := slices.IndexFunc(g.plan.Along, func(a Along) bool { return a.Param == param })
	if i < 0 {
		panic(fmt.Sprintf("merge: the rows were not collected along parameter %d", param))
	}
	return g.cuts[i]
}

// add enters whole trials into the slices of their cells' values.
func (s *cut) add(plan *Plan, a Along, p *Placed, keep keeper) {
	width := len(plan.Checkpoints)
	parts := map[float64]*Placed{}
	for c := range p.Cells {
		r := p.first(c, width)
		if r == nil || r.Params[a.Param] != r.Params[a.Param] {
			continue
		}
		part := parts[r.Params[a.Param]]
		if part == nil {
			part = new(Placed)
			parts[r.Params[a.Param]] = part
		}
		part.Cells = append(part.Cells, p.Cells[c])
		for _, checkpoint := range a.Checkpoints {
			k, _ := slices.BinarySearch(plan.Checkpoints, checkpoint)
			part.slots = append(part.slots, p.slots[c*width+k])
		}
	}
	for value, part := range parts {
		s.of(plan, a, value).add(part, keep)
	}
}

// of returns the grid of a value, a new one at its first cell.
func (s *cut) of(plan *Plan, a Along, value float64) *Grid {
	i, found := slices.BinarySearchFunc(*s, value, func(s Slice, v float64) int { return cmp.Compare(s.Value, v) })
	if !found {
		sub := *plan
		sub.Checkpoints, sub.Along, sub.Sweeps = a.Checkpoints, nil, nil
		*s = slices.Insert(*s, i, Slice{value, newGrid(sub)})
	}
	return (*s)[i].Grid
}

// An axis is a parameter and the values it takes in the grid of a method.
type axis struct {
	column int
	values []float64 // ascending
}

// axes are the parameters that vary in a line's grid, by the rows present; if none does, all
// that the method has.
func (l *line) axes() []axis {
	var all, varying []axis
	for j, v := range l.values {
		if len(v) > 0 {
			all = append(all, axis{j, v})
		}
		if len(v) > 1 {
			varying = append(varying, axis{j, v})
		}
	}
	if len(varying) == 0 {
		return all
	}
	return varying
}
