package plain

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, text, lines string }{
		{"", "", ""},
		{"graph01-mu0.3", "graph01-mu0.3", "graph01-mu0.3"},
		{`C:\data "x" ℓ1-RDA 👩‍🔬`, `C:\data "x" ℓ1-RDA 👩‍🔬`, `C:\data "x" ℓ1-RDA 👩‍🔬`},
		{"a\x1b[31mb", `a\x1b[31mb`, `a\x1b[31mb`},
		{"\x1b]0;title\a", `\x1b]0;title\a`, `\x1b]0;title\a`},
		{"a\nb\tc\rd", `a\nb\tc\rd`, "a\nb\tc\\rd"},
		{"\u009b2J\x7f", `\u009b2J\x7f`, `\u009b2J\x7f`},
		{"\xff\x9b", `\xff\x9b`, `\xff\x9b`},
		{"\ufffd", "\ufffd", "\ufffd"},
		{"a\u202eb\u2066c\u2028", `a\u202eb\u2066c\u2028`, `a\u202eb\u2066c\u2028`},
	} {
		if got := Text(c.in); got != c.text {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Lines(c.in); got != c.lines {
			t.Errorf("Lines(%q) = %q, want %q", c.in, got, c.lines)
		}
	}
}

// Whatever goes in, one line of printable UTF-8 comes out, from which the text can be read.
func FuzzText(f *testing.F) {
	f.Add("a\x1b[2J\n\xff\u202e")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, unicode.IsControl) >= 0 {
			t.Fatalf("Text(%q) = %q", s, got)
		}
		if strings.ContainsAny(s, "\\\"") {
			return
		}
		if back, err := strconv.Unquote(`"` + got + `"`); err != nil || back != s {
			t.Fatalf("Text(%q) = %q, which reads as %q, %v", s, got, back, err)
		}
	})
}
