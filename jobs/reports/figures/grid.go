package figures

import (
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A grid is a table of square cells with names of rows on the left and of columns above.
type grid struct {
	rows, columns []string
	cell          vg.Length
	left, above   vg.Length // for the names
	below         vg.Length // for what comes after the table
	foot          vg.Length // for a note below each cell
}

const (
	cellGap   = 4 // points, between cells
	nameGap   = 4 // between a name and its row or column
	pageWidth = 170 * millimetre
	widestRow = 30 * millimetre // of a name on the left
)

// newGrid makes the cells so large that the table fits the page, between the two sizes.
// The places of all cells are whole dots.
func newGrid(rows, columns []string, least, most vg.Length) grid {
	g := grid{rows: rows, columns: columns}
	style := words(labelSize)
	for _, r := range rows {
		g.left = max(g.left, min(widestRow, style.Width(spell(r))+nameGap))
	}
	for _, c := range columns {
		if c != "" {
			g.above = max(g.above, style.Height("x")*vg.Length(len(lines(c)))+nameGap)
		}
	}
	n := vg.Length(max(1, len(columns)))
	g.cell = min(most, max(least, (pageWidth-g.left-2*margin)/n-cellGap))
	g.left, g.above, g.cell = snap(g.left+margin), snap(g.above+margin), snap(g.cell)
	return g
}

// pitch is the distance of cells beside each other, line that of cells below each other.
func (g grid) pitch() vg.Length { return g.cell + snap(cellGap) }
func (g grid) line() vg.Length  { return g.cell + snap(cellGap) + snap(g.foot) }

// footOf is the room that notes of cells need.
func footOf[T any](cells [][]T, note func(T) string) vg.Length {
	for _, row := range cells {
		for _, cell := range row {
			if note(cell) != "" {
				return words(tickSize).Height("x") + nameGap
			}
		}
	}
	return 0
}

// note writes a note below a cell.
func (g grid) note(c draw.Canvas, place vg.Rectangle, text string) {
	size := min(tickSize, max(leastSize, 0.18*float64(g.cell)))
	write(c, text, aligned(size, draw.XCenter, draw.YTop),
		vg.Point{X: (place.Min.X + place.Max.X) / 2, Y: place.Min.Y - nameGap/2}, g.cell+cellGap-2)
}

func (g grid) size() vg.Point {
	rows, columns := vg.Length(max(1, len(g.rows))), vg.Length(max(1, len(g.columns)))
	return vg.Point{
		X: g.left + columns*g.pitch() - snap(cellGap) + snap(margin),
		Y: g.above + rows*g.line() - snap(cellGap) + snap(margin) + snap(g.below),
	}
}

// at returns the place of a cell.
func (g grid) at(c draw.Canvas, row, column int) vg.Rectangle {
	x := c.Min.X + g.left + vg.Length(column)*g.pitch()
	y := c.Min.Y + (g.size().Y - g.above - vg.Length(row)*g.line())
	return vg.Rectangle{Min: vg.Point{X: x, Y: y - g.cell}, Max: vg.Point{X: x + g.cell, Y: y}}
}

// points returns the width and height of the table in points.
func (g grid) points() (width, height float64) {
	size := g.size()
	return size.X.Points(), size.Y.Points()
}

// draw draws the names, and calls cell for each row and column with its place.
func (g grid) draw(c draw.Canvas, cell func(row, column int, place vg.Rectangle)) {
	g.names(c)
	for i := range g.rows {
		for k := range g.columns {
			cell(i, k, g.at(c, i, k))
		}
	}
}

// lines puts what stands in parentheses behind a name on a line of its own.
func lines(name string) []string {
	if before, after, found := strings.Cut(name, " ("); found {
		return []string{before, "(" + after}
	}
	return []string{name}
}

// names draws the names of the rows and columns, and a remark if there are no cells.
func (g grid) names(c draw.Canvas) {
	for i, name := range g.rows {
		r := g.at(c, i, 0)
		write(c, name, aligned(labelSize, draw.XRight, middle), vg.Point{X: r.Min.X - nameGap, Y: (r.Min.Y + r.Max.Y) / 2},
			g.left-nameGap-margin)
	}
	style := aligned(labelSize, draw.XCenter, draw.YBottom)
	for _, name := range g.columns { // the smallest decides for all
		for _, line := range lines(name) {
			_, fitted := fit(line, style, g.cell+cellGap-2)
			style.Font.Size = min(style.Font.Size, fitted.Font.Size)
		}
	}
	for i, name := range g.columns {
		r := g.at(c, 0, i)
		split := lines(name)
		for k, line := range split {
			rise := style.Height("x") * vg.Length(len(split)-1-k)
			write(c, line, style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: r.Max.Y + nameGap + rise}, g.cell+cellGap-2)
		}
	}
	if len(g.rows) == 0 || len(g.columns) == 0 {
		write(c, "no data", coloured(aligned(labelSize, draw.XCenter, draw.YCenter), faint), c.Center(), c.Max.X-c.Min.X)
	}
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
