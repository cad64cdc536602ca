package merge

import (
	"math"
	"slices"

	"graphda/jobs/metrics"
	"graphda/jobs/selection"
)

// A Summary holds an experiment's results by one selection rule.
type Summary struct {
	Rule   selection.Rule
	Grid   *Grid
	Groups []Group // by plan order of the series, then by checkpoint

	variants map[groupKey][]*Group // in plan order
}

type groupKey struct {
	dataset    string
	checkpoint int
	method     string
}

// A Group is one line of a table: a series at a checkpoint.
type Group struct {
	Series
	Checkpoint int
	Features   int // number of the dataset's features, p

	Choices  []Choice          // one for each planned trial, in ascending order
	Settings [2][]SettingCount // chosen settings and how often, by selection.Model
	Edges    []Edge            // first for w, then for w̄

	Missing, Failed int    // numbers of missing and of failed results
	Cells           int    // number of planned cells
	PerTrial        [2]int // smallest and largest number of planned cells per trial

	// Unbracketed counts the projections that missed their range of sizes, in the cells chosen for w.
	Unbracketed       Stat
	UnbracketedTrials int // number of trials with such projections

	rule  selection.Rule
	stats [2]map[string]Stat // by selection.Model and name of the measure
}

// A Choice holds the rows that a rule chose in one trial.
type Choice struct {
	Trial    int
	Features int        // number of the trial's features, p
	Support  int        // size of the true support; 0 if unknown
	W, Wbar  *ChosenRow // nil if the rule could not choose
	Ties     [2]int     // number of other settings with the same score, by selection.Model
}

// Row returns the chosen row for a model, or nil.
func (c *Choice) Row(m selection.Model) *ChosenRow {
	if m == selection.Wbar {
		return c.Wbar
	}
	return c.W
}

// Stat returns the Stat of a measure for a model.
func (g *Group) Stat(measure string, m selection.Model) Stat {
	if measure == metrics.TestError { // not the mean of 1 − accuracy, which would round differently
		s := g.Stat(metrics.TestAccuracy, m)
		s.Mean = 1 - s.Mean
		return s
	}
	return g.stats[m][metrics.MeasureOf(measure).Name]
}

// Values returns a measure's values for a model, one for each of g.Choices. A value is NaN if the measure is undefined,
// or if the rule chose no row.
func (g *Group) Values(name string, m selection.Model) []float64 {
	values, measure := make([]float64, len(g.Choices)), metrics.MeasureOf(name)
	for i := range g.Choices {
		c := &g.Choices[i]
		values[i] = math.NaN()
		if r := c.Row(g.rule.CellOf(m, name)); r != nil {
			values[i] = measure.Value(&r.Measures[m], c.Features)
		}
	}
	return values
}

// Chosen returns the number of trials in which the rule chose a row for the model.
func (g *Group) Chosen(m selection.Model) (n int) {
	for i := range g.Choices {
		if g.Choices[i].Row(m) != nil {
			n++
		}
	}
	return n
}

// Ties counts the settings that tied with the chosen setting. It returns the median and the largest count over trials
// with a choice.
func (g *Group) Ties(m selection.Model) (median float64, most int) {
	var ties []int
	for i := range g.Choices {
		if c := &g.Choices[i]; c.Row(m) != nil {
			ties = append(ties, c.Ties[m])
		}
	}
	if len(ties) == 0 {
		return math.NaN(), 0
	}
	slices.Sort(ties)
	n := len(ties)
	return float64(ties[(n-1)/2]+ties[n/2]) / 2, ties[n-1]
}

// Group returns the group of a dataset, checkpoint and method, or nil. If the method has variants, it returns the first
// variant's group.
func (s *Summary) Group(dataset string, checkpoint int, method string) *Group {
	if variants := s.Variants(dataset, checkpoint, method); len(variants) > 0 {
		return variants[0]
	}
	return nil
}

// Variants returns the groups of all variants of a method on a dataset at a checkpoint, in plan order.
func (s *Summary) Variants(dataset string, checkpoint int, method string) []*Group {
	return s.variants[groupKey{dataset, checkpoint, method}]
}

// Summarize averages the choices of a rule over the trials. It panics if the rule is not in the request.
func (g *Grid) Summarize(rule selection.Rule) *Summary {
	s := &Summary{Rule: rule, Grid: g, variants: map[groupKey][]*Group{}}
	at := g.rule(rule)
	for _, l := range g.series {
		axes := l.axes()
		for k := range g.checkpoints {
			s.Groups = append(s.Groups, g.summarize(at, l, axes, k))
		}
	}
	for i := range s.Groups {
		k := groupKey{s.Groups[i].Dataset, s.Groups[i].Checkpoint, s.Groups[i].Method}
		s.variants[k] = append(s.variants[k], &s.Groups[i])
	}
	return s
}

func (g *Grid) summarize(rule int, s *series, axes []axis, k int) Group {
	d := g.Dataset(s.Dataset)
	group := Group{
		Series:     s.Series,
		Checkpoint: g.checkpoints[k],
		Features:   d.Features,
		rule:       g.request.Rules[rule],
	}
	for i := range s.trials {
		t := &s.trials[i]
		at := &t.at[k]
		if group.Cells == 0 {
			group.PerTrial = [2]int{t.cells, t.cells}
		}
		group.Cells += t.cells
		group.PerTrial = [2]int{min(group.PerTrial[0], t.cells), max(group.PerTrial[1], t.cells)}
		group.Missing += at.missing
		group.Failed += at.failed
		w, wbar := at.choices[rule][selection.W], at.choices[rule][selection.Wbar]
		group.Choices = append(group.Choices, Choice{
			Trial:    t.trial,
			Features: d.FeaturesOf(t.trial),
			Support:  d.Trial(t.trial).Support,
			W:        w.row,
			Wbar:     wbar.row,
			Ties:     [2]int{w.ties, wbar.ties},
		})
	}
	for _, m := range selection.Models {
		chosen := group.chosen(m)
		group.Settings[m] = g.countSettings(axes, chosen)
		group.Edges = g.edges(group.Edges, axes, m, chosen)
		group.stats[m] = map[string]Stat{}
		for _, name := range metrics.MeasureNames() {
			group.stats[m][name] = statOf(group.Values(name, m))
		}
	}
	var unbracketed []float64
	for _, c := range group.Choices {
		if c.W != nil {
			unbracketed = append(unbracketed, float64(c.W.Unbracketed))
			group.UnbracketedTrials += int(min(c.W.Unbracketed, 1))
		}
	}
	group.Unbracketed = statOf(unbracketed)
	return group
}

func (g *Group) chosen(m selection.Model) []*ChosenRow {
	rows := make([]*ChosenRow, len(g.Choices))
	for i := range g.Choices {
		rows[i] = g.Choices[i].Row(m)
	}
	return rows
}

// AtEdges returns the edges that at least a third of the trials chose, for w or for w̄.
func (g *Group) AtEdges() []Edge {
	of := max(g.Chosen(selection.W), g.Chosen(selection.Wbar))
	return slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return 3*max(e.Chose[0], e.Chose[1]) < of })
}
