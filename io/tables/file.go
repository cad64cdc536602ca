package tables

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/io/seal"
)

// A File is a sealed table that is read in groups of rows, so that its reader holds no
// more of it than it needs.
type File struct {
	path   string
	digest string
	file   *os.File
	rows   *file.Reader
	reader *pqarrow.FileReader
	names  []string
	starts []int // of the groups, and the end of the last
}

// Open opens a table. Every byte of the file is checked against its seal first.
func Open(path string) (*File, error) {
	f, digest, err := seal.OpenSealed(path)
	if err != nil {
		return nil, err
	}
	t := &File{path: path, digest: digest, file: f}
	if err := t.open(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func (f *File) open() (err error) {
	if f.rows, err = file.NewParquetReader(f.file); err != nil {
		return err
	}
	if f.reader, err = pqarrow.NewFileReader(f.rows, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator); err != nil {
		return err
	}
	schema, err := f.reader.Schema()
	if err != nil {
		return err
	}
	for i := range schema.NumFields() {
		f.names = append(f.names, schema.Field(i).Name)
	}
	f.starts = []int{0}
	for group := range f.rows.NumRowGroups() {
		f.starts = append(f.starts, f.starts[group]+int(f.rows.RowGroup(group).NumRows()))
	}
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.rows.Close() }

// Digest identifies the content.
func (f *File) Digest() string { return f.digest }

// Groups is the number of groups of rows.
func (f *File) Groups() int { return len(f.starts) - 1 }

// Group returns the first row of a group and the first row after it.
func (f *File) Group(group int) (from, to int) { return f.starts[group], f.starts[group+1] }

// Rows is the number of all rows.
func (f *File) Rows() int { return f.starts[len(f.starts)-1] }

// Read reads the columns of these names of a group, in that order; without names all of them.
func (f *File) Read(group int, columns ...string) (Table, error) {
	t, err := f.read(group, columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return t, nil
}

func (f *File) read(group int, columns []string) (Table, error) {
	if len(columns) == 0 {
		columns = f.names
	}
	t, indices := make(Table, len(columns)), make([]int, len(columns))
	for i, name := range columns {
		t[i].Name, indices[i] = name, slices.Index(f.names, name)
		if indices[i] < 0 {
			return nil, fmt.Errorf("no column %q, only %q", name, f.names)
		}
	}
	at, err := f.reader.ReadRowGroups(context.Background(), indices, []int{group})
	if err != nil {
		return nil, err
	}
	defer at.Release()
	for i := range t {
		for _, chunk := range at.Column(i).Data().Chunks() {
			if err := t[i].appendChunk(chunk); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// appendChunk copies values, so that nothing keeps Arrow's memory alive.
func (c *Column) appendChunk(chunk arrow.Array) error {
	switch a := chunk.(type) {
	case *array.String:
		for i := range a.Len() {
			c.Strings = append(c.Strings, clone(c.Strings, a.Value(i)))
		}
	case *array.Int64:
		c.Ints = append(c.Ints, a.Int64Values()...)
	case *array.Float64:
		for i := range a.Len() {
			v := a.Value(i)
			if a.IsNull(i) {
				v = nan
			}
			c.Floats = append(c.Floats, v)
		}
	default:
		return fmt.Errorf("column %q is %v, want strings, int64 or float64", c.Name, chunk.DataType())
	}
	return nil
}
