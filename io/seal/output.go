package seal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"graphda/io/message"
	"graphda/io/safefile"
)

// An Output decides whether a command may replace the file at a path that the user names. It may replace a sealed
// file, and a file that Write has listed and nobody has changed. With Force it may replace any file that the
// command does not read.
type Output struct {
	Force  bool
	Inputs []string // files that the command reads

	// Sealed returns nil if a file has our seal and may be replaced by the command. IsSealed accepts every kind of
	// sealed file. Sealed is nil for a command that writes files without a seal.
	Sealed func(path string) error
}

// listName is a folder's list of the files that Write wrote. A line is a digest, two spaces and a name.
const listName = ".graphda-files"

// IsSealed returns an error unless the file has a seal and is undamaged.
func IsSealed(path string) error {
	_, err := Digest(path)
	return err
}

// Check returns an error that wraps fs.ErrExist if something at path must not be replaced.
func (o Output) Check(path string) error {
	there, err := os.Stat(path)
	if err == nil && !there.Mode().IsRegular() {
		return message.Because(fs.ErrExist, "%s is not an ordinary file, so it is not replaced; name another file", path)
	}
	at, _, err := replaceable(path)
	if err != nil || there == nil {
		return err
	}
	for _, input := range o.Inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, there) {
			return message.Because(fs.ErrExist, "%s is an input of this command, so it is not replaced; name another file", path)
		}
	}
	if o.Force || o.Sealed != nil && o.Sealed(path) == nil {
		return nil
	}
	written, err := remembers(at)
	if err == nil && !written {
		err = message.Because(fs.ErrExist, "%s was not written by this command, or was changed later, so it is not "+
			"replaced; name another file, or add --force", path)
	}
	return err
}

// Write calls Check, writes like the function Write, and lists the file as ours.
func (o Output) Write(path string, fill func(io.Writer) error) error {
	w, err := o.Create(path)
	if err != nil {
		return err
	}
	return w.fill(fill)
}

// A Named is a file's name in a folder, with a function that writes the content.
type Named struct {
	Name string
	Fill func(io.Writer) error
}

// CheckAll calls Check for the named files of a folder.
func (o Output) CheckAll(dir string, names ...string) error {
	for _, name := range names {
		if err := o.Check(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// WriteAll writes files into a folder, and creates the folder. If one of the files must not be replaced, WriteAll
// writes none.
func (o Output) WriteAll(dir string, files []Named) error {
	for _, f := range files {
		if err := o.CheckAll(dir, f.Name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := o.Write(filepath.Join(dir, f.Name), f.Fill); err != nil {
			return err
		}
	}
	return nil
}

// Create calls Check and returns a Writer like the function Create. Commit lists the file as ours.
func (o Output) Create(path string) (*Writer, error) {
	if err := o.Check(path); err != nil {
		return nil, err
	}
	w, err := Create(path)
	if err != nil {
		return nil, err
	}
	w.install = func(from, to, digest string) error {
		if err := remember(to, digest); err != nil { // first, so that a crash leaves no unlisted file
			return err
		}
		return os.Rename(from, to)
	}
	return w, nil
}

func listLine(path, digest string) []byte {
	return []byte(digest + "  " + filepath.Base(path) + "\n")
}

// remembers reports whether the file at path is listed and unchanged.
func remembers(path string) (bool, error) {
	lines, err := listed(path)
	if err != nil || len(lines) == 0 {
		return false, err
	}
	f, err := safefile.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	s := newScanner()
	if _, err := io.Copy(s, f); err != nil {
		return false, err
	}
	line := listLine(path, s.digest())
	return slices.ContainsFunc(lines, func(l []byte) bool { return bytes.Equal(l, line) }), nil
}

func listed(path string) ([][]byte, error) {
	at := filepath.Join(filepath.Dir(path), listName)
	if there, err := os.Lstat(at); err == nil && !there.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not an ordinary file; remove it", message.Text(at))
	}
	list, err := safefile.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.Collect(bytes.Lines(list)), err
}

func remember(path, digest string) error {
	lines, err := listed(path)
	line := listLine(path, digest)
	if err != nil || slices.ContainsFunc(lines, func(l []byte) bool { return bytes.Equal(l, line) }) {
		return err
	}
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), listName),
		os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}
