package command

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/jobs/usage"
)

// manCommand prints the program's page of the manual, for man.
func manCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "man", Hidden: true, Usage: "print the manual's page",
		Action: func(c *cli.Context) error {
			PrintData(c)
			page, err := app.ToManWithSection(1)
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.App.Writer, page)
			return err
		},
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
