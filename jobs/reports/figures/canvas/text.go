package canvas

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Font returns the font of all texts. The size is in points.
func Font(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// replacements holds texts for letters that the font lacks. A missing letter without a replacement becomes "?".
var replacements = map[rune]string{
	'⁰': "0", '⁻': "-", '₋': "-", 'ℝ': "R", '∈': "in", '‖': "||", '⊤': "T", '∗': "*", '⋆': "*", '⟨': "<", '⟩': ">",
}

// Spell removes control characters, and replaces letters that the font lacks.
func Spell(s string) string {
	const spelled = 8.5 // any size will do
	face := plot.DefaultTextHandler.Cache().Lookup(Font(spelled), vg.Points(spelled))
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
		case unicode.Is(unicode.Mn, r): // a mark over a letter is left out
		case replacements[r] != "":
			b.WriteString(replacements[r])
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

type piece struct {
	text  string
	shift vg.Length
}

// pieces splits s so that each mark over a letter, such as the bar of w̄, is a piece over its letter. PNG and PDF need
// this; SVG viewers move the mark themselves.
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

// Number formats a number with a true minus sign. Long numbers get an exponent.
func Number(v float64, decimals int) string {
	var label string
	if v == 0 && decimals > 4 {
		label = "0"
	} else if math.Abs(v) >= 1e6 || decimals > 4 {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		e, _ := strconv.Atoi(exponent)
		label = mantissa + "e" + strconv.Itoa(e)
	} else {
		label = strconv.FormatFloat(v, 'f', max(0, decimals), 64)
	}
	if strings.Trim(label, "-0.") == "" {
		label = strings.TrimPrefix(label, "-")
	}
	return strings.ReplaceAll(label, "-", "−")
}

// leastSize is the smallest size, in points, to which Fit shrinks letters.
const leastSize = 5.5

// Fit spells a text and makes it fit the width. It shrinks the letters, but not below leastSize, and then cuts the end.
func Fit(s string, style draw.TextStyle, width vg.Length) (string, draw.TextStyle) {
	s = Spell(s)
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
