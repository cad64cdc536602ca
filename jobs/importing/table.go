package importing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"graphda/io/csvfile"
	"graphda/io/samples"
)

// A table is a file with named columns, read row by row.
type table interface {
	columns() []string
	next() bool
	text(i int) string                             // column i of the row
	number(i int) (float64, error)                 // column i of the row; an error does not say where
	bad(i int, format string, args ...any) error   // about column i of the row
	wrong(i int, format string, args ...any) error // about column i, or the file if i < 0
	err() error                                    // what ended the rows
	close()
}

// openTable opens a file of any kind. Of a Parquet or Arrow file, which may have columns of
// any type, only the columns that are wanted are read; others are empty.
func openTable(path string, wanted func(name string) bool) (table, error) {
	switch {
	case csvfile.IsTable(path):
		return openText(path)
	case samples.IsTable(path):
		return openFrame(path, wanted)
	}
	return nil, settingf("%s is of no known kind; want a name that ends with %s, %s", path, csvfile.Extensions, samples.Extensions)
}

// find returns the column of a name, −1 if there is none. The name must not stand twice.
func find(t table, name string) (int, error) {
	i := slices.Index(t.columns(), name)
	if i >= 0 && slices.Contains(t.columns()[i+1:], name) {
		return i, t.wrong(i, "stands twice in the file")
	}
	return i, nil
}

// need is find for a column that must be there.
func need(t table, name string) (int, error) {
	i, err := find(t, name)
	if err == nil && i < 0 {
		err = t.wrong(-1, "has no column %q; its columns are %s", name, some(t.columns()))
	}
	return i, err
}

// number returns the value of a column of the row.
func number(t table, i int) (float64, error) {
	x, err := t.number(i)
	if err == nil {
		return x, nil
	}
	return 0, t.bad(i, "%w", err)
}

// missing tells whether a field is what programs write for a value that is not there.
func missing(field string) bool {
	switch strings.ToLower(field) {
	case "", "na", "<na>", "n/a", "#n/a", "nan":
		return true
	}
	return false
}

// A textTable is a CSV or TSV file.
type textTable struct {
	path string
	rows *csvfile.Rows
	head []string
}

func openText(path string) (*textTable, error) {
	rows, err := csvfile.Open(path)
	if err != nil {
		return nil, err
	}
	t := &textTable{path: path, rows: rows}
	if !rows.Next() {
		rows.Close()
		if err := rows.Err(); err != nil {
			return nil, err
		}
		return nil, t.wrong(-1, "is empty, want a row of column names")
	}
	t.head = slices.Clone(rows.Record())
	return t, nil
}

func (t *textTable) columns() []string             { return t.head }
func (t *textTable) next() bool                    { return t.rows.Next() }
func (t *textTable) text(i int) string             { return t.rows.Record()[i] }
func (t *textTable) number(i int) (float64, error) { return csvfile.Number(t.text(i)) }
func (t *textTable) err() error                    { return t.rows.Err() }
func (t *textTable) close()                        { t.rows.Close() }

func (t *textTable) bad(i int, format string, args ...any) error {
	return &csvfile.Error{Path: t.path, Line: t.rows.Line(), Column: t.head[i], Err: fmt.Errorf(format, args...)}
}

func (t *textTable) wrong(i int, format string, args ...any) error {
	e := &csvfile.Error{Path: t.path, Err: fmt.Errorf(format, args...)}
	if i >= 0 {
		e.Column = t.head[i]
	}
	return e
}

// A frame is a Parquet or Arrow file. It is in memory.
type frame struct {
	path   string
	head   []string
	values []*samples.Column // by column; nil if it was not wanted
	rows   int
	row    int // the one that next has gone to
}

func openFrame(path string, wanted func(name string) bool) (*frame, error) {
	names, err := samples.ReadColumns(path)
	if err != nil {
		return nil, err
	}
	columns, err := samples.ReadColumns(path, slices.DeleteFunc(slices.Clone(names.All), func(name string) bool { return !wanted(name) })...)
	if err != nil {
		return nil, err
	}
	f := &frame{path: path, head: columns.All, values: make([]*samples.Column, len(columns.All)), rows: columns.Rows, row: -1}
	found := map[string]*samples.Column{}
	for i := range columns.Found {
		found[columns.Found[i].Name] = &columns.Found[i]
	}
	for i, name := range f.head {
		f.values[i] = found[name]
	}
	return f, nil
}

func (f *frame) columns() []string { return f.head }

func (f *frame) next() bool {
	f.row++
	return f.row < f.rows
}

func (f *frame) text(i int) string {
	c := f.values[i]
	switch {
	case c == nil:
		return ""
	case c.Ints != nil:
		return strconv.FormatInt(c.Ints[f.row], 10)
	case c.Floats != nil:
		return strconv.FormatFloat(c.Floats[f.row], 'g', -1, 64)
	}
	return strings.TrimSpace(c.Texts[f.row])
}

func (f *frame) number(i int) (float64, error) {
	switch c := f.values[i]; {
	case c != nil && c.Ints != nil:
		return float64(c.Ints[f.row]), nil
	case c != nil && c.Floats != nil:
		return c.Floats[f.row], nil
	}
	return csvfile.Number(f.text(i))
}

func (f *frame) bad(i int, format string, args ...any) error {
	return &samples.RecordError{Path: f.path, Row: int64(f.row), Column: f.head[i], Err: fmt.Errorf(format, args...)}
}

func (f *frame) wrong(i int, format string, args ...any) error {
	e := &samples.RecordError{Path: f.path, Row: -1, Err: fmt.Errorf(format, args...)}
	if i >= 0 {
		e.Column = f.head[i]
	}
	return e
}

func (f *frame) err() error { return nil }
func (f *frame) close()     {}

var (
	_ table = (*textTable)(nil)
	_ table = (*frame)(nil)
)

// some joins the first few of many names for a message.
func some(names []string) string {
	const most = 8
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n)
	}
	return strings.Join(names, ", ")
}
