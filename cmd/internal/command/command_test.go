package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"graphda/jobs/executor"
	"graphda/jobs/plan"
	"graphda/jobs/run"
	"graphda/jobs/userinput"
	"graphda/learners"
)

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("a bad file"), 1},
		{fmt.Errorf("3 of 4: %w", run.ErrFailed), 1},
		{userinput.Errorf("jobs = 0"), 2},
		{fmt.Errorf("plan: %w", &userinput.Error{Err: errors.New("x")}), 2},
		{&learners.ParamsError{Method: "adam", Err: errors.New("x")}, 2},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, 2},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, 1},
		{fmt.Errorf("x: %w", fs.ErrExist), 2},
		{fmt.Errorf("x: %w", plan.ErrPlan), 2},
		{fmt.Errorf("x: %w", run.ErrIncomplete), 3},
		{fmt.Errorf("x: %w", run.ErrGivenUp), 4},
		{fmt.Errorf("x: %w", executor.ErrStopped), 75},
		{context.Canceled, 75},
	} {
		if got := ExitCode(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

// testApp has a command for each kind of flag, and a command with subcommands.
func testApp() *cli.App {
	flags := []cli.Flag{
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}}, &cli.StringFlag{Name: "out"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}}, &cli.StringSliceFlag{Name: "set"},
	}
	return &cli.App{Name: "app", Commands: []*cli.Command{
		{Name: "run", Flags: flags},
		{Name: "draw", Subcommands: []*cli.Command{{Name: "grid", Flags: flags}}},
	}}
}

func TestReorder(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, c := range []struct{ args, want string }{
		{"app", "app"},
		{"app --help", "app --help"},
		{"app nothing --jobs 2", "app nothing --jobs 2"},
		{"app run x", "app run -- x"},
		{"app run x --jobs 2", "app run --jobs 2 -- x"},
		{"app run x -j 2 y", "app run -j 2 -- x y"},
		{"app run x -j2", "app run -j 2 -- x"},
		{"app run x -j=2", "app run -j=2 -- x"},
		{"app run x --jobs=2 --out y", "app run --jobs=2 --out y -- x"},
		{"app run x -n y", "app run -n -- x y"},
		{"app run --out -- x", "app run --out -- -- x"},
		{"app run --out -1 x", "app run --out -1 -- x"},
		{"app run --dry-run x --unknown y", "app run --dry-run --unknown -- x y"},
		{"app run -- --jobs 2", "app run -- --jobs 2"},
		{"app run x -- -j", "app run -- x -j"},
		{"app run -", "app run -- -"},
		{"app run --set a=1 x --set b=2,c=3", "app run --set a=1 --set b=2,c=3 -- x"},
		{"app draw grid x -j 2", "app draw grid -j 2 -- x"},
		{"app draw x -j", "app draw -j -- x"},
		{"app run --out ~/x ~/y", "app run --out /home/me/x -- ~/y"},
		{"app run --out=~/x/ --set ~you/x", "app run --out=/home/me/x --set ~you/x"},
		{"app help", "app --help"},
		{"app help run", "app run --help"},
		{"app help draw grid", "app draw grid --help"},
		{"app draw help grid", "app draw grid --help"},
		{"app run help", "app run -- help"},
	} {
		args := strings.Fields(c.args)
		got, err := reorder(testApp(), args)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s becomes %q, %v, want %s", c.args, got, err, c.want)
		}
		if !slices.Equal(args, strings.Fields(c.args)) {
			t.Errorf("%s: the arguments were changed", c.args)
		}
	}
}

// Without a terminal, progress is whole lines: failures at once, everything else from time to time.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, "cell", 10, 100)
	task := &plan.Task{}
	p.Event(executor.Event{Kind: executor.TaskSkipped, Task: task, Cells: 3, Seconds: 30})
	p.Event(executor.Event{Kind: executor.CellDone, Task: task, Cells: 1, Seconds: 10})
	if b.Len() > 0 {
		t.Errorf("printed %q before the time", &b)
	}
	p.Event(executor.Event{Kind: executor.CellFailed, Task: task, Cells: 1, Seconds: 10, Text: "adam alpha=1: diverged"})
	p.Event(executor.Event{Kind: executor.TaskDamaged, Task: task, Text: "x is damaged"})
	if got, want := b.String(), "failed: adam alpha=1: diverged\nx is damaged\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	b.Reset()
	p.start, p.next = time.Now().Add(-10*time.Second), time.Now().Add(-time.Second)
	p.Event(executor.Event{Kind: executor.CellDone, Task: task, Cells: 1, Seconds: 10})
	p.Event(executor.Event{Kind: executor.CellDone, Task: task, Cells: 1, Seconds: 10})
	// 30 of the 60 estimated seconds were done before the start. In 10 s, 30 were done, and 40 are left.
	var left int
	if _, err := fmt.Sscanf(b.String(), "6 of 10 cells, 1 failed, 60%% of the work; 10s elapsed, about %ds left\n", &left); err != nil || left < 13 || left > 20 || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("printed %q, want one line that says 13s are left: %v", &b, err)
	}
	b.Reset()
	p.Close()
	if got := b.String(); !strings.HasPrefix(got, "7 of 10 cells, 1 failed in 10") || strings.Count(got, "\n") != 1 {
		t.Errorf("printed %q", got)
	}
}

