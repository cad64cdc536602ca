package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/jobs/jobstest"
)

// --weights - prints what would be in the file, and nothing else.
func TestCellPrintsWeights(t *testing.T) {
	workplace(t, jobstest.Spec{}, "")
	cell := []string{"cell", "--dataset", "data/grid", "--method", "graphda", "--set", "gamma=10,s=4"}
	ok(t, append(cell, "--weights", "w.csv")...)
	want, err := os.ReadFile("w.csv")
	must(t, err)
	before := tree(t)
	if got := ok(t, append(cell, "--weights", "-")...).stdout; got != string(want) {
		t.Errorf("--weights - prints\n%s\nthe file has\n%s", got, want)
	}
	refused(t, 2, append(cell, "--weights", "-", "--format", "json"), "--format is not for it")
	refused(t, 2, append(cell, "--out", "-"), "want the name of a file")
	if after := tree(t); len(after) != len(before) {
		t.Errorf("files %v, before %v", after, before)
	}
}

// A cell that takes long says how far it is; one that does not says nothing.
func TestCellProgress(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{{0, ""}, {time.Minute, "10 of 10 samples in "}} {
		var stderr bytes.Buffer
		app := &cli.App{ErrWriter: &stderr}
		p := &cellProgress{c: cli.NewContext(app, nil, nil), start: time.Now().Add(-c.ago)}
		for done := 1; done <= 10; done++ {
			p.learned(done, 10)
		}
		p.close()
		if got := stderr.String(); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("after %v it prints %q, want %q", c.ago, got, c.want)
		}
	}
}

// No default is told twice, and none that is another than what happens.
func TestHelpTellsEachDefaultOnce(t *testing.T) {
	var commands func(prefix []string, list []*cli.Command)
	commands = func(prefix []string, list []*cli.Command) {
		for _, c := range list {
			name := append(prefix[:len(prefix):len(prefix)], c.Name)
			for line := range strings.Lines(ok(t, append(name, "--help")...).stdout) {
				if strings.Count(line, "(default") > 1 || strings.Contains(line, "required") && strings.Contains(line, "(default: 0") {
					t.Errorf("gdrun %s --help: %s", strings.Join(name, " "), line)
				}
			}
			commands(name, c.Subcommands)
		}
	}
	commands(nil, []*cli.Command{simulateCommand(), importCommand(), experimentsCommand(), reproduceCommand(), cellCommand(), planCommand(),
		localCommand(), taskCommand(), submitCommand(), statusCommand(), cancelCommand(), methodsCommand(), projectCommand()})
	if got, want := ok(t, "help", "import").stdout, ok(t, "import", "--help").stdout; got != want {
		t.Errorf("gdrun help import prints\n%s", got)
	}
}
