// Package canvas has what figures are drawn on, files of SVG, PNG and PDF, and what they are drawn with: paths, and
// texts of letters that all formats can show.
package canvas

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Formats are the names New knows.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// New begins a file of one of the Formats.
func New(format, title string, size vg.Point) (vg.CanvasWriterTo, error) {
	switch format {
	case "svg":
		return &svgCanvas{size: size, title: Spell(title)}, nil
	case "png":
		return &pngCanvas{vgimg.PngCanvas{Canvas: vgimg.NewWith(
			vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(pngResolution), vgimg.UseBackgroundColor(color.White))}}, nil
	case "pdf":
		return newPDF(title, size), nil
	}
	return nil, fmt.Errorf("unknown format %q; known: %s", format, strings.Join(Formats(), ", "))
}

// Inline begins an element of an HTML page. Its ids begin with the prefix, and screen readers say the name. The page
// has custom properties for the colours that are themed.
func Inline(prefix, name string, size vg.Point, themed map[color.NRGBA]color.NRGBA) vg.CanvasWriterTo {
	return &svgCanvas{size: size, inline: true, prefix: prefix, title: name, themed: themed}
}

// Mark puts a circle that is not seen around a place of SVG, which an address may name and a style sheet show, with
// a tooltip.
func Mark(on vg.Canvas, id, about string, at vg.Point, r vg.Length) {
	if c, ok := below(on).(*svgCanvas); ok {
		fmt.Fprintf(&c.marks, `<circle class="mark" id="%s" cx="%.4g" cy="%.4g" r="%.3g" fill="#fff" fill-opacity="0" `+
			`stroke="none"><title>%s</title></circle>`+"\n", html.EscapeString(c.prefix+id), at.X.Points(),
			(c.size.Y - at.Y).Points(), r.Points(), html.EscapeString(Spell(about)))
	}
}

// Halo writes a text that hides what is close to its letters.
func Halo(c draw.Canvas, style draw.TextStyle, at vg.Point, text string) {
	if svg, ok := below(c).(*svgCanvas); ok {
		svg.halo = true
		defer func() { svg.halo = false }()
	} else {
		c.SetColor(color.NRGBA{0xff, 0xff, 0xff, 0xb0})
		size := vg.Point{X: style.Width(text), Y: style.Font.Size}
		c.Fill(vg.Rectangle{Min: at.Sub(vg.Point{X: size.X / 2, Y: size.Y}), Max: at.Add(vg.Point{X: size.X / 2})}.Path())
	}
	c.FillText(style, at, text)
}

// below is what a canvas, which may be a part of others, draws on in the end.
func below(c vg.Canvas) vg.Canvas {
	for {
		of, ok := c.(draw.Canvas)
		if !ok {
			return c
		}
		c = of.Canvas
	}
}
