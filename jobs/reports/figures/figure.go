package figures

import (
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/io/safefile"
	"graphda/io/table"
	"graphda/jobs/reports/figures/canvas"
)

// A Figure is a table of drawings, and knows the numbers that it is drawn from.
type Figure interface {
	// Describe returns what the figure is called and what it shows.
	Describe() Info
	// Parts takes the figure apart.
	Parts() Parts
	// Data are its numbers as CSV has them, the heads first: a row per point, pixel, or node and edge.
	Data() [][]string
}

// Info is what all kinds of figures have in common.
type Info struct {
	Name    string // stem of its files
	Title   string // one line; also in the SVG and the PDF, but not drawn
	Caption string // for the page around the figure; not drawn
}

// Describe returns the info itself, so that figures that embed it need not.
func (i Info) Describe() Info { return i }

// Parts are the drawings of a figure. A page places them by the width of its window, a file has them in a table.
type Parts struct {
	Pieces  []Piece // row by row
	Columns int     // pieces side by side where there is room; at least 1
	Keys    []Key   // explain the looks that pieces share
}

// A Piece is a drawing. Its texts stand around it.
type Piece struct {
	Group       string  // heading of a row of pieces; may be empty
	Title, Note string  // above and below it
	Letters     float64 // the size of its smallest letters in points; 0: none

	size  vg.Point
	paint func(draw.Canvas)
}

// A Key explains a look.
type Key struct {
	Label  string
	Sample Piece // a few millimetres of it
}

// Size returns the width and height of a piece in points, 1/72 inch.
func (p *Piece) Size() (width, height float64) { return p.size.X.Points(), p.size.Y.Points() }

// Inline returns a piece as an element of an HTML page. Themes has its colours, its ids begin with the
// prefix, and screen readers say the name.
func (p *Piece) Inline(prefix, name string) string {
	c := canvas.Inline(prefix, name, p.size, onDark)
	p.paint(draw.New(c))
	var text strings.Builder
	_, _ = c.WriteTo(&text) // a builder takes everything
	return text.String()
}

// WriteCSV writes a figure's data.
func WriteCSV(w io.Writer, f Figure) error {
	c := safefile.NewCSVWriter(w)
	for _, row := range f.Data() {
		_ = c.Write(row...) // an error shows in Flush
	}
	return c.Flush()
}

// number is the shortest decimal that reads back as v, or nothing if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return table.Shortest(v)
}
