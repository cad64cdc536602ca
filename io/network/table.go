package network

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	_ "graphda/io/columnar" // Parquet and Arrow
	"graphda/io/tabular"
)

// A table holds some columns of a file.
type table struct {
	path    string
	all     []string            // the names of all columns
	rows    []tabular.Row       // where they stand
	texts   map[string][]string // columns of nodes, as far as the file has them
	numbers map[string][]float64
	reals   []string // those of texts that hold numbers which need not be whole
}

// A layout says which columns are read.
type layout struct {
	nodes   []string // columns of nodes
	numbers []string // columns of numbers; the first that the file has is taken
	low     float64  // the least number allowed; −Inf for any
}

func (l *layout) wanted(name string) bool {
	return slices.Contains(l.nodes, name) || slices.Contains(l.numbers, name)
}

// read reads a file of any format.
func (l *layout) read(path string) (*table, error) {
	in, err := tabular.Open(path, tabular.Options{Wanted: l.wanted})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return l.readFrom(path, in)
}

func (l *layout) readFrom(path string, in *tabular.Table) (*table, error) {
	t := &table{path: path, all: in.Columns(), texts: map[string][]string{}, numbers: map[string][]float64{}}
	number, nodes := -1, map[string]int{}
	for _, name := range slices.Concat(l.nodes, l.numbers) {
		i, err := in.Find(name)
		switch {
		case err != nil:
			return nil, err
		case i < 0:
		case slices.Contains(l.nodes, name):
			nodes[name], t.texts[name] = i, []string{}
			if in.Real(i) {
				t.reals = append(t.reals, name)
			}
		case number < 0:
			number, t.numbers[name] = i, []float64{}
		}
	}
	name, named := nodes["name"]
	for in.Next() {
		if named && in.Text(name) == Intercept {
			continue
		}
		for name, i := range nodes {
			t.texts[name] = append(t.texts[name], in.Text(i))
		}
		if number >= 0 {
			x, err := in.Number(number)
			switch {
			case err != nil:
				return nil, in.Bad(number, "is %q, want a finite number%s", in.Text(number), atLeast(l.low))
			case x < l.low:
				return nil, in.Bad(number, "is %v, want a finite number%s", x, atLeast(l.low))
			}
			t.numbers[t.all[number]] = append(t.numbers[t.all[number]], x)
		}
		t.rows = append(t.rows, in.Row())
	}
	if len(t.rows) > math.MaxInt32 {
		return nil, t.bad("", "has more than %d rows", math.MaxInt32)
	}
	return t, in.Err()
}

// bad returns an error about the file, or about a column if it is not empty.
func (t *table) bad(column, format string, args ...any) error {
	return &tabular.Error{Path: t.path, Column: column, Err: fmt.Errorf(format, args...)}
}

// badCell returns an error about one value.
func (t *table) badCell(row int, column, format string, args ...any) error {
	return &tabular.Error{Path: t.path, Row: t.rows[row], Column: column, Err: fmt.Errorf(format, args...)}
}

// missing returns an error about a column that must be there.
func (t *table) missing(column string) error {
	return t.bad("", "has no column %s; its columns are %s", column, tabular.Some(t.all))
}

// unread lists the columns that were not asked for.
func (t *table) unread() (names []string) {
	for _, name := range t.all {
		if t.texts[name] == nil && t.numbers[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

func atLeast(low float64) string {
	if math.IsInf(low, -1) {
		return ""
	}
	return fmt.Sprintf(" of at least %v", low)
}

// either names one of several columns in a message.
func either(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, " or ")
}
