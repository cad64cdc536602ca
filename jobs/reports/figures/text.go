package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// Sizes of letters in points. A printed figure has the size in which it is drawn.
const (
	titleSize = 9.0
	labelSize = 8.5
	tickSize  = 7.5
)

// Lengths of parts of a figure, in points.
const (
	margin     = 3  // space around the figure
	gap        = 9  // space between pieces
	lineHeight = 12 // height of a line of text
	keyGap     = 12 // space between keys
)

// millimetre is one millimetre in the unit of lengths.
const millimetre = vg.Millimeter

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff} // colour of text and axes
	faint = color.NRGBA{0x77, 0x77, 0x77, 0xff} // colour of remarks
	hair  = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff} // colour of grid lines
)

// middle centres small letters and digits vertically. YCenter of package text would leave space for descenders.
const middle = text.YAlignment(-0.36)

// words returns a style for text of the given size in points. The position of a text is its lower left corner.
func words(size float64) text.Style {
	return text.Style{
		Color:   ink,
		Font:    canvas.Font(size),
		XAlign:  draw.XLeft,
		YAlign:  draw.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// aligned returns a style for text of the given size in points, with the given alignment.
func aligned(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	s := words(size)
	s.XAlign, s.YAlign = x, y
	return s
}

func coloured(s text.Style, c color.Color) text.Style {
	s.Color = c
	return s
}

// write draws the text s. If it is wider than width, write makes its letters smaller, and then cuts it.
func write(c draw.Canvas, s string, style text.Style, at vg.Point, width vg.Length) {
	if s, style = canvas.Fit(s, style, width); s != "" {
		c.FillText(style, at, s)
	}
}
