// Package command has what the command lines of gdrun and gdmerge share: help, flags, output, progress and exit codes.
//
// The typical steps of a program are:
//
//  1. main calls Main with a Program. Main handles signals, prints the error in one line, and exits with its ExitCode.
//  2. The program calls Run with a cli.App. Commands and Group put commands and flags below the headings of the help.
//  3. The action of a command reads its arguments with One, OpenRun, Params and Checkpoints. Need
//     refuses a call without required flags. OneOf makes a flag for certain words.
//  4. The action prints its results with Tables in the format of FormatFlag, and its comments on stderr with Note and
//     Notes. Next prints the command to type next. Place says which files the action may replace.
//  5. The action returns an error, or nil. NewProgress shows progress on stderr.
//
// Flags may stand before or after arguments. Every command gets help, a page of the manual, the flags for colour and
// quiet output, and shell completion. Error messages say what the user probably meant (wayout.go).
//
// The main types are:
//
//   - Program is a whole program as a function, so that tests can call it.
//   - Progress is a bar on a terminal, and a line from time to time elsewhere.
//   - Item is a line of a list that List prints.
//
// The first interrupt ends the context, so the program can save its results. A second interrupt ends the program at
// once. Output for people contains no control characters, because names come from files. Data is printed unchanged. A
// failed write of output is an error.
//
// # Tests
//
// install_test.go runs `make install` and lets the shells complete commands. The scenarios of cmd/gdrun and cmd/gdmerge
// run the real commands.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/network"
	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/learners"
	"graphda/slurm"
)

const (
	OK         = 0
	Failed     = 1
	Usage      = 2
	Incomplete = 3
	GivenUp    = 4
	Stopped    = 75
)

// exits explains the exit codes, for the manual and for docs/commands.md.
var exits = []Item{
	{" 0", "Done."},
	{" 1", "Failure: a cell failed, or a file has wrong content."},
	{" 2", "Wrong call: a flag, name, path or value is wrong. Correct the command line."},
	{" 3", "Incomplete: some cells have no results yet. They run, wait in the queue, or were never started."},
	{" 4", "Given up (submit, status): jobs died too often and are not submitted again. The message says what to do."},
	{"75", "Interrupted: type the same command again to continue."},
}

// ExitCode returns the exit code for an error.
func ExitCode(err error) int {
	var config *userinput.Error
	var params *learners.ParamsError
	var graph *network.RequestError
	switch {
	case err == nil:
		return OK
	case errors.Is(err, executor.ErrStopped), errors.Is(err, context.Canceled):
		return Stopped
	case errors.Is(err, run.ErrIncomplete):
		return Incomplete
	case errors.Is(err, run.ErrGivenUp):
		return GivenUp
	case errors.As(err, &config), errors.As(err, &params), errors.As(err, &graph),
		errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist), errors.Is(err, plan.ErrPlan):
		return Usage
	default:
		return Failed
	}
}

// A Program is a whole program as a function. The arguments begin with the program's name.
type Program func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Main runs a program with the arguments of the process and exits. On interrupt, TERM, HUP or USR1 the context ends
// with the signal as its cause. Under nohup, HUP stays ignored.
func Main(run Program) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		sig := <-signals
		signal.Stop(signals)
		cancel(&executor.SignalError{Signal: sig})
	}()
	os.Exit(Execute(ctx, run, os.Args, os.Stdout, os.Stderr))
}

// Execute runs a program and returns its exit code. It reports the error in one line on stderr. If a file has several
// problems, it first prints a line for each problem.
func Execute(ctx context.Context, run Program, args []string, stdout, stderr io.Writer) int {
	results, notes := &output{w: stdout}, &output{w: stderr}
	err := run(ctx, args, results, notes)
	if lost := results.close(); err == nil && lost != nil {
		err = fmt.Errorf("standard output: %w", lost)
	}
	if Terminal(notes) == nil {
		notes.mu.Lock()
		notes.fit = 0 // keep an error in one line
		notes.mu.Unlock()
	}
	for _, note := range message.Notes(err) {
		Note(notes, "note: %s", note)
	}
	var problems *dataframe.Problems
	if errors.As(err, &problems) {
		for _, p := range problems.List() {
			Note(notes, "%s", message.Error(p))
		}
		err = message.Because(problems, "%s", problems.Summary())
	}
	if err != nil {
		Note(notes, "%s: %s", filepath.Base(args[0]), message.Error(err))
	}
	notes.close()
	return ExitCode(err)
}

