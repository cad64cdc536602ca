package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"graphda/io/table"
	"graphda/jobs/userinput"
)

func init() { cli.HelpPrinter = printHelp }

// Width returns the number of columns for output to w: COLUMNS if that is set, else the terminal's width, else 100.
func Width(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, 40)
	}
	if f := Terminal(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return max(n, 40)
		}
	}
	return 100
}

// An Item is a line of a list: a name and its text.
type Item struct{ About, Text string }

// List prints items below each other. Their texts are aligned, and wrapped to the width of w.
func List(w io.Writer, indent int, items ...Item) { list(w, Width(w), indent, items...) }

func list(w io.Writer, width, indent int, items ...Item) {
	const most = 26 // after a longer name, the text begins on the next line
	at := 0
	for _, item := range items {
		if n := uniseg.StringWidth(item.About); n <= most {
			at = max(at, n)
		}
	}
	margin, column := strings.Repeat(" ", indent), strings.Repeat(" ", indent+at+2)
	for _, item := range items {
		head := margin + item.About
		if free := len(column) - uniseg.StringWidth(head); free >= 2 {
			head += strings.Repeat(" ", free)
		} else {
			head += "\n" + column
		}
		fmt.Fprintln(w, strings.TrimRight(head+strings.Join(table.Lines(item.Text, width-len(column), ""), "\n"+column), " "))
	}
}

func printHelp(w io.Writer, _ string, about any) {
	width := Width(w)
	switch about := about.(type) {
	case *cli.App:
		c := commandOf(about)
		fmt.Fprint(w, helpText(&c, width)+"\n"+exitCodes(width))
	case *cli.Command:
		fmt.Fprint(w, helpText(about, width))
	}
}

func exitCodes(width int) string {
	var b strings.Builder
	fmt.Fprint(&b, "EXIT CODES:\n")
	list(&b, width, 3, exits...)
	return b.String()
}

func helpText(c *cli.Command, width int) string {
	w := &strings.Builder{}
	section := func(head, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s:\n%s\n", head, fit(text+"\n", width))
		}
	}
	section("NAME", c.HelpName+" - "+c.Usage)
	if c.UsageText != "" {
		fmt.Fprintf(w, "EXAMPLES:\n%s\n", breakCommands(c.UsageText, width))
	}
	section("USAGE", c.HelpName+" [OPTIONS]"+argumentsOf(c))
	section("DESCRIPTION", c.Description)
	commands := newGroups()
	for _, s := range c.Subcommands {
		if !s.Hidden {
			commands.add(s.Category, Item{s.Name, s.Usage})
		}
	}
	commands.print(w, width, "COMMANDS")
	if len(commands.names) > 0 && len(c.Flags) > 0 {
		fmt.Fprintln(w)
	}
	flags := newGroups()
	for _, f := range c.Flags {
		if f, is := f.(cli.CategorizableFlag); is && f.IsVisible() {
			flags.add(f.GetCategory(), describeFlag(f))
		}
	}
	flags.print(w, width, "OPTIONS")
	return w.String()
}

func commandOf(app *cli.App) cli.Command {
	return cli.Command{HelpName: app.Name, Usage: app.Usage, UsageText: app.UsageText, ArgsUsage: app.ArgsUsage,
		Description: app.Description, Flags: app.Flags, Subcommands: app.Commands}
}

// argumentsOf returns the arguments in a command's usage, with a blank before them.
func argumentsOf(c *cli.Command) string {
	if slices.ContainsFunc(c.Subcommands, func(s *cli.Command) bool { return !s.Hidden }) {
		return " COMMAND"
	}
	return strings.TrimRight(" "+c.ArgsUsage, " ")
}

// fit wraps paragraphs to the given width. Each indented line is an item of a list and stays a separate line. The text
// after two blanks in an item wraps in a column of its own.
func fit(text string, width int) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		for _, line := range table.Lines(strings.Join(paragraph, " "), width-3, "") {
			if line != "" {
				b.WriteString("   " + line + "\n")
			}
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		switch at := listColumn.FindStringIndex(trimmed); {
		case trimmed == "":
			flush()
			b.WriteByte('\n')
		case indent == 0:
			paragraph = append(paragraph, line)
		default:
			flush()
			about, rest := "", trimmed
			if at != nil {
				about, rest = trimmed[:at[1]], trimmed[at[1]:]
			}
			hang := strings.Repeat(" ", 3+indent+uniseg.StringWidth(about))
			b.WriteString(strings.Repeat(" ", 3+indent) + about +
				strings.Join(table.Lines(rest, width-len(hang), ""), "\n"+hang) + "\n")
		}
	}
	flush()
	return b.String()
}

var listColumn = regexp.MustCompile(`^\S+( \S+)*  +`)

