package figures

import (
	"image/color"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of text in points. A figure is drawn at the size at which it is printed.
const (
	titleSize = 9.0
	labelSize = 8.5
	tickSize  = 7.5
	leastSize = 5.5 // down to which a text shrinks before it is cut
)

// middle aligns the middle of small letters and digits with a height, which text's own
// YCenter, for the lowest tails as well, does not.
const middle = text.YAlignment(-0.36)

// words is the style of a text of the given size, its lower left corner at its place.
func words(size float64) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		XAlign:  draw.XLeft,
		YAlign:  draw.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// aligned is words at another side of its place.
func aligned(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	s := words(size)
	s.XAlign, s.YAlign = x, y
	return s
}

func coloured(s text.Style, c color.Color) text.Style {
	s.Color = c
	return s
}

// replacements spell what the font has no glyph for. Everything else that it does not
// have is a question mark.
var replacements = map[rune]string{
	'⁰': "0", '⁻': "-", '₋': "-", 'ℝ': "R", '∈': "in", '‖': "||", '⊤': "T", '∗': "*", '⋆': "*", '⟨': "<", '⟩': ">",
}

// spell returns the text in letters that all formats can show: without control
// characters, and without letters that Liberation Sans lacks.
func spell(s string) string {
	face := plot.DefaultTextHandler.Cache().Lookup(words(labelSize).Font, vg.Points(labelSize))
	var buf sfnt.Buffer
	var b strings.Builder
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			r = ' '
		}
		glyph, err := face.Face.GlyphIndex(&buf, r)
		switch {
		case err == nil && glyph != 0:
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // a mark goes without its absence being marked
		case replacements[r] != "":
			b.WriteString(replacements[r])
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

// fit spells a text and makes it fit a width: it shrinks and, at the least size that is
// legible, loses its end.
func fit(s string, style text.Style, width vg.Length) (string, text.Style) {
	s = spell(s)
	if w := style.Width(s); w > width && w > 0 {
		style.Font.Size = max(vg.Points(leastSize), style.Font.Size*width/w)
	}
	if style.Width(s) <= width*1.001 {
		return s, style
	}
	letters := []rune(s)
	for len(letters) > 0 && style.Width(string(letters)+"…") > width {
		letters = letters[:len(letters)-1]
	}
	if len(letters) == 0 {
		return "", style
	}
	return strings.TrimRight(string(letters), " ") + "…", style
}

// write draws a text that fits a width.
func write(c draw.Canvas, s string, style text.Style, at vg.Point, width vg.Length) {
	if s, style = fit(s, style, width); s != "" {
		c.FillText(style, at, s)
	}
}

// A piece is a part of a text and its distance from the text's start.
type piece struct {
	text  string
	shift vg.Length
}

// pieces cuts a text such that marks over letters, as in w̄, stand alone: a font's glyph of
// a mark is centred at its origin, and what draws SVG knows by itself that it goes over
// the letter before it, but what draws PNG and PDF does not.
func pieces(face font.Face, s string) []piece {
	var out []piece
	start, letters := 0, []rune(s)
	for i, r := range letters {
		if i == 0 || !unicode.Is(unicode.Mn, r) {
			continue
		}
		before := face.Width(string(letters[:i]))
		out = append(out,
			piece{string(letters[start:i]), face.Width(string(letters[:start]))},
			piece{string(r), before - face.Width(string(letters[i-1]))/2})
		start = i + 1
	}
	return append(out, piece{string(letters[start:]), face.Width(string(letters[:start]))})
}
