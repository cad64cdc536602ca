package command

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"graphda/io/dataframe"
	"graphda/io/message"
	"graphda/io/model"
	"graphda/jobs/plan"
	"graphda/learners"
)

// helpfully wraps an action, so that its errors also say what the user probably meant.
func helpfully(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error { return wayOut(c, action(c)) }
}

// wayOut adds to a command's error what the user probably meant: a flag with its dashes, or the nearest column, file,
// folder or name. It does not change the exit code.
func wayOut(c *cli.Context, err error) error {
	if err == nil {
		return nil
	}
	text, hint := err.Error(), ""
	if m := startsWithFlag.FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "-") {
		for _, name := range []string{m[1] + "s", m[1]} {
			if f, _ := lookup(c.Command.Flags, name); f != nil {
				text = dashed(name) + strings.TrimPrefix(err.Error(), m[1])
			}
		}
	}
	var column *dataframe.NoColumn
	if errors.As(err, &column) {
		if !c.IsSet("label") && column.Name == c.String("label") {
			text, hint = strings.TrimPrefix(text, "--"), "; --label COLUMN names the column of the labels"
		} else {
			hint = didYouMean(column.Name, column.Columns, func(s string) string { return fmt.Sprintf("%q", s) })
		}
	}
	isPlace := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || aboutPlace.MatchString(text)
	for _, g := range givenPaths(c) {
		if isPlace && hint == "" && len(g.path) > 1 && strings.Contains(message.Error(err), g.path) {
			hint = g.hint(c)
		}
	}
	if text+hint == err.Error() {
		return err
	}
	return message.Because(err, "%s%s", text, hint)
}

// aboutPlace matches messages about a path that does not exist or has the wrong kind.
var aboutPlace = regexp.MustCompile(`is a directory|no folder|no such file|unknown built-in`)

var startsWithFlag = regexp.MustCompile(`^([a-z][a-z-]*)(?: = |: )`)

// A givenPath is a user's path, with the kind that the command expects: DATASET, RUN, MODEL, EXPERIMENT or FILE.
type givenPath struct{ kind, path string }

func givenPaths(c *cli.Context) []givenPath {
	kind, _, _ := strings.Cut(c.Command.ArgsUsage, " ")
	all := []givenPath{{kind, c.Args().First()}}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		argument, _ := argumentOf(f.(cli.DocGenerationFlag))
		begins, _ := lookup(c.Command.Flags, "from") // gdrun learn reads the model of --from, and writes --model
		switch kind := strings.TrimSpace(argument); {
		case !c.IsSet(name) || name == "out" || name == "model" && begins != nil:
		case name == "model" || name == "from":
			all = append(all, givenPath{"MODEL", c.String(name)})
		case kind == "FILE" || kind == "DATASET":
			all = append(all, givenPath{kind, c.String(name)})
		}
	}
	return all
}

// places lists where files and folders of each kind usually are, and how to recognise them.
var places = map[string]struct {
	patterns []string
	is       func(path string) bool
	instead  string // what to type if the user gives a file instead
}{
	"DATASET": {[]string{"data/*"}, isDataset,
		"make a dataset from the table with gdrun import --samples %s --edges NETWORK --out data/NAME"},
	"RUN":        {[]string{"runs/*"}, plan.IsRun, "plan an experiment with gdrun plan %s"},
	"MODEL":      {[]string{"tuned/*/model.parquet", "*/model.parquet"}, model.Is, ""},
	"FILE":       {[]string{"*/*"}, isFile, ""},
	"PATH":       {[]string{"data/*", "runs/*", "tuned/*/model.parquet"}, isThere, ""},
	"EXPERIMENT": {[]string{"*.yaml", "*.yml"}, isFile, ""},
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDataset(path string) bool {
	graphs, _ := filepath.Glob(filepath.Join(path, "graph.*"))
	return len(graphs) > 0
}

// candidates returns existing files and folders of the given kind in path, beside path, and in the usual places.
func candidates(kind, path string) (all []string) {
	at := places[kind]
	patterns := at.patterns
	if info, err := os.Stat(path); err == nil && info.IsDir() && kind == "FILE" {
		patterns = []string{filepath.Join(path, "*")}
	} else if path != "" {
		patterns = slices.Concat([]string{filepath.Join(path, "*"), filepath.Join(filepath.Dir(path), "*")}, patterns)
	}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // an error means an invalid pattern, which finds nothing
		for _, p := range found {
			if at.is(p) && !slices.Contains(all, p) && p != path && filepath.Base(p)[0] != '.' {
				all = append(all, p)
			}
		}
	}
	return all
}

func (g givenPath) hint(c *cli.Context) string {
	at, known := places[g.kind]
	if !known || at.is(g.path) {
		return ""
	}
	all := candidates(g.kind, g.path)
	byName, names := map[string]string{}, []string{}
	for _, p := range slices.Backward(all) { // backwards, so the first of several paths with one name counts
		name := nameOf(p)
		byName[name], names = p, append(names, name)
	}
	lists, _ := c.App.Metadata[Names].(map[string]func() []string)
	if list := lists[g.kind]; list != nil {
		for _, name := range list() {
			byName[name], names = name, append(names, name)
		}
	}
	near := meant(nameOf(g.path), names)
	if whole := filepath.Dir(g.path); at.instead != "" && at.is(whole) {
		return fmt.Sprintf(" (did you mean %s?)", Line(whole))
	}
	if at.instead != "" && isFile(g.path) && near != nameOf(g.path) {
		return fmt.Sprintf("; "+at.instead, Line(g.path))
	}
	if near != "" {
		return fmt.Sprintf(" (did you mean %s?)", Line(byName[near]))
	}
	if kind := filepath.Ext(g.path); g.kind == "FILE" && kind != "" { // suggest only files of the same kind
		all = slices.DeleteFunc(all, func(p string) bool { return filepath.Ext(p) != kind })
	}
	if len(all) > 0 && len(all) <= 8 {
		return "; there is " + strings.Join(all, ", ")
	}
	return ""
}

// nameOf returns the last part of a path without its extension. The name of a model is the name of its folder.
func nameOf(path string) string {
	if base := filepath.Base(path); base != "model.parquet" {
		return strings.TrimSuffix(base, filepath.Ext(base))
	}
	return filepath.Base(filepath.Dir(path))
}

// meant returns the known name that the user probably meant, or "".
func meant(name string, known []string) string {
	for line := range strings.Lines(elsewhere) {
		words := strings.Fields(line)
		if i := slices.IndexFunc(words[1:], func(w string) bool { return slices.Contains(known, w) }); i >= 0 &&
			words[0] == strings.ToLower(name) {
			return words[1+i]
		}
	}
	if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) }); i >= 0 {
		return known[i]
	}
	return learners.Nearest(name, known)
}

// elsewhere lists words from other programs, each with our commands, flags or values of the same meaning.
//
//go:embed elsewhere.txt
var elsewhere string

// didYouMean returns a text such as " (did you mean --out?)", or "" if no known name is near.
func didYouMean(name string, known []string, write func(string) string) string {
	near := meant(name, known)
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", write(near))
}
