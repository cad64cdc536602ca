package samples

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowfile"
	"graphda/io/tabular"
)

// A kind is what the values of a column can be read as.
type kind uint8

const (
	other   kind = iota // none of the following
	integer             // whole numbers; also readable as numbers
	number              // floats and decimals
	text
)

// A column is a top-level column of a file in either format.
type column struct {
	name string
	typ  string // as the file has it, for messages
	kind kind   // of the elements if it is a list
	list bool
	at   int // the column's place in its source
}

// A source decodes the columns of one file. The three methods call visit with
// successive values in file order. Of a list column, each call has the elements of one
// row; otherwise the values of one row and those after it. The slice is the source's.
// A null, and a value that the type asked for cannot hold, is an error made by atRow.
type source interface {
	floats(c *column, visit func(row int, values []float64) error) error
	ints(c *column, visit func(row int, values []int64) error) error
	texts(c *column, visit func(row int, values []string) error) error
	release()
}

// A table is an open file: its columns by name, and errors that say where.
type table struct {
	path     string
	rows     int
	size     int // bytes of the file
	columns  []column
	metadata map[string]string
	source
}

// arrowNames are how the names of Arrow IPC files and streams end.
var arrowNames = []string{".arrow", ".feather", ".ipc", ".arrows"}

func isArrow(path string) bool { return slices.Contains(arrowNames, filepath.Ext(path)) }

// openTable parses what a file says about itself. The format is that of its name.
// Memory comes from mem, and release returns it.
func openTable(path string, data []byte, mem memory.Allocator) (t *table, err error) {
	mem = arrowfile.Bounded(mem, len(data))
	err = reading(func() error {
		switch {
		case bytes.HasPrefix(data, []byte("\x1f\x8b")):
			return errors.New("is compressed with gzip; unpack it, tables of this kind are compressed within")
		case isArrow(path):
			t, err = openIPC(data, mem)
		default:
			t, err = openParquet(data, mem)
		}
		return err
	})
	if err != nil {
		return nil, locate(err, path, "")
	}
	t.path, t.size = path, len(data)
	seen := make(map[string]bool, len(t.columns))
	for _, c := range t.columns {
		if seen[c.name] {
			t.release()
			return nil, t.bad(c.name, "stands twice in the file")
		}
		seen[c.name] = true
	}
	return t, nil
}

// bad returns an error about the file, or about a column if it is not empty.
func (t *table) bad(column, format string, args ...any) error {
	return &tabular.Error{Path: t.path, Column: column, Err: fmt.Errorf(format, args...)}
}

func (t *table) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// find returns the named column, or nil.
func (t *table) find(name string) *column {
	for i := range t.columns {
		if t.columns[i].name == name {
			return &t.columns[i]
		}
	}
	return nil
}

// need is find for a column that must be there.
func (t *table) need(name string) (*column, error) {
	if c := t.find(name); c != nil {
		return c, nil
	}
	if len(t.columns) == 0 {
		return nil, t.bad("", "has no column %q, nor any other", name)
	}
	return nil, t.bad("", "has no column %q; its columns are %s", name, tabular.Some(t.names()))
}

// wrongType refuses a column for its type.
func (t *table) wrongType(c *column, want string) error {
	return t.bad(c.name, "has type %s, want %s", c.typ, want)
}

func (c *column) isNumeric() bool { return c.kind == number || c.kind == integer }

func (t *table) floats(c *column, visit func(row int, values []float64) error) error {
	return read(t, c, t.source.floats, visit)
}

func (t *table) ints(c *column, visit func(row int, values []int64) error) error {
	return read(t, c, t.source.ints, visit)
}

func (t *table) texts(c *column, visit func(row int, values []string) error) error {
	return read(t, c, t.source.texts, visit)
}

// read runs one of a source's methods and sees to it that every row is visited once.
func read[T any](t *table, c *column, method func(*column, func(int, []T) error) error, visit func(int, []T) error) error {
	next := 0
	err := reading(func() error {
		return method(c, func(row int, values []T) error {
			rows := 1
			if !c.list {
				rows = len(values)
			}
			if row != next || rows > t.rows-row {
				return damaged("it has more than the file's %d rows", t.rows)
			}
			next += rows
			return visit(row, values)
		})
	})
	if err == nil && next != t.rows {
		err = damaged("it has %d of the file's %d rows", next, t.rows)
	}
	return locate(err, t.path, c.name)
}

// column values as slices, for columns that are not lists.

func (t *table) allFloats(c *column) ([]float64, error) {
	var all []float64
	err := t.floats(c, func(row int, values []float64) error {
		all = append(all, values...)
		return finite(row, values)
	})
	return all, err
}

func (t *table) allTexts(c *column) ([]string, error) {
	var all []string
	err := t.texts(c, func(_ int, values []string) error {
		all = append(all, values...)
		return nil
	})
	return all, err
}

// finite refuses NaN and infinities among the values of consecutive rows.
func finite(row int, values []float64) error {
	for i, v := range values {
		if v-v != 0 {
			return atRow(row+i, "is %v, want a finite number", v)
		}
	}
	return nil
}

// hasMagic tells whether data begins and ends with a format's mark.
func hasMagic(data []byte, magic string) bool {
	return len(data) >= 2*len(magic) && bytes.HasPrefix(data, []byte(magic)) && bytes.HasSuffix(data, []byte(magic))
}
