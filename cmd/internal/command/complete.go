package command

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/jobs/userinput"
)

// Names is the key of an application's metadata for what may stand in the place of an argument, by the
// argument's name in the commands' usage: a map[string]func() []string.
const Names = "names"

// completing is the flag of the library that asks what may come in the place of the word before it.
const completing = "--generate-bash-completion"

// answer prints what may stand in the place of the last of these words, the program's name first. The library finds the
// command by the words before it. Bash makes three words of
// --flag=VALUE: such values are not completed.
func answer(ctx context.Context, app *cli.App, words []string) error {
	n := len(words)
	if n < 2 || slices.Contains(words, "--") || words[n-1] == "=" || words[n-2] == "=" {
		return nil
	}
	ctx = context.WithValue(ctx, given{}, words)
	return app.RunContext(ctx, append(slices.Clone(words[:n-1]), completing))
}

// complete prints a line for each word that may come, with what it is behind a tab. Behind a flag that takes a value
// these are its values. Else, if the last word begins like a flag, they are flags. Else they are commands, or names
// in the place of the argument. No line: a shell offers files.
func complete(c *cli.Context) {
	words, _ := c.Context.Value(given{}).([]string)
	before, last := words[len(words)-2], words[len(words)-1]
	var taken []cli.Flag
	for _, word := range words[:len(words)-1] {
		if f, _ := lookup(c.Command.Flags, word); f != nil && strings.HasPrefix(word, "-") {
			taken = append(taken, f)
		}
	}
	offer := func(word, doc string) {
		if strings.HasPrefix(word, last) {
			fmt.Fprintln(c.App.Writer, strings.TrimSuffix(word+"\t"+doc, "\t"))
		}
	}
	f, takesValue := lookup(c.Command.Flags, before)
	names, _ := c.App.Metadata[Names].(map[string]func() []string)
	list := names[c.Command.ArgsUsage]
	switch {
	case takesValue && strings.HasPrefix(before, "-"):
		list = func() []string { return Words(f) }
	case strings.HasPrefix(last, "-"):
		list = nil
		for _, f := range c.Command.Flags {
			if isList(f) || !slices.Contains(taken, f) {
				_, text := argumentOf(f.(cli.DocGenerationFlag))
				offer(dashed(f.Names()[0]), text)
			}
		}
	case c.NArg() == 0: // no word before is a command that is not there
		for _, s := range c.Command.VisibleCommands() {
			offer(s.Name, s.Usage)
		}
	}
	if list != nil {
		for _, word := range list() {
			offer(word, "")
		}
	}
}

// completionScripts tell a shell to ask the program what may come next. NAME is the program's.
//
//go:embed completion.*
var completionScripts embed.FS

// completionCommand prints a script for a shell.
func completionCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "completion", Category: "Tools", Usage: "print a script that completes commands in bash, zsh or fish",
		ArgsUsage: "bash|zsh|fish",
		Description: "make install puts the scripts where the shells look for them. By hand, in a shell's startup file:\n\n" +
			"  bash:  eval \"$(" + app.Name + " completion bash)\"\n" +
			"  zsh:   eval \"$(" + app.Name + " completion zsh)\", after compinit\n" +
			"  fish:  " + app.Name + " completion fish | source",
		Action: func(c *cli.Context) error {
			shell, err := One(c, "bash, zsh or fish")
			if err != nil {
				return err
			}
			script, err := completionScripts.ReadFile("completion." + shell)
			if err != nil {
				return userinput.Errorf("unknown shell %q; known: bash, zsh, fish", shell)
			}
			PrintData(c)
			_, err = fmt.Fprint(c.App.Writer, strings.ReplaceAll(string(script), "NAME", app.Name))
			return err
		},
	}
}

// describe adds the commands by which a program tells a shell and man about itself to an application of commands. Of
// one that has none it returns an application of them alone, if the arguments name one.
func describe(app *cli.App, args []string) *cli.App {
	commands := []*cli.Command{completionCommand(app), manCommand(app)}
	if len(app.Commands) > 0 {
		app.Commands = append(app.Commands, commands...)
		return app
	}
	if len(args) > 1 && slices.ContainsFunc(commands, func(c *cli.Command) bool { return c.Name == args[1] }) {
		return &cli.App{Name: app.Name, Usage: app.Usage, Writer: app.Writer, ErrWriter: app.ErrWriter,
			Commands: commands, Action: NoCommand}
	}
	return app
}
