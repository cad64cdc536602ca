package tabular

import (
	"fmt"
	"strings"
)

// An Error says where a file is bad, and what is wrong there.
type Error struct {
	Path   string
	Row    Row    // 0 if the error is about no row
	Column string // name, or number counting from 1; empty if the error is about no column
	Err    error
}

func (e *Error) Error() string {
	var at []string
	switch {
	case e.Row > 0:
		at = append(at, e.Row.String())
	case e.Row < 0:
		at = append(at, e.Row.String()+" (counting from 0)")
	}
	if e.Column != "" {
		at = append(at, fmt.Sprintf("column %q", e.Column))
	}
	place := e.Path + ": "
	if at != nil {
		place += strings.Join(at, ", ") + ": "
	}
	return place + e.Err.Error()
}

// Unwrap returns what is wrong there.
func (e *Error) Unwrap() error { return e.Err }

// A Row is where a row stands in its file. The zero Row is none.
type Row int

// Line is the row that begins in a line of a text file, counting from 1.
func Line(n int) Row { return Row(n) }

// Index is a row of a file that has no lines, counting from 0.
func Index(i int) Row { return Row(-1 - i) }

func (r Row) String() string {
	if r < 0 {
		return fmt.Sprintf("row %d", -1-r)
	}
	return fmt.Sprintf("line %d", int(r))
}

// Some joins the first few of many names for a message.
func Some(names []string) string {
	const most = 12
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n)
	}
	return strings.Join(names, ", ")
}
