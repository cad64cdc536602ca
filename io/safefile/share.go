package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Share lets the group of a folder write the files that this process creates later, if the folder is setgid and
// writable for the group. If dir does not exist, Share looks at its nearest existing parent.
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

// Writable returns an error unless this process may write the file at path, or create and replace files in the folder
// at path. If nothing exists at path, it returns nil.
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
