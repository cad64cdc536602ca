package network

import (
	"slices"
	"strings"

	"graphda/io/dataframe"
)

// open opens a table. If the first row of a text has blanks and no other separator, blanks separate the fields.
func open(path string, o dataframe.Options) (*dataframe.Table, error) {
	t, err := dataframe.Open(path, o)
	if err != nil || o.Separator != 0 || !t.Layout().Header || len(t.Columns()) != 1 ||
		!strings.Contains(t.Columns()[0], " ") {
		return t, err
	}
	t.Close()
	o.Separator = ' '
	return dataframe.Open(path, o)
}

func isNumber(text string) bool {
	_, err := dataframe.Number(text)
	return err == nil
}

// like tells whether two names may be of things of one kind: they are the same, single letters, or differ in a number
// at the end.
func like(a, b string) bool {
	stem := func(s string) string { return strings.TrimRight(s, "0123456789") }
	letters := len(a) == 1 && len(b) == 1 && min(a, b) > "9"
	return a == b || letters || stem(a) == stem(b) && stem(a) != "" && stem(a) != a && stem(b) != b
}

// like tells whether one of two names may be a node: some end of a row after the first few is like it.
func (l *EdgeList) like(names [2]string, first int) bool {
	return slices.ContainsFunc(slices.Concat(l.ends[0][first:], l.ends[1][first:]), func(node string) bool {
		return like(node, names[0]) || like(node, names[1])
	})
}

// checkFirst decides whether the first row of a text is an edge or names the columns. The words of a header are not
// enough where nodes are called alike.
func (l *EdgeList) checkFirst(t *dataframe.Table, c edgeColumns) error {
	layout := t.Layout()
	switch {
	case c.headless:
		return l.takeHead(t, c)
	case layout.Header && l.request.Source == "" && !c.headed:
		if l.like(l.Columns, 0) {
			return t.Wrong(-1, "begins with %s and %s, which may be names of columns or nodes: for nodes add a first row "+
				"source,target, for names of columns say --source %[1]s --target %[2]s", l.Columns[0], l.Columns[1])
		}
		if name := bare(l.Columns[0]); name != "source" && name != "from" {
			l.notes = append(l.notes, l.path+": its first row, "+l.Columns[0]+" and "+l.Columns[1]+", is taken for names of columns")
		}
	case layout.NoHeader && len(l.rows) > 0:
		head := [2]string{l.ends[0][0], l.ends[1][0]}
		switch {
		case !knownEnds(head[:], new([2]int)) || l.like(head, 1) || len(head[0]) == 1:
		case like(head[0], head[1]):
			l.notes = append(l.notes, l.path+": its first row, "+head[0]+" and "+head[1]+", is taken for an edge")
		default:
			l.notes = append(l.notes, l.path+": its first row, "+head[0]+" and "+head[1]+", is taken for names of columns")
			l.rows, l.ends[0], l.ends[1] = l.rows[1:], l.ends[0][1:], l.ends[1][1:]
			l.values = l.values[min(1, len(l.values)):]
			l.nodes = slices.DeleteFunc(l.nodes, func(name string) bool { return name == head[0] })
		}
	}
	return nil
}

// checkMatrix refuses an adjacency matrix: it has as many rows as columns, and the same names on both sides or numbers
// only. A file that may be edges too is one only if its columns are headed alike, and if it has more columns than edges
// have, is symmetric, or has the same number all along its diagonal.
func (l *EdgeList) checkMatrix(t *dataframe.Table, edges bool) error {
	const few = 64 // columns of a file that may be edges
	head, o := t.Columns(), l.request.Options
	m, err := open(l.path, o)
	if err != nil || len(head) < 3 {
		return nil
	}
	defer m.Close()
	var rows [][]string
	n, numbers, first := 0, true, []string(nil)
	add := func(text func(i int) string) {
		row := make([]string, len(head))
		for i := range row {
			row[i] = text(i)
			numbers = numbers && isNumber(row[i])
		}
		if n++; len(head) <= few {
			rows = append(rows, row)
		}
	}
	kind := like(head[0], head[2])
	if !slices.ContainsFunc(head, func(name string) bool { return !isNumber(name) }) {
		kind = true
		add(func(i int) string { return head[i] })
	}
	for len(first) <= len(head) && m.Next() {
		first = append(first, m.Text(0))
		add(m.Text)
	}
	symmetric, diagonal := true, true
	for i := 0; n == len(head) && i < len(rows); i++ {
		diagonal = diagonal && rows[i][i] == rows[0][0]
		for j := range i {
			symmetric = symmetric && rows[i][j] == rows[j][i]
		}
	}
	slices.Sort(first)
	named := slices.Equal(first, slices.Sorted(slices.Values(head[1:])))
	if named || n == len(head) && numbers && (!edges || kind && (len(head) > 3 || symmetric || diagonal)) {
		return t.Wrong(-1, "is an adjacency matrix, want a list of edges: a row source,target for each entry that is not 0 "+
			"(if its rows are edges, add a first row source,target,cost, or say --source and --target)")
	}
	return nil
}
