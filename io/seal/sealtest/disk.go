// Package sealtest helps tests of files: it makes a disk full, keeps temporary files in memory, makes small files, and
// ends a test on an error.
package sealtest

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// alone is the variable that tells a process which test it was started for.
const alone = "GRAPHDA_TEST_ALONE"

// OnFullDisk lets no file grow beyond each of these numbers of bytes, and wants every write to the path to fail: with
// an error that says what was written and why it was not, and without a file that is left in the folder. The test runs
// in a process of its own: the go command has it log the files that it opens, and a log that cannot grow fails the
// whole package.
func OnFullDisk(t *testing.T, path string, rooms []uint64, writes ...func() error) {
	t.Helper()
	if os.Getenv(alone) != t.Name() {
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		c.Env = append(os.Environ(), alone+"="+t.Name())
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skipf("no limit on the size of files here: %v", err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	for _, room := range rooms {
		for i, write := range writes {
			Must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: min(room, limit.Max), Max: limit.Max}))
			err := write()
			Must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
			if !errors.Is(err, syscall.EFBIG) || !strings.HasPrefix(err.Error(), "writing "+path) {
				t.Errorf("write %d, room for %d bytes: error %v", i, room, err)
			}
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
