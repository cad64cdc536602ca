package seal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"graphda/io/message"
)

// A Held is a file that this process has locked to read and rewrite it. The lock excludes other calls of Hold, and the
// digest reveals changes by programs that do not call Hold.
type Held struct {
	path   string
	digest string // digest when the file was last read or written; "" without a file
	lock   *os.File
}

// Hold locks the file at path, which need not exist, until Release or the end of the process. If another process holds
// the file, the error wraps ErrHeld. If the file system has no locks, only Check detects other writers.
func Hold(path string) (*Held, error) {
	at, _, err := replaceable(path)
	if err != nil {
		return nil, err
	}
	dir, name := filepath.Split(at)
	h := &Held{path: at}
	for h.lock == nil {
		if h.lock, err = lock(filepath.Join(dir, "."+name+".lock")); err != nil {
			return nil, named(path, err)
		}
	}
	if err := h.Written(); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// ErrHeld is the error if another process holds the file.
var ErrHeld = errors.New("another process is writing this file; wait until that process has ended, or name another " +
	"file")

// lock locks a separate lock file, because a rename replaces the held file itself. It returns nil if another process
// has just removed the lock file, and the caller must try again.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(&fs.PathError{Op: "lock", Path: path, Err: ErrHeld}, f.Close())
	}
	ours, err := f.Stat() // any other error of Flock means that there are no locks
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(ours, there) {
		return nil, f.Close()
	}
	return f, nil
}

// Check returns an error if the file has changed since Hold or Written.
func (h *Held) Check() error {
	digest, err := digestOf(h.path)
	if err == nil && digest != h.digest {
		err = fmt.Errorf("%s was changed by another program after it was read, so it is not replaced; type the command "+
			"again", message.Text(h.path))
	}
	return err
}

// Written records that the holder has written the current content of the file.
func (h *Held) Written() (err error) {
	h.digest, err = digestOf(h.path)
	return err
}

func digestOf(path string) (string, error) {
	digest, err := Digest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return digest, err
}

// Release unlocks the file.
func (h *Held) Release() {
	_ = os.Remove(h.lock.Name()) // if the lock file stays, it does no harm
	h.lock.Close()
}
