package canvas

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A pdfCanvas draws with fpdf. Only texts can be rotated, and paths can have only lines and cubic curves. All other
// methods of vg.Canvas panic. gonum's PDF canvas has only the letters of Windows code page 1252, embeds whole fonts,
// and writes the time of day.
type pdfCanvas struct {
	vg.Canvas
	doc   *fpdf.Fpdf
	size  vg.Point
	alpha []float64 // opacity after each open Push
}

func newPDF(title string, size vg.Point) *pdfCanvas {
	doc := fpdf.NewCustom(&fpdf.InitType{
		UnitStr: "pt",
		Size:    fpdf.SizeType{Wd: size.X.Points(), Ht: size.Y.Points()},
	})
	doc.SetMargins(0, 0, 0)
	doc.SetAutoPageBreak(false, 0)
	doc.SetCatalogSort(true)
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.SetTitle(Spell(title), true)
	doc.AddPage()
	c := &pdfCanvas{doc: doc, size: size, alpha: []float64{1}}
	vg.Initialize(c)
	return c
}

func (c *pdfCanvas) Size() (x, y vg.Length) { return c.size.X, c.size.Y }

// place converts p to fpdf's coordinates. Their origin is the upper left corner.
func (c *pdfCanvas) place(p vg.Point) (x, y float64) {
	return p.X.Points(), (c.size.Y - p.Y).Points()
}

func (c *pdfCanvas) SetLineWidth(w vg.Length) { c.doc.SetLineWidth(w.Points()) }

func (c *pdfCanvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = d.Points()
	}
	c.doc.SetDashPattern(dashes, offset.Points())
}

func (c *pdfCanvas) SetColor(given color.Color) {
	n := color.NRGBAModel.Convert(given).(color.NRGBA)
	r, g, b := int(n.R), int(n.G), int(n.B)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	if top, a := len(c.alpha)-1, float64(n.A)/0xff; c.alpha[top] != a {
		c.doc.SetAlpha(a, "Normal")
		c.alpha[top] = a
	}
}

func (c *pdfCanvas) Rotate(angle float64) {
	c.doc.TransformRotate(angle*180/math.Pi, 0, c.size.Y.Points())
}

func (c *pdfCanvas) Push() {
	c.alpha = append(c.alpha, c.alpha[len(c.alpha)-1])
	c.doc.TransformBegin()
}

func (c *pdfCanvas) Pop() {
	c.alpha = c.alpha[:len(c.alpha)-1]
	c.doc.TransformEnd()
}

func (c *pdfCanvas) Stroke(p vg.Path) {
	c.path(p)
	c.doc.DrawPath("S")
}

func (c *pdfCanvas) Fill(p vg.Path) {
	c.path(p)
	c.doc.DrawPath("f")
}

func (c *pdfCanvas) path(p vg.Path) {
	for _, s := range p {
		x, y := c.place(s.Pos)
		switch s.Type {
		case vg.MoveComp:
			c.doc.MoveTo(x, y)
		case vg.LineComp:
			c.doc.LineTo(x, y)
		case vg.CurveComp:
			cx, cy := c.place(s.Control[0])
			dx, dy := c.place(s.Control[1])
			c.doc.CurveBezierCubicTo(cx, cy, dx, dy, x, y)
		case vg.CloseComp:
			c.doc.ClosePath()
		}
	}
}

func (c *pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	name := face.Name()
	if desc := c.doc.GetFontDesc(name, ""); desc.Ascent == 0 {
		var file bytes.Buffer
		if _, err := face.Face.WriteSourceTo(nil, &file); err != nil {
			c.doc.SetError(fmt.Errorf("font %s: %w", name, err))
			return
		}
		c.doc.AddUTF8FontFromBytes(name, "", file.Bytes())
	}
	c.doc.SetFont(name, "", face.Font.Size.Points())
	for _, p := range pieces(face, text) {
		x, y := c.place(at.Add(vg.Point{X: p.shift}))
		c.doc.Text(x, y, p.text)
	}
}

// DrawImage draws each run of equal pixels in a row as a rectangle. Each rectangle extends under its right and lower
// neighbours, so that no gap shows. It does not use fpdf's images, because fpdf writes images in a random order.
func (c *pdfCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	width, height := r.Size().X/vg.Length(b.Dx()), r.Size().Y/vg.Length(b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; {
			start, colour := x, img.At(x, y)
			for x++; x < b.Max.X && img.At(x, y) == colour; x++ {
			}
			left, top := r.Min.X+vg.Length(start-b.Min.X)*width, r.Max.Y-vg.Length(y-b.Min.Y)*height
			right := min(r.Max.X, r.Min.X+(vg.Length(x-b.Min.X)+0.5)*width)
			bottom := max(r.Min.Y, top-1.5*height)
			c.SetColor(colour)
			px, py := c.place(vg.Point{X: left, Y: top})
			c.doc.Rect(px, py, (right - left).Points(), (top - bottom).Points(), "F")
		}
	}
}

// WriteTo writes the document. Do not draw after this call.
func (c *pdfCanvas) WriteTo(w io.Writer) (int64, error) {
	var buf bytes.Buffer
	if err := c.doc.Output(&buf); err != nil {
		return 0, err
	}
	return buf.WriteTo(w)
}
