package canvas

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// An svgCanvas writes an SVG file or an SVG element of an HTML page. Only texts can be rotated, and paths can have only
// lines and cubic curves. All other methods of vg.Canvas panic.
type svgCanvas struct {
	vg.Canvas
	size          vg.Point
	title, prefix string // the drawing's title; a prefix for every id
	inline        bool   // an element of an HTML page, not a file
	themed        map[color.NRGBA]color.NRGBA
	halo          bool // draw letters with a white border
	pen           pen
	saved         []pen
	out, marks    strings.Builder
}

// A pen is the state that Push saves.
type pen struct {
	color  color.NRGBA
	width  vg.Length
	dashes []vg.Length
	turn   float64 // degrees, counterclockwise
}

func (c *svgCanvas) Size() (x, y vg.Length)                 { return c.size.X, c.size.Y }
func (c *svgCanvas) Push()                                  { c.saved = append(c.saved, c.pen) }
func (c *svgCanvas) SetLineWidth(w vg.Length)               { c.pen.width = w }
func (c *svgCanvas) SetLineDash(d []vg.Length, _ vg.Length) { c.pen.dashes = d }
func (c *svgCanvas) Rotate(angle float64)                   { c.pen.turn += angle * 180 / math.Pi }
func (c *svgCanvas) SetColor(given color.Color) {
	c.pen.color = color.NRGBAModel.Convert(given).(color.NRGBA)
}

func (c *svgCanvas) Pop() {
	last := len(c.saved) - 1
	c.pen, c.saved = c.saved[last], c.saved[:last]
}

// colour returns style declarations that set the property to the pen's colour.
func (c *svgCanvas) colour(property string) string {
	n := c.pen.color
	digits := fmt.Sprintf("%02X%02X%02X", n.R, n.G, n.B)
	style := property + ":#" + digits
	if _, ok := c.themed[color.NRGBA{n.R, n.G, n.B, 0xff}]; ok {
		style = property + ":var(--f" + digits + ")"
	}
	if n.A < 0xff {
		style += fmt.Sprintf(";%s-opacity:%.2g", property, float64(n.A)/0xff)
	}
	return style
}

func (c *svgCanvas) Stroke(p vg.Path) {
	style := fmt.Sprintf("fill:none;%s;stroke-width:%.3g", c.colour("stroke"), c.pen.width.Points())
	for i, d := range c.pen.dashes {
		style += [...]string{";stroke-dasharray:", ","}[min(i, 1)] + fmt.Sprintf("%.3g", d.Points())
	}
	fmt.Fprintf(&c.out, `<path d="%s" style="%s"/>`+"\n", c.data(p), style)
}

func (c *svgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&c.out, `<path d="%s" style="%s"/>`+"\n", c.data(p), c.colour("fill"))
}

// data returns a path as short SVG path data, with rounded coordinates relative to the previous point.
func (c *svgCanvas) data(p vg.Path) string {
	var b []byte
	var at, start [2]int
	last := byte(0)
	to := func(command byte, places ...vg.Point) {
		if command != last { // SVG repeats the last command without a letter
			b = append(b, command)
		}
		from := at
		for _, place := range places {
			at = [2]int{int(math.Round(10 * place.X.Points())), int(math.Round(10 * (c.size.Y - place.Y).Points()))}
			b = appendTenths(appendTenths(b, at[0]-from[0]), at[1]-from[1])
		}
		last = command
	}
	for _, s := range p {
		switch s.Type {
		case vg.MoveComp:
			last = 0
			to('m', s.Pos)
			start, last = at, 'l'
		case vg.LineComp:
			to('l', s.Pos)
		case vg.CurveComp:
			to('c', s.Control[0], s.Control[1], s.Pos)
		case vg.CloseComp:
			to('z')
			at = start
		}
	}
	return string(b)
}

// appendTenths appends tenths/10 to b, after a space or a minus sign.
func appendTenths(b []byte, tenths int) []byte {
	if tenths >= 0 {
		b = append(b, ' ')
	}
	text := strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
	if -10 < tenths && tenths < 10 {
		text = strings.Replace(text, "0.", ".", 1)
	}
	return append(b, text...)
}

func (c *svgCanvas) FillString(face font.Face, at vg.Point, text string) {
	turn := ""
	if c.pen.turn != 0 {
		turn = fmt.Sprintf(` transform="rotate(%.4g 0 %.5g)"`, -c.pen.turn, c.size.Y.Points())
	}
	style := c.colour("fill")
	if face.Font.Weight > 0 {
		style += ";font-weight:bold"
	}
	if c.halo {
		ink := c.pen.color
		c.pen.color = color.NRGBA{0xff, 0xff, 0xff, 0xff}
		style += ";paint-order:stroke;stroke-linejoin:round;stroke-width:1.6;" + c.colour("stroke")
		c.pen.color = ink
	}
	fmt.Fprintf(&c.out, `<text x="%.5g" y="%.5g"%s style="font-size:%.3gpx;%s">%s</text>`+"\n", at.X.Points(),
		(c.size.Y - at.Y).Points(), turn, face.Font.Size.Points(), style, html.EscapeString(text))
}

// DrawImage embeds the image. Viewers draw pixels as squares.
func (c *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	var file bytes.Buffer
	_ = png.Encode(&file, img) // cannot fail in memory
	fmt.Fprintf(&c.out, `<image x="%.5g" y="%.5g" width="%.5g" height="%.5g" preserveAspectRatio="none" `+
		`style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n", r.Min.X.Points(),
		(c.size.Y - r.Max.Y).Points(), r.Size().X.Points(), r.Size().Y.Points(),
		base64.StdEncoding.EncodeToString(file.Bytes()))
}

func (c *svgCanvas) WriteTo(w io.Writer) (int64, error) {
	x, y := c.size.X.Points(), c.size.Y.Points()
	head := fmt.Sprintf(`width="%.5gpt" height="%.5gpt" viewBox="0 0 %.5g %.5g" role="img" `+
		`font-family="'Liberation Sans',Arial,Helvetica,sans-serif"`, x, y, x, y)
	name := html.EscapeString(c.title)
	if c.inline {
		head += ` aria-label="` + name + `">` + "\n"
	} else {
		head = `xmlns="http://www.w3.org/2000/svg" ` + head + ">\n<title>" + name + "</title>\n"
	}
	n, err := io.WriteString(w, "<svg "+head+c.out.String()+c.marks.String()+"</svg>\n")
	return int64(n), err
}
