package seal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"graphda/io/message"
)

// Write creates or replaces the file at path atomically. It lets fill write a temporary file, and then seals, syncs and
// renames this file. If anything fails, the old file stays and no other file is left. If a write to the disk fails and
// fill panics, Write returns the error of the disk.
func Write(path string, fill func(io.Writer) error) error {
	w, err := Create(path)
	if err != nil {
		return err
	}
	return w.fill(fill)
}

// WriteNew is like Write but never replaces a file. If a file exists at path, WriteNew returns fs.ErrExist, even if
// another process creates it at the same time.
//
// WriteNew links the file to its path. On file systems without hard links, such as FAT and some FUSE file systems, it
// first reserves the path with an empty file, which only one process can create. It then renames the complete file over
// the empty file. If a crash leaves the empty file, readers of sealed files refuse it.
func WriteNew(path string, fill func(io.Writer) error) error {
	w, err := Create(path)
	if err != nil {
		return err
	}
	w.install = installNew
	return w.fill(fill)
}

func rename(from, to, _ string) error { return os.Rename(from, to) }

// link is os.Link, except in tests.
var link = os.Link

// noLinks lists the errors of file systems without links.
var noLinks = []error{syscall.EPERM, syscall.EOPNOTSUPP, syscall.ENOTSUP, syscall.ENOSYS, syscall.EMLINK, syscall.EXDEV}

// installNew links a complete file to its path, unless a file exists there.
func installNew(from, to, _ string) error {
	err := link(from, to)
	if errors.Is(err, fs.ErrExist) && isSame(from, to) {
		return nil // NFS lost its first answer, and the kernel repeated the request
	}
	if !slices.ContainsFunc(noLinks, func(no error) bool { return errors.Is(err, no) }) {
		return err
	}
	place, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer place.Close()
	if err = os.Rename(from, to); err == nil {
		return nil
	}
	if ours, statErr := place.Stat(); statErr == nil {
		if there, statErr := os.Lstat(to); statErr == nil && os.SameFile(ours, there) {
			err = errors.Join(err, os.Remove(to))
		}
	}
	return err
}

func isSame(a, b string) bool {
	first, errA := os.Lstat(a)
	second, errB := os.Lstat(b)
	return errA == nil && errB == nil && os.SameFile(first, second)
}

func (w *Writer) fill(fill func(io.Writer) error) error {
	defer w.Abort()
	if err := w.Try(func() error { return fill(w) }); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	return w.Commit()
}

// A Writer writes a file that appears at its path only after Commit. It is for content that comes piece by piece.
type Writer struct {
	path string
	file *os.File // temporary file beside path; nil after Commit or Abort
	scan *scanner
	err  error // error of the first failed write

	digest  string
	install func(from, to, digest string) error
}

// Create begins a file that Commit will put at path. It also removes temporary files that killed processes left for
// path.
func Create(path string) (*Writer, error) {
	path, mode, err := replaceable(path)
	if err != nil {
		return nil, err
	}
	dir, name := filepath.Split(path)
	f, err := os.OpenFile(filepath.Join(dir, temporaryName(name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode, 0o666))
	if err != nil {
		return nil, named(path, err)
	}
	if mode != 0 {
		_ = f.Chmod(mode) // if this fails, fewer users can read the file
	}
	sweep(path, f.Name())
	return &Writer{path: path, file: f, scan: newScanner(), install: rename}, nil
}

// replaceable returns the path of the file to write for a given path, and the mode of an existing file, or 0. For a
// link, this is the link's target. If the target does not exist, the link is an error, because its creator would choose
// where the file is made. A read-only file is an error, even if the folder's permissions allow replacing it.
func replaceable(path string) (at string, mode fs.FileMode, err error) {
	there, err := os.Lstat(path)
	if err == nil && there.Mode()&fs.ModeSymlink != 0 {
		link := path
		if path, err = filepath.EvalSymlinks(link); errors.Is(err, fs.ErrNotExist) {
			return "", 0, message.Because(fs.ErrExist, "%s is a link to a file that does not exist; remove it, or name another "+
				"file", message.Text(link))
		}
		if err == nil {
			there, err = os.Lstat(path)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, 0, nil
	case err != nil:
		return "", 0, err
	case there.Mode().IsRegular() && there.Mode()&0o222 == 0:
		return "", 0, message.Because(fs.ErrPermission, "%s is write-protected, so it is not replaced; make it writable, "+
			"or name another file", message.Text(path))
	}
	return path, there.Mode().Perm(), nil
}

// named replaces the path in an error by the user's path.
func named(path string, err error) error {
	if system := (*fs.PathError)(nil); errors.As(err, &system) {
		system.Path = path
	}
	return err
}

// Write appends p to the content. After a failed write, all later calls of Write and Commit fail.
func (w *Writer) Write(p []byte) (int, error) {
	if w.file == nil {
		return 0, fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	}
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.file.Write(p)
	w.scan.Write(p[:n])
	w.err = err
	return n, err
}

// Try calls f, which writes to w, and returns its error. If a write fails, Try returns the error of this write, even if
// f panics, as Arrow's writers do.
func (w *Writer) Try(f func() error) (err error) {
	defer func() {
		if w.err == nil {
			return
		}
		recover()
		err = w.err
	}()
	return f()
}

// Commit seals the content, syncs it to the disk and moves it to the path, replacing any file there. If Commit fails,
// no temporary file is left.
func (w *Writer) Commit() error {
	if w.file == nil {
		return fmt.Errorf("%s: %w", w.path, os.ErrClosed)
	}
	defer w.Abort()
	err := w.err
	if err == nil {
		err = w.stamp()
	}
	if err == nil {
		err = w.file.Sync()
	}
	if err = errors.Join(err, w.file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", w.path, err)
	}
	if err := w.install(w.file.Name(), w.path, w.digest); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: %w", w.path, fs.ErrExist)
		}
		return err
	}
	return SyncDir(filepath.Dir(w.path))
}

// Digest returns the digest of the committed content (see File).
func (w *Writer) Digest() string { return w.digest }

// Abort discards the content. After Commit or another Abort it does nothing.
func (w *Writer) Abort() {
	if w.file != nil {
		w.file.Close()
		os.Remove(w.file.Name())
		w.file = nil
	}
}

func (w *Writer) stamp() error {
	w.digest = w.scan.digest()
	if w.scan.broken {
		return errors.New("the content holds the beginning of a seal without its digits")
	}
	for _, at := range w.scan.marks {
		if _, err := w.file.WriteAt([]byte(w.digest), at); err != nil {
			return err
		}
	}
	return nil
}

// SyncDir syncs a directory, if the file system can, so that new names survive a crash.
func SyncDir(dir string) error {
	if dir == "" {
		dir = "."
	}
	d, err := os.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
