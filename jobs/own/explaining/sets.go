package explaining

import (
	"cmp"
	"io"
	"maps"
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
func (s *Subgraph) Sets(features []string, path string, o dataframe.Options) (sets []Set, all int, err error) {
	selected := map[string]bool{}
	for i := range s.Nodes {
		if !s.Nodes[i].Connects {
			selected[s.Nodes[i].Name] = true
		}
	}
	groups, err := readGroups(features, path, o)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		set := Set{Name: name, Size: len(groups[name])}
		set.Selected = slices.DeleteFunc(groups[name], func(f string) bool { return !selected[f] })
		if len(set.Selected) > 0 {
			sets = append(sets, set)
		}
	}
	slices.SortStableFunc(sets, func(a, b Set) int {
		return cmp.Or(cmp.Compare(len(b.Selected), len(a.Selected)), cmp.Compare(a.Size, b.Size))
	})
	return sets, len(groups), err
}

func readGroups(features []string, path string, o dataframe.Options) (groups map[string][]string, err error) {
	t, err := dataframe.Open(path, o)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := coding.CheckDescriptions(path, o, features); err != nil {
		return nil, err
	}
	feature, err := t.NeedAny(dataframe.MemberColumns)
	if err != nil {
		return nil, err
	}
	group, err := t.NeedAny(dataframe.GroupColumns)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, name := range features {
		known[name] = true
	}
	groups = map[string][]string{}
	for t.Next() {
		to, name := t.Text(group), t.Text(feature)
		if known[name] && !slices.Contains(groups[to], name) {
			groups[to] = append(groups[to], name)
		}
	}
	if len(groups) == 0 && t.Err() == nil {
		return nil, t.Wrong(feature, "names no feature; features have names like %s", dataframe.Some(features))
	}
	return groups, t.Err()
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
