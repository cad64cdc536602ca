package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"graphda/io/message"
	"graphda/io/table"
)

// An output is the stdout or stderr of a program. It makes text printable, and stores the first write error.
type output struct {
	w    io.Writer
	data bool // set if the output is data for programs, which is printed unchanged
	fit  int  // largest width of a line of text; 0 means no limit
	ink  bool

	mu   sync.Mutex
	rest string // incomplete character at the end of the last write
	err  error
}

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
	_, o.err = io.WriteString(o.w, o.dress(message.Lines(text[:whole])))
	return len(p), o.err
}

var verdicts = map[*regexp.Regexp]string{
	regexp.MustCompile(`\b(holds|Found:)`):                             "\x1b[32m$0\x1b[0m",
	regexp.MustCompile(`\b(fails|died|damaged|NOTHING FOUND|failed:)`): "\x1b[31m$0\x1b[0m",
}

// OwnData is a heading of the help. Commands below it print at most 100 columns without --wide.
const OwnData, legible = "Own data", 100

func (o *output) dress(text string) string {
	if o.fit > 0 {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			switch {
			case uniseg.StringWidth(line) <= o.fit:
			case strings.HasPrefix(line, try) && !strings.Contains(line, "'"): // users paste it into a shell
				lines[i] = strings.Join(table.Lines(line, o.fit-2, "  "), " \\\n")
			default:
				lines[i] = indent + strings.Join(table.Lines(line, o.fit-len(indent), "  "), "\n"+indent)
			}
		}
		text = strings.Join(lines, "\n")
	}
	if o.ink {
		for words, colour := range verdicts {
			text = words.ReplaceAllString(text, colour)
		}
	}
	return text
}

// WideFlag returns the flag --wide of commands that print tables.
func WideFlag() cli.Flag {
	return &cli.BoolFlag{Name: "wide", Usage: "print all columns of tables, even if the terminal is too narrow"}
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no progress, notes or advice"},
		OneOf(&cli.StringFlag{Name: "color", Value: "auto", Usage: "colour verdicts and states; auto colours them on a " +
			"terminal, unless NO_COLOR is set"}, "auto", "always", "never"),
	}
}

// setUpFlags appends the output flags. If the other flags have groups, the output flags form a group too.
func setUpFlags(flags []cli.Flag) []cli.Flag {
	frame, group := outputFlags(), ""
	for _, f := range flags {
		if f.Names()[0] == "format" {
			frame = append(frame, WideFlag())
		}
		group = cmp.Or(group, f.(cli.CategorizableFlag).GetCategory())
		if b, is := f.(*cli.BoolFlag); is {
			b.DisableDefaultText = true // the default is always false
		}
	}
	if group != "" {
		Group("Output", frame...)
	}
	return slices.Concat(flags, frame)
}

func setUpOutput(c *cli.Context) {
	if c.Bool("quiet") {
		c.App.ErrWriter = io.Discard
	}
	if format := c.String("format"); format != "" && format != "text" {
		PrintData(c)
	}
	for _, w := range []io.Writer{c.App.Writer, c.App.ErrWriter} {
		o, is := w.(*output)
		if !is {
			continue
		}
		terminal := Terminal(o) != nil
		o.ink = c.String("color") == "always" || c.String("color") == "auto" && terminal && os.Getenv("NO_COLOR") == ""
		switch {
		case c.Bool("wide"):
		case c.Command.Category == OwnData:
			o.fit = min(Width(o), legible)
		case terminal:
			o.fit = Width(o)
		}
	}
}

// wholeRunes returns the length of s without an incomplete character at the end of s.
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

// close writes the incomplete character that Write has held back, if any, and returns the first write error.
func (o *output) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil && o.rest != "" {
		_, o.err = io.WriteString(o.w, o.dress(message.Lines(o.rest)))
	}
	return o.err
}

// PrintData makes a command print its output unchanged, as data.
func PrintData(c *cli.Context) {
	if o, ok := c.App.Writer.(*output); ok {
		o.data = true
	}
}

// Terminal returns the terminal that w writes to, or nil if w writes elsewhere.
func Terminal(w io.Writer) *os.File {
	if o, ok := w.(*output); ok {
		w = o.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Note prints one line, even if a name in the note contains line ends.
func Note(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, oneLine(fmt.Sprintf(format, args...)))
}

// Notes prints a line for each note, with the given prefix.
func Notes(c *cli.Context, before string, notes []string) {
	for _, note := range notes {
		Note(c.App.ErrWriter, "%s%s", before, note)
	}
}

func oneLine(s string) string { return message.Text(strings.ReplaceAll(s, "\n", "; ")) }
