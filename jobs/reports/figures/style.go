package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"graphda/jobs/reports/figures/canvas"
)

type style struct {
	key     string // key of a method or another known line; "" in the list free
	color   color.NRGBA
	pattern int // index in patterns
	mark    mark
	width   vg.Length
}

var white = color.NRGBA{0xff, 0xff, 0xff, 0xff}

// These are the colours of Okabe and Ito, "Color Universal Design" (2008), and a few more, adjusted so that any two
// colours differ by ΔE2000 ≥ 15, even for deuteranopes.
var (
	black  = color.NRGBA{0x00, 0x00, 0x00, 0xff}
	orange = color.NRGBA{0xff, 0xa3, 0x00, 0xff}
	sky    = color.NRGBA{0x56, 0xb4, 0xe9, 0xff}
	green  = color.NRGBA{0x00, 0x9d, 0x71, 0xff}
	blue   = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	red    = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	pink   = color.NRGBA{0xe1, 0x86, 0xb2, 0xff}
	wine   = color.NRGBA{0x85, 0x20, 0x51, 0xff}
	olive  = color.NRGBA{0x5c, 0x6d, 0x22, 0xff}
	slate  = color.NRGBA{0x71, 0x79, 0x87, 0xff}
)

// These are the colours of nodes. They differ even in grey prints.
var (
	targetColor = color.NRGBA{0xcc, 0x33, 0x11, 0xff}
	otherColor  = color.NRGBA{0x7f, 0xb2, 0xdd, 0xff}
	linkColor   = color.NRGBA{0xa8, 0xa8, 0xa8, 0xff}
	pathColor   = color.NRGBA{0x66, 0x55, 0x50, 0xff} // for bold edges
)

// patterns holds the lengths of dashes and gaps, in points. The first pattern is a solid line.
var patterns = [][]vg.Length{nil, {4, 1.8}, {1.2, 1.5}, {5, 1.5, 1.2, 1.5}, {8, 2.2}}

const (
	solid = iota
	dashed
	dotted
	dashdot
	long
)

// styles has the looks of the methods, in the order of the paper's tables and of legends. Only the oracle's line is
// dashed.
var styles = []style{
	{"adam", slate, solid, cross, 1},
	{"l1-rda", sky, solid, triangle, 1},
	{"adagrad", orange, solid, triangleDown, 1},
	{"da-gl", pink, solid, diamond, 1},
	{"da-sgl", wine, solid, plus, 1},
	{"stoiht", olive, solid, ringSquare, 1},
	{"graphstoiht", green, solid, ringDiamond, 1},
	{"da-iht", blue, solid, square, 1},
	{"graphda", red, solid, circle, 1.6},
	{"best-subset", black, dashed, ring, 1},
}

// references holds the looks of lines that are not methods. Legends list them last.
var references = []style{
	{"w = 0", black, long, none, 0.8},
	{"√t", black, dotted, none, 0.8},
	{"best", red, solid, circle, 1.2},
	{"median", blue, solid, square, 1},
}

// free holds the looks for unknown keys. Further keys get the same looks with other dashes.
var free = []style{
	{"", black, solid, star, 1}, {"", blue, dashed, ringTriangle, 1}, {"", green, solid, triangleDown, 1},
	{"", red, dotted, ringSquare, 1}, {"", pink, solid, ringDiamond, 1}, {"", slate, dashed, square, 1},
}

// looks returns the look of each key. Unknown keys get the looks in free, in order.
func looks(keys []string) map[string]look {
	out, all := make(map[string]look, len(keys)), slices.Concat(styles, references)
	unknown := 0
	for _, key := range keys {
		if _, ok := out[key]; ok {
			continue
		}
		if i := slices.IndexFunc(all, func(s style) bool { return s.key == key }); i >= 0 {
			out[key] = look{all[i], i}
			continue
		}
		l := look{free[unknown%len(free)], len(all) + unknown}
		l.pattern = (l.pattern + unknown/len(free)) % len(patterns)
		out[key] = l
		unknown++
	}
	return out
}

