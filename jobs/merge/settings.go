package merge

import (
	"slices"
	"strings"

	"graphda/learners"
)

// An axis is a parameter of a series with the values in its grid.
type axis struct {
	*learners.Param
	place  int       // index of the parameter in the method
	values []float64 // values in the grid, ascending
}

func (a *axis) of(r *ChosenRow) float64 { return r.Cell.Values[a.place] }

// axes returns the parameters that vary in a series, or all parameters if none varies.
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

// settingText describes a row's values of some parameters, as in "gamma=100 s=26".
func settingText(axes []axis, r *ChosenRow) string {
	var words []string
	for i := range axes {
		words = append(words, axes[i].Name+"="+axes[i].Format(axes[i].of(r)))
	}
	return strings.Join(words, " ")
}

// A SettingCount counts the trials that chose a setting.
type SettingCount struct {
	Setting string // as in "gamma=100 s=26"
	Trials  int
	Edge    string // as in "gamma largest, s smallest"; usually ""
}

// countSettings counts how often each setting occurs in chosen rows. The most frequent setting comes first. Tied
// settings are in the order of their first trials.
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
