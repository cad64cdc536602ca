package figures

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pictures is a table of images, such as models on a grid of pixels, one row per method.
type Pictures struct {
	Info
	Rows, Columns []string    // names
	Cells         [][]Picture // one per row and column
}

var _ Figure = (*Pictures)(nil)

// A Picture is a grid of values, shown pixel by pixel. The zero value is a missing one,
// and its cell stays blank.
type Picture struct {
	Rows, Columns int
	Values        []float64 // row by row, from the top; what is no number is orange
	Shade         Shade
	Note          string // below it, such as its F1
}

// A Shade says which colour a value has.
type Shade int

const (
	// Sign shows negative values black, zeros grey, and positive values white, as Figure 4
	// of the paper does.
	Sign Shade = iota
	// Intensity shows values from 0, black, to the picture's largest, white. Negative
	// values are black.
	Intensity
)

// Validate tells what contradicts itself.
func (p *Pictures) Validate() error {
	return checkCells(fmt.Sprintf("pictures %q", p.Name), p.Rows, p.Columns, p.Cells, Picture.check)
}

func (p Picture) check() error {
	if p.Rows < 0 || p.Columns < 0 || p.Rows > maxPixels || p.Columns > maxPixels || p.Rows*p.Columns != len(p.Values) {
		return fmt.Errorf("%d values for %d × %d pixels; a side has %d at most", len(p.Values), p.Rows, p.Columns, maxPixels)
	}
	if p.Shade != Sign && p.Shade != Intensity {
		return fmt.Errorf("shade %d; known are %d and %d", p.Shade, Sign, Intensity)
	}
	return nil
}

const maxPixels = 4096 // on a side of a picture

// grid makes the cells so large that the largest picture fills its own with pixels of
// whole dots.
func (p *Pictures) grid() grid {
	g := newGrid(p.Rows, p.Columns, 11*millimetre, 32*millimetre)
	g.foot = footOf(p.Cells, func(cell Picture) string { return cell.Note })
	side := 0
	for _, row := range p.Cells {
		for _, cell := range row {
			side = max(side, cell.Rows, cell.Columns)
		}
	}
	if side > 0 {
		g.cell = max(1, vg.Length(math.Round(float64(g.cell/dot)/float64(side)))) * vg.Length(side) * dot
	}
	return g
}

// Size returns the width and height of the drawing in points.
func (p *Pictures) Size() (width, height float64) {
	return p.grid().points()
}

// Draw writes the table in one of the Formats.
func (p *Pictures) Draw(w io.Writer, format string) error {
	if err := p.Validate(); err != nil {
		return err
	}
	g := p.grid()
	return render(w, p.Info, format, g.size(), func(c draw.Canvas) {
		g.draw(c, func(row, column int, place vg.Rectangle) {
			if cell := p.Cells[row][column]; len(cell.Values) > 0 {
				cell.draw(c, place)
				g.note(c, place, cell.Note)
			}
		})
	})
}

// draw puts the picture into the middle of a place, with a thin frame around it. Its
// pixels are squares of whole dots.
func (p Picture) draw(c draw.Canvas, place vg.Rectangle) {
	side := max(1, math.Floor(float64(place.Size().X/dot)/float64(max(p.Rows, p.Columns))+1e-6))
	size := vg.Point{X: vg.Length(side*float64(p.Columns)) * dot, Y: vg.Length(side*float64(p.Rows)) * dot}
	room := place.Size().Sub(size).Scale(0.5)
	corner := place.Min.Add(vg.Point{X: vg.Length(dots(room.X)) * dot, Y: vg.Length(dots(room.Y)) * dot})
	r := vg.Rectangle{Min: corner, Max: corner.Add(size)}
	c.DrawImage(r, p.image())
	edge := vg.Point{X: dot, Y: dot}
	frame := vg.Rectangle{Min: r.Min.Sub(edge), Max: r.Max.Add(edge)}
	c.SetLineStyle(draw.LineStyle{Color: faint, Width: 2 * dot})
	c.Stroke(frame.Path())
}

// shades is the palette of a picture: from black to white, and last the colour of what is
// no number.
func (s Shade) shades() color.Palette {
	greys := 3
	if s == Intensity {
		greys = 255
	}
	p := make(color.Palette, 0, greys+1)
	for i := range greys {
		g := uint8(math.Round(float64(i) * 255 / float64(greys-1)))
		p = append(p, color.NRGBA{g, g, g, 0xff})
	}
	return append(p, orange)
}

// image returns the picture, one pixel for each value.
func (p Picture) image() image.Image {
	scale := 0.0
	for _, v := range p.Values {
		if v > scale && !math.IsInf(v, 1) {
			scale = v
		}
	}
	shades := p.Shade.shades()
	img := image.NewPaletted(image.Rect(0, 0, p.Columns, p.Rows), shades)
	for i, v := range p.Values {
		img.Pix[i] = p.Shade.index(v, scale, len(shades))
	}
	return img
}

// index returns which of n shades a value has in a picture whose largest is scale.
func (s Shade) index(v, scale float64, n int) uint8 {
	white := n - 2
	switch {
	case math.IsNaN(v):
		return uint8(n - 1)
	case s == Sign && v == 0:
		return uint8(white / 2)
	case v <= 0:
		return 0
	case s == Sign || v >= scale:
		return uint8(white)
	}
	return uint8(math.Round(v / scale * float64(white)))
}

// WriteCSV writes a row per pixel: row, column (the names), y, x (from 0, from the upper
// left corner), value.
func (p *Pictures) WriteCSV(w io.Writer) error {
	if err := p.Validate(); err != nil {
		return err
	}
	return writeCells(w, p.Rows, p.Columns, p.Cells, func(cell Picture, row func(values ...string)) {
		for n, v := range cell.Values {
			row(strconv.Itoa(n/cell.Columns), strconv.Itoa(n%cell.Columns), number(v))
		}
	}, "y", "x", "value")
}
