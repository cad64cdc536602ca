package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Share lets the group write what this process creates from now on, if a folder, or the nearest one above it that is
// there, belongs to a group: it is setgid and the group may write in it. For other folders it does nothing.
func Share(dir string) error {
	info, err := os.Stat(dir)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
	}
	if err == nil && info.Mode()&fs.ModeSetgid != 0 && info.Mode()&0o020 != 0 {
		syscall.Umask(syscall.Umask(0o077) &^ 0o070)
	}
	return err
}

// Writable returns an error unless this process may write a file, or create and replace files in a folder. What is not
// there is no error.
func Writable(path string) error {
	const write, search = 2, 1
	mode := uint32(write)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		mode |= search
	}
	if err := syscall.Access(path, mode); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}
