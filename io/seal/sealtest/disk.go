// Package sealtest helps to test code that writes files. It simulates a full disk, keeps temporary files in memory,
// makes small files, and ends a test on an error.
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

// alone is the environment variable that names the only test to run in a process.
const alone = "GRAPHDA_TEST_ALONE"

// OnFullDisk limits the size of files to each number of bytes in rooms, and calls each function in writes. Every write
// to path must fail with an error that says what could not be written and why, and leave no file in the folder. The
// test runs in its own process, because the limit also applies to the go command's log of opened files.
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
