package dataframe

import (
	"fmt"
	"slices"
	"strings"

	"graphda/io/message"
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
	if i := slices.Index(names, ""); i >= 0 {
		names = slices.Clone(names)
		names[i] = `""`
	}
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n)
	}
	return strings.Join(names, ", ")
}

// A NoColumn is a name that no column of a file has. As an error it lists the columns.
type NoColumn struct {
	Name    string
	Columns []string
}

func (e *NoColumn) Error() string { return "its columns are " + Some(e.Columns) }

// Problems are what is wrong with a file: all of it, as far as it is worth listing, so that it can
// be put right at once. The zero Problems are none.
type Problems struct {
	path   string // of the first
	list   []error
	unsaid int // problems beyond those of the list
}

// MaxProblems is how many problems of a file are listed.
const MaxProblems = 20

// Add adds a problem of the file at path.
func (p *Problems) Add(path string, err error) {
	if len(p.list) == 0 {
		p.path = path
	}
	if len(p.list) == MaxProblems {
		p.unsaid++
		return
	}
	p.list = append(p.list, err)
}

// Err returns nil if there are no problems, the problem if there is one, else all.
func (p *Problems) Err() error {
	switch len(p.list) {
	case 0:
		return nil
	case 1:
		return p.list[0]
	}
	return p
}

// List returns the problems that are listed.
func (p *Problems) List() []error { return p.list }

// Error is the first problem, and how many there are.
func (p *Problems) Error() string {
	return fmt.Sprintf("%v; and %s", p.list[0], message.Count(len(p.list)-1+p.unsaid, "more problem"))
}

// Summary is the error for whoever has been shown the list.
func (p *Problems) Summary() string {
	if p.unsaid > 0 {
		return fmt.Sprintf("%s: has %d problems; the first %d are listed above", p.path, len(p.list)+p.unsaid, len(p.list))
	}
	return fmt.Sprintf("%s: has %d problems, listed above", p.path, len(p.list))
}

// Unwrap returns the problems that are listed.
func (p *Problems) Unwrap() []error { return p.list }
