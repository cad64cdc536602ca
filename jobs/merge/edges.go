package merge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/jobs/selection"
)

// A value is at the edge of its grid if it is the smallest or largest of at least minGrid values. A bound of the
// parameter is not an edge, such as 0 for λ and ρ, and p for s.

const minGrid = 3

// An Edge counts the trials that chose a value at the edge of its parameter's grid. A wider grid may be better.
type Edge struct {
	Param   string
	Value   float64
	Largest bool      // set if Value is the grid's largest value; otherwise it is the smallest
	Chose   [2]int    // number of trials that chose Value, by selection.Model
	Beyond  []float64 // at most two values to add to the grid, the nearest to Value first
}

// Side returns "largest" or "smallest".
func (e *Edge) Side() string {
	if e.Largest {
		return "largest"
	}
	return "smallest"
}

type end int

const (
	inside end = iota
	smallest
	largest
)

// endOf returns the edge of the grid at which a row's value is. Words have no order, and so no edges.
func (g *Grid) endOf(a *axis, r *ChosenRow) end {
	if len(a.values) < minGrid || a.Words != nil {
		return inside
	}
	v := a.of(r)
	least, most := g.bounds(a, r)
	switch {
	case v == a.values[0] && v > least:
		return smallest
	case v == a.values[len(a.values)-1] && v < most:
		return largest
	}
	return inside
}

// bounds returns the bounds of a parameter that hold in every trial of a row's dataset. Parameters of programs have
// none.
func (g *Grid) bounds(a *axis, r *ChosenRow) (least, most float64) {
	if r.Cell.Method.Free {
		return math.Inf(-1), math.Inf(1)
	}
	d := g.request.Plan.Dataset(r.Cell)
	fewest := d.Features
	for i := range d.Trials {
		fewest = min(fewest, d.FeaturesOf(d.Trials[i].Trial))
	}
	return a.Bounds(fewest)
}

func (g *Grid) edgeText(axes []axis, r *ChosenRow) string {
	var texts []string
	for i := range axes {
		switch name := axes[i].Name; g.endOf(&axes[i], r) {
		case smallest:
			texts = append(texts, name+" smallest")
		case largest:
			texts = append(texts, name+" largest")
		}
	}
	return strings.Join(texts, ", ")
}

// edges counts how often the chosen rows of model m have a value at the edge of a grid, and appends the counts.
func (g *Grid) edges(edges []Edge, axes []axis, m selection.Model, chosen []*ChosenRow) []Edge {
	for i := range axes {
		a := &axes[i]
		for _, side := range []end{smallest, largest} {
			for _, r := range chosen {
				if r == nil || g.endOf(a, r) != side {
					continue
				}
				k := slices.IndexFunc(edges, func(e Edge) bool { return e.Param == a.Name && e.Largest == (side == largest) })
				if k < 0 {
					inwards := slices.Clone(a.values)
					if side == largest {
						slices.Reverse(inwards)
					}
					k = len(edges)
					edges = append(edges, Edge{Param: a.Name, Value: inwards[0], Largest: side == largest,
						Beyond: g.beyond(a, r, inwards)})
				}
				edges[k].Chose[m]++
			}
		}
	}
	return edges
}

// beyond returns two values beyond the grid's edge, or fewer near a bound of the parameter. The argument inwards has
// the grid's values, beginning at the edge. If the last steps are equal, they continue: 25 and 30 follow 10, 15, 20.
// Otherwise the last ratio continues: 20 and 40 follow 1, 5, 10.
func (g *Grid) beyond(p *axis, r *ChosenRow, inwards []float64) (found []float64) {
	least, most := g.bounds(p, r)
	if p.Integer {
		least, most = least-1, most+1 // a bound itself is allowed
	}
	for a, b, c := inwards[0], inwards[1], inwards[2]; len(found) < 2; a, b, c = found[len(found)-1], a, b {
		v := a * a / b
		if step := a - b; math.Abs(step-(b-c)) <= 1e-9*math.Abs(step) || a*b <= 0 {
			v = a + step
		}
		if p.Integer {
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
