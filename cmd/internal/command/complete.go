package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"graphda/jobs/usage"
)

// Names is the key of an application's metadata for what may stand in the place of an argument, by the
// argument's name in the commands' usage: a map[string]func() []string.
const Names = "names"

// A candidate is a word that may come next on a command line.
type candidate struct{ word, doc string }

// candidates returns what may stand in the place of the last of these words, the program's own name left
// out. None: a file, or whatever the user likes.
func candidates(app *cli.App, words []string) []candidate {
	words = joined(words)
	flags, commands, argument := app.Flags, app.Commands, app.ArgsUsage
	last, before := words[len(words)-1], words[:len(words)-1]
	for len(commands) > 0 && len(before) > 0 {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(before[0]) })
		if i < 0 {
			return nil
		}
		flags, commands, argument = commands[i].Flags, commands[i].Subcommands, commands[i].ArgsUsage
		before = before[1:]
	}
	var given []cli.Flag
	for i := 0; i < len(before); i++ {
		f, takesValue := lookup(flags, before[i])
		if !strings.HasPrefix(before[i], "-") || f == nil {
			continue
		}
		given = append(given, f)
		if takesValue && i == len(before)-1 {
			return matching(plainWords(Words(f)), last)
		} else if takesValue {
			i++
		}
	}
	name, value, hasValue := strings.Cut(last, "=")
	f, _ := lookup(flags, name)
	switch {
	case strings.HasPrefix(last, "-") && hasValue && f != nil:
		list := matching(plainWords(Words(f)), value)
		for i := range list {
			list[i].word = name + "=" + list[i].word
		}
		return list
	case strings.HasPrefix(last, "-"):
		return matching(flagWords(flags, given), last)
	case len(commands) > 0:
		return matching(commandWords(commands), last)
	}
	names, _ := app.Metadata[Names].(map[string]func() []string)
	if list := names[argument]; list != nil {
		return matching(plainWords(list()), last)
	}
	return nil
}

// joined undoes what bash does to --flag=value: three words.
func joined(words []string) (out []string) {
	for i, w := range words {
		switch after := i > 0 && strings.HasPrefix(words[i-1], "-"); {
		case w == "=" && after && i == len(words)-1:
			out = append(out, "")
		case w == "=" && after:
		default:
			out = append(out, w)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

func matching(list []candidate, prefix string) []candidate {
	return slices.DeleteFunc(list, func(c candidate) bool { return !strings.HasPrefix(c.word, prefix) })
}

func commandWords(commands []*cli.Command) (list []candidate) {
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, candidate{c.Name, c.Usage})
		}
	}
	return list
}

// flagWords lists the long names of flags, without those that are given and may not be given twice.
func flagWords(flags, given []cli.Flag) (list []candidate) {
	for _, f := range flags {
		if described, is := f.(cli.DocGenerationFlag); is && (isList(f) || !slices.Contains(given, f)) {
			_, text := argumentOf(described)
			list = append(list, candidate{dashed(f.Names()[0]), text})
		}
	}
	return append(list, candidate{"--help", "show help"})
}

func plainWords(words []string) (list []candidate) {
	for _, w := range words {
		list = append(list, candidate{word: w})
	}
	return list
}

// completionScripts tell a shell to ask the program what may come next. NAME is the program's.
var completionScripts = map[string]string{
	"bash": `# Completion of NAME for bash.
_NAME() {
	local line IFS=$'\n'
	COMPREPLY=()
	for line in $("$1" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
		COMPREPLY+=("${line%%$'\t'*}")
	done
}
complete -o default -F _NAME NAME
`,
	"zsh": `#compdef NAME
# Completion of NAME for zsh.
_NAME() {
	local line
	local -a lines described
	lines=("${(@f)$("$words[1]" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -z "$lines[1]" ]]; then
		_files
		return
	fi
	for line in "$lines[@]"; do
		described+=("${${line//:/\\:}/$'\t'/:}")
	done
	_describe NAME described
}
if [[ "$funcstack[1]" = _NAME ]]; then
	_NAME "$@"
else
	compdef _NAME NAME
fi
`,
	"fish": `# Completion of NAME for fish.
function __NAME_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	$words[1] __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c NAME -n 'count (__NAME_complete)' -f -a '(__NAME_complete)'
`,
}

// completionCommand prints a script for a shell.
func completionCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "completion", Category: "Tools", Usage: "print a script by which bash, zsh or fish completes commands and " +
			"flags",
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
			script := completionScripts[shell]
			if script == "" {
				return usage.Errorf("unknown shell %q; known: bash, zsh, fish", shell)
			}
			PrintData(c)
			_, err = fmt.Fprint(c.App.Writer, strings.ReplaceAll(script, "NAME", app.Name))
			return err
		},
	}
}

// completeCommand is what those scripts ask: a line for each candidate, with what it is behind a tab.
func completeCommand(app *cli.App) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, SkipFlagParsing: true, ArgsUsage: "WORD...",
		Action: func(c *cli.Context) error {
			for _, one := range candidates(app, c.Args().Slice()) {
				fmt.Fprintln(c.App.Writer, strings.TrimSuffix(one.word+"\t"+one.doc, "\t"))
			}
			return nil
		},
	}
}

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

// describe adds the commands by which a program tells a shell and man about itself to an application of commands. Of
// one that has none it returns an application of them alone, if the arguments name one.
func describe(app *cli.App, args []string) *cli.App {
	commands := []*cli.Command{completionCommand(app), completeCommand(app), manCommand(app)}
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
