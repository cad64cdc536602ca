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

// Names is a key of an application's metadata. Its value, a map[string]func() []string, maps an argument in a command's
// usage to a function that returns completions.
const Names = "names"

// completing is the library's flag that asks for completions of the word before the flag.
const completing = "--generate-bash-completion"

// answer prints completions of the last word. The first word is the program's name. Values of --flag=VALUE get no
// completions, because bash splits them into three words.
func answer(ctx context.Context, app *cli.App, words []string) error {
	n := len(words)
	if n < 2 || slices.Contains(words, "--") || words[n-1] == "=" || words[n-2] == "=" {
		return nil
	}
	ctx = context.WithValue(ctx, given{}, words)
	return app.RunContext(ctx, append(slices.Clone(words[:n-1]), completing))
}

// complete prints a line for each completion, with its description after a tab. Without completions, the shell offers
// files.
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
	case c.NArg() == 0: // all earlier words are commands or flags
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

// completionScripts are scripts that make a shell ask the program for completions. NAME is the program's name.
//
//go:embed completion.*
var completionScripts embed.FS

func completionCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "completion", Category: "Tools", Usage: "print a script that completes commands in bash, zsh or fish",
		ArgsUsage: "bash|zsh|fish",
		Description: "make install puts the scripts where the shells look for them. Or add the shell's line to its startup " +
			"file:\n\n  bash:  eval \"$(" + app.Name + " completion bash)\"\n" +
			"  zsh:   eval \"$(" + app.Name + " completion zsh)\" (below the line with compinit)\n" +
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

// describe adds the commands completion and man to an application. To an application without commands, it adds the two
// commands only if the user calls one of them. They then replace the application's action.
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
