package safefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// CopyProgram copies a program atomically, so that no job finds half a program. All users who may read the copy's
// folder may run the copy.
func CopyProgram(from, to string) error {
	f, err := Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	folder, err := os.Stat(filepath.Dir(to))
	if err != nil {
		return err
	}
	w, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".new-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	if err = errors.Join(err, w.Chmod(folder.Mode().Perm()), w.Sync(), w.Close()); err == nil {
		err = os.Rename(w.Name(), to)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(w.Name()))
	}
	return err
}

// RunsNothing reports whether no program can run in dir, because the file system is mounted noexec.
func RunsNothing(dir string) bool {
	var fs unix.Statfs_t
	return unix.Statfs(dir, &fs) == nil && fs.Flags&unix.ST_NOEXEC != 0
}
