// Package columnar reads Parquet and Arrow IPC files, column by column. The files may come from
// other programs. If a file has a checksum, the package verifies it first.
//
// The datasets, plans and models of this project are Parquet or Arrow files. The typical steps are:
//
//  1. Call Read with the path and a function. Read checks the seal, and passes a File to the function.
//  2. Find a column by its name with File.Need, or with File.Want if the column must have a certain kind.
//  3. Read the whole column with File.AllFloats or File.AllTexts. For large columns and for columns of lists, use
//     File.Floats, File.Ints or File.Texts, which visit the values in file order.
//  4. Report a bad value with AtRow. The error then names the file, the column and the row.
//
// Two kinds of input are read piece by piece. OpenGroups reads a sealed Parquet file one row group at a time.
// NewBatches reads an Arrow stream while it arrives.
//
// The main types are:
//
//   - File is an open file: its columns, its number of rows and its metadata.
//   - Column is a top-level column. Its Kind says whether its values can be read as integers, numbers or texts.
//   - Groups and Batches are files and streams that are read piece by piece. Each piece is a File.
//
// Package dataframe reads Parquet and Arrow only in a program that imports this package: an init function registers
// both formats.
//
// # What is accepted
//
// A column of numbers may have any numeric type. An integer that the requested type cannot represent exactly is an
// error. Columns of decimals, strings, dictionaries, and lists of all these are read too. Nulls are refused, except in
// a column from Column.Nullable or Column.OrNaN. Errors have the types of package dataframe.
//
// # Damaged files
//
// Read loads the file into memory and checks the seal before it parses a byte. A file from another program has no seal,
// so it is parsed defensively. Pages and lengths are checked before the Arrow library sees them, and a panic of the
// library becomes an error. The file's size limits the number of columns, rows and values, so a few damaged bytes
// cannot demand all memory. The nesting of columns is limited too. A stream must end with its end mark. Without a seal,
// damage to plain values goes unnoticed.
//
// # Tests
//
// The tests are in package samples, which reads all its files with this package. The interoperability test in cmd/gdrun
// and the tests in cmd/internal/torture use gdrun and gdmerge.
package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowio"
	"graphda/io/dataframe"
	"graphda/io/seal"
)

// A Kind says how the values of a column can be read.
type Kind uint8

const (
	Other   Kind = iota // neither numbers, texts nor times
	Integer             // integers; also readable as numbers
	Number              // floats and decimals
	Text
	Boolean // also readable as the numbers 1 and 0, and as the texts "true" and "false"
	Time    // dates and times; also readable as integers, in units of Column.tick since 1970
)

// A Column is a top-level column of a file in either format.
type Column struct {
	Name string
	Type string // name of the type in the file's format, for messages
	Kind Kind   // for a list, the kind of its elements
	List bool
	at   int           // the column's index in the source of its file
	tick time.Duration // unit of the times, in a column of times

	// If null is nil, a missing value is an error. Otherwise null is called with the row of each missing value, and the
	// value becomes 0 or "". Lists may never have missing values.
	null  func(row int)
	blank any // replaces a missing value of a Parquet file; nil means 0 or ""
}

// A source decodes the columns of one file and visits each row once (see File.Floats). For a null, or a value that the
// requested type cannot represent, it returns an error from AtRow.
type source interface {
	floats(c *Column, visit func(row int, values []float64) error) error
	ints(c *Column, visit func(row int, values []int64) error) error
	texts(c *Column, visit func(row int, values []string) error) error
	release()
}

// A File is an open file. Its errors name the file, the column and the row.
type File struct {
	Path     string
	Rows     int
	Size     int // in bytes
	Columns  []Column
	Metadata map[string]string
	source
}

type format struct {
	extensions []string
	open       func(data []byte, mem memory.Allocator) (*File, error)
}

var formats = []format{
	{[]string{".parquet"}, openParquet},
	{[]string{".arrow", ".feather", ".ipc", ".arrows"}, openIPC},
}

