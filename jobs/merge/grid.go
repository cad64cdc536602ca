package merge

import (
	"fmt"
	"slices"

	"graphda/io/results"
	"graphda/jobs/plan"
	"graphda/jobs/selection"
	"graphda/learners"
)

// A Grid holds the rows that the rules chose among a plan's rows, and counts missing and failed results. A Grid that
// Stream has returned does not change.
type Grid struct {
	request     Request
	checkpoints []int     // the checkpoints of the plan or of an Along
	series      []*series // in the order of their first cells
	byName      map[Series]*series
	variant     func(*plan.Cell) string
	planned     int
	seconds     float64
	cuts        [][]Slice // for each request.Along: its slices, by ascending value

	Missing Tally[Absence] // planned results that are missing, in plan order
	Failed  Tally[Failure] // planned results that failed, in plan order
	Foreign int            // number of rows that are not planned
}

// A Tally counts things, and lists the first of them.
type Tally[T any] struct {
	N     int
	First []T
}

const mostListed = 100

func (t *Tally[T]) add(thing T) {
	if t.N++; t.N <= mostListed {
		t.First = append(t.First, thing)
	}
}

// An Absence is a planned cell and checkpoint without a result.
type Absence struct {
	*plan.Cell
	Checkpoint int
}

// A Failure is a planned cell and checkpoint whose cell failed.
type Failure struct {
	Absence
	Error string
}

// A Series is a method on a dataset. If an experiment varies a setting that is not tuned, such as the kind of search,
// each value has its own Series.
type Series struct {
	Dataset string
	Method  string
	Variant string // value of a setting that is not tuned, such as "search=warm"; usually ""
}

type series struct {
	Series
	method   *learners.Method
	trials   []trialResult // by ascending number of the trial
	values   [][]float64   // for each parameter: its values in the rows, ascending
	profiles []profile     // one for each sweep of the request
}

// A trialResult holds the results of a series in one trial.
type trialResult struct {
	trial, cells int
	at           []checkpointResult
}

// A checkpointResult holds the results of a series at one checkpoint of a trial.
type checkpointResult struct {
	missing, failed int
	seconds         float64     // sum over all rows that did not fail
	choices         [][2]choice // by rule and selection.Model
}

// A choice is a rule's choice in a trial.
type choice struct {
	row  *ChosenRow // nil if the rule could not choose
	ties int        // number of other settings with the same score
}

func newGrid(request Request, checkpoints []int, variant func(*plan.Cell) string) *Grid {
	return &Grid{request: request, checkpoints: checkpoints, variant: variant, byName: map[Series]*series{},
		cuts: make([][]Slice, len(request.Along))}
}

// add adds the rows of a trial. The caller adds trials in plan order.
func (g *Grid) add(t *TrialRows) {
	width := len(g.checkpoints)
	g.planned += len(t.at)
	g.Foreign += t.foreign
	g.addSeconds(t.Rows)
	cells, order := map[*series][]int{}, []*series(nil)
	for i, c := range t.Cells {
		s := g.seriesOf(c)
		if cells[s] == nil {
			order = append(order, s)
		}
		cells[s] = append(cells[s], i)
		g.takeStock(c, t.at[i*width:(i+1)*width])
	}
	for _, s := range order {
		s.noteValues(t, cells[s])
		r := trialResult{trial: t.Cells[0].Trial, cells: len(cells[s])}
		for k := range width {
			r.at = append(r.at, g.choose(t, cells[s], k))
		}
		i, _ := slices.BinarySearchFunc(s.trials, r.trial, func(r trialResult, trial int) int { return r.trial - trial })
		s.trials = slices.Insert(s.trials, i, r)
		for i := range s.profiles {
			k, _ := slices.BinarySearch(g.checkpoints, g.request.Sweeps[i].Checkpoint)
			s.profiles[i].add(g, t, cells[s], k)
		}
	}
	for i := range g.cuts {
		g.cut(i, t)
	}
}

func (g *Grid) takeStock(c *plan.Cell, rows []*results.Row) {
	for k, r := range rows {
		switch {
		case r == nil:
			g.Missing.add(Absence{c, g.checkpoints[k]})
		case r.Failed():
			g.Failed.add(Failure{Absence{c, g.checkpoints[k]}, r.Error})
		}
	}
}

