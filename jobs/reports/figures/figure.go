package figures

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Figure can be drawn, and knows the numbers it is drawn from.
type Figure interface {
	// Describe returns what the figure is called and what it shows.
	Describe() Info
	// Size returns the width and height of the drawing in points, 1/72 inch.
	Size() (width, height float64)
	// Draw writes the figure in one of the Formats, whole or, on an error, not at all.
	Draw(w io.Writer, format string) error
	// WriteCSV writes the figure's data, one row per point, pixel, or node and edge.
	WriteCSV(w io.Writer) error
}

// Info is what all kinds of figures have in common.
type Info struct {
	Name    string // stem of its files
	Title   string // one line; also in the SVG and the PDF, but not drawn
	Caption string // for the page around the figure; not drawn
}

// Describe returns the info itself, so that figures that embed it need not.
func (i Info) Describe() Info { return i }

// Formats are the names Draw knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// millimetre is a length in points.
const millimetre = vg.Millimeter

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff} // of text and axes
	faint = color.NRGBA{0x77, 0x77, 0x77, 0xff} // of remarks
	hair  = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff} // of the lines of a grid
)

// paper is a canvas of some format.
type paper interface {
	vg.CanvasSizer
	io.WriterTo
}

// newPaper returns an empty canvas.
func newPaper(info Info, format string, size vg.Point) (paper, error) {
	switch format {
	case "svg":
		return newSVG(info, size), nil
	case "png":
		return newPNG(size), nil
	case "pdf":
		return newPDF(info, size), nil
	}
	return nil, fmt.Errorf("unknown format %q; known: %s", format, strings.Join(Formats(), ", "))
}

// render draws on a canvas of the format and writes it to w.
func render(w io.Writer, info Info, format string, size vg.Point, paint func(draw.Canvas)) error {
	p, err := newPaper(info, format, size)
	if err != nil {
		return err
	}
	c := draw.New(p)
	if format != "png" { // which has its paper already
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
	}
	paint(c)
	var buf bytes.Buffer
	if _, err := p.WriteTo(&buf); err != nil {
		return fmt.Errorf("figures: %s.%s: %w", info.Name, format, err)
	}
	_, err = buf.WriteTo(w)
	return err
}
