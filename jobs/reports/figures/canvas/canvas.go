// Package canvas writes drawings as SVG, PNG and PDF, and places the nodes of networks. It also draws shapes, and
// replaces letters that the font lacks.
//
// The typical steps are:
//
//  1. New begins a file, and Inline begins an element of an HTML page. Arrange places the nodes of a network.
//  2. Segment, Arc, Polygon and Stroke draw shapes (path.go). Fit and Halo write texts (text.go).
//  3. The canvas's method WriteTo writes the drawing.
//
// The canvases are svgCanvas, pdfCanvas and pngCanvas. The tests of package figures check the drawings.
package canvas

import (
	"fmt"
	"html"
	"image"
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Formats returns the names of the file formats.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// New begins a file in one of the Formats.
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

// Inline begins an SVG element for an HTML page. Each id in the element begins with the prefix. Screen readers read the
// name. The page must define a custom property for each colour in themed.
func Inline(prefix, name string, size vg.Point, themed map[color.NRGBA]color.NRGBA) vg.CanvasWriterTo {
	return &svgCanvas{size: size, inline: true, prefix: prefix, title: name, themed: themed}
}

// Mark puts an invisible circle with an id and a tooltip into an SVG drawing. A style sheet can make the circle
// visible. In other formats Mark does nothing.
func Mark(on vg.Canvas, id, about string, at vg.Point, r vg.Length) {
	if c, ok := below(on).(*svgCanvas); ok {
		fmt.Fprintf(&c.marks, `<circle class="mark" id="%s" cx="%.4g" cy="%.4g" r="%.3g" fill="#fff" fill-opacity="0" `+
			`stroke="none"><title>%s</title></circle>`+"\n", html.EscapeString(c.prefix+id), at.X.Points(),
			(c.size.Y - at.Y).Points(), r.Points(), html.EscapeString(Spell(about)))
	}
}

// Halo writes a text with a white border around its letters, so that it is legible over lines.
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

// below unwraps a draw.Canvas and returns the canvas inside.
func below(c vg.Canvas) vg.Canvas {
	for {
		of, ok := c.(draw.Canvas)
		if !ok {
			return c
		}
		c = of.Canvas
	}
}

const pngResolution = 300 // dots per inch

// Dot is the side of a pixel of a PNG file. Lengths that are multiples of Dot give sharp edges.
const Dot = vg.Inch / pngResolution

// pngCanvas is gonum's PNG canvas with two corrections: the bar of w̄ is over the letter, and pixels of
// an image are squares.
type pngCanvas struct{ vgimg.PngCanvas }

func (c *pngCanvas) FillString(face font.Face, at vg.Point, text string) {
	for _, p := range pieces(face, text) {
		c.PngCanvas.FillString(face, at.Add(vg.Point{X: p.shift}), p.text)
	}
}

// DrawImage gives every dot the colour of the nearest pixel. gonum's method mixes neighbouring pixels.
func (c *pngCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	to, from := c.Image(), img.Bounds()
	x0, x1 := Dots(r.Min.X), Dots(r.Max.X)
	y0, y1 := to.Bounds().Dy()-Dots(r.Max.Y), to.Bounds().Dy()-Dots(r.Min.Y)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			to.Set(x, y, img.At(from.Min.X+(x-x0)*from.Dx()/(x1-x0), from.Min.Y+(y-y0)*from.Dy()/(y1-y0)))
		}
	}
}

// Dots converts a length to dots, rounded.
func Dots(l vg.Length) int { return int(l/Dot + 0.5) }

// Snap rounds a length to a whole number of dots, at least one.
func Snap(l vg.Length) vg.Length { return vg.Length(max(1, Dots(l))) * Dot }
