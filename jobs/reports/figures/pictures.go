package figures

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// Pictures is a figure of images in rows and columns.
type Pictures struct {
	Info
	Rows, Columns []string
	Cells         [][]Picture // by row, then column
}

// A Picture is a grid of values, drawn as pixels. A zero Picture stays blank.
type Picture struct {
	Rows, Columns int
	Values        []float64 // row by row from the top; NaN is drawn in orange
	Shade         Shade
	Note          string // text below the picture
}

// A Shade says which values are dark and which are light.
type Shade int

const (
	// Sign shows negative values black, zeros grey and positive values white, as in Figure 4 of the paper.
	Sign Shade = iota
	// Intensity shows 0 and negative values black, and the largest value white.
	Intensity
)

const pageWidth = 170 * millimetre

// Parts returns the pictures as drawings. A pixel's side is a whole number of dots (canvas.Dot).
func (p *Pictures) Parts() Parts {
	parts := Parts{Columns: max(1, len(p.Columns))}
	room := min(32*millimetre, max(11*millimetre, pageWidth/vg.Length(parts.Columns)-gap))
	shades := map[Shade]bool{}
	parts.Pieces = drawings(p.Rows, p.Columns, p.Cells, func(cell Picture) Piece {
		if len(cell.Values) == 0 {
			return Piece{size: vg.Point{X: room, Y: room}, paint: func(draw.Canvas) {}}
		}
		shades[cell.Shade] = true
		side := max(1, canvas.Dots(room)/max(cell.Rows, cell.Columns))
		size := vg.Point{X: vg.Length(side*cell.Columns + 2), Y: vg.Length(side*cell.Rows + 2)}.Scale(canvas.Dot)
		return Piece{Note: cell.Note, size: size, paint: cell.draw}
	})
	for i, label := range []string{"negative", "zero", "positive"} {
		if shades[Sign] {
			parts.Keys = append(parts.Keys, Key{label, Sign.swatch(i)})
		}
	}
	return parts
}

// swatch returns a small square of the given shade, for the legend. It is an image, because dark pages change colours
// but not images.
func (s Shade) swatch(shade int) Piece {
	return Piece{size: vg.Point{X: lineHeight, Y: lineHeight}, paint: func(dc draw.Canvas) {
		box := draw.Crop(dc, 2, -2, 2, -2)
		img := image.NewPaletted(image.Rect(0, 0, 1, 1), s.shades())
		img.Pix[0] = uint8(shade)
		dc.DrawImage(box.Rectangle, img)
		canvas.Stroke(dc, draw.LineStyle{Color: faint, Width: 0.6}, box.Path())
	}}
}

func (p Picture) draw(c draw.Canvas) {
	c.DrawImage(draw.Crop(c, canvas.Dot, -canvas.Dot, canvas.Dot, -canvas.Dot).Rectangle, p.image())
	frame := draw.Crop(c, canvas.Dot/2, -canvas.Dot/2, canvas.Dot/2, -canvas.Dot/2)
	canvas.Stroke(c, draw.LineStyle{Color: faint, Width: canvas.Dot}, frame.Path())
}

// shades returns the picture's greys from black to white, then the colour of NaN.
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

// index returns the shade of v, as an index from 0 to n − 1. scale is the picture's largest value.
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

// Data returns a row for each pixel. The upper left pixel has y = 0 and x = 0.
func (p *Pictures) Data() [][]string {
	return data(p.Rows, p.Columns, p.Cells, []string{"y", "x", "value"}, func(cell Picture) (rows [][]string) {
		for n, v := range cell.Values {
			rows = append(rows, []string{strconv.Itoa(n / cell.Columns), strconv.Itoa(n % cell.Columns), number(v)})
		}
		return rows
	})
}

// drawings returns the cells as pieces. A piece's Group is its row's name, and its Title is its column's name.
func drawings[T any](rows, columns []string, cells [][]T, drawing func(T) Piece) (made []Piece) {
	for i, row := range cells {
		for k, cell := range row {
			p := drawing(cell)
			p.Group, p.Title = rows[i], columns[k]
			made = append(made, p)
		}
	}
	return made
}

// data returns the CSV rows of all cells. Each begins with the names of the cell's row and column.
func data[T any](rows, columns []string, cells [][]T, heads []string, of func(T) [][]string) [][]string {
	made := [][]string{append([]string{"row", "column"}, heads...)}
	for i, row := range cells {
		for k, cell := range row {
			for _, values := range of(cell) {
				made = append(made, append([]string{rows[i], columns[k]}, values...))
			}
		}
	}
	return made
}
