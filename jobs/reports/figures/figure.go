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

// A Figure is one or more drawings, arranged in rows and columns, and the numbers that they show.
type Figure interface {
	// Describe returns the figure's name, title and caption.
	Describe() Info
	// Parts returns the figure's drawings.
	Parts() Parts
	// Data returns the rows of the figure's CSV file: first the headings, then a row for each point, pixel, node or edge.
	Data() [][]string
}

// Info holds the texts that all kinds of figures have.
type Info struct {
	Name    string // name of the figure's files, without the extension
	Title   string // a line of text, for the metadata of SVG and PDF files
	Caption string // text below the figure, for the page
}

// Describe returns i. Figures embed Info and get this method.
func (i Info) Describe() Info { return i }

// Parts are a figure's drawings. A file arranges them in rows and columns, and a page as its width allows.
type Parts struct {
	Pieces  []Piece // row by row
	Columns int     // number of drawings side by side, if there is space; at least 1
	Keys    []Key   // explanations of colours, lines and markers
}

// A Piece is a drawing. The texts in its fields are shown around the drawing.
type Piece struct {
	Group       string  // heading of the row of pieces; may be ""
	Title, Note string  // texts above and below the drawing
	Letters     float64 // size of the smallest letters in the drawing, in points; 0 if it has no letters

	size  vg.Point
	paint func(draw.Canvas)
}

// A Key is an entry of a legend. It explains a colour, a line or a marker.
type Key struct {
	Label  string
	Sample Piece // a small drawing of the colour, line or marker
}

// Size returns the width and height of the piece in points. A point is 1/72 inch.
func (p *Piece) Size() (width, height float64) { return p.size.X.Points(), p.size.Y.Points() }

// Inline returns a piece as an element of an HTML page. The page needs the style sheet Themes for the piece's colours.
// The piece's ids begin with the prefix. Screen readers read the name.
func (p *Piece) Inline(prefix, name string) string {
	c := canvas.Inline(prefix, name, p.size, onDark)
	p.paint(draw.New(c))
	var text strings.Builder
	_, _ = c.WriteTo(&text) // writing to memory cannot fail
	return text.String()
}

// WriteCSV writes the figure's data as CSV.
func WriteCSV(w io.Writer, f Figure) error {
	c := safefile.NewCSVWriter(w)
	for _, row := range f.Data() {
		_ = c.Write(row...) // the error comes again from Flush
	}
	return c.Flush()
}

// number returns the shortest decimal that is read back as v, or "" if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return table.Shortest(v)
}
