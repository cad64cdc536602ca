package command

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"graphda/jobs"
	"graphda/jobs/usage"
)

// manCommand prints the program's page of the manual, for man.
func manCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "man", Hidden: true, Usage: "print the manual's page",
		Action: func(c *cli.Context) error {
			PrintData(c)
			_, err := io.WriteString(c.App.Writer, manPage(app))
			return err
		},
	}
}

// manPage makes a page for man(1) of an application's definitions: a section for each command.
func manPage(app *cli.App) string {
	m := &manText{}
	m.request("TH", strings.ToUpper(app.Name), "1", builtOn(), "graphda "+jobs.Version, "graphda")
	m.request("SH", "NAME")
	m.text(app.Name + " - " + app.Usage)
	m.request("SH", "SYNOPSIS")
	if len(app.Commands) > 0 {
		m.text(app.Name + " COMMAND [flags] [argument]")
	} else {
		m.text(app.Name + " [flags] " + app.ArgsUsage)
	}
	m.request("SH", "DESCRIPTION")
	m.description(app.Description)
	m.flags("SH", app.Flags)
	if len(app.Commands) > 0 {
		m.request("SH", "COMMANDS")
		m.commands(app.Name, app.Commands)
	}
	return m.String()
}

// A manText is a page in roff.
type manText struct{ strings.Builder }

// roff writes a text so that each of its characters stands for itself, in ASCII where it may be cut.
var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`)

func (m *manText) request(name string, words ...string) {
	m.WriteString("." + name)
	for _, w := range words {
		m.WriteString(` "` + strings.ReplaceAll(roff.Replace(w), `"`, `\(dq`) + `"`)
	}
	m.WriteString("\n")
}

// widest is how long lines of text are at most in the page's source.
const widest = 78

// text writes a text in lines.
func (m *manText) text(text string) {
	line := ""
	for _, word := range strings.Fields(roff.Replace(text)) {
		if line != "" && utf8.RuneCountInString(line+word) >= widest {
			m.line(line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	m.line(line)
}

// line writes a line of roff, which begins with no dot that would be a request.
func (m *manText) line(line string) {
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	m.WriteString(line + "\n")
}

// description writes paragraphs, which blank lines part; indented lines are kept as they are.
func (m *manText) description(text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			m.request("PP")
		}
		if !strings.HasPrefix(paragraph, "  ") {
			m.text(paragraph)
			continue
		}
		m.request("nf")
		for _, line := range strings.Split(paragraph, "\n") {
			m.line(roff.Replace(line))
		}
		m.request("fi")
	}
}

// flags writes a list of flags below a heading.
func (m *manText) flags(level string, flags []cli.Flag) {
	if level != "" && len(flags) > 0 {
		m.request(level, "FLAGS")
	}
	for _, f := range flags {
		// What the help prints: names, a tab, and what the flag is for.
		names, doc, _ := strings.Cut(f.String(), "\t")
		m.request("TP")
		m.request("B", names)
		m.text(doc)
	}
}

func (m *manText) commands(parent string, commands []*cli.Command) {
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		name := parent + " " + c.Name
		m.request("SS", strings.TrimSpace(name+" "+c.ArgsUsage))
		m.text(strings.ToUpper(c.Usage[:1]) + c.Usage[1:] + ".")
		if c.Description != "" {
			m.request("PP")
			m.description(c.Description)
		}
		m.flags("", c.Flags)
		m.commands(name, c.Subcommands)
	}
}

// describing are the commands by which a program tells a shell and man about itself.
func describing(app *cli.App) []*cli.Command {
	return []*cli.Command{completionCommand(app), completeCommand(app), manCommand(app)}
}

// describe adds them to an application of commands. Of one that has none it returns an application of
// them alone, if the arguments name one.
func describe(app *cli.App, args []string) *cli.App {
	commands := describing(app)
	if len(app.Commands) > 0 {
		app.Commands = append(app.Commands, commands...)
		return app
	}
	for _, c := range commands {
		if len(args) > 1 && args[1] == c.Name {
			return &cli.App{Name: app.Name, Usage: app.Usage, Writer: app.Writer, ErrWriter: app.ErrWriter,
				Commands: commands, Action: NoCommand}
		}
	}
	return app
}

// unknown is the error of a name that is none of those known.
func unknown(what, name string, known ...string) error {
	return usage.Errorf("unknown %s %q; known: %s", what, name, strings.Join(known, ", "))
}
