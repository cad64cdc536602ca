// Package regular opens the files that programs read: ordinary ones alone. A named pipe
// would make a reader wait for ever, a device such as /dev/zero would fill the memory, and
// to open one may do something to it. Every file that a user names is opened here.
package regular

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"syscall"
)

// An Error says what a path leads to in place of an ordinary file.
type Error struct {
	Path string
	Type fs.FileMode // the bits of its type
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: is %s, want an ordinary file", e.Path, e.kind())
}

func (e *Error) kind() string {
	switch {
	case e.Type&fs.ModeDir != 0:
		return "a directory"
	case e.Type&fs.ModeNamedPipe != 0:
		return "a pipe"
	case e.Type&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// Open opens the ordinary file at path for reading, at once. An error about a file that is
// not there wraps fs.ErrNotExist; one about anything but an ordinary file is an Error.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // what is there may be a pipe by now
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &Error{Path: path, Type: info.Mode().Type()}
}

// ReadFile returns the content of the ordinary file at path.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), math.MaxInt32)) + bytes.MinRead)
	_, err = b.ReadFrom(f)
	return b.Bytes(), err
}
