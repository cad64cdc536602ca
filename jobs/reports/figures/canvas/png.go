package canvas

import (
	"image"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

const pngResolution = 300 // dots per inch

// Dot is the side of a pixel of a PNG. Lengths that are multiples of it are sharp.
const Dot = vg.Inch / pngResolution

// pngCanvas is gonum's, with marks over letters where they belong and images whose
// pixels stay squares.
type pngCanvas struct{ vgimg.PngCanvas }

// FillString draws the text in pieces, see pieces.
func (c *pngCanvas) FillString(face font.Face, at vg.Point, text string) {
	for _, p := range pieces(face, text) {
		c.PngCanvas.FillString(face, at.Add(vg.Point{X: p.shift}), p.text)
	}
}

// DrawImage takes for every dot the nearest pixel of the image, where gonum's mixes
// neighbours.
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

// Dots rounds a length to pixels.
func Dots(l vg.Length) int { return int(l/Dot + 0.5) }

// Snap rounds a length to whole dots, one at least.
func Snap(l vg.Length) vg.Length { return vg.Length(max(1, Dots(l))) * Dot }
