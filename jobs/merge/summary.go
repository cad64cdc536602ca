package merge

import (
	"math"
	"slices"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// A Summary is an experiment under one selection rule.
type Summary struct {
	Rule   selection.Rule
	Grid   *Grid
	Groups []Group // in plan order of (dataset, method), checkpoints within a dataset ascending
}

// A Group is one line of a table: a method on a dataset at a checkpoint.
type Group struct {
	Dataset    string
	Checkpoint int
	Method     string
	Features   int // p of the dataset

	Choices  []Choice          // one per planned trial, ascending
	Stats    [2][]Stat         // by selection.Model, then as Figures
	Settings [2][]SettingCount // by selection.Model
	Edges    [2][]Edge         // by selection.Model

	Missing, Failed int // planned (cell, checkpoint) pairs without a result
	Cells           int // planned

	// Of the cells chosen for w: searches that ended outside their window.
	Unbracketed       Stat
	UnbracketedTrials int // trials that had any
}

// A Choice is what a rule chose in one trial; nil where it could choose nothing.
type Choice struct {
	Trial   int
	W, Wbar *results.Row
}

// Row returns the row chosen for a model.
func (c *Choice) Row(m selection.Model) *results.Row {
	if m == selection.Wbar {
		return c.Wbar
	}
	return c.W
}

// A Stat sums up a figure over the trials in which it is defined.
type Stat struct {
	Mean float64
	Std  float64 // of the population, as in the paper
	N    int     // trials; Mean and Std are NaN if there is none
}

// NonzeroPercent is the nonzero ratio |S|/p in percent, a figure derived from the
// column nonzeros.
const NonzeroPercent = "nonzero_percent"

// Figures are the names of the figures a Group sums up for each model: the metric
// columns of a row and those derived from them.
var Figures = func() []string {
	var names []string
	for _, m := range results.MetricColumns {
		names = append(names, m.Name)
	}
	return append(names, NonzeroPercent)
}()

// Stat returns the statistics of a figure of a model. A name that is not among Figures
// is a programming error, and panics.
func (g *Group) Stat(figure string, m selection.Model) Stat {
	i := slices.Index(Figures, figure)
	if i < 0 {
		panic("merge: no such figure: " + figure)
	}
	return g.Stats[m][i]
}

// Chosen returns the number of trials in which a cell was chosen for the model.
func (g *Group) Chosen(m selection.Model) (n int) {
	for i := range g.Choices {
		if g.Choices[i].Row(m) != nil {
			n++
		}
	}
	return n
}

// Group returns the group of a dataset, checkpoint and method, or nil.
func (s *Summary) Group(dataset string, checkpoint int, method string) *Group {
	for i := range s.Groups {
		g := &s.Groups[i]
		if g.Dataset == dataset && g.Checkpoint == checkpoint && g.Method == method {
			return g
		}
	}
	return nil
}

// Summarize selects by a rule and averages over the trials.
func (g *Grid) Summarize(rule selection.Rule) *Summary {
	s := &Summary{Rule: rule, Grid: g}
	for i := range g.lines {
		for k := range g.plan.Checkpoints {
			s.Groups = append(s.Groups, g.summarize(rule, &g.lines[i], k))
		}
	}
	return s
}

// summarize fills the group of a line at the k-th checkpoint.
func (g *Grid) summarize(rule selection.Rule, l *line, k int) Group {
	group := Group{
		Dataset:    l.dataset,
		Checkpoint: g.plan.Checkpoints[k],
		Method:     l.method,
		Features:   g.plan.Features[l.dataset],
	}
	var rows []*results.Row
	for i, trial := range l.trials {
		rows = rows[:0]
		for _, c := range l.cells[i] {
			r := g.slot(c, k)
			rows = append(rows, r)
			group.note(r)
		}
		group.Choices = append(group.Choices, Choice{
			Trial: trial,
			W:     at(rows, rule.Best(rows, selection.W)),
			Wbar:  at(rows, rule.Best(rows, selection.Wbar)),
		})
	}
	for _, m := range selection.Models {
		chosen := group.chosen(m)
		group.Settings[m] = g.countSettings(l, chosen)
		group.Edges[m] = g.edges(l, chosen)
		group.Stats[m] = group.stats(rule, m)
	}
	group.countUnbracketed()
	return group
}

// note counts a planned pair.
func (g *Group) note(r *results.Row) {
	g.Cells++
	switch {
	case r == nil:
		g.Missing++
	case r.Failed():
		g.Failed++
	}
}

func at(rows []*results.Row, i int) *results.Row {
	if i < 0 {
		return nil
	}
	return rows[i]
}

func (g *Group) chosen(m selection.Model) []*results.Row {
	rows := make([]*results.Row, len(g.Choices))
	for i := range g.Choices {
		rows[i] = g.Choices[i].Row(m)
	}
	return rows
}

// stats sums up the figures of a model, each read from the cell the rule says.
func (g *Group) stats(rule selection.Rule, m selection.Model) []Stat {
	stats := make([]Stat, 0, len(Figures))
	values := make([]float64, 0, len(g.Choices))
	read := func(name string, at func(*results.Metrics) float64) {
		values = values[:0]
		for i := range g.Choices {
			if r := g.Choices[i].Row(rule.CellOf(m, name)); r != nil {
				values = append(values, at(m.Of(r)))
			}
		}
		stats = append(stats, statOf(values))
	}
	for _, c := range results.MetricColumns {
		read(c.Name, func(f *results.Metrics) float64 { return *c.At(f) })
	}
	read(NonzeroPercent, func(f *results.Metrics) float64 { return 100 * f.Nonzeros / float64(g.Features) })
	return stats
}

func (g *Group) countUnbracketed() {
	var values []float64
	for _, c := range g.Choices {
		if c.W == nil {
			continue
		}
		values = append(values, float64(c.W.Unbracketed))
		if c.W.Unbracketed > 0 {
			g.UnbracketedTrials++
		}
	}
	g.Unbracketed = statOf(values)
}

// statOf sums up the values that are not NaN, in their order.
func statOf(values []float64) Stat {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return Stat{Mean: math.NaN(), Std: math.NaN()}
	}
	if slices.Min(values) == slices.Max(values) { // no spread, however their sum would round
		return Stat{Mean: values[0], N: len(values)}
	}
	n := float64(len(values))
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / n
	for _, v := range values {
		d := v - mean
		squares += float64(d * d) // float64(): no FMA, same bits on arm64
	}
	return Stat{Mean: mean, Std: math.Sqrt(squares / n), N: len(values)}
}
