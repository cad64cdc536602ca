package canvas

import (
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Font is the font of all texts, of a size in points.
func Font(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// replacements spell what the font has no glyph for. Everything else that it does not
// have is a question mark.
var replacements = map[rune]string{
	'⁰': "0", '⁻': "-", '₋': "-", 'ℝ': "R", '∈': "in", '‖': "||", '⊤': "T", '∗': "*", '⋆': "*", '⟨': "<", '⟩': ">",
}

// Spell returns the text in letters that all formats can show: without control
// characters, and without letters that Liberation Sans lacks.
func Spell(s string) string {
	const spelled = 8.5 // points; the letters are the same at any size
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
		case unicode.Is(unicode.Mn, r): // a mark goes without its absence being marked
		case replacements[r] != "":
			b.WriteString(replacements[r])
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
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
