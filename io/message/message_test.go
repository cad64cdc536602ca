package message

import (
	"errors"
	"fmt"
	"os"
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

// FuzzText checks that any input gives one line of printable UTF-8 from which the input can be recovered.
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

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 cells", 1: "1 cell", 2: "2 cells"} {
		if got := Count(n, "cell"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 61860: "61,860", 1234567: "1,234,567", -999: "-999", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestError(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"gone.csv":       "reading: gone.csv: does not exist",
		"no/such/r.csv":  "reading: no/such/r.csv: the folder no/such does not exist",
		"file/r.csv":     "reading: file/r.csv: file is a file, want a folder",
		"file/deep/r":    "reading: file/deep/r: file is a file, want a folder",
		"gone\x1b[31m.x": `reading: gone\x1b[31m.x: does not exist`,
	} {
		_, err := os.Stat(path)
		if got := Error(fmt.Errorf("reading: %w", err)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Error(errors.New("bad")); got != "bad" {
		t.Errorf("%q, want bad", got)
	}
}
