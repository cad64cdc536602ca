package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"graphda/io/plain"
	"graphda/io/seal"
)

// A File is a sealed table that is read in groups of rows, so that its reader holds no
// more of it than it needs. It may be read by several goroutines at once.
type File struct {
	parts  []*part
	starts []int // first rows of the groups, and the end of the last
	of     []int // the part of each group
}

// A part is one of a table's files. All but the first are opened when they are first read.
type part struct {
	path   string
	digest string
	spans  map[string][2]int64 // of columns of integers
	first  int                 // its first group

	mutex  sync.Mutex
	file   *os.File
	reader *pqarrow.FileReader
	names  []string
}

// Open opens a table. Every byte of a file is checked against its seal before it is read.
func Open(path string) (*File, error) {
	main := &part{path: path}
	if err := main.open(); err != nil {
		return nil, err
	}
	f := &File{parts: []*part{main}, starts: []int{0}}
	rows := main.reader.ParquetReader()
	for group := range rows.NumRowGroups() {
		f.add(0, int(rows.RowGroup(group).NumRows()))
	}
	if err := f.addOthers(rows); err != nil {
		main.file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// addOthers adds the files that the first one names.
func (f *File) addOthers(main *file.Reader) error {
	text := main.MetaData().KeyValueMetadata().FindValue(indexKey)
	if text == nil {
		return nil
	}
	var x index
	if err := json.Unmarshal([]byte(*text), &x); err != nil {
		return err
	}
	for _, other := range x.Files {
		if x.Group < 1 || other.Rows < 1 || filepath.Base(other.Name) != other.Name {
			return fmt.Errorf("%s: %q with %d rows in groups of %d", indexKey, other.Name, other.Rows, x.Group)
		}
		f.parts = append(f.parts, &part{path: filepath.Join(filepath.Dir(f.parts[0].path), other.Name), digest: other.Digest,
			spans: other.Spans, first: len(f.of)})
		for left := other.Rows; left > 0; left -= x.Group {
			f.add(len(f.parts)-1, min(left, x.Group))
		}
	}
	return nil
}

func (f *File) add(part, rows int) {
	f.of = append(f.of, part)
	f.starts = append(f.starts, f.Rows()+rows)
}

// open opens and checks a file. That of a digest must have it.
func (p *part) open() error {
	f, digest, err := seal.OpenSealed(p.path)
	if err != nil {
		return err
	}
	if p.digest != "" && digest != p.digest {
		f.Close()
		return plain.Because(seal.ErrDamaged, "%s: of another table than the files beside it", p.path)
	}
	p.file, p.digest = f, digest
	if err := p.parse(); err != nil {
		f.Close()
		p.file = nil
		return fmt.Errorf("%s: %w", p.path, err)
	}
	return nil
}

func (p *part) parse() error {
	rows, err := file.NewParquetReader(p.file)
	if err != nil {
		return err
	}
	if p.reader, err = pqarrow.NewFileReader(rows, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator); err != nil {
		return err
	}
	schema, err := p.reader.Schema()
	if err != nil {
		return err
	}
	p.names = nil
	for i := range schema.NumFields() {
		p.names = append(p.names, schema.Field(i).Name)
	}
	return nil
}

// Close closes the files.
func (f *File) Close() (err error) {
	for _, p := range f.parts {
		p.mutex.Lock()
		if p.file != nil {
			if closing := p.file.Close(); err == nil {
				err = closing
			}
			p.file = nil
		}
		p.mutex.Unlock()
	}
	return err
}

// Digest identifies the content of all files.
func (f *File) Digest() string { return f.parts[0].digest }

// Files is the number of files.
func (f *File) Files() int { return len(f.parts) }

// Groups is the number of groups of rows.
func (f *File) Groups() int { return len(f.of) }

// GroupsOf returns the first group of a file, from 0, and the first group after it.
func (f *File) GroupsOf(file int) (from, to int) {
	to = len(f.of)
	if file+1 < len(f.parts) {
		to = f.parts[file+1].first
	}
	return f.parts[file].first, to
}

// Group returns the first row of a group and the first row after it.
func (f *File) Group(group int) (from, to int) { return f.starts[group], f.starts[group+1] }

// Rows is the number of all rows.
func (f *File) Rows() int { return f.starts[len(f.starts)-1] }

// Span returns bounds of a group's values in a column of integers. For a file that is not open
// they are those of all its groups, and it stays closed.
func (f *File) Span(group int, column string) (least, greatest int64, err error) {
	if span, ok := f.parts[f.of[group]].spans[column]; ok {
		return span[0], span[1], nil
	}
	t, err := f.Read(group, column)
	if err != nil || len(t[0].Ints) == 0 {
		return 0, -1, err
	}
	return slices.Min(t[0].Ints), slices.Max(t[0].Ints), nil
}

// Read reads the columns of these names of a group, in that order; without names all of them.
func (f *File) Read(group int, columns ...string) (Table, error) {
	p := f.parts[f.of[group]]
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.file == nil {
		if err := p.open(); err != nil {
			return nil, err
		}
	}
	t, err := p.read(group-p.first, columns)
	if err == nil && len(t) > 0 && t[0].Len() != f.starts[group+1]-f.starts[group] {
		err = fmt.Errorf("group %d has %d rows, want %d", group, t[0].Len(), f.starts[group+1]-f.starts[group])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	return t, nil
}

func (p *part) read(group int, columns []string) (Table, error) {
	if groups := p.reader.ParquetReader().NumRowGroups(); group >= groups {
		return nil, fmt.Errorf("%d groups of rows, want more", groups)
	}
	if len(columns) == 0 {
		columns = p.names
	}
	t, indices := make(Table, len(columns)), make([]int, len(columns))
	for i, name := range columns {
		t[i].Name, indices[i] = name, slices.Index(p.names, name)
		if indices[i] < 0 {
			return nil, fmt.Errorf("no column %q, only %q", name, p.names)
		}
	}
	at, err := p.reader.ReadRowGroups(context.Background(), indices, []int{group})
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
		c.appendStrings(a)
	case *array.Int64:
		c.Ints = append(c.Ints, a.Int64Values()...)
	case *array.Float64:
		c.Floats = slices.Grow(c.Floats, a.Len())
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