func init() {
	for _, f := range formats {
		dataframe.Register(dataframe.Format{Extensions: f.extensions, Open: openColumns})
	}
}

// Extensions returns the file name extensions of all formats.
func Extensions() (all []string) {
	for _, f := range formats {
		all = append(all, f.extensions...)
	}
	return all
}

// Read reads the file at path, checks its seal, calls use with the file, and returns the file's digest. It refuses a
// file in which two columns have the same name.
func Read(path string, use func(*File) error) (digest string, err error) {
	t, digest, err := Open(path)
	if err != nil {
		return "", err
	}
	defer t.Release()
	return digest, use(t)
}

// Open is like Read, but the file stays open until Release.
func Open(path string) (t *File, digest string, err error) {
	if t, digest, err = open(path); err != nil {
		return nil, "", err
	}
	seen := make(map[string]bool, len(t.Columns))
	for _, c := range t.Columns {
		if seen[c.Name] {
			t.Release()
			return nil, "", t.Bad(c.Name, "occurs twice in the file; rename or remove one of the two columns")
		}
		seen[c.Name] = true
	}
	return t, digest, nil
}

// A Reader is a function like Read.
type Reader func(path string, use func(*File) error) (digest string, err error)

// Hold returns a Reader that keeps one file in memory, with its columns of lists: the first file of at most `most`
// bytes. It reads all other files like Read. It is not safe for concurrent use.
func Hold(most int) Reader {
	var f *File
	var digest string
	return func(path string, use func(*File) error) (string, error) {
		if f != nil && f.Path == path {
			return digest, use(f)
		}
		read, sum, err := Open(path)
		if err != nil {
			return "", err
		}
		if f != nil || read.Size > most {
			defer read.Release()
			return sum, use(read)
		}
		read.source = &held{read.source, map[int][][]float64{}}
		f, digest = read, sum
		return digest, use(f)
	}
}

// open reads a file. Columns may have equal names.
func open(path string) (t *File, digest string, err error) {
	f, err := seal.Read(path)
	if err != nil {
		return nil, "", err
	}
	if t, err = Parse(path, f.Data); err != nil {
		return nil, "", err
	}
	if _, ok := t.Metadata[seal.Key]; ok && !f.Sealed {
		t.Release()
		return nil, "", fmt.Errorf("%s: %w", path, seal.ErrDamaged)
	}
	return t, f.Digest, nil
}

// Parse parses data, the content of the Parquet or Arrow file at path. The path's extension decides the format.
func Parse(path string, data []byte) (t *File, err error) {
	err = reading(func() error {
		if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
			return errors.New("is compressed with gzip, which is not supported for files of this kind; unpack it")
		}
		for _, f := range formats {
			if slices.Contains(f.extensions, strings.ToLower(filepath.Ext(path))) {
				t, err = f.open(data, arrowio.Bounded(len(data)))
				return err
			}
		}
		return fmt.Errorf("is of an unknown kind; want a name that ends with %s", strings.Join(Extensions(), ", "))
	})
	if err != nil {
		return nil, Locate(err, path, "")
	}
	t.Path, t.Size = path, len(data)
	return t, nil
}

// Release releases the file's memory.
func (t *File) Release() { t.release() }

// Bad returns an error about the file or, if column is not empty, about the column.
func (t *File) Bad(column, format string, args ...any) error {
	return &dataframe.Error{Path: t.Path, Column: column, Err: fmt.Errorf(format, args...)}
}

// Names returns the names of the columns.
func (t *File) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Find returns the named column, or nil.
func (t *File) Find(name string) *Column {
	if i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name }); i >= 0 {
		return &t.Columns[i]
	}
	return nil
}

// Need is like Find but returns an error if there is no such column.
func (t *File) Need(name string) (*Column, error) {
	if c := t.Find(name); c != nil {
		return c, nil
	}
	if len(t.Columns) == 0 {
		return nil, t.Bad("", "has no column %q and no other columns", name)
	}
	return nil, t.Bad("", "has no column %q; %w", name, &dataframe.NoColumn{Name: name, Columns: t.Names()})
}

