package network

import (
	"slices"
	"strings"

	"graphda/io/dataframe"
)

// open opens a table. Spaces separate the fields if the first row of a text file has no other separator.
func open(path string, o dataframe.Options) (*dataframe.Table, error) {
	t, err := dataframe.Open(path, o)
	if err == nil && t.Layout().Header && len(t.Columns()) == 1 && strings.Contains(t.Columns()[0], " ") {
		t.Close()
		o.Separator = ' '
		return dataframe.Open(path, o)
	}
	return t, err
}

func isNumber(text string) bool {
	_, err := dataframe.Number(text)
	return err == nil
}

// like reports whether two names look similar: they are equal, both are single letters, or they differ only in a number
// at the end.
func like(a, b string) bool {
	stem := func(s string) string { return strings.TrimRight(s, "0123456789") }
	letters := len(a) == 1 && len(b) == 1 && min(a, b) > "9"
	return a == b || letters || stem(a) == stem(b) && stem(a) != "" && stem(a) != a && stem(b) != b
}

// like reports whether one of the two names looks similar to an end of an edge in row first or later.
func (l *EdgeList) like(names [2]string, first int) bool {
	return slices.ContainsFunc(slices.Concat(l.ends[0][first:], l.ends[1][first:]), func(node string) bool {
		return like(node, names[0]) || like(node, names[1])
	})
}

// checkFirst decides whether the first row of a text file is an edge or a header.
func (l *EdgeList) checkFirst(t *dataframe.Table, c edgeColumns) error {
	layout, names, below := t.Layout(), l.Columns, 0
	switch {
	case c.headless:
		return l.takeHead(t, c)
	case layout.NoHeader && len(l.rows) > 0:
		names, below = [2]string{l.ends[0][0], l.ends[1][0]}, 1
	case !layout.Header || l.request.Source != "" || c.headed:
		return nil
	}
	taken := l.path + ": its first row, " + names[0] + " and " + names[1] + ", is read as "
	header := c.headed || knownEnds(names[:], new([2]int)) && !l.like(names, below)
	switch {
	case layout.Header && !header:
		return t.Wrong(-1, "begins with %s and %s, which may be names of columns or of nodes. If they are nodes, add a "+
			"first row source,target. If they are columns, add --source %[1]s --target %[2]s", names[0], names[1])
	case header && (layout.Header || c.headed || !like(names[0], names[1])):
		if first := bare(names[0]); layout.NoHeader || first != "source" && first != "from" {
			l.FileNotes = append(l.FileNotes, taken+"names of columns")
		}
		l.rows, l.ends[0], l.ends[1] = l.rows[below:], l.ends[0][below:], l.ends[1][below:]
		l.values = l.values[min(below, len(l.values)):]
		l.nodes = slices.DeleteFunc(l.nodes, func(name string) bool { return below == 1 && name == names[0] })
	case header && len(names[0]) > 1:
		l.FileNotes = append(l.FileNotes, taken+"an edge")
	}
	return nil
}

// checkMatrix refuses an adjacency matrix. A matrix has as many rows as columns. Either rows and columns have the same
// names, or all fields are numbers. If `edges` is set, the file could also be a list of edges. Fields that are all
// numbers then count as a matrix only if the column names are similar. The matrix must also have more than three
// columns, be symmetric, or have a zero diagonal.
func (l *EdgeList) checkMatrix(t *dataframe.Table, edges bool) error {
	head := t.Columns()
	if len(head) < 3 {
		return nil
	}
	m, err := open(l.path, l.request.Options)
	if err != nil {
		return nil
	}
	defer m.Close()
	var first, last, corner []string // corner: the upper left 3 × 3 fields
	n, numbers, kind := 0, true, like(head[0], head[2])
	add := func(text func(i int) string) {
		for i := range head {
			numbers = numbers && isNumber(text(i))
			if max(i, n) < 3 {
				corner = append(corner, text(i))
			}
		}
		n++
	}
	if !slices.ContainsFunc(head, func(name string) bool { return !isNumber(name) }) {
		kind = true
		add(func(i int) string { return head[i] })
	}
	for len(first) <= len(head) && m.Next() {
		first, last = append(first, m.Text(0)), append(last, m.Text(len(head)-1))
		add(m.Text)
	}
	same := func(a, b []string) bool {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	}
	matrix := same(first, head[1:]) || same(last, head[:len(head)-1])
	if c := corner; n == len(head) && numbers {
		symmetric := c[1] == c[3] && c[2] == c[6] && c[5] == c[7] || c[0] == "0" && c[4] == "0" && c[8] == "0"
		matrix = matrix || !edges || kind && (len(head) > 3 || symmetric)
	}
	if matrix {
		err = t.Wrong(-1, "looks like an adjacency matrix; want a list of edges, with a row source,target for each entry "+
			"that is not 0. If its rows are edges already, add a first row source,target,cost, or use --source and --target")
	}
	return err
}
