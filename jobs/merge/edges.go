package merge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/results"
	"graphda/jobs/selection"
)

// What is at the edge of a grid, which tables and notes tell: the
// smallest or largest of at least minGrid values, unless the parameter has none beyond it.

// minGrid is the fewest values a grid must have for its edges to mean anything.
const minGrid = 3

// An Edge tells how many trials chose a value at the edge of its parameter's grid, where
// a wider grid may hold a better one.
type Edge struct {
	Param   string
	Value   float64
	Largest bool      // the grid's largest value, else its smallest
	Chose   [2]int    // trials, by selection.Model
	Beyond  []float64 // values past it, as the grid goes on, nearest first; fewer than two near the parameter's bound
}

// Side says which edge it is.
func (e *Edge) Side() string {
	if e.Largest {
		return "largest"
	}
	return "smallest"
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

// edges adds the choices for a model at the edges of their grids.
func (g *Grid) edges(edges []Edge, axes []axis, m selection.Model, chosen []*results.Row) []Edge {
	for i := range axes {
		p := &axes[i]
		name := g.plan.Params[p.column].Name
		for _, side := range []end{smallest, largest} {
			for _, r := range chosen {
				if r == nil || g.endOf(p, r) != side {
					continue
				}
				k := slices.IndexFunc(edges, func(e Edge) bool { return e.Param == name && e.Largest == (side == largest) })
				if k < 0 {
					inwards := slices.Clone(p.values)
					if side == largest {
						slices.Reverse(inwards)
					}
					k = len(edges)
					edges = append(edges, Edge{Param: name, Value: inwards[0], Largest: side == largest,
						Beyond: g.beyond(p, r, inwards)})
				}
				edges[k].Chose[m]++
			}
		}
	}
	return edges
}

// beyond returns two values past an edge, or fewer if the parameter ends there. The grid's values are given from the
// edge inwards. They go on by equal steps (10, 15, 20: 25, 30), else by the ratio of the last two (1, 5, 10: 20, 40).
// Row r chose the edge.
func (g *Grid) beyond(p *axis, r *results.Row, inwards []float64) (found []float64) {
	least, most := g.bounds(p, r)
	whole := g.plan.Params[p.column].Whole
	if whole {
		least, most = least-1, most+1 // which are allowed themselves
	}
	for a, b, c := inwards[0], inwards[1], inwards[2]; len(found) < 2; a, b, c = found[len(found)-1], a, b {
		v := a * a / b
		if step := a - b; math.Abs(step-(b-c)) <= 1e-9*math.Abs(step) || a*b <= 0 {
			v = a + step
		}
		if whole {
			v = math.Round(v)
		} else {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
		}
		if v <= least || v >= most || v == a {
			break
		}
		found = append(found, v)
	}
	return found
}
