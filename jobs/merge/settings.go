package merge

import (
	"slices"
	"strings"

	"graphda/learners"
)

// An axis is a parameter and the values it takes in the grid of a method.
type axis struct {
	*learners.Param
	place  int       // among the method's parameters
	values []float64 // ascending
}

// of returns the parameter's value in a chosen row.
func (a *axis) of(r *ChosenRow) float64 { return r.Cell.Values[a.place] }

// axes are the parameters that vary in the grid of a series, by the rows present; if none does, all
// that the method has.
func (s *series) axes() []axis {
	var all, varying []axis
	for j, v := range s.values {
		a := axis{&s.method.Params[j], j, v}
		if len(v) > 0 {
			all = append(all, a)
		}
		if len(v) > 1 {
			varying = append(varying, a)
		}
	}
	if len(varying) == 0 {
		return all
	}
	return varying
}

// settingText writes the parameters of a row that these axes name: "gamma=100 s=26".
func settingText(axes []axis, r *ChosenRow) string {
	var words []string
	for i := range axes {
		words = append(words, axes[i].Name+"="+axes[i].Format(axes[i].of(r)))
	}
	return strings.Join(words, " ")
}

// A SettingCount tells how many trials chose a setting.
type SettingCount struct {
	Setting string // the parameters that vary in the method's grid, "gamma=100 s=26"; all if none does
	Trials  int
	Edge    string // the parameters at edges of their grids: "gamma largest, s smallest"; mostly empty
}

// countSettings counts the settings of chosen rows, the most frequent first; ties go to the setting of the earlier
// trial.
func (g *Grid) countSettings(axes []axis, chosen []*ChosenRow) []SettingCount {
	var counts []SettingCount
	for _, r := range chosen {
		if r == nil {
			continue
		}
		s := settingText(axes, r)
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