const tidying = 3 * time.Second

// AtOnce lets an interrupt end an action at once. It is for actions that have nothing to save. An action that checks
// Interruption can still remove unfinished files.
func AtOnce(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		done := make(chan error, 1)
		go func() { done <- action(c) }()
		var err error
		select {
		case err = <-done:
		case <-c.Context.Done():
			select {
			case err = <-done:
			case <-time.After(tidying):
				err = context.Canceled
			}
		}
		if errors.Is(err, context.Canceled) && c.Context.Err() != nil {
			err = Interruption(c.Context)
		}
		return err
	}
}

// Interruption returns the error of an interrupted action, or nil if there was no interrupt.
func Interruption(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", context.Cause(ctx), executor.ErrStopped)
}

// Run runs an application. It keeps the library from exiting the process.
func Run(ctx context.Context, app *cli.App, args []string) error {
	own := *app
	app = describe(&own, args)
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = onUsageError
	app.Version = version()
	app.DisableSliceFlagSeparator = true
	app.HideHelpCommand = true
	app.EnableBashCompletion, app.BashComplete = true, complete
	if setUp(app.Commands); len(app.Commands) == 0 {
		app.Action, app.Flags, app.Before = helpfully(app.Action), setUpFlags(app.Flags), begin
	}
	if n := len(args); n > 1 && args[n-1] == completing {
		return answer(ctx, app, args[:n-1])
	}
	args, err := reorder(app, args)
	if err != nil {
		return err
	}
	return app.RunContext(context.WithValue(ctx, given{}, args[1:]), args)
}

// given is the context key of the command's arguments.
type given struct{}

// Again returns the words of the running command, followed by further flags.
func Again(c *cli.Context, flags ...string) []string {
	words, _ := c.Context.Value(given{}).([]string)
	return slices.Insert(slices.Clone(words), min(1, len(words)), flags...)
}

// setUp gives all commands the shared flags. If a flag is wrong, commands return an error, where the library would
// print the help.
func setUp(commands []*cli.Command) {
	for _, c := range commands {
		c.OnUsageError = onUsageError
		c.HideHelpCommand = true
		c.BashComplete = complete
		setUp(c.Subcommands)
		if len(c.Subcommands) > 0 {
			continue
		}
		c.Action, c.Flags, c.Before = helpfully(c.Action), setUpFlags(c.Flags), begin
	}
}

func begin(c *cli.Context) error {
	if c.NArg() > 0 && c.Command.ArgsUsage == "" {
		return userinput.Errorf("unexpected argument %q%s", c.Args().First(), instead(c))
	}
	for _, f := range c.Command.Flags {
		name, of := f.Names()[0], inner(f)
		if _, number := of.(*cli.Float64Flag); number && math.IsNaN(c.Float64(name)) {
			return userinput.Errorf("%s = NaN, want a number", dashed(name))
		}
		path := name == "out" || name == "report"
		if _, text := of.(*cli.StringFlag); text && path && c.IsSet(name) && c.String(name) == "" {
			return userinput.Errorf("%s is empty, want a path", dashed(name))
		}
	}
	setUpOutput(c)
	return nil
}

func onUsageError(c *cli.Context, err error, _ bool) error {
	flags := c.App.Flags
	if len(c.Lineage()) > 2 {
		flags = c.Command.Flags
	}
	if m := invalidValue.FindStringSubmatch(err.Error()); m != nil {
		return userinput.Errorf("%s = %s, want %s", dashed(m[2]), m[1], wanted(flags, m[2]))
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return &userinput.Error{Err: err}
	}
	var known []string
	for _, f := range flags {
		known = append(known, f.Names()...)
	}
	hint := didYouMean(name, known, dashed)
	for _, f := range flags { // --quick probably means --scale quick
		if slices.Contains(Words(f), name) {
			hint = fmt.Sprintf(" (did you mean %s %s?)", dashed(f.Names()[0]), name)
		}
	}
	if hint == "" {
		hint = ofOthers(c, name)
	}
	if c.App.Command(name) != nil && flags != nil && len(c.Lineage()) <= 2 {
		hint = fmt.Sprintf(" (did you mean %s %s?)", c.App.Name, name)
	}
	return userinput.Errorf("unknown flag %s%s (see %s --help)", dashed(name), hint, c.Command.HelpName)
}

