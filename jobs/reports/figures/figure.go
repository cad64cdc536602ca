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

// A Figure is one or more drawings in rows and columns, with the numbers that they show.
type Figure interface {
	Describe() Info
	Parts() Parts
	// Data returns the rows of the figure's CSV file. The first row has the headings.
	Data() [][]string
}

// Info holds the texts of a figure.
type Info struct {
	Name    string // file name without extension
	Title   string // one line, for the metadata of SVG and PDF files
	Caption string // text below the figure on a page
}

// Describe returns i.
func (i Info) Describe() Info { return i }

// Parts holds a figure's drawings.
type Parts struct {
	Pieces  []Piece
	Columns int // number of drawings side by side in a file, at least 1
	Keys    []Key
}

// A Piece is a drawing, with texts to show around it.
type Piece struct {
	Group       string  // heading of a row of pieces, or ""
	Title, Note string  // texts above and below the drawing
	Letters     float64 // size of the smallest letters, in points; 0 without letters

	size  vg.Point
	paint func(draw.Canvas)
}

// A Key is an entry of a legend. It explains a colour, a line or a marker.
type Key struct {
	Label  string
	Sample Piece
}

// Size returns the width and height in points. A point is 1/72 inch.
func (p *Piece) Size() (width, height float64) { return p.size.X.Points(), p.size.Y.Points() }

// Inline returns the piece as an SVG element. Each id in the element begins with the prefix. The name is for screen
// readers. The page needs the style rules of Themes.
func (p *Piece) Inline(prefix, name string) string {
	c := canvas.Inline(prefix, name, p.size, onDark)
	p.paint(draw.New(c))
	var text strings.Builder
	_, _ = c.WriteTo(&text) // cannot fail in memory
	return text.String()
}

// WriteCSV writes the figure's data as CSV.
func WriteCSV(w io.Writer, f Figure) error {
	c := safefile.NewCSVWriter(w)
	for _, row := range f.Data() {
		_ = c.Write(row...) // Flush returns this error again
	}
	return c.Flush()
}

// number returns the shortest decimal for v, or "" if v is not finite.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return table.Shortest(v)
}
