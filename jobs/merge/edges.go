package merge

import (
	"math"
	"slices"
	"strings"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// What is at the edge of a grid, of which tables, notes and proposals of larger grids tell: the
// smallest or largest of at least minGrid values, unless the parameter has none beyond it.

// minGrid is the fewest values a grid must have for its edges to mean anything.
const minGrid = 3

// An Edge tells how many trials chose a value at the edge of its parameter's grid, where
// a wider grid may hold a better one.
type Edge struct {
	Param   string
	Value   float64
	Largest bool // the grid's largest value, else its smallest
	Trials  int
}

// An end is where a value stands in its parameter's grid.
type end int

const (
	inside end = iota
	smallest
	largest
)

// endOf tells whether a row's value of a parameter is at an edge of its grid. Words have no
// order, and a parameter's own bound is no edge: λ and ρ go no lower than 0, s no higher than p.
func (g *Grid) endOf(p *axis, r *results.Row) end {
	if len(p.values) < minGrid || g.plan.Params[p.column].Words != nil {
		return inside
	}
	v := r.Params[p.column]
	least, most := g.bounds(p, r)
	switch {
	case v == p.values[0] && v > least:
		return smallest
	case v == p.values[len(p.values)-1] && v < most:
		return largest
	}
	return inside
}

// bounds are values beyond which the parameter has none in every trial of a row's dataset.
func (g *Grid) bounds(p *axis, r *results.Row) (least, most float64) {
	if g.plan.Bounds == nil {
		return math.Inf(-1), math.Inf(1)
	}
	return g.plan.Bounds(r.Method, g.plan.Params[p.column].Name, g.plan.fewestFeatures(r.Dataset))
}

// fewestFeatures is p of the dataset's smallest trial.
func (plan *Plan) fewestFeatures(dataset string) int {
	fewest := plan.Features[dataset]
	for _, t := range plan.Trials[dataset] {
		if t.Features > 0 { // else it is not known
			fewest = min(fewest, t.Features)
		}
	}
	return fewest
}

// edgeText names the parameters of a row that are at edges of their grids.
func (g *Grid) edgeText(axes []axis, r *results.Row) string {
	var texts []string
	for i := range axes {
		p := &axes[i]
		switch name := g.plan.Params[p.column].Name; g.endOf(p, r) {
		case smallest:
			texts = append(texts, name+" smallest")
		case largest:
			texts = append(texts, name+" largest")
		}
	}
	return strings.Join(texts, ", ")
}

// edges counts the choices at the edges of their grids.
func (g *Grid) edges(axes []axis, chosen []*results.Row) []Edge {
	var edges []Edge
	for i := range axes {
		p := &axes[i]
		var trials [largest + 1]int
		for _, r := range chosen {
			if r != nil {
				trials[g.endOf(p, r)]++
			}
		}
		name := g.plan.Params[p.column].Name
		if n := trials[smallest]; n > 0 {
			edges = append(edges, Edge{Param: name, Value: p.values[0], Trials: n})
		}
		if n := trials[largest]; n > 0 {
			edges = append(edges, Edge{Param: name, Value: p.values[len(p.values)-1], Largest: true, Trials: n})
		}
	}
	return edges
}

// An AtEdge is an edge of a grid that so many trials chose that a reader ought to know.
type AtEdge struct {
	Param   string
	Value   float64
	Largest bool
	Chose   [2]int // trials, by selection.Model
	Of      int    // trials in which something was chosen
}

// Side says which edge it is.
func (e *AtEdge) Side() string {
	if e.Largest {
		return "largest"
	}
	return "smallest"
}

// AtEdges lists the edges of grids that a third of the trials chose, for w or for w̄. Settings
// has every such choice.
func (g *Group) AtEdges() []AtEdge {
	var all []AtEdge
	for _, m := range selection.Models {
		for _, e := range g.Edges[m] {
			i := slices.IndexFunc(all, func(a AtEdge) bool { return a.Param == e.Param && a.Largest == e.Largest })
			if i < 0 {
				i = len(all)
				all = append(all, AtEdge{Param: e.Param, Value: e.Value, Largest: e.Largest,
					Of: max(g.Chosen(selection.W), g.Chosen(selection.Wbar))})
			}
			all[i].Chose[m] = e.Trials
		}
	}
	return slices.DeleteFunc(all, func(a AtEdge) bool { return 3*max(a.Chose[0], a.Chose[1]) < a.Of })
}
