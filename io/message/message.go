// Package message formats names, numbers, lists and errors for messages to people. Names come from files, so Text
// escapes characters that a terminal would execute or that would end a line.
package message

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// Text writes Go's escape sequences (\n, \x1b, \u202e) for control characters, line separators, marks that change the
// writing direction, and bytes that are not UTF-8.
func Text(s string) string { return escape(s, true) }

// Lines is like Text but keeps line ends and tabs.
func Lines(s string) string { return escape(s, false) }

func escape(s string, all bool) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		unsafe := unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' ||
			r == utf8.RuneError && n <= 1
		if unsafe && (all || r != '\n' && r != '\t') {
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

// Because returns an error that wraps cause. Its text is only the formatted message.
func Because(cause error, format string, args ...any) error {
	return &because{fmt.Errorf(format, args...), cause}
}

type because struct{ text, cause error }

func (e *because) Error() string { return e.text.Error() }

func (e *because) Unwrap() []error { return []error{e.text, e.cause} }

// Count formats a number with its noun, which gets an s unless the number is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Percent formats the quotient n/of as a percentage, with three significant digits.
func Percent(n, of int) string { return fmt.Sprintf("%.3g", 100*float64(n)/float64(max(1, of))) }

// List joins values with commas. No value may contain a space.
func List[T any](values []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ", "), "[]")
}

// Are is like Count, followed by "is" or "are".
func Are(n int, noun string) string { return agree(n, noun, " is", " are") }

// Have is like Count, followed by "has" or "have".
func Have(n int, noun string) string { return agree(n, noun, " has", " have") }

func agree(n int, noun, one, many string) string {
	if n == 1 {
		many = one
	}
	return Count(n, noun) + many
}

// Number formats an integer with a comma before every three digits: 61,860.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

type noted struct {
	error
	notes []string
}

func (e *noted) Unwrap() error { return e.error }

// WithNotes adds notes to an error. If err is nil, it returns nil.
func WithNotes(err error, notes []string) error {
	if err == nil {
		return nil
	}
	return &noted{err, slices.Concat(Notes(err), notes)}
}

// Notes returns the notes that WithNotes added to an error.
func Notes(err error) []string {
	with := &noted{}
	errors.As(err, &with)
	return with.notes
}

// Error returns the text of an error. If the operating system refused a file, "open x.csv: no such file or
// directory" becomes "x.csv: does not exist".
func Error(err error) string {
	text := err.Error()
	if system := (*fs.PathError)(nil); errors.As(err, &system) {
		text = strings.ReplaceAll(text, system.Error(), Text(system.Path)+": "+cause(system.Path, system.Err))
	}
	return text
}

func cause(path string, err error) string {
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return "the folder " + Text(dir) + " does not exist"
		}
		return "does not exist"
	case errors.Is(err, syscall.ENOTDIR):
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return "is a file, want a folder"
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return Text(dir) + " is a file, want a folder"
			}
		}
	}
	return err.Error()
}

// Duration formats seconds for people: 2h15m0s, 40s, 0.3s.
func Duration(seconds float64) string {
	unit := time.Second
	if seconds < 10 {
		unit = 100 * time.Millisecond
	}
	return time.Duration(seconds * float64(time.Second)).Round(unit).String()
}
