package figures

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

// These are sizes of letters in print, in points.
const (
	titleSize = 9.0
	labelSize = 8.5
	tickSize  = 7.5
)

// These are lengths in points.
const (
	margin     = 3 // around the figure
	gap        = 9 // between pieces
	lineHeight = 12
	keyGap     = 12 // between keys
)

const millimetre = vg.Millimeter

var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff} // text and axes
	faint = color.NRGBA{0x77, 0x77, 0x77, 0xff} // remarks
	hair  = color.NRGBA{0xe2, 0xe2, 0xe2, 0xff} // grid lines
)

// middle centres small letters and digits vertically. YCenter would leave space for descenders.
const middle = text.YAlignment(-0.36)

// words returns the style of plain text, placed by its lower left corner. The size is in points.
func words(size float64) text.Style {
	return text.Style{
		Color:   ink,
		Font:    canvas.Font(size),
		XAlign:  draw.XLeft,
		YAlign:  draw.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// aligned returns the style of aligned text. The size is in points.
func aligned(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	s := words(size)
	s.XAlign, s.YAlign = x, y
	return s
}

func coloured(s text.Style, c color.Color) text.Style {
	s.Color = c
	return s
}

// write draws the text s. If s is too wide, it makes the letters smaller, and then cuts the text.
func write(c draw.Canvas, s string, style text.Style, at vg.Point, width vg.Length) {
	if s, style = canvas.Fit(s, style, width); s != "" {
		c.FillText(style, at, s)
	}
}
