package tabular

import (
	"errors"
	"fmt"
	"io"
)

// A grid is a source in memory. Most of its values are numbers; those that are none are kept as
// texts beside them.
type grid struct {
	corner string   // the name of the first column
	names  []string // of the others
	ids    []string // what the first column holds
	values [][]float64
	texts  map[cell]fault
	from   []Row // of a grid of which rows and columns have changed places: where names stand in the file
	row    int
}

type cell struct{ row, column int }

// A fault is a text that is no number, and why.
type fault struct {
	text string
	err  error
}

// NewMatrix returns a source of numbers in memory, a slice a row. Its first column, which has no
// name, holds the ids of the rows. NaN stands for a missing value.
func NewMatrix(ids, names []string, values [][]float64) Source {
	return &grid{names: names, ids: ids, values: values, row: -1}
}

// transpose reads a source to its end and closes it.
func transpose(path string, s Source) (Source, error) {
	defer s.Close()
	head := s.Columns()
	g := &grid{corner: head[0], ids: head[1:], texts: map[cell]fault{}, row: -1}
	if len(g.ids) == 0 {
		return nil, &Error{Path: path, Err: errors.New("has one column only, and nothing beside the names in it")}
	}
	g.values = make([][]float64, len(g.ids))
	err := s.Next()
	for ; err == nil; err = s.Next() {
		g.names, g.from = append(g.names, s.Text(0)), append(g.from, s.Row())
		for i := range g.ids {
			x, err := s.Number(i + 1)
			if err != nil {
				g.texts[cell{i, len(g.names)}] = fault{s.Text(i + 1), err}
			}
			g.values[i] = append(g.values[i], x)
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return g, nil
}

func (g *grid) Columns() []string { return append([]string{g.corner}, g.names...) }

func (g *grid) Next() error {
	if g.row++; g.row == len(g.ids) {
		return io.EOF
	}
	return nil
}

func (g *grid) Row() Row { return Index(g.row) }

func (g *grid) Place(i int) (Row, string) {
	switch {
	case g.from == nil:
		return g.Row(), g.Columns()[i]
	case i == 0:
		return 0, g.ids[g.row]
	}
	return g.from[i-1], g.ids[g.row]
}

func (g *grid) Text(i int) string {
	if i == 0 {
		return g.ids[g.row]
	}
	if bad, ok := g.texts[cell{g.row, i}]; ok {
		return bad.text
	}
	return FormatNumber(g.values[g.row][i-1])
}

func (g *grid) Number(i int) (float64, error) {
	if i == 0 {
		return Number(g.ids[g.row])
	}
	if bad, ok := g.texts[cell{g.row, i}]; ok {
		return 0, bad.err
	}
	x := g.values[g.row][i-1]
	if x-x != 0 {
		return 0, fmt.Errorf("is %v, want a finite number", x)
	}
	return x, nil
}

func (g *grid) Real(int) bool { return false }
func (g *grid) Close() error  { return nil }
