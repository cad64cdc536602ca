package dataframe

import (
	"fmt"
	"io"
	"slices"

	"graphda/io/safefile"
)

// Options say how a file is read. The zero Options are for a file about which nothing is told.
type Options struct {
	Separator rune // of the fields of text; 0 if the file shows it
	Decimal   byte // the decimal sign of numbers in text, '.' or ','; 0 if the file shows it

	// Unended is told of a text whose last line has no end, so that its last value may be cut off; what it returns ends
	// the reading unless that is nil. A nil Unended takes the line.
	Unended func(err error) error

	// Transpose makes a row of every column of the file, and a column of every row, which is named
	// by the file's first column. The first column of the table then has the names of the file's.
	Transpose bool

	// Names and IDs are the paths of the names of columns and rows, for formats that have none; ""
	// for the files that NewNamedMatrix finds.
	Names, IDs string

	In io.Reader // text that is read in place of a file; the path tells the separator, and is for errors

	Force bool // a compressed file may unpack to any size; see package safefile
}

// OpenFile opens a file, be it compressed or not.
func (o Options) OpenFile(path string) (*safefile.Unpacked, error) {
	if o.Force {
		return safefile.OpenUnpackedAny(path)
	}
	return safefile.OpenUnpacked(path)
}

// A Table reads a file with named columns row by row, like a bufio.Scanner. Columns are counted
// from 0. Not safe for concurrent use.
type Table struct {
	path    string
	source  Source
	names   []string
	columns []int // of the source, by column of the table; nil for the same
	truths  Truths
	err     error
}

// Open opens a file of any known format. An error about a file that is not there wraps
// fs.ErrNotExist, one about a name of no known format ErrFormat.
func Open(path string, o Options) (*Table, error) {
	s, err := open(path, o)
	if err != nil {
		return nil, err
	}
	if o.Transpose {
		if s, err = transpose(path, s); err != nil {
			return nil, err
		}
	}
	return &Table{path: path, source: s, names: s.Columns()}, nil
}

// OpenColumns opens a file that must have columns of these names, in any order and among any
// others. They are the columns of the table, in the order of the names.
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

// selects makes the columns of these names the table's.
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

// Index returns the columns that the file itself calls its index, as pandas does.
func (t *Table) Index() []string {
	if s, ok := t.source.(interface{ Index() []string }); ok {
		return s.Index()
	}
	return nil
}

// Find returns the column of a name, −1 if there is none. The name must not stand twice, and the column must hold
// numbers or texts.
func (t *Table) Find(name string) (i int, err error) {
	i = slices.Index(t.names, name)
	if i >= 0 && slices.Contains(t.names[i+1:], name) {
		return i, t.Wrong(i, "stands twice in the file")
	}
	if i >= 0 {
		err = t.Check(i)
	}
	return i, err
}

// Check returns why column i cannot be read, whatever its rows hold: a file may have lists, for instance. Err returns
// the same error if Text was asked for such a column.
func (t *Table) Check(i int) error {
	if s, ok := t.source.(interface{ Check(i int) error }); ok {
		return s.Check(t.at(i))
	}
	return nil
}

// Need is Find for a column that must be there.
func (t *Table) Need(name string) (int, error) {
	i, err := t.Find(name)
	if err == nil && i < 0 {
		err = t.Wrong(-1, "has no column %q; %w", name, &NoColumn{name, t.names})
	}
	return i, err
}

// NeedAny is Need for a column that may have any of several names. The first that is there is taken;
// an error asks for the first.
func (t *Table) NeedAny(names []string) (int, error) {
	for _, name := range names {
		if slices.Contains(t.names, name) {
			return t.Find(name)
		}
	}
	return t.Need(names[0])
}

// Next goes on to the next row and tells whether there is one. If not, Err says why.
func (t *Table) Next() bool {
	if t.err == nil {
		t.err = t.source.Next()
	}
	return t.err == nil
}

// Err returns the error that ended the rows, if one did.
func (t *Table) Err() error {
	if t.err == io.EOF {
		return nil
	}
	return t.err
}

// Row returns where the row stands in the file.
func (t *Table) Row() Row { return t.source.Row() }

// Text returns the value of column i in the row, without white space at its ends.
func (t *Table) Text(i int) string { return t.source.Text(t.at(i)) }

// Number returns the value of column i in the row, which must be a finite number.
func (t *Table) Number(i int) (float64, error) {
	x, err := t.source.Number(t.at(i))
	if err != nil {
		return 0, t.Bad(i, "%w", err)
	}
	return x, nil
}

// Feature is Number for a column that may hold true and false in place of numbers: they are 1 and 0.
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

// Place returns where the value of column i in the row stands in the file.
func (t *Table) Place(i int) (row Row, column string) {
	if s, ok := t.source.(Placed); ok {
		return s.Place(t.at(i))
	}
	return t.Row(), t.names[i]
}

// Close closes the file.
func (t *Table) Close() error { return t.source.Close() }

// Bad returns an Error about column i in the row.
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