// WrongType returns an error about a column's type.
func (t *File) WrongType(c *Column, want string) error {
	return t.Bad(c.Name, "has type %s, want %s", c.Type, want)
}

// Want returns the column with the name, Kind and List of the given column. A Number column may hold integers. text
// describes this type in the error.
func (t *File) Want(like Column, text string) (*Column, error) {
	c, err := t.Need(like.Name)
	if err != nil {
		return nil, err
	}
	if c.List != like.List || c.Kind != like.Kind && !(like.Kind == Number && c.IsNumeric()) {
		return nil, t.WrongType(c, text)
	}
	return c, nil
}

// Distinct returns the texts of a column and the row of each text. Two equal texts are an error.
func (t *File) Distinct(name string) (texts []string, rows map[string]int32, err error) {
	c, err := t.Want(Column{Name: name, Kind: Text}, "text")
	if err == nil {
		texts, err = t.AllTexts(c)
	}
	if err != nil {
		return nil, nil, err
	}
	rows = make(map[string]int32, len(texts))
	for row, text := range texts {
		if first, again := rows[text]; again {
			return nil, nil, Locate(AtRow(row, "is %q, but row %d has the same value; want different "+
				"values", text, first), t.Path, name)
		}
		rows[text] = int32(row)
	}
	return texts, rows, nil
}

// IsNumeric reports whether a column can be read as numbers.
func (c *Column) IsNumeric() bool { return c.Kind == Number || c.Kind == Integer || c.Kind == Boolean }

// Floats calls visit with consecutive values of a column, in file order. For a column of lists, each call gets the
// elements of one row. For other columns, each call gets the values of consecutive rows, beginning with the given row.
// visit must not keep the slice. Floats adds the file and the column to an error from AtRow.
func (t *File) Floats(c *Column, visit func(row int, values []float64) error) error {
	return read(t, c, t.source.floats, visit)
}

// held is a source that keeps columns of lists in memory. The map's keys are Column.at.
type held struct {
	source
	lists map[int][][]float64
}

func (h *held) floats(c *Column, visit func(row int, values []float64) error) error {
	if !c.List {
		return h.source.floats(c, visit)
	}
	rows, ok := h.lists[c.at]
	if !ok {
		err := h.source.floats(c, func(_ int, values []float64) error {
			rows = append(rows, slices.Clone(values))
			return nil
		})
		if err != nil {
			return err
		}
		h.lists[c.at] = rows
	}
	for row, values := range rows {
		if err := visit(row, values); err != nil {
			return err
		}
	}
	return nil
}

// Ints is like Floats for integers.
func (t *File) Ints(c *Column, visit func(row int, values []int64) error) error {
	return read(t, c, t.source.ints, visit)
}

// Texts is like Floats for texts.
func (t *File) Texts(c *Column, visit func(row int, values []string) error) error {
	return read(t, c, t.source.texts, visit)
}

// read runs a method of a source and checks that the method visits every row once.
func read[T any](t *File, c *Column, method func(*Column, func(int, []T) error) error,
	visit func(int, []T) error) error {
	next := 0
	err := reading(func() error {
		return method(c, func(row int, values []T) error {
			rows := 1
			if !c.List {
				rows = len(values)
			}
			if row != next || rows > t.Rows-row {
				return damaged("it has more rows than the file, which has %d", t.Rows)
			}
			next += rows
			return visit(row, values)
		})
	})
	if err == nil && next != t.Rows {
		err = damaged("it has %d rows, but the file has %d", next, t.Rows)
	}
	return Locate(err, t.Path, c.Name)
}

// Nullable returns a copy of the column that allows missing values. Reading calls null with the row of each missing
// value.
func (c *Column) Nullable(null func(row int)) *Column {
	nullable := *c
	nullable.null = null
	return &nullable
}

