package dataframe

import (
	"fmt"
	"slices"
	"strings"

	"graphda/io/message"
)

// An Error says where a file is bad and what is wrong there.
type Error struct {
	Path   string
	Row    Row    // 0 if the error is not about a row
	Column string // the column's name, or its number from 1; may be empty
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

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// A Row is the position of a row in its file. The zero Row means no row.
type Row int

// Line returns the Row that begins in line n of a text file, counted from 1.
func Line(n int) Row { return Row(n) }

// Index returns the Row with index i, counted from 0, in a file without lines.
func Index(i int) Row { return Row(-1 - i) }

func (r Row) String() string {
	if r < 0 {
		return fmt.Sprintf("row %d", -1-r)
	}
	return fmt.Sprintf("line %d", int(r))
}

// Some joins the first few of many names, for a message.
func Some(names []string) string { return first(names, 12) }

// Columns joins the names of a file's columns for a message, or only the first few of more than 40.
func Columns(names []string) string {
	const all = 40
	if len(names) <= all {
		return first(names, all)
	}
	return Some(names)
}

func first(names []string, most int) string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == "" {
			names[i] = `""`
		}
	}
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %s more", strings.Join(names[:most], ", "), message.Number(n))
	}
	return strings.Join(names, ", ")
}

// A NoColumn is the error for a missing column. Its text lists the columns.
type NoColumn struct {
	Name    string
	Path    string // path of the file, if the text should repeat it
	Columns []string
}

func (e *NoColumn) Error() string {
	if e.Path != "" {
		return "the columns of " + e.Path + " are " + Columns(e.Columns)
	}
	return "its columns are " + Columns(e.Columns)
}

// Problems collects the errors in one file, so that the user can fix them all at once. The zero Problems is empty.
type Problems struct {
	path   string // path of the file with the first problem
	list   []error
	unsaid int // number of problems that are not in list
}

// MaxProblems is the largest number of problems that are listed for a file.
const MaxProblems = 20

// Add adds a problem in the file at path.
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

// Err returns nil without problems, a single problem itself, and p for several problems.
func (p *Problems) Err() error {
	switch len(p.list) {
	case 0:
		return nil
	case 1:
		return p.list[0]
	}
	return p
}

// List returns the problems, at most MaxProblems of them.
func (p *Problems) List() []error { return p.list }

// Error returns the text of the first problem and the number of other problems.
func (p *Problems) Error() string {
	return fmt.Sprintf("%v; and %s", p.list[0], message.Count(len(p.list)-1+p.unsaid, "more problem"))
}

// Summary returns a text to print after the list of problems.
func (p *Problems) Summary() string {
	if p.unsaid > 0 {
		return fmt.Sprintf("%s: has %s problems; the first %d are listed above", p.path,
			message.Number(len(p.list)+p.unsaid), len(p.list))
	}
	return fmt.Sprintf("%s: has %d problems, listed above", p.path, len(p.list))
}

// Unwrap returns the same as List.
func (p *Problems) Unwrap() []error { return p.list }
