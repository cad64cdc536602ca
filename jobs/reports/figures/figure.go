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

// A Figure is a table of drawings with their numbers.
type Figure interface {
	// Describe returns the figure's name, title and caption.
	Describe() Info
	// Parts returns the figure's drawings.
	Parts() Parts
	// Data returns the rows of the figure's CSV file: headings, then a row for each point, pixel, node or edge.
	Data() [][]string
}

// Info is common to all kinds of figures.
type Info struct {
	Name    string // name of the figure's files, without the extension
	Title   string // one line, in the metadata of SVG and PDF
	Caption string // text for the page
}

// Describe returns i. Figures embed Info and get this method.
func (i Info) Describe() Info { return i }

// Parts are the drawings of a figure. A page arranges them by the window's width. In a file they form a table.
type Parts struct {
	Pieces  []Piece // row by row
	Columns int     // number of pieces side by side, if there is space; at least 1
	Keys    []Key   // what colours, lines and markers mean
}

// A Piece is a drawing. The texts in its fields are around the drawing, not in it.
type Piece struct {
	Group       string  // heading of a row of pieces; may be empty
	Title, Note string  // texts above and below the drawing
	Letters     float64 // size of the drawing's smallest letters in points; 0 if it has no letters

	size  vg.Point
	paint func(draw.Canvas)
}

// A Key explains a colour, a line or a marker.
type Key struct {
	Label  string
	Sample Piece // a small drawing of it
}

// Size returns the width and height of a piece in points, 1/72 inch.
func (p *Piece) Size() (width, height float64) { return p.size.X.Points(), p.size.Y.Points() }

// Inline returns a piece as an element of an HTML page. The page needs the style sheet Themes for the piece's colours.
// The piece's ids begin with the prefix. Screen readers read the name.
func (p *Piece) Inline(prefix, name string) string {
	c := canvas.Inline(prefix, name, p.size, onDark)
	p.paint(draw.New(c))
	var text strings.Builder
	_, _ = c.WriteTo(&text) // a builder never fails
	return text.String()
}

// WriteCSV writes a figure's data.
func WriteCSV(w io.Writer, f Figure) error {
	c := safefile.NewCSVWriter(w)
	for _, row := range f.Data() {
		_ = c.Write(row...) // Flush returns the error
	}
	return c.Flush()
}

// number returns the shortest decimal that reads back as v. It returns "" if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return table.Shortest(v)
}
