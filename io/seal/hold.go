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

// A Held is a file that this process alone reads and writes again, for as long as it holds it. A lock keeps
// others out that hold the file too; the digest tells what anything else has done to it.
type Held struct {
	path   string
	digest string // of the file as it was read or written last; "" if it was not there
	lock   *os.File
}

// Hold takes the file at path, which need not be there, until Release or the end of the process. If another
// process holds it, the error wraps ErrHeld. Where a file system has no locks, Check alone tells of others.
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

// ErrHeld says that another process holds a file.
var ErrHeld = errors.New("another process is writing it; wait until that has ended, or name another file")

// lock locks a file of its own, for the one that is held is another after each rename; nil if the file was
// removed by whoever has just released it.
func lock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(&fs.PathError{Op: "lock", Path: path, Err: ErrHeld}, f.Close())
	}
	ours, err := f.Stat() // other errors of the lock: there are none here
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if there, err := os.Lstat(path); err != nil || !os.SameFile(ours, there) {
		return nil, f.Close()
	}
	return f, nil
}

// Check returns an error if the file is no longer the one that was read or written last.
func (h *Held) Check() error {
	digest, err := digestOf(h.path)
	if err == nil && digest != h.digest {
		err = fmt.Errorf("%s was changed by another program since it was read, and is not replaced", message.Text(h.path))
	}
	return err
}

// Written takes the file as it is now for the one that is held.
func (h *Held) Written() (err error) {
	h.digest, err = digestOf(h.path)
	return err
}

// digestOf returns the digest of a sealed file, "" if there is none.
func digestOf(path string) (string, error) {
	digest, err := Digest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return digest, err
}

// Release lets others hold the file.
func (h *Held) Release() {
	_ = os.Remove(h.lock.Name()) // while the lock is ours; a file that stays locks nobody out
	h.lock.Close()
}
