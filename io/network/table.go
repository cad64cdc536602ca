package network

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"graphda/io/csvfile"
	"graphda/io/samples"
)

// A CellError says where the content of a table is bad.
type CellError struct {
	Path   string
	Line   int // of a text file, counting from 1; 0 if the error is about no line
	Row    int // of another file, counting from 0; −1 if the error is about no row
	Column string
	Err    error
}

func (e *CellError) Error() string {
	var place []string
	switch {
	case e.Line > 0:
		place = append(place, fmt.Sprintf("line %d", e.Line))
	case e.Row >= 0:
		place = append(place, fmt.Sprintf("row %d (counting from 0)", e.Row))
	}
	if e.Column != "" {
		place = append(place, fmt.Sprintf("column %q", e.Column))
	}
	if place == nil {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Path, strings.Join(place, ", "), e.Err)
}

// Unwrap returns what is wrong there.
func (e *CellError) Unwrap() error { return e.Err }

// A table holds some columns of a file.
type table struct {
	path  string
	rows  int
	all   []string
	found map[string]*samples.Column
	lines []int32 // by row, of a text file
	taken int     // 1 + the row that drop took out; 0 for none
}

// open reads the named columns that a file has.
func open(path string, names ...string) (*table, error) {
	t := &table{path: path, found: map[string]*samples.Column{}}
	switch {
	case csvfile.IsTable(path):
		return t, t.readText(names)
	case !samples.IsTable(path):
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		return nil, t.bad("", "is of no known kind; want a name that ends with %s, %s", csvfile.Extensions, samples.Extensions)
	}
	c, err := samples.ReadColumns(path, names...)
	if err != nil {
		return nil, err
	}
	t.rows, t.all = c.Rows, c.All
	for i := range c.Found {
		t.found[c.Found[i].Name] = &c.Found[i]
	}
	return t, nil
}

// readText reads a text file with a header row. All its columns are text.
func (t *table) readText(names []string) error {
	rows, err := csvfile.Open(t.path)
	if err != nil {
		return err
	}
	defer rows.Close()
	return t.parseText(rows, names)
}

func (t *table) parseText(rows *csvfile.Rows, names []string) error {
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return t.bad("", "is empty, want a row of column names")
	}
	var wanted []*samples.Column // by column of the file
	for _, name := range rows.Record() {
		if slices.Contains(t.all, name) {
			return t.bad(name, "stands twice in the file")
		}
		t.all = append(t.all, name)
		var c *samples.Column
		if slices.Contains(names, name) {
			c = &samples.Column{Name: name, Texts: []string{}}
			t.found[name] = c
		}
		wanted = append(wanted, c)
	}
	for rows.Next() {
		if t.rows == math.MaxInt32 {
			return t.bad("", "has more than %d rows", math.MaxInt32)
		}
		t.lines = append(t.lines, int32(rows.Line()))
		t.rows++
		for i, c := range wanted {
			if c != nil {
				c.Texts = append(c.Texts, rows.Record()[i])
			}
		}
	}
	return rows.Err()
}

// drop takes out the row of a name, if there is one.
func (t *table) drop(name string) {
	c := t.found["name"]
	if c == nil || !slices.Contains(c.Texts, name) {
		return
	}
	row := slices.Index(c.Texts, name)
	for _, c := range t.found {
		c.Ints, c.Floats, c.Texts = without(c.Ints, row), without(c.Floats, row), without(c.Texts, row)
	}
	t.lines, t.taken = without(t.lines, row), row+1
	t.rows--
}

// without takes a row out of a column, which is nil if the table has none of its type.
func without[T any](column []T, row int) []T {
	if column == nil {
		return nil
	}
	return slices.Delete(column, row, row+1)
}

// row returns the place in the file of a row of the table.
func (t *table) row(row int) int {
	if t.taken > 0 && row >= t.taken-1 {
		return row + 1
	}
	return row
}

// bad returns an error about the file, or about a column if it is not empty.
func (t *table) bad(column, format string, args ...any) error {
	return &CellError{Path: t.path, Row: -1, Column: column, Err: fmt.Errorf(format, args...)}
}

// badCell returns an error about one value.
func (t *table) badCell(row int, column, format string, args ...any) error {
	e := &CellError{Path: t.path, Row: t.row(row), Column: column, Err: fmt.Errorf(format, args...)}
	if t.lines != nil {
		e.Line = int(t.lines[row])
	}
	return e
}

// place names a row in a message about another.
func (t *table) place(row int) string {
	if t.lines != nil {
		return fmt.Sprintf("line %d", t.lines[row])
	}
	return fmt.Sprintf("row %d", t.row(row))
}

// need returns a column that must be there.
func (t *table) need(name, why string) (*samples.Column, error) {
	if c := t.found[name]; c != nil {
		return c, nil
	}
	return nil, t.bad("", "has no column %q%s; its columns are %s", name, why, some(t.all))
}

// unread lists the columns that were not asked for.
func (t *table) unread() (names []string) {
	for _, name := range t.all {
		if t.found[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

// numbers returns a column's values as numbers of at least low.
func (t *table) numbers(c *samples.Column, low float64) ([]float64, error) {
	values := c.Floats
	switch {
	case c.Ints != nil:
		for _, v := range c.Ints {
			values = append(values, float64(v))
		}
	case c.Texts != nil:
		values = make([]float64, 0, t.rows)
		for row, s := range c.Texts {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil || x-x != 0 || strings.ContainsAny(s, "xX_") {
				return nil, t.badCell(row, c.Name, "is %q, want a finite number%s", s, atLeast(low))
			}
			values = append(values, x)
		}
	}
	for row, x := range values {
		if x < low {
			return nil, t.badCell(row, c.Name, "is %v, want a finite number%s", x, atLeast(low))
		}
	}
	return values, nil
}

func atLeast(low float64) string {
	if math.IsInf(low, -1) {
		return ""
	}
	return fmt.Sprintf(" of at least %v", low)
}

// either names one of several columns in a message.
func either(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, " or ")
}

// some joins the first few of many names for a message.
func some(names []string) string {
	const most = 12
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n)
	}
	return strings.Join(names, ", ")
}
