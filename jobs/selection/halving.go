package selection

import (
	"cmp"
	"slices"

	"graphda/io/results"
)

// Survivors tells which rows of a checkpoint are of settings that go on when only so many of them do: those
// the rule ranks best, in turn one for w and one for w̄, as neither is to lose its choice to the other. The rows are
// given as to Best. Rows that failed never go on; others that the rule cannot choose do, after those it
// can.
func (r Rule) Survivors(rows []*results.Row, count int) []bool {
	var ranked [len(Models)][]int
	for _, m := range Models {
		order := make([]int, 0, len(rows))
		for i, row := range rows {
			if row != nil && !row.Failed() {
				order = append(order, i)
			}
		}
		slices.SortFunc(order, func(i, j int) int {
			place := cmp.Compare(i, j)
			if r.order.last {
				place = -place
			}
			return cmp.Or(r.compare(rows[i], rows[j], m), place)
		})
		ranked[m] = order
	}
	goesOn := make([]bool, len(rows))
	for rank := range ranked[W] {
		for _, m := range Models {
			if at := ranked[m][rank]; count > 0 && !goesOn[at] {
				goesOn[at] = true
				count--
			}
		}
	}
	return goesOn
}
