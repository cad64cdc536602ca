package merge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"graphda/io/results"
)

// paramText returns a parameter's value as a person writes it: the word of a parameter
// chosen from words, else the shortest decimal that reads back the same. A parameter
// the method does not have (NaN) is the empty string.
func paramText(column results.ParamColumn, v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	if i := int(v); column.Words != nil && i >= 0 && i < len(column.Words) {
		return column.Words[i]
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// setting writes the parameters of a row that these axes name: "gamma=100 s=26".
func (g *Grid) setting(axes []axis, r *results.Row) string {
	var words []string
	for _, p := range axes {
		column := g.plan.Params[p.column]
		words = append(words, column.Name+"="+paramText(column, r.Params[p.column]))
	}
	return strings.Join(words, " ")
}

// A SettingCount tells how many trials chose a setting.
type SettingCount struct {
	Setting string // the parameters that vary in the method's grid, "gamma=100 s=26"; all if none does
	Trials  int
	Edge    string // the parameters at edges of their grids: "gamma largest, s smallest"; mostly empty
}

// countSettings counts the settings of chosen rows, the most frequent first, of equals
// that of the earlier trial.
func (g *Grid) countSettings(axes []axis, chosen []*results.Row) []SettingCount {
	var counts []SettingCount
	for _, r := range chosen {
		if r == nil {
			continue
		}
		s := g.setting(axes, r)
		i := slices.IndexFunc(counts, func(c SettingCount) bool { return c.Setting == s })
		if i < 0 {
			i = len(counts)
			counts = append(counts, SettingCount{Setting: s, Edge: g.edgeText(axes, r)})
		}
		counts[i].Trials++
	}
	slices.SortStableFunc(counts, func(a, b SettingCount) int { return b.Trials - a.Trials })
	return counts
}
