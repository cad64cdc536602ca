package figures

import (
	"cmp"
	"image/color"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Piece is a part of a figure that a page places by itself, so that pieces stand side by side
// where there is room and below each other where there is not. Its texts are not drawn.
type Piece struct {
	Group string // of pieces that belong together, a row of the figure; may be empty
	Title string // above it
	Note  string // below it
	Figure

	Letters float64 // the size of the smallest letters in it, in points; 0: none
}

// A Key explains a look that several pieces share.
type Key struct {
	Label  string
	Sample Figure // a few millimetres of it
}

// pieced is a figure that knows its pieces.
type pieced interface {
	Pieces() ([]Piece, []Key)
}

// Pieces returns the pieces of a figure and what explains their looks. A figure that knows none
// is its only piece.
func Pieces(f Figure) ([]Piece, []Key) {
	if p, ok := f.(pieced); ok {
		return p.Pieces()
	}
	return []Piece{{Figure: f, Letters: leastSize}}, nil
}

// Columns is how many pieces of a figure stand side by side where there is room.
func Columns(f Figure) int {
	switch f := f.(type) {
	case *Chart:
		return f.columns()
	case *Pictures:
		return len(f.Columns)
	case *Networks:
		return len(f.Columns)
	}
	return 1
}

var (
	_ pieced = (*Chart)(nil)
	_ pieced = (*Pictures)(nil)
	_ pieced = (*Networks)(nil)
)

// A drawing is a piece that only a page asks for.
type drawing struct {
	Figure // the figure that it is of
	size   vg.Point
	paint  func(draw.Canvas)
}

func (d drawing) Size() (width, height float64) { return d.size.X.Points(), d.size.Y.Points() }

func (d drawing) Draw(w io.Writer, format string) error {
	info := d.Describe()
	info.Title = "" // the page has it
	return render(w, info, format, d.size, d.paint)
}

// Pieces are the panels of a chart, each with all its labels.
func (c *Chart) Pieces() (pieces []Piece, keys []Key) {
	styles := looks(c.keys())
	size := vg.Point{X: 68, Y: 50}.Scale(millimetre)
	if len(c.Panels) == 1 {
		size = panelSizes[0].Scale(millimetre)
	}
	for _, p := range c.settled() {
		title := p.Title
		p.Title = ""
		v := newView(p, styles, size)
		pieces = append(pieces, Piece{Title: title, Letters: tickSize, Figure: drawing{c, size, func(dc draw.Canvas) {
			m := v.margins()
			v.draw(draw.Crop(dc, margin+m.left, -margin-m.right, margin+m.below, -margin-m.above), m)
		}}})
	}
	for _, e := range c.entries() {
		keys = append(keys, Key{e.label, drawing{c, vg.Point{X: sampleWidth + 2, Y: legendLine}, func(dc draw.Canvas) {
			e.draw(dc, 1, dc.Center().Y)
		}}})
	}
	return pieces, keys
}

// Pieces are the pictures, row by row.
func (p *Pictures) Pieces() (pieces []Piece, keys []Key) {
	shades := map[Shade]bool{}
	for i, row := range p.Cells {
		for k, cell := range row {
			if len(cell.Values) == 0 {
				continue
			}
			shades[cell.Shade] = true
			side := max(1, 120/max(cell.Rows, cell.Columns))
			size := vg.Point{X: vg.Length(side*cell.Columns + 2), Y: vg.Length(side*cell.Rows + 2)}.Scale(dot)
			pieces = append(pieces, Piece{Group: p.Rows[i], Title: p.Columns[k], Note: cell.Note,
				Figure: drawing{p, size, func(dc draw.Canvas) { cell.draw(dc, dc.Rectangle) }}})
		}
	}
	for _, s := range []struct {
		shade Shade
		index int
		label string
	}{{Sign, 0, "negative"}, {Sign, 1, "zero"}, {Sign, 2, "positive"}} {
		if shades[s.shade] {
			keys = append(keys, Key{s.label, swatch(p, s.shade.shades()[s.index])})
		}
	}
	return pieces, keys
}

// swatch is a square of a colour with a frame.
func swatch(of Figure, fill color.Color) Figure {
	return drawing{of, vg.Point{X: legendLine, Y: legendLine}, func(dc draw.Canvas) {
		path := draw.Crop(dc, 2, -2, 2, -2).Path()
		if fill == (color.NRGBA{0xff, 0xff, 0xff, 0xff}) {
			fill = color.NRGBA{0xfd, 0xfd, 0xfd, 0xff} // white that stays so on a dark page, as that of pictures does
		}
		dc.SetColor(fill)
		dc.Fill(path)
		stroke(dc, draw.LineStyle{Color: faint, Width: 0.6}, path)
	}}
}

// Pieces are the networks, row by row.
func (n *Networks) Pieces() (pieces []Piece, keys []Key) {
	side, letters := 62*millimetre, nameSize
	if n.Large {
		side, letters = 120*millimetre, largeNameSize
	}
	for i, row := range n.Cells {
		for k := range row {
			cell := n.cell(i, k)
			if cell.Nodes == nil {
				continue
			}
			pieces = append(pieces, Piece{Group: n.Rows[i], Title: n.Columns[k], Note: cell.Note,
				Letters: letters, Figure: drawing{n, vg.Point{X: side, Y: side}, func(dc draw.Canvas) {
					cell.draw(draw.Crop(dc, cellPadding, -cellPadding, cellPadding, -cellPadding), n.Seed)
				}}})
		}
	}
	for _, k := range n.keys() {
		keys = append(keys, Key{k.label, drawing{n, vg.Point{X: 10, Y: legendLine}, func(dc draw.Canvas) {
			k.sample(dc, dc.Center())
		}}})
	}
	return pieces, keys
}

// settled returns the panels with the y axes that they share.
func (c *Chart) settled() []Panel {
	panels := append([]Panel(nil), c.Panels...)
	if !c.SharedY {
		return panels
	}
	all := nothing()
	for _, p := range panels {
		if x, y := p.reach(); !x.empty() {
			all.add(y.low)
			all.add(y.high)
		}
	}
	for i := range panels {
		panels[i].YLow, panels[i].YHigh = all.low, all.high
	}
	return panels
}

// name is what a panel is called in CSV.
func (p *Panel) name(number string) string { return cmp.Or(p.Name, p.Title, number) }