// OrNaN returns a copy of a Parquet column in which missing numbers are read as NaN.
func (c *Column) OrNaN() *Column {
	n := *c
	n.blank = math.NaN()
	return &n
}

// All collects the values of a column. visit is one of the methods Floats, Ints and Texts of a File. All reuses the
// memory of list.
func All[T any](list []T, c *Column, visit func(*Column, func(int, []T) error) error) ([]T, error) {
	list = list[:0]
	err := visit(c, func(_ int, values []T) error {
		list = append(list, values...)
		return nil
	})
	return list, err
}

// AllFloats returns the values of a column that is not a list. The values must be finite.
func (t *File) AllFloats(c *Column) ([]float64, error) {
	var all []float64
	err := t.Floats(c, func(row int, values []float64) error {
		all = append(all, values...)
		return Finite(row, values)
	})
	return all, err
}

// OptionalFloats returns all values of a column of numbers, or nil if there is no such column.
func (t *File) OptionalFloats(name string) ([]float64, error) {
	if t.Find(name) == nil {
		return nil, nil
	}
	c, err := t.Want(Column{Name: name, Kind: Number}, "a number")
	if err != nil {
		return nil, err
	}
	return t.AllFloats(c)
}

// FloatsThat is like OptionalFloats, but checks each value with ok. In the error, want describes the allowed values.
func (t *File) FloatsThat(name string, ok func(v float64) bool, want string) ([]float64, error) {
	values, err := t.OptionalFloats(name)
	for row, v := range values {
		if err == nil && !ok(v) {
			err = Locate(AtRow(row, "is %v, want %s", v, want), t.Path, name)
		}
	}
	return values, err
}

// AllTexts returns the values of a column that is not a list.
func (t *File) AllTexts(c *Column) ([]string, error) { return All(nil, c, t.Texts) }

// Finite returns an error if one of the values is NaN or infinite. row is the row of the first value.
func Finite(row int, values []float64) error {
	for i, v := range values {
		if v-v != 0 {
			return AtRow(row+i, "is %v, want a finite number", v)
		}
	}
	return nil
}

// AtRow returns a dataframe.Error about a row. Locate fills in the file and the column later.
func AtRow(row int, format string, args ...any) error {
	return &dataframe.Error{Row: dataframe.Index(row), Err: fmt.Errorf(format, args...)}
}

// Locate adds the file and the column to err, as a dataframe.Error, unless err names them already.
func Locate(err error, path, column string) error {
	if err == nil {
		return nil
	}
	var e *dataframe.Error
	if !errors.As(err, &e) {
		e = &dataframe.Error{Err: err}
	}
	if e.Path == "" {
		e.Path = path
	}
	if e.Column == "" {
		e.Column = column
	}
	return e
}

const (
	manyValues  = 1 << 24
	valuesAByte = 256 // values per byte of a file; enough for a matrix with one nonzero value in a thousand
)

// CheckCount returns an error if n, a number of rows or of values in all columns, is too large for a file of size
// bytes. The formats themselves allow any count, because equal values take little space.
func CheckCount(what string, n int64, size int) error {
	if most := manyValues + valuesAByte*int64(size); n > most {
		return fmt.Errorf("has %d %s in %d bytes, want at most %d in a file of its size", n, what, size, most)
	}
	return nil
}

// reading calls f and turns a panic into an error, because Arrow panics on many faults in files.
func reading(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			reason, _, _ := strings.Cut(fmt.Sprint(r), "\n")
			err = damaged("%s", reason)
		}
	}()
	return f()
}

// damaged returns an error about a damaged file. The message does not say how the library failed.
func damaged(format string, args ...any) error {
	const what = "cannot be read; the file is damaged, or of another kind than its name says"
	why := fmt.Errorf(format, args...)
	if strings.Contains(why.Error(), "runtime error: ") {
		return errors.New(what)
	}
	return fmt.Errorf(what+": %w", why)
}
