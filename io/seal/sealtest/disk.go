// Package sealtest makes a disk full, for tests of what writes files.
package sealtest

import (
	"os/signal"
	"syscall"
	"testing"
)

// Full is the error of a write that does not fit.
const Full = syscall.EFBIG

// FullDisk lets no file of this process grow beyond that many bytes until the test is over, or
// until the function that it returns is called. Tests that use it must not run in parallel.
func FullDisk(tb testing.TB, room uint64) (undo func()) {
	tb.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		tb.Skipf("no limit on the size of files here: %v", err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: min(room, limit.Max), Max: limit.Max}); err != nil {
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
