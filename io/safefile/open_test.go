package safefile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"graphda/io/seal/sealtest"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, want := range [][]byte{{}, []byte("x"), bytes.Repeat([]byte("0123456789"), 100_000)} {
		must(t, os.WriteFile(path, want, 0o666))
		if got, err := ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	link := path + " link"
	must(t, os.Symlink(path, link))
	if got, err := ReadFile(link); err != nil || len(got) != 1_000_000 {
		t.Errorf("through a link: %d bytes, %v", len(got), err)
	}
}

// What is no ordinary file is refused at once, though nobody writes into the pipe.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	link := filepath.Join(dir, "link")
	must(t, os.Symlink(pipe, link))
	for path, want := range map[string]string{pipe: "a pipe", link: "a pipe", dir: "a directory", os.DevNull: "a device"} {
		_, err := ReadFile(path)
		var bad *fs.PathError
		if !errors.As(err, &bad) || err.Error() != "open "+path+": is "+want+", want an ordinary file" {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if _, err := Open(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "gone") {
		t.Errorf("no file: %v", err)
	}
}

var must = sealtest.Must
