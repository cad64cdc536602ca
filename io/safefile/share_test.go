package safefile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// In a folder that belongs to a group, the group can write new files. Elsewhere it cannot.
func TestShare(t *testing.T) {
	before := syscall.Umask(0o022)
	defer syscall.Umask(before)
	for mode, want := range map[os.FileMode]os.FileMode{0o775: 0o644, os.ModeSetgid | 0o755: 0o644, os.ModeSetgid | 0o775: 0o664} {
		syscall.Umask(0o022)
		dir := t.TempDir()
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := Share(filepath.Join(dir, "not", "there")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "new")
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("in a folder of mode %v: %v, %v, want %v", mode, info.Mode(), err, want)
		}
	}
	if err := Writable(filepath.Join(t.TempDir(), "not there")); err != nil {
		t.Error(err)
	}
	if os.Getuid() == 0 {
		return // root may write everything
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil || Writable(dir) == nil {
		t.Errorf("%v: a folder of mode 555 can be written", err)
	}
}