// choose lets every rule choose a cell at the k-th checkpoint.
func (g *Grid) choose(t *TrialRows, cells []int, k int) checkpointResult {
	result := checkpointResult{choices: make([][2]choice, len(g.request.Rules))}
	rows := make([]*results.Row, len(cells))
	for i, c := range cells {
		rows[i] = t.at[c*len(g.checkpoints)+k]
		switch {
		case rows[i] == nil:
			result.missing++
		case rows[i].Failed():
			result.failed++
		default:
			result.seconds += rows[i].Seconds
		}
	}
	for i, rule := range g.request.Rules {
		for _, m := range selection.Models {
			best := rule.Best(rows, m)
			if best < 0 {
				continue
			}
			ties := rule.Ties(rows, best, m)
			result.choices[i][m] = choice{t.chosen.keep(t.Cells[cells[best]], rows[best]), len(ties)}
			for _, k := range append(ties, best) {
				if i < g.request.Own {
					chosen := t.chosen.decides[rows[k]]
					chosen[m] = chosen[m] || k == best
					t.chosen.decides[rows[k]] = chosen
				}
			}
		}
	}
	return result
}

func (g *Grid) seriesOf(c *plan.Cell) *series {
	name := Series{g.request.Plan.Dataset(c).Name, c.Method.Name, g.variant(c)}
	s := g.byName[name]
	if s == nil {
		s = &series{Series: name, method: c.Method, values: make([][]float64, len(c.Values)),
			profiles: newProfiles(g.request.Sweeps)}
		g.byName[name], g.series = s, append(g.series, s)
	}
	return s
}

// noteValues records the values of the parameters in cells that have a row.
func (s *series) noteValues(t *TrialRows, cells []int) {
	for _, c := range cells {
		if t.first(c) == nil {
			continue
		}
		for j, v := range t.Cells[c].Values {
			if i, known := slices.BinarySearch(s.values[j], v); !known {
				s.values[j] = slices.Insert(s.values[j], i, v)
			}
		}
	}
}

// Seconds returns the CPU time of learning, without evaluation, of all cells.
func (g *Grid) Seconds() float64 { return g.seconds }

// SecondsOf returns, for each trial of a series, the CPU time of learning up to a checkpoint. It is the sum over all
// cells that did not fail. The result is empty if the series is not planned.
func (g *Grid) SecondsOf(s Series, checkpoint int) []float64 {
	k := slices.Index(g.checkpoints, checkpoint)
	var seconds []float64
	for _, l := range g.series {
		if l.Series != s || k < 0 {
			continue
		}
		for i := range l.trials {
			seconds = append(seconds, l.trials[i].at[k].seconds)
		}
	}
	return seconds
}

// addSeconds adds the learning time of cells. A row's time includes earlier checkpoints, so only a cell's longest time
// counts.
func (g *Grid) addSeconds(rows []*results.Row) {
	for i, most := 0, 0.0; i < len(rows); i++ {
		if most = max(most, rows[i].Seconds); i+1 == len(rows) || rows[i+1].Cell != rows[i].Cell {
			g.seconds, most = g.seconds+most, 0
		}
	}
}

// Dataset returns the plan's entry for a dataset, or nil if there is none.
func (g *Grid) Dataset(name string) *plan.Dataset {
	all := g.request.Plan.Datasets
	if i := slices.IndexFunc(all, func(d plan.Dataset) bool { return d.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Planned returns the number of planned results, one for each cell and checkpoint.
func (g *Grid) Planned() int { return g.planned }

// Complete reports whether no planned result is missing or failed.
func (g *Grid) Complete() bool { return g.Missing.N == 0 && g.Failed.N == 0 }

func (g *Grid) rule(r selection.Rule) int {
	i := slices.IndexFunc(g.request.Rules, func(known selection.Rule) bool { return known.String() == r.String() })
	if i < 0 {
		panic(fmt.Sprintf("merge: the rows were not collected for rule %v", r))
	}
	return i
}
