package samples

import (
	"errors"
	"fmt"
	"strings"
)

// A RecordError says where the content of a file is bad.
type RecordError struct {
	Path   string
	Row    int64  // counting from 0; −1 if the error is not about a row
	Column string // empty if the error is not about a column
	Err    error
}

func (e *RecordError) Error() string {
	var at []string
	if e.Row >= 0 {
		at = append(at, fmt.Sprintf("row %d (counting from 0)", e.Row))
	}
	if e.Column != "" {
		at = append(at, fmt.Sprintf("column %q", e.Column))
	}
	place := e.Path + ": "
	if len(at) > 0 {
		place += strings.Join(at, ", ") + ": "
	}
	return place + e.Err.Error()
}

// Unwrap returns what is wrong there.
func (e *RecordError) Unwrap() error { return e.Err }

// atRow returns a RecordError that lacks its file and column; table fills them in.
func atRow(row int, format string, args ...any) error {
	return &RecordError{Row: int64(row), Err: fmt.Errorf(format, args...)}
}

// locate makes err a RecordError of the file and column unless it has them already.
func locate(err error, path, column string) error {
	if err == nil {
		return nil
	}
	var e *RecordError
	if !errors.As(err, &e) {
		e = &RecordError{Row: -1, Err: err}
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

func damaged(format string, args ...any) error {
	return fmt.Errorf("cannot be read; the file is damaged or not what its name says: %w", fmt.Errorf(format, args...))
}

// some joins the first few of many names for a message.
func some(names []string) string {
	const most = 12
	var b strings.Builder
	for i, s := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s)
	}
	if n := len(names) - most; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}
