package plain

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Count writes a number with its noun, which takes an s unless it is one.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Are is Count with its verb.
func Are(n int, noun string) string {
	if n == 1 {
		return Count(n, noun) + " is"
	}
	return Count(n, noun) + " are"
}

// Number writes a whole number with a comma before every three digits: 61,860.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Error is the text of an error. Where the system refused a file, "open x.csv: no such file or
// directory" reads "x.csv: does not exist".
func Error(err error) string {
	text := err.Error()
	if system := (*fs.PathError)(nil); errors.As(err, &system) {
		text = strings.ReplaceAll(text, system.Error(), Text(system.Path)+": "+cause(system.Path, system.Err))
	}
	return text
}

// cause says why the system refused a file.
func cause(path string, err error) string {
	dir := filepath.Dir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return "the folder " + Text(dir) + " does not exist"
		}
		return "does not exist"
	case errors.Is(err, syscall.ENOTDIR):
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return Text(dir) + " is a file, want a folder"
			}
		}
	}
	return err.Error()
}
