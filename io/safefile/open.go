package safefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"

	"graphda/graph"
)

// Open opens the ordinary file at path for reading, without waiting. Errors are of type fs.PathError, as in os.Open.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the file may have become a pipe
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

// Open refuses a file of more than sparse bytes that takes less than 1/share of its size on disk. Such a file holds
// almost only zeros, and its content could exhaust the memory.
const (
	sparse = 1 << 30
	share  = 64
)

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		disk, known := info.Sys().(*syscall.Stat_t)
		if known && info.Size() > sparse && disk.Blocks*512 < info.Size()/share {
			return &fs.PathError{Op: "open", Path: path,
				Err: fmt.Errorf("has %d MB, but only %d MB on disk, so it may be damaged; if its content is right, copy it to "+
					"another disk",
					info.Size()/1e6, disk.Blocks*512/1e6)}
		}
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("is %s; want an ordinary file", kind(info.Mode()))}
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeDir != 0:
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe (write its content to a file)"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// OneOf returns the path of the file in dir with one of the given names, or "". Two such files are an error.
func OneOf(dir string, names ...string) (string, error) {
	found := ""
	for _, name := range names {
		path := filepath.Join(dir, name)
		switch _, err := os.Stat(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case found != "":
			return "", fmt.Errorf("%s and %s both exist; remove one of them", found, path)
		default:
			found = path
		}
	}
	return found, nil
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
	data := graph.MakeLarge[byte](int(min(info.Size(), math.MaxInt32)))
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // the file has shrunk
		return data[:n], nil
	}
	if err != nil {
		return nil, err
	}
	more, err := io.ReadAll(f)
	return append(data, more...), err
}

// SHA256 returns the SHA-256 of a file's content, in hexadecimal digits.
func SHA256(path string) (string, error) {
	f, err := Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
