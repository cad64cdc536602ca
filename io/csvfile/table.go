package csvfile

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Table reads some columns of a file whose first row names its columns.
type Table struct {
	*Rows
	names   []string
	columns []int // in the file, by name
}

// OpenTable opens the file at path, which must have columns of these names, in any order
// and among any others.
func OpenTable(path string, names ...string) (*Table, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	t, err := newTable(r, names)
	if err != nil {
		r.Close()
		return nil, err
	}
	return t, nil
}

// NewTable reads a table from in. The path is for errors.
func NewTable(path string, in io.Reader, names ...string) (*Table, error) {
	return newTable(NewRows(path, in), names)
}

func newTable(r *Rows, names []string) (*Table, error) {
	if !r.Next() {
		if err := r.Err(); err != nil {
			return nil, err
		}
		return nil, &Error{Path: r.path, Err: fmt.Errorf("is empty, want a row of column names: %s", strings.Join(names, ", "))}
	}
	t := &Table{Rows: r, names: names}
	head := r.Record()
	for _, name := range names {
		i := slices.Index(head, name)
		switch {
		case i < 0:
			return nil, &Error{Path: r.path, Line: r.Line(), Err: fmt.Errorf("has no column %q; its columns are %s", name, some(head))}
		case slices.Contains(head[i+1:], name):
			return nil, &Error{Path: r.path, Line: r.Line(), Column: name, Err: fmt.Errorf("stands twice in the file")}
		}
		t.columns = append(t.columns, i)
	}
	return t, nil
}

// Text returns the field of the record in the i-th of the columns asked for.
func (t *Table) Text(i int) string { return t.record[t.columns[i]] }

// Number returns the value of a field, which must be a finite decimal number.
func (t *Table) Number(i int) (float64, error) {
	x, err := Number(t.Text(i))
	if err != nil {
		return 0, t.locate(i, err)
	}
	return x, nil
}

// Bad returns an Error about a field of the record.
func (t *Table) Bad(i int, format string, args ...any) error {
	return t.locate(i, fmt.Errorf(format, args...))
}

func (t *Table) locate(i int, err error) error {
	return &Error{Path: t.path, Line: t.Line(), Column: t.names[i], Err: err}
}

// some joins the first few of many names for a message.
func some(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
