package figures

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An entry explains one look.
type entry struct {
	label string
	look  look
}

// A legend is a table of entries, filled row by row, below a chart.
type legend struct {
	entries []entry
	columns []vg.Length // their widths
}

const (
	sampleWidth = 20 // points, of the line before a label
	sampleGap   = 4
	columnGap   = 12
	legendLine  = 12 // the height of a row
	legendAbove = 7
)

// newLegend arranges the entries in as many columns as the width allows, and those in as
// few as the rows need.
func newLegend(entries []entry, width vg.Length) legend {
	l := legend{entries: entries}
	for n := len(entries); n > 0; n-- {
		l.columns = widths(entries, n)
		if l.width() <= width {
			break
		}
	}
	if n := len(l.columns); n > 1 {
		rows := l.rows()
		l.columns = widths(entries, (len(entries)+rows-1)/rows)
	}
	for i := range l.columns {
		l.columns[i] = min(l.columns[i], width)
	}
	return l
}

func widths(entries []entry, columns int) []vg.Length {
	out := make([]vg.Length, columns)
	for i, e := range entries {
		k := i % columns
		out[k] = max(out[k], sampleWidth+sampleGap+words(labelSize).Width(spell(e.label)))
	}
	return out
}

func (l legend) width() vg.Length {
	sum := vg.Length(-columnGap)
	for _, w := range l.columns {
		sum += w + columnGap
	}
	return sum
}

func (l legend) rows() int {
	if len(l.columns) == 0 {
		return 0
	}
	return (len(l.entries) + len(l.columns) - 1) / len(l.columns)
}

func (l legend) height() vg.Length {
	if len(l.entries) == 0 {
		return 0
	}
	return legendAbove + legendLine*vg.Length(l.rows())
}

// draw draws the entry's look from a place on.
func (e entry) draw(c draw.Canvas, x, y vg.Length) {
	c.StrokeLine2(e.look.line(), x, y, x+sampleWidth, y)
	e.look.mark.draw(c, e.look.style, []vg.Point{{X: x + sampleWidth/2, Y: y}})
}

// draw draws the legend in the middle of the canvas, from its top.
func (l legend) draw(c draw.Canvas) {
	x := c.Center().X - l.width()/2
	for column, width := range l.columns {
		for i := column; i < len(l.entries); i += len(l.columns) {
			e := l.entries[i]
			y := c.Max.Y - legendAbove - legendLine*(vg.Length(i/len(l.columns))+0.5)
			e.draw(c, x, y)
			write(c, e.label, aligned(labelSize, draw.XLeft, middle), vg.Point{X: x + sampleWidth + sampleGap, Y: y},
				width-sampleWidth-sampleGap)
		}
		x += width + columnGap
	}
}
