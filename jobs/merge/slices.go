package merge

import (
	"slices"

	"graphda/io/results"
)

// A Slice is the part of a grid whose cells have one value of a parameter.
type Slice struct {
	Value float64
	Grid  *Grid
}

// Slices cuts the grid along a parameter, given as an index of the plan's Params: a slice
// for each of its values, ascending. Cells without a row, and those of methods without the
// parameter, are in none.
func (g *Grid) Slices(param int) ([]Slice, error) {
	var values []float64
	for _, r := range g.rows {
		values = insert(values, r.Params[param])
	}
	var cut []Slice
	for _, v := range values {
		plan, rows := g.plan, []results.Row(nil)
		plan.Cells = nil
		cells := map[string]bool{}
		for _, r := range g.rows {
			if r.Params[param] == v {
				rows = append(rows, *r)
				cells[r.Cell] = true
			}
		}
		for i := range g.plan.Cells {
			if cells[g.plan.Cells[i].ID] {
				plan.Cells = append(plan.Cells, g.plan.Cells[i])
			}
		}
		s, err := Collect(plan, slices.Clip(rows))
		if err != nil {
			return nil, err
		}
		cut = append(cut, Slice{Value: v, Grid: s})
	}
	return cut, nil
}
