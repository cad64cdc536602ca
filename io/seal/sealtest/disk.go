// Package sealtest is what tests of files share: it makes a disk full, keeps temporary files off it, and ends tests.
package sealtest

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
)

// alone is the variable that tells a process which test it was started for.
const alone = "GRAPHDA_TEST_ALONE"

// Alone runs a test that needs FullDisk in a process of its own, and tells whether this is
// that process: the go command has a test log the files that it opens, and a log that cannot
// grow fails the whole package.
func Alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(alone) == t.Name() {
		return true
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), alone+"="+t.Name())
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

// Full is the error of a write that does not fit.
const Full = syscall.EFBIG

// FullDisk lets no file of this process grow beyond that many bytes until the test is over, or
// until the function that it returns is called. Only a test that is Alone may use it.
func FullDisk(tb testing.TB, room uint64) (undo func()) {
	tb.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		tb.Skipf("no limit on the size of files here: %v", err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: min(room, limit.Max),
		Max: limit.Max}); err != nil {
		tb.Fatal(err)
	}
	undo = func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			tb.Error(err)
		}
		signal.Reset(syscall.SIGXFSZ)
	}
	tb.Cleanup(undo)
	return undo
}
