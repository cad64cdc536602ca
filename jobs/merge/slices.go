package merge

import (
	"cmp"
	"slices"

	"graphda/jobs/plan"
)

// A Slice is the part of a grid with one value of a parameter.
type Slice struct {
	Value float64
	Grid  *Grid
}

// Slices returns a slice of the grid for each value of a parameter, ascending. A cell is in no slice if it has no
// row, or if its method lacks the parameter. Slices panics if the parameter is not in Request.Along.
func (g *Grid) Slices(param string) []Slice {
	i := slices.IndexFunc(g.request.Along, func(a Along) bool { return a.Param == param })
	if i < 0 {
		panic("merge: the rows were not collected along parameter " + param)
	}
	return g.cuts[i]
}

func (g *Grid) cut(along int, t *TrialRows) {
	a, width := &g.request.Along[along], len(g.checkpoints)
	parts := map[float64]*TrialRows{}
	for i, c := range t.Cells {
		value, ok := valueOf(c, a.Param)
		if !ok || t.first(i) == nil {
			continue
		}
		part := parts[value]
		if part == nil {
			part = &TrialRows{chosen: t.chosen}
			parts[value] = part
		}
		part.Cells = append(part.Cells, c)
		for _, checkpoint := range a.Checkpoints {
			k, _ := slices.BinarySearch(g.checkpoints, checkpoint)
			part.at = append(part.at, t.at[i*width+k])
		}
	}
	for value, part := range parts {
		at, found := slices.BinarySearchFunc(g.cuts[along], value,
			func(s Slice, v float64) int { return cmp.Compare(s.Value, v) })
		if !found {
			request := g.request
			request.Along, request.Sweeps = nil, nil
			g.cuts[along] = slices.Insert(g.cuts[along], at, Slice{value, newGrid(request, a.Checkpoints, g.variant)})
		}
		g.cuts[along][at].Grid.add(part)
	}
}

// valueOf returns the value of a cell's parameter. It ignores parameters of users' programs.
func valueOf(c *plan.Cell, param string) (value float64, ok bool) {
	for k := range c.Method.Params {
		if c.Method.Params[k].Name == param && !c.Method.Free {
			return c.Values[k], true
		}
	}
	return 0, false
}
