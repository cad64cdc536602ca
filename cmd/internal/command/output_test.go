package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"graphda/jobs/userinput"
)

const wild = "a\x1b[2Jb\a\u009b"

// The output and the error of a program cannot control a terminal. Data are unchanged.
func TestExecutePrintsNoControlCharacters(t *testing.T) {
	program := func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		return Run(ctx, &cli.App{Name: "app", Writer: stdout, ErrWriter: stderr, Flags: []cli.Flag{FormatFlag("text", "csv")},
			Action: func(c *cli.Context) error {
				fmt.Fprintf(c.App.Writer, "name\t%s\nℓ1\n", wild)
				Note(c.App.ErrWriter, "%s\nis set aside", wild)
				return fmt.Errorf("%s is bad\nas well", wild)
			}}, args)
	}
	const quoted = `a\x1b[2Jb\a\u009b`
	for format, want := range map[string]string{"text": "name\t" + quoted + "\nℓ1\n", "csv": "name\t" + wild + "\nℓ1\n"} {
		var stdout, stderr bytes.Buffer
		code := Execute(context.Background(), program, []string{"/usr/bin/app", "--format", format}, &stdout, &stderr)
		if code != Failed || stdout.String() != want {
			t.Errorf("--format %s prints %q, want %q; exit code %d", format, &stdout, want, code)
		}
		if got, want := stderr.String(), quoted+"; is set aside\napp: "+quoted+" is bad; as well\n"; got != want {
			t.Errorf("stderr is %q, want %q", got, want)
		}
	}
}

// Verdicts have a colour on request, and data never. -q omits notes.
func TestColourAndQuiet(t *testing.T) {
	program := func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		return Run(ctx, &cli.App{Name: "app", Writer: stdout, ErrWriter: stderr, Flags: []cli.Flag{TableFlag()},
			Action: func(c *cli.Context) error {
				fmt.Fprintln(c.App.Writer, "1 holds, 2 fails")
				Note(c.App.ErrWriter, "a task died")
				return nil
			}}, args)
	}
	const plain, inked = "1 holds, 2 fails\n", "1 \x1b[32mholds\x1b[0m, 2 \x1b[31mfails\x1b[0m\n"
	for args, want := range map[string][2]string{
		"":                             {plain, "a task died\n"},
		"--color never":                {plain, "a task died\n"},
		"--color always":               {inked, "a task \x1b[31mdied\x1b[0m\n"},
		"--color always --quiet":       {inked, ""},
		"--color always --format json": {plain, "a task \x1b[31mdied\x1b[0m\n"},
		"-q":                           {plain, ""},
	} {
		var stdout, stderr bytes.Buffer
		code := Execute(context.Background(), program, append([]string{"app"}, strings.Fields(args)...), &stdout, &stderr)
		if code != OK || stdout.String() != want[0] || stderr.String() != want[1] {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, &stdout, &stderr)
		}
	}
}

// Characters stay whole, wherever writes split them.
func TestOutputJoinsCharacters(t *testing.T) {
	const text = "ℓ1 \x1b 👩‍🔬 \u009b é\xff\xe2\x82"
	for size := 1; size < len(text); size++ {
		var b bytes.Buffer
		o := &output{w: &b}
		for from := 0; from < len(text); from += size {
			part := text[from:min(from+size, len(text))]
			if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("Write: %d, %v", n, err)
			}
		}
		if err := o.close(); err != nil || b.String() != `ℓ1 \x1b 👩‍🔬 \u009b é\xff\xe2\x82` {
			t.Errorf("in parts of %d bytes: %q, %v", size, &b, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// If results cannot be printed, a program fails, even if it does not check its writes.
func TestExecuteTellsThatOutputIsLost(t *testing.T) {
	for _, c := range []struct {
		program Program
		code    int
		want    string
	}{
		{func(_ context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprintln(stdout, "a result")
			fmt.Fprintln(stdout, "another")
			return nil
		}, Failed, "app: standard output: no space left\n"},
		{func(_ context.Context, _ []string, stdout, _ io.Writer) error {
			fmt.Fprint(stdout, "a result\xe2")
			return userinput.Errorf("wrong")
		}, Usage, "app: wrong\n"},
		{func(context.Context, []string, io.Writer, io.Writer) error { return nil }, OK, ""},
	} {
		var stderr bytes.Buffer
		if code := Execute(context.Background(), c.program, []string{"app"}, full{}, &stderr); code != c.code || stderr.String() != c.want {
			t.Errorf("exit code %d, stderr %q, want %d, %q", code, &stderr, c.code, c.want)
		}
	}
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	help := func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		return Run(ctx, &cli.App{Name: "app", Writer: stdout, ErrWriter: stderr}, args)
	}
	var stderr bytes.Buffer
	if code := Execute(context.Background(), help, []string{"app", "--help"}, f, &stderr); code != Failed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("--help > /dev/full: exit code %d, stderr %q", code, &stderr)
	}
}
