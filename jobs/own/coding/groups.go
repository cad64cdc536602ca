package coding

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// A Group is a named set of features.
type Group struct {
	Name    string
	Members []int32 // indices of features, in the order of the file
}

// ReadGroups reads groups of features from a table with a row for each member, or from a GMT file. If the second field
// of every line of a GMT file is a feature, the lines have no descriptions, and each group would lose a member.
// ReadGroups refuses such a file.
func ReadGroups(path string, o dataframe.Options, features []string) (groups []Group, notes []string, err error) {
	t, err := dataframe.Open(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	feature, err := t.NeedAny(dataframe.MemberColumns)
	if err != nil {
		return nil, nil, err
	}
	group, err := t.NeedAny(dataframe.GroupColumns)
	if err != nil {
		return nil, nil, err
	}
	index, place := dataframe.IndexNames(features), map[string]int{} // place of each group in groups
	described := !t.Layout().NoHeader
	notes, err = EachFeature(t, path, features, []int{feature, group}, func(j int32) error {
		name := t.Text(group)
		switch {
		case dataframe.IsMissing(name):
			return t.Bad(group, "is %q, want the name of a group", name)
		case !utf8.ValidString(name):
			return t.Bad(group, "is %q, which is not UTF-8", name)
		case !described:
			_, isFeature := index[t.Text(slices.Index(t.Columns(), "description"))]
			described = !isFeature
		}
		if j < 0 {
			return nil
		}
		g, known := place[name]
		if !known {
			g = len(groups)
			place[name], groups = g, append(groups, Group{Name: name})
		}
		if !slices.Contains(groups[g].Members, j) {
			groups[g].Members = append(groups[g].Members, j)
		}
		return nil
	})
	if err == nil && !described {
		err = t.Wrong(-1, "has a feature in the second field of each line; want a description there, such as na, and the "+
			"members behind it")
	}
	return groups, notes, err
}

// EachFeature calls visit for every row of a table, with the index of the feature named in columns[0]. The index is −1
// for an unknown feature. Notes count these rows, and list the other columns of the table, which are not read. A table
// without any feature is refused.
func EachFeature(t *dataframe.Table, path string, features []string, columns []int, visit func(feature int32) error) (
	notes []string, err error) {
	for _, note := range t.Layout().Notes {
		notes = append(notes, path+": "+note)
	}
	var unread []string
	for i, name := range t.Columns() {
		if !slices.Contains(columns, i) && !t.IsIndex(i) && name != "" && !t.Layout().NoHeader {
			unread = append(unread, name)
		}
	}
	if unread != nil {
		notes = append(notes, "ignored columns of "+path+": "+dataframe.Some(unread))
	}
	index := dataframe.IndexNames(features)
	rows, known, strange, seen := 0, false, []string{}, map[string]bool{}
	for t.Next() {
		name := dataframe.NameText(t.Text(columns[0]))
		j, ok := index[name]
		if known = known || ok; !ok {
			j = -1
			if rows++; !seen[name] {
				seen[name], strange = true, append(strange, name)
			}
		}
		if err := visit(j); err != nil {
			return notes, err
		}
	}
	if err := t.Err(); err != nil {
		return notes, err
	}
	if !known {
		only := ""
		if rows > 0 {
			only = ", only " + dataframe.Some(strange)
		}
		return notes, t.Wrong(columns[0], "names no feature%s; features have names like %s", only, dataframe.Some(features))
	}
	if rows > 0 {
		notes = append(notes, fmt.Sprintf("left out %s of %s, whose names are not among the features: %s",
			message.Count(rows, "row"), path, dataframe.Some(strange)))
	}
	return notes, nil
}
