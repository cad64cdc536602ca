package planfile

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"graphda/io/columnar"
	"graphda/io/message"
	"graphda/io/seal"
)

// A File is a sealed table that is read one row group at a time, to save memory. It is safe for concurrent use.
type File struct {
	parts  []*part
	starts []int // first row of each group, followed by the number of all rows
	of     []int // for each group: the index of its file in parts
}

// A part is one of the files of a table. Only the first file is open from the beginning.
type part struct {
	path   string
	digest string
	spans  map[string][2]int64 // least and greatest value of each column of integers
	first  int                 // index of the part's first group

	mutex sync.Mutex
	file  *columnar.Groups // nil if not open
}

// Open opens a table. Each file's seal is verified before the file is read.
func Open(path string) (*File, error) {
	main := &part{path: path}
	if err := main.open(); err != nil {
		return nil, err
	}
	f := &File{parts: []*part{main}, starts: []int{0}}
	for group := range main.file.Groups() {
		f.add(0, main.file.Rows(group))
	}
	if err := f.addOthers(main.file.Metadata(indexKey)); err != nil {
		main.file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// addOthers adds the files that the index in the first file lists.
func (f *File) addOthers(text string) error {
	if text == "" {
		return nil
	}
	var x index
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		return err
	}
	for _, other := range x.Files {
		if x.Group < 1 || other.Rows < 1 || other.Rows/x.Group > 1<<20 || filepath.Base(other.Name) != other.Name {
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

// open opens and checks a file. If p has a digest, the file must have the same digest.
func (p *part) open() error {
	f, err := columnar.OpenGroups(p.path)
	if err != nil {
		return err
	}
	if p.digest != "" && f.Digest != p.digest {
		f.Close()
		return message.Because(seal.ErrDamaged, "%s: belongs to another table than the files beside it", p.path)
	}
	p.file, p.digest = f, f.Digest
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

// Digest returns a digest that identifies the content of all files.
func (f *File) Digest() string { return f.parts[0].digest }

// Files returns the number of files.
func (f *File) Files() int { return len(f.parts) }

// Groups returns the number of groups of rows.
func (f *File) Groups() int { return len(f.of) }

// GroupsOf returns the first group of a file and the first group after this file. Files are counted from 0.
func (f *File) GroupsOf(file int) (from, to int) {
	to = len(f.of)
	if file+1 < len(f.parts) {
		to = f.parts[file+1].first
	}
	return f.parts[file].first, to
}

// Group returns the first row of a group and the first row after it.
func (f *File) Group(group int) (from, to int) { return f.starts[group], f.starts[group+1] }

// Rows returns the number of all rows.
func (f *File) Rows() int { return f.starts[len(f.starts)-1] }

// Span returns bounds of a group's values in a column of integers. If the group's file is not open, it returns bounds
// of the whole file.
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

// Read reads the named columns of a group in the given order. Without names, it reads all columns.
func (f *File) Read(group int, columns ...string) (Table, error) {
	return f.ReadInto(nil, group, columns...)
}

// ReadInto is like Read, but it reuses the memory of t. If t is not nil, it must have the requested columns. The caller
// may keep the strings.
func (f *File) ReadInto(t Table, group int, columns ...string) (Table, error) {
	err := f.use(group, func(file *columnar.Groups, at int) error {
		g, err := file.Group(at)
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			columns = g.Names()
		}
		t = slices.Grow(t[:0], len(columns))[:len(columns)]
		for i, name := range columns {
			if err := t[i].read(g, name); err != nil {
				return err
			}
		}
		return nil
	})
	return t, err
}

// EachString visits the values of a column of strings in a group. Rows are counted within the group. visit must not
// keep the values.
func (f *File) EachString(group int, column string, visit func(row int, value []byte) error) error {
	return f.use(group, func(file *columnar.Groups, at int) error { return file.EachText(at, column, visit) })
}

// use opens the file of a group, unless it is open. It calls read with the file and the group's index in this file.
func (f *File) use(group int, read func(file *columnar.Groups, at int) error) error {
	p := f.parts[f.of[group]]
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.file == nil {
		if err := p.open(); err != nil {
			return err
		}
	}
	at := group - p.first
	if n := f.starts[group+1] - f.starts[group]; at < p.file.Groups() && p.file.Rows(at) != n {
		return fmt.Errorf("%s: group %d has %d rows, want %d", p.path, at, p.file.Rows(at), n)
	}
	return read(p.file, at)
}

// read reads a column of a group. Null numbers become NaN.
func (c *Column) read(g *columnar.File, name string) (err error) {
	in, err := g.Need(name)
	if err != nil {
		return err
	}
	c.Name = name
	switch in.Kind {
	case columnar.Text:
		c.Strings, err = columnar.All(c.Strings, in, g.Texts)
	case columnar.Integer:
		c.Ints, err = columnar.All(c.Ints, in, g.Ints)
	case columnar.Number:
		c.Floats, err = columnar.All(c.Floats, in.OrNaN(), g.Floats)
	default:
		return g.WrongType(in, "strings, integers or floats")
	}
	return err
}
