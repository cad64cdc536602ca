package scenario

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"graphda/cmd/internal/command"
)

// An Outcome has the output of a program and its exit code.
type Outcome struct {
	args           []string
	Code           int
	Stdout, Stderr string
}

// Call runs a program and checks the rules of laws(), except the rule about files. The arguments begin with the
// program's name.
func Call(tb testing.TB, ctx context.Context, p command.Program, args ...string) Outcome {
	tb.Helper()
	var stdout, stderr bytes.Buffer
	code := command.Execute(ctx, p, args, &stdout, &stderr)
	o := Outcome{args, code, stdout.String(), stderr.String()}
	for _, fault := range laws(args[0], code, o.Stdout, o.Stderr, false) {
		tb.Errorf("%q %s:\n%s%s", args, fault, o.Stdout, o.Stderr)
	}
	return o
}

// Succeeds checks that the program succeeded.
func (o Outcome) Succeeds(tb testing.TB) Outcome {
	tb.Helper()
	if o.Code != command.OK {
		tb.Fatalf("%q: exit code %d: %s", o.args, o.Code, o.Stderr)
	}
	return o
}

// Fails checks that the program ended with this exit code, that it printed nothing on stdout, and that stderr contains
// all the given texts.
func (o Outcome) Fails(tb testing.TB, code int, says ...string) Outcome {
	tb.Helper()
	if o.Code != code || o.Stdout != "" {
		tb.Errorf("%q: exit code %d, want %d; stdout %q, stderr %q", o.args, o.Code, code, o.Stdout, o.Stderr)
	}
	for _, part := range says {
		if !strings.Contains(o.Stderr, part) {
			tb.Errorf("%q: stderr %q does not say %q", o.args, o.Stderr, part)
		}
	}
	return o
}
