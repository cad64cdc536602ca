package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// Sizes of text in points. Figures are drawn in the size in which they are printed.
const (
	titleSize = 9.0
	labelSize = 8.5
	tickSize  = 7.5
)

// Lengths of a figure's parts.
const (
	margin     = 3  // space around a figure in points
	gap        = 9  // space between pieces
	lineHeight = 12 // height of a line of text
	keyGap     = 12 // space between keys
)

// millimetre is a length in points.
const millimetre = vg.Millimeter

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff} // colour of text and axes
	faint = color.NRGBA{0x77, 0x77, 0x77, 0xff} // colour of remarks
	hair  = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff} // colour of grid lines
)

// middle centres small letters and digits vertically. YCenter of package text would also count descenders.
const middle = text.YAlignment(-0.36)

// words returns the style for text of the given size, in points. A text's position is its lower left corner.
func words(size float64) text.Style {
	return text.Style{
		Color:   ink,
		Font:    canvas.Font(size),
		XAlign:  draw.XLeft,
		YAlign:  draw.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// aligned returns the style for text of the given size and alignment.
func aligned(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	s := words(size)
	s.XAlign, s.YAlign = x, y
	return s
}

func coloured(s text.Style, c color.Color) text.Style {
	s.Color = c
	return s
}

// write draws a text. If the text is wider than width, write shrinks it and then cuts it.
func write(c draw.Canvas, s string, style text.Style, at vg.Point, width vg.Length) {
	if s, style = canvas.Fit(s, style, width); s != "" {
		c.FillText(style, at, s)
	}
}