// A look is a style with its rank in a legend.
type look struct {
	style
	rank int
}

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: s.width, Dashes: patterns[s.pattern]}
}

type mark int

// Marks are filled shapes, shapes filled with white, and strokes.
const (
	circle mark = iota
	square
	triangle
	triangleDown
	diamond
	ring
	ringSquare
	ringDiamond
	ringTriangle
	plus
	cross
	star
	none
)

const markRadius = vg.Length(2.1)

// shapes describes each mark. corners is its number of corners or strokes, 0 for a circle. radius is in units of
// markRadius. angle is the direction of the first corner or stroke.
var shapes = [...]struct {
	corners int
	radius  vg.Length
	angle   float64
}{
	circle: {0, 1, 0}, square: {4, 1.2, math.Pi / 4}, triangle: {3, 1.35, math.Pi / 2},
	triangleDown: {3, 1.35, -math.Pi / 2}, diamond: {4, 1.3, 0}, ring: {0, 1, 0}, ringSquare: {4, 1.2, math.Pi / 4},
	ringDiamond: {4, 1.3, 0}, ringTriangle: {3, 1.35, math.Pi / 2}, plus: {2, 1.2, 0}, cross: {2, 1.2, math.Pi / 4},
	star: {3, 1.3, math.Pi / 2},
}

func (m mark) draw(c draw.Canvas, s style, points []vg.Point) {
	if len(points) == 0 || m == none {
		return
	}
	var p vg.Path
	shape := shapes[m]
	for _, at := range points {
		r := shape.radius * markRadius
		switch {
		case m >= plus:
			for i := range shape.corners {
				a := shape.angle + math.Pi*float64(i)/float64(shape.corners)
				p.Move(canvas.Polar(at, r, a))
				p.Line(canvas.Polar(at, r, a+math.Pi))
			}
		case shape.corners == 0:
			canvas.Round(&p, at, r)
		default:
			canvas.Polygon(&p, at, r, shape.corners, shape.angle)
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: s.color, Width: 0.9})
	switch {
	case m >= plus:
		c.Stroke(p)
	case m >= ring:
		c.SetColor(color.White)
		c.Fill(p)
		c.SetColor(s.color)
		c.Stroke(p)
	default:
		c.Fill(p)
	}
}

// onDark replaces colours on a dark page. The colours of pictures do not change.
var onDark = map[color.NRGBA]color.NRGBA{
	{0xff, 0xff, 0xff, 0xff}: {0x17, 0x19, 0x1d, 0xff}, // the paper's white
	ink:                      {0xe4, 0xe3, 0xdf, 0xff},
	faint:                    {0xa8, 0xa8, 0xa8, 0xff},
	hair:                     {0x38, 0x3b, 0x42, 0xff},
	linkColor:                {0x60, 0x64, 0x6c, 0xff},
	pathColor:                {0xb0, 0xa4, 0xa0, 0xff},
	otherColor:               {0x6f, 0xa2, 0xcd, 0xff},
	targetColor:              {0xff, 0x7a, 0x5c, 0xff},
	black:                    {0xf2, 0xf2, 0xf2, 0xff},
	red:                      {0xff, 0x8a, 0x3d, 0xff},
	slate:                    {0x9d, 0x90, 0x82, 0xff},
	sky:                      {0x54, 0xc6, 0xff, 0xff},
	orange:                   {0xff, 0xfd, 0x00, 0xff},
	pink:                     {0xdc, 0x97, 0xbd, 0xff},
	wine:                     {0xba, 0x48, 0x88, 0xff},
	olive:                    {0x7c, 0x86, 0x29, 0xff},
	green:                    {0x8e, 0xff, 0xad, 0xff},
	blue:                     {0x22, 0x82, 0xd6, 0xff},
}

// Themes returns style rules. They define a custom property for each colour that changes on a dark page, named --f and
// the digits of the colour.
func Themes() string {
	var lines []string
	digits := func(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }
	for c, d := range onDark {
		lines = append(lines, fmt.Sprintf("--f%s: light-dark(#%[1]s, #%[2]s);", digits(c), digits(d)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
