package network

import (
	"math"
	"slices"
	"strconv"
)

// Labels are how the rows of a table refer to nodes: all by whole numbers, or by names.
type labels struct {
	table  *table
	column string
	ints   []int64
	texts  []string
}

// labelsOf reads labels. Text that is a whole number in every row is read as numbers.
func labelsOf(t *table, column string) (*labels, error) {
	l := &labels{table: t, column: column, texts: t.texts[column]}
	if slices.Contains(t.reals, column) {
		return nil, t.bad(column, "has fractions, want names or whole numbers")
	}
	if row := slices.Index(l.texts, ""); row >= 0 {
		return nil, t.badCell(row, column, "is empty, want a node")
	}
	l.parse()
	return l, nil
}

// parse turns texts into numbers if each is one and is written as one.
func (l *labels) parse() {
	ints := make([]int64, len(l.texts))
	for i, s := range l.texts {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil || strconv.FormatInt(v, 10) != s {
			return
		}
		ints[i] = v
	}
	l.ints, l.texts = ints, nil
}

func (l *labels) whole() bool { return l.texts == nil }

// name returns the label of a row as text.
func (l *labels) name(row int) string {
	if l.whole() {
		return strconv.FormatInt(l.ints[row], 10)
	}
	return l.texts[row]
}

func (l *labels) len() int { return max(len(l.ints), len(l.texts)) }

// names numbers nodes by name, in the order in which they are first met.
type names struct {
	list  []string
	index map[string]int32
}

// add numbers the names of all rows.
func (n *names) add(l *labels) ([]int32, error) {
	nodes := make([]int32, l.len())
	for row := range nodes {
		name := l.name(row)
		u, ok := n.index[name]
		if !ok {
			if len(n.list) == math.MaxInt32 {
				return nil, l.table.badCell(row, l.column, "is node %d, want at most %d", len(n.list), math.MaxInt32)
			}
			u = int32(len(n.list))
			n.index[name] = u
			n.list = append(n.list, name)
		}
		nodes[row] = u
	}
	return nodes, nil
}

// indices returns labels that are indices below n.
func (l *labels) indices(n int, why string) ([]int32, error) {
	nodes := make([]int32, len(l.ints))
	for row, v := range l.ints {
		if v < 0 || v >= int64(n) {
			return nil, l.table.badCell(row, l.column, "is node %d, want 0 to %d: %s", v, n-1, why)
		}
		nodes[row] = int32(v)
	}
	return nodes, nil
}

// distinct refuses a node that has two rows.
func (l *labels) distinct(nodes []int32, n int) error {
	first := make([]int32, n) // row + 1
	for row, u := range nodes {
		if first[u] > 0 {
			return l.table.badCell(row, l.column, "is %q, as in %v", l.name(row), l.table.rows[first[u]-1])
		}
		first[u] = int32(row) + 1
	}
	return nil
}
