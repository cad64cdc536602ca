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

// Limits for a program whose command takes a fraction of a second and some 50 MB. A request beyond addressKB is
// refused, which gives a stack trace and spares the machine. A program that computes for cpuSeconds is killed.
const (
	mostMemory = 2 << 30 // peak resident memory, in bytes
	addressKB  = "7000000"
	cpuSeconds = "20"
	longest    = 3 * time.Minute // total time; other programs may run at the same time
)

// largest is the largest memory of any program in the running test.
var largest atomic.Int64

type outcome struct {
	line           string
	code           int // −1: a signal ended it
	stdout, stderr string
	peak           int64 // peak resident memory in bytes; the parent's if that was larger
}

// in runs a program in a folder under the limits above, and checks the rules for all programs (lawful).
func in(t *testing.T, dir, name string, args ...string) outcome {
	t.Helper()
	o := start(t, dir, nil, name, args...)
	o.lawful(t)
	return o
}

// start is like in, but does not check the outcome. If there is a wrapper, it runs the program; wrapper has its
// name and arguments.
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

// traces lists words of stack traces, and of a Go error that was caught and printed.
var traces = []string{
	"goroutine ", "panic:", "fatal error:", "runtime error", "invalid memory address", "makeslice", "runtime:",
}

// lawful checks that a program ended by itself, in little memory and without a stack trace. If the program failed, a
// terminal must be able to show its last line.
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

// trace returns the first word of a stack trace in the program's output.
func (o *outcome) trace() string {
	for _, word := range traces {
		if strings.Contains(o.stderr+o.stdout, word) {
			return word
		}
	}
	return ""
}

func (o *outcome) last() string {
	lines := strings.Split(strings.TrimSuffix(o.stderr, "\n"), "\n")
	return lines[len(lines)-1]
}

// unprintable reports whether a character controls a terminal.
func unprintable(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func (o outcome) must(t *testing.T) outcome {
	t.Helper()
	if o.code != 0 {
		t.Fatalf("%s: exit code %d: %s", o.line, o.code, short(o.stderr))
	}
	return o
}

func short(text string) string {
	const most = 1200
	if len(text) <= most {
		return text
	}
	return text[:most] + " …"
}
