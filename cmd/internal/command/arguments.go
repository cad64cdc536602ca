package command

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/io/seal"
	"graphda/jobs/plan"
	"graphda/jobs/userinput"
)

// reorder moves the flags of a command before its arguments, because the library ignores flags after an argument. It
// also splits -j2 into -j 2, replaces ~/ by the user's home folder, and turns "help COMMAND" into "COMMAND --help". A
// repeated flag is an error.
func reorder(app *cli.App, args []string) ([]string, error) {
	flags, from := app.Flags, 1
	commands := app.Commands
	for from < len(args) {
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[from]) })
		if i < 0 {
			break
		}
		flags, commands = commands[i].Flags, commands[i].Subcommands
		from++
	}
	if len(commands) > 0 && from < len(args) && args[from] == "help" {
		return reorder(app, append(slices.Delete(slices.Clone(args), from, from+1), "--help"))
	}
	if len(app.Commands) > 0 && from == 1 {
		return args, nil
	}
	options, rest, err := part(flags, args[from:])
	if err != nil {
		return nil, err
	}
	if slices.Contains(options, "--help") || slices.Contains(options, "-h") {
		rest = nil
	}
	out := append(slices.Clone(args[:from]), options...)
	if len(rest) > 0 {
		out = append(append(out, "--"), rest...)
	}
	return out, nil
}

func part(flags []cli.Flag, args []string) (options, rest []string, err error) {
	given := map[cli.Flag]bool{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return options, append(rest, args[i+1:]...), nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		f, takesValue := lookup(flags, arg)
		if short, _ := lookup(flags, arg[:2]); f == nil && short != nil && arg[1] != '-' && len(arg) > 2 && !isBool(short) {
			args = slices.Concat(args[:i], []string{arg[:2], arg[2:]}, args[i+1:])
			arg, f, takesValue = arg[:2], short, true
		}
		if f != nil && !isList(f) {
			if given[f] {
				return nil, nil, userinput.Errorf("flag %s is given twice; give it once", dashed(f.Names()[0]))
			}
			given[f] = true
		}
		if takesValue {
			if i++; i == len(args) {
				return nil, nil, userinput.Errorf("flag %s needs a value", arg)
			}
			options = append(options, arg, atHome(args[i]))
		} else if name, value, ok := strings.Cut(arg, "="); ok {
			options = append(options, name+"="+atHome(value))
		} else {
			options = append(options, arg)
		}
	}
	return options, rest, nil
}

// atHome replaces ~ at the beginning of a path by the user's home folder. Shells replace ~ only at the beginning of a
// word.
func atHome(path string) string {
	below, ok := strings.CutPrefix(path, "~/")
	home, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(home, below)
}

// lookup returns the flag that arg names, or nil. If takesValue is true, the next argument is the flag's value.
func lookup(flags []cli.Flag, arg string) (f cli.Flag, takesValue bool) {
	name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return nil, false
	}
	return flags[i], !hasValue && !isBool(flags[i])
}

func isBool(f cli.Flag) bool {
	_, is := f.(*cli.BoolFlag)
	return is
}

func isList(f cli.Flag) bool {
	_, is := inner(f).(*cli.StringSliceFlag)
	return is
}

// Params reads the values of --set, such as "gamma=100,s=26".
func Params(sets []string) ([]plan.Param, error) {
	var params []plan.Param
	for _, set := range sets {
		for _, item := range strings.Split(set, ",") {
			name, value, ok := strings.Cut(item, "=")
			if !ok {
				return nil, userinput.Errorf("--set %q, want name=value, as in gamma=100,s=26", item)
			}
			params = append(params, plan.Param{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
		}
	}
	return params, nil
}

// AtLeastSecond refuses a duration of less than a second.
func AtLeastSecond(c *cli.Context, name string) error {
	if d := c.Duration(name); d < time.Second {
		return userinput.Errorf("%s = %v, want at least 1s", name, d)
	}
	return nil
}

// Checkpoints reads ascending numbers of samples, such as "100,200".
func Checkpoints(text string) ([]int, error) {
	var checkpoints []int
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		k, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || k < 1 || len(checkpoints) > 0 && k <= checkpoints[len(checkpoints)-1] {
			return nil, userinput.Errorf("checkpoints = %q, want ascending numbers of samples, such as 100,200", text)
		}
		checkpoints = append(checkpoints, k)
	}
	return checkpoints, nil
}

// ForceFlag returns the flag with which a command may replace files that are not its own.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "also replace files that another command wrote or that were changed " +
		"later, but never an input"}
}

// Place returns which files a command with ForceFlag may replace. A file in inputs is never replaced.
func Place(c *cli.Context, inputs ...string) seal.Output {
	return seal.Output{Force: c.Bool("force"), Inputs: inputs}
}