func breakCommands(text string, width int) string {
	var b strings.Builder
	for _, line := range strings.Split(strings.ReplaceAll(text, " \\\n", ""), "\n") {
		at := 0
		for i, part := range strings.Split("  "+line, " -") {
			if i > 0 {
				part = " -" + part
			}
			if n := uniseg.StringWidth(part); at > 0 && at+n > width-3 {
				b.WriteString(" \\\n      ")
				at = 6 + n
			} else {
				at += n
			}
			if i == 0 {
				b.WriteByte(' ')
			}
			b.WriteString(part)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// groups holds the items of a help text by group, in order of appearance.
type groups struct {
	names []string
	items map[string][]Item
}

func newGroups() *groups { return &groups{items: map[string][]Item{}} }

// add adds an item to the given group. An item without a group belongs to the group of the previous item.
func (g *groups) add(group string, item Item) {
	if n := len(g.names); group == "" && n > 0 {
		group = g.names[n-1]
	}
	if g.items[group] == nil {
		g.names = append(g.names, group)
	}
	g.items[group] = append(g.items[group], item)
}

func (g *groups) print(w io.Writer, width int, head string) {
	if len(g.names) > 0 {
		fmt.Fprintf(w, "%s:\n", head)
	}
	for i, name := range g.names {
		if i > 0 {
			fmt.Fprintln(w)
		}
		indent := 3
		if name != "" {
			fmt.Fprintf(w, "   %s\n", name)
			indent = 5
		}
		list(w, width, indent, g.items[name]...)
	}
}

func describeFlag(f cli.Flag) Item {
	var names []string
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	// A short name such as -j comes first.
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(min(len(a), 3), min(len(b), 3)) })
	d := f.(cli.DocGenerationFlag)
	argument, text := argumentOf(d)
	if words := Words(f); len(words) > 0 {
		argument = " " + strings.Join(words, "|")
		if len(argument) > 30 {
			argument, text = " NAME", text+": "+strings.Join(words, ", ")
		}
	}
	value := strings.Trim(d.GetDefaultText(), `"`)
	if !d.TakesValue() {
		argument, value = "", ""
	}
	if value != "" {
		text += " (default: " + value + ")"
	}
	for _, name := range d.GetEnvVars() {
		text += " [$" + name + "]"
	}
	return Item{strings.Join(names, ", ") + argument, text}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// argumentOf returns the name of a flag's argument: the text in backquotes in the flag's usage, or else a word for the
// flag's type. It also returns the usage without backquotes.
func argumentOf(f cli.DocGenerationFlag) (argument, usage string) {
	usage = f.GetUsage()
	if m := quoted.FindStringSubmatch(usage); m != nil {
		return " " + m[1], strings.ReplaceAll(strings.ReplaceAll(usage, ", `"+m[1]+"`", ""), "`", "")
	}
	switch f.(type) {
	case *cli.IntFlag, *cli.Uint64Flag:
		return " N", usage
	case *cli.Float64Flag:
		return " X", usage
	case *cli.DurationFlag:
		return " TIME", usage
	}
	return " " + strings.ToUpper(f.Names()[0]), usage
}

// Commands puts commands below a heading in the help of their program.
func Commands(group string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = group
	}
	return commands
}

// Group puts flags below a heading in the help of their command.
func Group(name string, flags ...cli.Flag) []cli.Flag {
	for _, f := range flags {
		reflect.ValueOf(inner(f)).Elem().FieldByName("Category").SetString(name)
	}
	return flags
}

// A valued is a flag that accepts only certain words.
type valued struct {
	visible
	words []string
}

type visible interface {
	cli.DocGenerationFlag
	cli.CategorizableFlag
	cli.ActionableFlag
}

// OneOf returns a flag that accepts only the given words. The help lists the words, and shells complete them.
func OneOf[W ~string](f cli.Flag, words ...W) cli.Flag {
	v := &valued{visible: f.(visible)}
	for _, w := range words {
		v.words = append(v.words, string(w))
	}
	return v
}

// Words returns the words that a flag accepts, or nil if the flag accepts any value.
func Words(f cli.Flag) []string {
	if v, is := f.(*valued); is {
		return v.words
	}
	return nil
}

func inner(f cli.Flag) cli.Flag {
	if v, is := f.(*valued); is {
		return v.visible
	}
	return f
}

func (v *valued) RunAction(c *cli.Context) error {
	name := v.Names()[0]
	given := c.StringSlice(name)
	if !isList(v) {
		given = []string{c.String(name)}
	}
	for _, word := range given {
		if !slices.Contains(v.words, word) {
			return userinput.Errorf("%s = %q, want %s%s", dashed(name), word, Either(v.words),
				didYouMean(word, v.words, strconv.Quote))
		}
	}
	return v.visible.RunAction(c)
}

// Either returns words as alternatives, such as "a, b or c".
func Either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