// If an action ends within the patience, no progress is shown.
func TestProgressIsPatient(t *testing.T) {
	for ago, want := range map[time.Duration]string{0: "", time.Minute: "10 of 10 samples in 1m0"} {
		var b bytes.Buffer
		p := NewProgress(&b, "sample", 0, 0)
		p.Patience, p.start = time.Second, time.Now().Add(-ago)
		for done := 1; done <= 10; done++ {
			p.Reach(done, 10)
		}
		p.Close()
		if got := b.String(); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("after %v it prints %q, want %q", ago, got, want)
		}
	}
}

// An interrupt ends an action that would not end by itself. Without an interrupt, an action ends as usual.
func TestAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	hang := make(chan struct{})
	defer close(hang)
	app := &cli.App{Name: "app", Writer: io.Discard, Action: AtOnce(func(*cli.Context) error {
		cancel(&executor.SignalError{Signal: os.Interrupt})
		<-hang
		return nil
	})}
	if err := Run(ctx, app, []string{"app"}); ExitCode(err) != Stopped || !strings.HasPrefix(err.Error(), "interrupt: stopped early") {
		t.Errorf("interrupted: %v", err)
	}
	ctx, cancel = context.WithCancelCause(context.Background())
	app.Action = AtOnce(func(c *cli.Context) error {
		cancel(&executor.SignalError{Signal: os.Interrupt})
		return c.Context.Err()
	})
	if err := Run(ctx, app, []string{"app"}); ExitCode(err) != Stopped || !strings.HasPrefix(err.Error(), "interrupt: stopped early") {
		t.Errorf("interrupted, and ended by itself: %v", err)
	}
	failed := errors.New("failed")
	for _, want := range []error{nil, failed} {
		app := &cli.App{Name: "app", Writer: io.Discard, Action: AtOnce(func(*cli.Context) error { return want })}
		if err := Run(context.Background(), app, []string{"app"}); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

func TestBuildText(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "04b146a3c1eb16a485165f02d16ebaf1f3fa8ccc"},
			{Key: "vcs.time", Value: "2026-11-22T01:17:42Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{vcs("false"), "(revision 04b146a3c1eb of 2026-11-22T01:17:42Z, go1.26.8)"},
		{vcs("true"), "(revision 04b146a3c1eb with changes of 2026-11-22T01:17:42Z, go1.26.8)"},
		{nil, "(revision unknown, go1.26.8)"},
	} {
		if got := buildText(&debug.BuildInfo{GoVersion: "go1.26.8", Settings: c.settings}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestComplete(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "run draw completion"}, // a blank means no word
		{"r", "run"},
		{"x", ""},
		{"draw ", "grid"},
		{"draw grid -", "--jobs --out --dry-run --set --quiet --color --help"},
		{"run --o", "--out"},
		{"run --out x --o", ""},
		{"run --set a=1 --s", "--set"},
		{"run --out ", ""},
		{"run --loss ", "logistic hinge"},
		{"run --loss h", "hinge"},
		{"run --loss hinge ", "table1 table2 kegg"},
		{"run --dry-run t", "table1 table2"},
		{"run kegg --l", "--loss"},
		{"run kegg --loss ", "logistic hinge"},
		{"run --loss = h", ""}, // bash splits --loss=h into these words
		{"run --loss =", ""},
		{"run --out", "--out"}, // already complete
		{"run --loss=hinge --l", ""},
		{"draw grid -j 2 --jo", ""},
		{"what ru", ""},
		{"run kegg -- ", ""}, // nothing runs
		{"draw grid ", ""},
		{"draw grid loss ", ""},
	} {
		var out strings.Builder
		app := testApp()
		app.Writer = &out
		app.Metadata = map[string]any{Names: map[string]func() []string{
			"EXPERIMENT": func() []string { return []string{"table1", "table2", "kegg"} },
		}}
		app.Commands[0].ArgsUsage = "EXPERIMENT"
		app.Commands[0].Flags = append(app.Commands[0].Flags, OneOf(&cli.StringFlag{Name: "loss"}, "logistic", "hinge"))
		app.Commands = append(app.Commands, &cli.Command{Name: "rub", Hidden: true})
		args := append(strings.Split("app "+c.line, " "), completing)
		err := Run(context.Background(), app, args)
		var got []string
		for line := range strings.Lines(out.String()) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			got = append(got, word)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, %v, want %s", c.line, got, err, c.want)
		}
	}
}
