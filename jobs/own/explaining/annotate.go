package explaining

import (
	"slices"
	"unicode/utf8"

	"graphda/io/dataframe"
	"graphda/io/network"
)

// Annotate reads a table with a row for each feature, and adds its columns to the nodes as texts. It returns the number
// of nodes without a row, and the unreadable columns, such as lists.
func (s *Subgraph) Annotate(path string, o dataframe.Options) (without int, unread []string, err error) {
	t, err := dataframe.Open(path, o)
	if err != nil {
		return 0, nil, err
	}
	defer t.Close()
	name, err := t.NeedAny(dataframe.MemberColumns)
	if err != nil {
		return 0, nil, err
	}
	var columns []int
	for i, column := range t.Columns() {
		if i == name || column == "" {
			continue
		}
		same := func(k network.Attribute) bool { return k.Name == column }
		if slices.ContainsFunc(slices.Concat(s.keys(), s.Notes), same) {
			return 0, nil, t.Wrong(i, "is also the name of another column of nodes.tsv; rename it")
		}
		if t.Check(i) != nil {
			unread = append(unread, column)
			continue
		}
		s.Notes, columns = append(s.Notes, network.Attribute{Name: column, Type: "string"}), append(columns, i)
	}
	names, seen := make([]string, len(s.Nodes)), map[int32]bool{}
	for i := range s.Nodes {
		names[i], s.Nodes[i].Notes = s.Nodes[i].Name, make([]string, len(columns))
	}
	place := dataframe.IndexNames(names)
	for t.Next() {
		i, selected := place[dataframe.NameText(t.Text(name))]
		switch {
		case !selected:
			continue
		case seen[i]:
			return 0, nil, t.Bad(name, "has %q a second time; want one row for each feature", t.Text(name))
		}
		seen[i] = true
		for k, column := range columns {
			if s.Nodes[i].Notes[k] = t.Text(column); !utf8.ValidString(t.Text(column)) {
				return 0, nil, t.Bad(column, "is %q, which is not UTF-8", t.Text(column))
			}
		}
	}
	return len(s.Nodes) - len(seen), unread, t.Err()
}
