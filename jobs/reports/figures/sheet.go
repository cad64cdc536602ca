package figures

import (
	"bytes"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// A sheet is the layout of a figure in a file, with the legend below the pieces.
type sheet struct {
	size  vg.Point
	items []item
}

type item struct {
	x, y, width, height vg.Length
	paint               func(draw.Canvas)
}

// newSheet places items at whole dots, so that pixels are sharp.
func newSheet(parts Parts) *sheet {
	s := &sheet{}
	pitch := vg.Length(0)
	for _, p := range parts.Pieces {
		pitch = max(pitch, canvas.Snap(p.size.X+gap))
	}
	width := max(pitch*vg.Length(min(parts.Columns, len(parts.Pieces)))-gap, 40*millimetre)
	y := canvas.Snap(margin)
	for first := 0; first < len(parts.Pieces); {
		end := first + 1
		for end < min(first+parts.Columns, len(parts.Pieces)) && parts.Pieces[end].Group == parts.Pieces[first].Group {
			end++
		}
		y = s.addRow(parts, first, end, y, pitch)
		first = end
	}
	if len(parts.Pieces) == 0 {
		s.write("no data", coloured(words(labelSize), faint), draw.XCenter, canvas.Snap(margin), y, width)
		y += canvas.Snap(lineHeight)
	}
	y = s.addKeys(parts.Keys, y, width)
	s.size = vg.Point{X: canvas.Snap(width + 2*margin), Y: canvas.Snap(y + margin)}
	return s
}

// addRow places the pieces from first to end−1 side by side. It omits titles that repeat the row above. It returns the
// y of the next row.
func (s *sheet) addRow(parts Parts, first, end int, y, pitch vg.Length) vg.Length {
	row := parts.Pieces[first:end]
	if row[0].Group != "" && (first == 0 || parts.Pieces[first-1].Group != row[0].Group) {
		s.write(row[0].Group, words(titleSize), draw.XLeft, canvas.Snap(margin), y, pitch*vg.Length(parts.Columns))
		y += canvas.Snap(lineHeight)
	}
	var tallest, heads, notes vg.Length
	for k, p := range row {
		tallest = max(tallest, p.size.Y)
		if over := first + k - parts.Columns; p.Title != "" && (over < 0 || parts.Pieces[over].Title != p.Title) {
			heads = lineHeight
		}
		if p.Note != "" {
			notes = lineHeight
		}
	}
	for k, p := range row {
		x := canvas.Snap(margin) + vg.Length(k)*pitch
		if heads > 0 {
			s.write(p.Title, words(labelSize), draw.XCenter, x, y, pitch-gap)
		}
		at := y + canvas.Snap(heads) + vg.Length(canvas.Dots(tallest-p.size.Y))*canvas.Dot
		left := x + vg.Length(canvas.Dots((pitch-gap-p.size.X)/2))*canvas.Dot
		s.items = append(s.items, item{left, at, p.size.X, p.size.Y, p.paint})
		s.write(p.Note, words(tickSize), draw.XCenter, x, at+p.size.Y, pitch-gap/2)
	}
	return y + canvas.Snap(heads) + canvas.Snap(tallest) + canvas.Snap(notes) + canvas.Snap(gap)
}

// addKeys places the keys in centred lines below y. It returns the y at which the last line ends.
func (s *sheet) addKeys(keys []Key, y, width vg.Length) vg.Length {
	for len(keys) > 0 {
		n, used := 0, -vg.Length(keyGap)
		for ; n < len(keys); n++ {
			more := min(width, keyGap+keys[n].Sample.size.X+2+words(labelSize).Width(canvas.Spell(keys[n].Label)))
			if n > 0 && used+more > width {
				break
			}
			used += more
		}
		x := margin + max(0, width-used)/2
		for _, k := range keys[:n] {
			size, long := k.Sample.size, words(labelSize).Width(canvas.Spell(k.Label))
			s.items = append(s.items, item{x, y, size.X, size.Y, k.Sample.paint})
			s.write(k.Label, words(labelSize), draw.XLeft, x+size.X+2, y, min(long+1, width-size.X-2))
			x += size.X + 2 + long + keyGap
		}
		keys, y = keys[n:], y+lineHeight
	}
	return y
}

func (s *sheet) write(text string, style text.Style, side text.XAlignment, x, y, width vg.Length) {
	if text == "" {
		return
	}
	style.XAlign, style.YAlign = side, middle
	s.items = append(s.items, item{x, y, width, lineHeight, func(c draw.Canvas) {
		write(c, text, style, vg.Point{X: c.Min.X - width*vg.Length(side), Y: c.Center().Y}, width)
	}})
}

func (s *sheet) draw(c draw.Canvas) {
	for _, i := range s.items {
		corner := vg.Point{X: c.Min.X + i.x, Y: c.Max.Y - i.y - i.height}
		place := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: i.width, Y: i.height})}
		i.paint(draw.Canvas{Canvas: c.Canvas, Rectangle: place})
	}
}

// Formats returns the names of the file formats.
func Formats() []string { return canvas.Formats() }

// Draw writes a figure in one of the Formats.
func Draw(w io.Writer, f Figure, format string) error {
	info, s := f.Describe(), newSheet(f.Parts())
	p, err := canvas.New(format, info.Title, s.size)
	if err != nil {
		return err
	}
	c := draw.New(p)
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	s.draw(c)
	var buf bytes.Buffer
	if _, err := p.WriteTo(&buf); err != nil {
		return fmt.Errorf("figures: %s.%s: %w", info.Name, format, err)
	}
	_, err = buf.WriteTo(w)
	return err
}
