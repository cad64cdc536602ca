package columnar

import (
	"errors"
	"fmt"
	"strings"

	"graphda/io/tabular"
)

// AtRow returns a tabular.Error that lacks its file and column; Locate fills them in.
func AtRow(row int, format string, args ...any) error {
	return &tabular.Error{Row: tabular.Index(row), Err: fmt.Errorf(format, args...)}
}

// Locate makes err a tabular.Error of the file and column unless it has them already.
func Locate(err error, path, column string) error {
	if err == nil {
		return nil
	}
	var e *tabular.Error
	if !errors.As(err, &e) {
		e = &tabular.Error{Err: err}
	}
	if e.Path == "" {
		e.Path = path
	}
	if e.Column == "" {
		e.Column = column
	}
	return e
}

// reading calls f and turns a panic, which is how Arrow answers to much of what is wrong
// with a file, into an error.
func reading(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			reason, _, _ := strings.Cut(fmt.Sprint(r), "\n")
			err = damaged("%s", reason)
		}
	}()
	return f()
}

// damaged returns an error about a file that is not what it should be. How a library fell
// over it, such as an index out of range, tells the user nothing and is left out.
func damaged(format string, args ...any) error {
	const what = "cannot be read; the file is damaged or not what its name says"
	why := fmt.Errorf(format, args...)
	if strings.Contains(why.Error(), "runtime error: ") {
		return errors.New(what)
	}
	return fmt.Errorf(what+": %w", why)
}
