package figures

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svgCanvas is gonum's, whose file it makes fit for an HTML page.
type svgCanvas struct {
	*vgsvg.Canvas
	title string
	marks bytes.Buffer
}

func newSVG(info Info, size vg.Point) *svgCanvas {
	return &svgCanvas{Canvas: vgsvg.New(size.X, size.Y), title: spell(info.Title)}
}

// mark puts a circle that is not seen around a place, which an address may name and a style sheet show, with
// a text for who points at it.
func (c *svgCanvas) mark(id, about string, at vg.Point, r vg.Length) {
	_, height := c.Size()
	fmt.Fprintf(&c.marks, `<circle class="mark" id="%s" cx="%.4g" cy="%.4g" r="%.3g" fill="#fff" fill-opacity="0" `+
		`stroke="none">`, html.EscapeString(id), at.X.Points(), (height - at.Y).Points(), r.Points())
	if about != "" {
		fmt.Fprintf(&c.marks, "<title>%s</title>", html.EscapeString(spell(about)))
	}
	c.marks.WriteString("</circle>\n")
}

// The font of the whole document, and what gonum writes at every text instead. Quotation
// marks in labels are escaped, so that the latter stands nowhere else.
const (
	svgFont      = `font-family="'Liberation Sans',Arial,Helvetica,sans-serif"`
	gonumRegular = `style="font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;`
	gonumBold    = `style="font-family:Liberation Sans;font-variant:normal;font-weight:bold;font-style:normal;`
)

// sharpness is the number of pixels on a side of each pixel of an image: programs that
// smooth images, as most do, smooth only its edges.
const sharpness = 8

// DrawImage embeds the image, magnified if it is small.
func (c *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	if p, ok := img.(*image.Paletted); ok && max(p.Rect.Dx(), p.Rect.Dy()) <= 256 {
		img = magnify(p, sharpness)
	}
	c.Canvas.DrawImage(r, img)
}

// magnify repeats each pixel in both directions.
func magnify(p *image.Paletted, times int) *image.Paletted {
	b := p.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx()*times, b.Dy()*times), p.Palette)
	for y := range b.Dy() * times {
		for x := range b.Dx() * times {
			out.Pix[y*out.Stride+x] = p.ColorIndexAt(b.Min.X+x/times, b.Min.Y+y/times)
		}
	}
	return out
}

// WriteTo writes the document without the XML declaration, which means nothing inside
// HTML and nothing for UTF-8 elsewhere, and with a title for those who do not see it.
func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var buf bytes.Buffer
	if _, err := c.Canvas.WriteTo(&buf); err != nil {
		return 0, err
	}
	_, body, found := bytes.Cut(buf.Bytes(), []byte(`xmlns:xlink="http://www.w3.org/1999/xlink">`+"\n"))
	if !found {
		return 0, fmt.Errorf("gonum's SVG has another head than expected")
	}
	for _, r := range [][2]string{
		{gonumRegular, `style="`},
		{gonumBold, `style="font-weight:bold;`},
		{`xlink:href="data:image/jpg;`, `preserveAspectRatio="none" href="data:image/png;`},
		{"\n\tstyle=", " style="},
	} {
		body = bytes.ReplaceAll(body, []byte(r[0]), []byte(r[1]))
	}
	width, height := c.Size()
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.5gpt" height="%.5gpt" `+
		`viewBox="0 0 %.5g %.5g" role="img" %s>`+"\n",
		width.Points(), height.Points(), width.Points(), height.Points(), svgFont)
	if c.title != "" {
		fmt.Fprintf(&out, "<title>%s</title>\n", html.EscapeString(c.title))
	}
	if c.marks.Len() == 0 {
		out.Write(body)
		return out.WriteTo(w)
	}
	at := bytes.LastIndex(body, []byte("</svg>"))
	if at < 0 {
		return 0, fmt.Errorf("gonum's SVG has another end than expected")
	}
	out.Write(body[:at])
	c.marks.WriteTo(&out)
	out.Write(body[at:])
	return out.WriteTo(w)
}
