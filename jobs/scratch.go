package jobs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// privateFile creates a file below dir, which other users may share, and opens it for writing
// and for reading. It is made in a folder of mode 0700 and of a name that nobody can foresee,
// and both lose their names at once: nobody can put another file in its place, and nothing is
// left of it when it is closed, in whatever way this process ends.
func privateFile(dir string) (write, read *os.File, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp(dir, "graphda-*") // of mode 0700
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(folder)
	root, err := openPrivate(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	const name = "part"
	if write, err = root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600); err != nil {
		return nil, nil, err
	}
	read, err = root.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err = errors.Join(err, root.Remove(name)); err != nil {
		write.Close()
		read.Close()
		return nil, nil, err
	}
	return write, read, nil
}

// openPrivate opens a folder that must be this user's own and closed to all others. A link
// to such a folder is refused.
func openPrivate(folder string) (*os.Root, error) {
	f, err := os.OpenFile(filepath.Clean(folder), os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	own, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st, ok := own.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() || own.Mode().Perm() != 0o700 {
		return nil, fmt.Errorf("%s: not a folder of this user alone", folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(own, opened) {
		return nil, errors.Join(fmt.Errorf("%s: was replaced by another folder", folder), err, root.Close())
	}
	return root, nil
}
