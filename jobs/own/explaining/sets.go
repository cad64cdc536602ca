package explaining

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"graphda/io/dataframe"
	"graphda/io/seal"
	"graphda/jobs/own/coding"
)

// A Set is a group of features that contains selected features.
type Set struct {
	Name     string
	Size     int      // number of the dataset's features in the group
	Selected []string // selected features in the group
}

// Sets reads groups of the dataset's features from a table. It returns the groups that contain selected features, in
// falling order of the number of selected features. `all` is the number of all groups.
func (s *Subgraph) Sets(features []string, path string, o dataframe.Options) (sets []Set, all int, notes []string,
	err error) {
	selected := map[string]bool{}
	for i := range s.Nodes {
		if !s.Nodes[i].Connects {
			selected[s.Nodes[i].Name] = true
		}
	}
	groups, notes, err := coding.ReadGroups(path, o, features)
	for _, g := range groups {
		set := Set{Name: g.Name, Size: len(g.Members)}
		for _, j := range g.Members {
			if selected[features[j]] {
				set.Selected = append(set.Selected, features[j])
			}
		}
		if set.Selected != nil {
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, func(a, b Set) int {
		return cmp.Or(cmp.Compare(len(b.Selected), len(a.Selected)), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Name, b.Name))
	})
	return sets, len(groups), notes, err
}

// SetsFile returns a file with a row for each set.
func SetsFile(sets []Set) seal.Named {
	rows := [][]string{{"set", "size", "selected", "features"}}
	for _, s := range sets {
		rows = append(rows, []string{s.Name, strconv.Itoa(s.Size), strconv.Itoa(len(s.Selected)),
			strings.Join(s.Selected, " ")})
	}
	return seal.Named{Name: "sets.tsv", Fill: func(w io.Writer) error { return writeTSV(w, rows) }}
}
