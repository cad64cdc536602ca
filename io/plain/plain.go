// Package plain is about the text that people read. Names come from files, and what a terminal
// takes for a command, or a reader for the end of a line, must not be printed; numbers stand with
// their noun; errors of the system name the file first.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text writes what is no printable text as an escape sequence of Go (\n, \x1b, \u202e):
// control characters, separators of lines, marks that turn the direction of writing, and
// bytes that are not UTF-8.
func Text(s string) string { return escape(s, true) }

// Lines is Text for several lines: line ends and tabs stay.
func Lines(s string) string { return escape(s, false) }

func escape(s string, all bool) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unsafe(r, n) && (all || r != '\n' && r != '\t') {
			quoted := strconv.Quote(s[i : i+n])
			b.WriteString(s[from:i])
			b.WriteString(quoted[1 : len(quoted)-1])
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// unsafe tells whether a rune of n bytes is no printable text.
func unsafe(r rune, n int) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' ||
		r == utf8.RuneError && n <= 1
}

// Because returns an error that reads as the format says. For errors.Is it is cause as well,
// whose own text is not printed: the message says it already.
func Because(cause error, format string, args ...any) error {
	return &because{fmt.Errorf(format, args...), cause}
}

type because struct{ text, cause error }

func (e *because) Error() string { return e.text.Error() }

func (e *because) Unwrap() []error { return []error{e.text, e.cause} }