func ofOthers(c *cli.Context, flag string) string {
	var have []string
	for _, other := range c.App.Commands {
		if f, _ := lookup(other.Flags, flag); f != nil {
			have = append(have, c.App.Name+" "+other.Name)
		}
	}
	if len(have) == 0 || len(have) > 4 {
		return ""
	}
	return fmt.Sprintf(" (a flag of %s)", strings.Join(have, ", "))
}

// instead returns a hint for unexpected arguments: pass them as the values of required flags.
func instead(c *cli.Context) string {
	words, rest := strings.Fields(c.Command.HelpName), c.Args().Slice()
	for _, f := range c.Command.Flags {
		d := f.(cli.DocGenerationFlag)
		if !strings.Contains(d.GetUsage(), "(required") {
			continue
		}
		value, _ := argumentOf(d)
		name := f.Names()[0]
		if c.IsSet(name) {
			value = c.String(name)
		} else if len(rest) > 0 {
			value, rest = rest[0], rest[1:]
		}
		words = append(words, dashed(name), strings.TrimSpace(value))
	}
	if len(rest) == c.NArg() {
		return fmt.Sprintf("; %s takes no argument (see %[1]s --help)", c.Command.HelpName)
	}
	return "; try: " + Line(words...)
}

var invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-(\S+): `)

func wanted(flags []cli.Flag, name string) string {
	f, _ := lookup(flags, name)
	switch inner(f).(type) {
	case *cli.BoolFlag:
		return "the flag without a value"
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number of at least 0"
	case *cli.Float64Flag:
		return "a number"
	case *cli.DurationFlag:
		return "a time with its unit, such as 90s or 1h30m"
	}
	return "another value"
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// otherPrograms lists words that are not commands of gdrun, and what to type instead.
var otherPrograms = map[string]string{"merge": "gdmerge", "report": "gdmerge", "version": "gdrun --version"}

// NoCommand is the action for an unknown or missing command.
func NoCommand(c *cli.Context) error {
	name := c.Args().First()
	switch {
	case name != "":
	case c.Command.Name == c.App.Name:
		return cli.ShowAppHelp(c)
	default:
		return cli.ShowSubcommandHelp(c)
	}
	if line := otherPrograms[name]; line != "" && c.Command.Name == c.App.Name && c.App.Name == "gdrun" {
		words := append(strings.Fields(line), c.Args().Tail()...)
		return userinput.Errorf("unknown command %q; try: %s", name, Line(words...))
	}
	var known []string
	for _, command := range c.Command.Subcommands {
		if !command.Hidden {
			known = append(known, command.Name)
		}
	}
	if near := meant(name, known); near != "" {
		return userinput.Errorf("unknown command %q (did you mean %q?)", name, near)
	}
	return userinput.Errorf("unknown command %q; known: %s", name, strings.Join(known, ", "))
}

// One returns the only argument of a command. Any other number of arguments is an error.
func One(c *cli.Context, what string) (string, error) {
	if c.NArg() != 1 {
		got := "none"
		if c.NArg() > 0 {
			got = strings.Join(c.Args().Slice(), " ")
		}
		hint := ""
		if all := candidates(c.Command.ArgsUsage, ""); len(all) > 0 && c.NArg() == 0 {
			hint = ", such as " + Line(all[0])
		}
		return "", userinput.Errorf("want one argument, %s%s; got %s (see %s --help)", what, hint, got, c.Command.HelpName)
	}
	return c.Args().First(), nil
}

// Need returns an error unless the user has set all of the named flags.
func Need(c *cli.Context, names ...string) error {
	for _, name := range names {
		if !c.IsSet(name) {
			example, _, _ := strings.Cut(strings.ReplaceAll(c.Command.UsageText, " \\\n", ""), "\n")
			return userinput.Errorf("flag --%s is missing, as in: %s", name, example)
		}
	}
	return nil
}

// OpenRun opens the run in the folder that is a command's only argument.
func OpenRun(c *cli.Context) (*run.Run, error) {
	dir, err := One(c, "the folder of a run")
	if err != nil {
		return nil, err
	}
	return run.Open(dir)
}

// Line joins words into one command line for a shell.
func Line(words ...string) string {
	var quoted []string
	for _, word := range words {
		quoted = append(quoted, slurm.Quote(word))
	}
	return strings.Join(quoted, " ")
}

// Next prints the command to type next.
func Next(c *cli.Context, program string, words ...string) {
	Note(c.App.ErrWriter, "%s", Try(program, words...))
}

// Try returns a text that advises the user to type a command.
func Try(program string, words ...string) string { return try + program + " " + Line(words...) }

const try = "try: "
