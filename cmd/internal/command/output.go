package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"graphda/io/plain"
)

// An output is where a program prints to. Of text it lets only printable characters through,
// and it remembers that it could not be written.
type output struct {
	w    io.Writer
	data bool // what is printed is for programs, which get it as it is

	mu   sync.Mutex
	rest string // the beginning of a character
	err  error
}

// Write writes p, but for a last character that is not whole yet.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	if o.data {
		_, o.err = o.w.Write(p)
		return len(p), o.err
	}
	text := o.rest + string(p)
	whole := wholeRunes(text)
	o.rest = text[whole:]
	_, o.err = io.WriteString(o.w, plain.Lines(text[:whole]))
	return len(p), o.err
}

// wholeRunes returns the length of s without the beginning of a character at its end.
func wholeRunes(s string) int {
	for i := len(s) - 1; i >= 0 && i > len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return i
			}
			break
		}
	}
	return len(s)
}

// close writes what is left, and returns why not all was written.
func (o *output) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && o.rest != "" {
		_, o.err = io.WriteString(o.w, plain.Lines(o.rest))
	}
	return o.err
}

// PrintData makes a command print data, unchanged.
func PrintData(c *cli.Context) {
	if o, ok := c.App.Writer.(*output); ok {
		o.data = true
	}
}

// Terminal returns the terminal that w writes to, or nil.
func Terminal(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Note prints one line, whatever the names in it hold.
func Note(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, oneLine(fmt.Sprintf(format, args...)))
}

// oneLine joins the lines of errors and makes the rest printable.
func oneLine(s string) string { return plain.Text(strings.ReplaceAll(s, "\n", "; ")) }
