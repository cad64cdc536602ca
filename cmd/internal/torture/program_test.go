package torture

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"graphda/cmd/internal/command"
)

// What a program may take for a command that takes a fraction of a second and some 50 MB.
// A program that asks for more than addressKB is refused it, which is seen as a stack trace,
// and the machine lives; one that computes for cpuSeconds is killed.
const (
	mostMemory = 2 << 30 // bytes of its largest resident set
	addressKB  = "7000000"
	cpuSeconds = "20"
	longest    = 3 * time.Minute // in all; other programs may run as well
)

// largest is the most memory that a program of the running test has taken.
var largest atomic.Int64

// An outcome is what a program leaves behind.
type outcome struct {
	line           string
	code           int // −1: a signal ended it
	stdout, stderr string
	peak           int64 // bytes of the largest resident set; of its parent's, if that was larger
}

// in runs a program in a folder under the limits above, and sees to it that it keeps the
// laws of all programs.
func in(t *testing.T, dir, name string, args ...string) outcome {
	t.Helper()
	o := start(t, dir, nil, name, args...)
	o.lawful(t)
	return o
}

// start is in without looking at the outcome. The program is run by another one, if there
// is a wrapper: its name and arguments.
func start(t *testing.T, dir string, wrapper []string, name string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	limits := "ulimit -v " + addressKB + "; ulimit -t " + cpuSeconds + `; exec "$@"`
	words := append(append([]string{"-c", limits, "sh"}, wrapper...), filepath.Join(programs, name))
	c := exec.CommandContext(ctx, "sh", append(words, args...)...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr, c.WaitDelay = dir, &stdout, &stderr, 5*time.Second
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o := outcome{line: name + " " + strings.Join(args, " "), code: c.ProcessState.ExitCode()}
	o.stdout, o.stderr = stdout.String(), stderr.String()
	if use, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" {
		o.peak = use.Maxrss << 10
		for most := largest.Load(); o.peak > most && !largest.CompareAndSwap(most, o.peak); most = largest.Load() {
		}
	}
	return o
}

// traces are words of stack traces, and of a program error that was caught and printed.
var traces = []string{
	"goroutine ", "panic:", "fatal error:", "runtime error", "invalid memory address", "makeslice", "runtime:",
}

// lawful sees to it that a program ended by itself, without a stack trace, in little
// memory, and failing with one line that a terminal can show.
func (o *outcome) lawful(t *testing.T) {
	t.Helper()
	if o.code < 0 {
		t.Errorf("%s: was killed, for it took too long or too much: %s", o.line, short(o.stderr))
	}
	if trace := o.trace(); trace != "" {
		t.Errorf("%s: %q in what it prints: %s", o.line, trace, short(o.stderr+o.stdout))
	}
	if o.peak > mostMemory {
		t.Errorf("%s: took %d MB of memory", o.line, o.peak>>20)
	}
	for _, text := range []string{o.stdout, o.stderr} {
		if i := strings.IndexFunc(text, unprintable); i >= 0 || !utf8.ValidString(text) {
			t.Errorf("%s: prints what a terminal should not get: %q", o.line, text[max(0, i-50):min(len(text), max(0, i)+50)])
		}
	}
	if o.code <= 0 || o.code == command.Incomplete && strings.Contains(o.line, "status") {
		return
	}
	name, _, _ := strings.Cut(o.line, " ")
	if last := o.last(); !strings.HasPrefix(last, name+": ") || len(last) > 1500 {
		t.Errorf("%s: exit code %d, want a line that says why: %s", o.line, o.code, short(o.stderr))
	}
}

// trace returns the first word of a stack trace that the program has printed.
func (o *outcome) trace() string {
	for _, word := range traces {
		if strings.Contains(o.stderr+o.stdout, word) {
			return word
		}
	}
	return ""
}

// last is the last line of stderr.
func (o *outcome) last() string {
	lines := strings.Split(strings.TrimSuffix(o.stderr, "\n"), "\n")
	return lines[len(lines)-1]
}

// unprintable tells the characters that do something to a terminal.
func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// must sees to it that a program succeeded.
func (o outcome) must(t *testing.T) outcome {
	t.Helper()
	if o.code != 0 {
		t.Fatalf("%s: exit code %d: %s", o.line, o.code, short(o.stderr))
	}
	return o
}

// short cuts a long text.
func short(text string) string {
	const most = 1200
	if len(text) <= most {
		return text
	}
	return text[:most] + " …"
}
