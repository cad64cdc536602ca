package figures

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"graphda/io/csvfile"
)

// A table writes CSV and keeps the first error.
type table struct{ w *csvfile.Writer }

func newTable(w io.Writer, heads ...string) table {
	t := table{csvfile.NewWriter(w)}
	t.row(heads...)
	return t
}

func (t table) row(values ...string) {
	// An error stays with the writer until it is asked for.
	_ = t.w.Write(values...)
}

func (t table) close() error { return t.w.Flush() }

// number is the shortest decimal that reads back as v, or nothing if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// checkCells tells whether there are as many cells as names, and what is wrong with a cell.
func checkCells[T any](what string, rows, columns []string, cells [][]T, check func(T) error) error {
	if len(cells) != len(rows) {
		return fmt.Errorf("figures: %s: %d names of rows, %d rows of cells", what, len(rows), len(cells))
	}
	for i, row := range cells {
		if len(row) != len(columns) {
			return fmt.Errorf("figures: %s, row %d %q: %d cells in %d columns", what, i, rows[i], len(row), len(columns))
		}
		for k, cell := range row {
			if err := check(cell); err != nil {
				return fmt.Errorf("figures: %s, row %d %q, column %d %q: %w", what, i, rows[i], k, columns[k], err)
			}
		}
	}
	return nil
}

// writeCells writes CSV: the rows of each cell, which begin with the names of its row and column.
func writeCells[T any](w io.Writer, rows, columns []string, cells [][]T, write func(T, func(values ...string)),
	heads ...string) error {
	t := newTable(w, append([]string{"row", "column"}, heads...)...)
	for i, row := range cells {
		for k, cell := range row {
			write(cell, func(values ...string) { t.row(append([]string{rows[i], columns[k]}, values...)...) })
		}
	}
	return t.close()
}
