package dataframe

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/safefile"
)

// Options say how a file is read. With zero Options, everything is inferred from the file.
type Options struct {
	Separator rune // separator of the fields of a text; 0 means inferred
	Decimal   byte // decimal sign of numbers in a text, '.' or ','; 0 means inferred
	Flags     bool // whether the command has the flags --sep and --decimal for this file, so that errors may suggest them

	// Unended is called if the last line of a text has no line end, because its last value may be cut off. If Unended
	// returns an error, reading ends. If Unended is nil, the line is accepted.
	Unended func(err error) error

	// Transpose exchanges rows and columns. The file's first column then names the table's columns. The table's first
	// column holds the names of the file's columns.
	Transpose bool
	Words     []string // columns of a transposed table whose numbers Text returns as they are in the file, such as 007

	// Names and IDs are paths of files with the names of columns and rows, for formats without names. NewNamedMatrix
	// explains the defaults.
	Names, IDs string

	In io.Reader // text to read instead of a file; the path is then for errors and for the separator

	Force bool // if set, a compressed file may unpack to any size; see package safefile
}

// OpenFile opens a file, which may be compressed.
func (o Options) OpenFile(path string) (*safefile.Unpacked, error) {
	if o.Force {
		return safefile.OpenUnpackedAny(path)
	}
	return safefile.OpenUnpacked(path)
}

// A Table reads a file with named columns row by row, like a bufio.Scanner. Columns are counted from 0. A Table is
// not safe for concurrent use.
type Table struct {
	path    string
	source  Source
	names   []string
	columns []int // for each column, its index in source; nil if the columns are the same
	truths  Truths
	err     error
}

// Open opens a file of any known format. If the file does not exist, the error wraps fs.ErrNotExist. If the file's name
// has no known extension, the error wraps ErrFormat.
func Open(path string, o Options) (*Table, error) {
	s, err := open(path, o)
	if err != nil {
		return nil, err
	}
	t := &Table{path: path, source: s, names: s.Columns()}
	if o.Transpose {
		if t.source, err = t.transpose(o.Words); err != nil {
			return nil, err
		}
		t.names = t.source.Columns()
	}
	return t, nil
}

// OpenColumns opens a file that must have the named columns, in any order and perhaps with other columns. The table has
// only the named columns, in the given order.
func OpenColumns(path string, names ...string) (*Table, error) {
	t, err := Open(path, Options{})
	if err != nil {
		return nil, err
	}
	if err := t.selects(names); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *Table) selects(names []string) (err error) {
	columns := make([]int, len(names))
	for i, name := range names {
		if columns[i], err = t.Need(name); err != nil {
			return err
		}
	}
	t.names, t.columns = names, columns
	return nil
}

// Columns returns the names of the columns.
func (t *Table) Columns() []string { return t.names }

// Index returns the columns that the file marks as its index, as pandas does.
func (t *Table) Index() []string {
	if s, ok := t.source.(interface{ Index() []string }); ok {
		return s.Index()
	}
	return nil
}

// Find returns the index of the column with the given name, or −1. It returns an error if two columns have the name, or
// if the column holds neither numbers nor texts.
func (t *Table) Find(name string) (i int, err error) {
	i = slices.Index(t.names, name)
	if i >= 0 && slices.Contains(t.names[i+1:], name) {
		return i, t.Wrong(i, "occurs twice in the file; rename or remove one of the two columns")
	}
	if i >= 0 {
		err = t.Check(i)
	}
	return i, err
}

// Check returns an error if column i cannot be read, for example because it holds lists. If Text was called for such a
// column, Err returns this error too.
func (t *Table) Check(i int) error {
	if s, ok := t.source.(interface{ Check(i int) error }); ok {
		return s.Check(t.at(i))
	}
	return nil
}

// Need is like Find but returns an error if there is no such column.
func (t *Table) Need(name string) (int, error) {
	i, err := t.Find(name)
	if err == nil && i < 0 {
		err = t.Wrong(-1, "has no column %q; %w", name, &NoColumn{Name: name, Columns: t.names})
	}
	return i, err
}

// NeedAny is like Need for a column with several possible names. It returns the first that exists, perhaps with other
// capitals. If none exists, the error asks for the first name.
func (t *Table) NeedAny(names []string) (int, error) {
	for _, name := range names {
		if slices.Contains(t.names, name) {
			return t.Find(name)
		}
	}
	for _, name := range names {
		if i := slices.IndexFunc(t.names, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
			return t.Find(t.names[i])
		}
	}
	return t.Need(names[0])
}

// Next moves to the next row and reports whether there is one. If there is none, Err says why.
func (t *Table) Next() bool {
	if t.err == nil {
		t.err = t.source.Next()
	}
	return t.err == nil
}

// Err returns the error that made Next return false, or nil at the end of the file.
func (t *Table) Err() error {
	if t.err == io.EOF {
		return nil
	}
	return t.err
}

// Row returns the position of the current row in the file.
func (t *Table) Row() Row { return t.source.Row() }

// Text returns the value of column i in the current row, without white space at its ends.
func (t *Table) Text(i int) string { return t.source.Text(t.at(i)) }

// Number returns the value of column i in the current row. The value must be a finite number.
func (t *Table) Number(i int) (float64, error) {
	x, err := t.source.Number(t.at(i))
	if err != nil {
		return 0, t.Bad(i, "%w", err)
	}
	return x, nil
}

// Feature is like Number but also accepts true and false, for which it returns 1 and 0.
func (t *Table) Feature(i int) (float64, error) {
	x, err := t.Number(i)
	text := ""
	if err != nil {
		text = t.Text(i)
	}
	if x, err = t.truths.Number(i, x, err, text); err == ErrMixed {
		err = t.Bad(i, "%w", err)
	}
	return x, err
}

// Place returns the place in the file of the value of column i in the current row.
func (t *Table) Place(i int) (row Row, column string) {
	if s, ok := t.source.(Placed); ok {
		return s.Place(t.at(i))
	}
	return t.Row(), t.names[i]
}

// Close closes the file.
func (t *Table) Close() error { return t.source.Close() }

// Bad returns an Error about the value of column i in the current row.
func (t *Table) Bad(i int, format string, args ...any) error {
	row, column := t.Place(i)
	return &Error{Path: t.path, Row: row, Column: column, Err: fmt.Errorf(format, args...)}
}

// Wrong returns an Error about column i, or about the file if i < 0.
func (t *Table) Wrong(i int, format string, args ...any) error {
	e := &Error{Path: t.path, Err: fmt.Errorf(format, args...)}
	if i >= 0 {
		e.Column = t.names[i]
	}
	return e
}

func (t *Table) at(i int) int {
	if t.columns == nil {
		return i
	}
	return t.columns[i]
}
