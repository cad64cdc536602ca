package merge

import (
	"cmp"
	"fmt"
	"slices"
)

// Along is a parameter that a grid is cut along.
type Along struct {
	Param       int   // an index of the plan's Params
	Checkpoints []int // at which the slices are wanted; of the plan's, ascending
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
