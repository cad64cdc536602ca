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

	mutex sync.Mutex
	file  *columnar.Groups // nil if it is not open
}

// Open opens a table. Every byte of a file is checked against its seal before it is read.
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

// addOthers adds the files that the first one names in its index, "" if there are none.
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

// open opens and checks a file. That of a digest must have it.
func (p *part) open() error {
	f, err := columnar.OpenGroups(p.path)
	if err != nil {
		return err
	}
	if p.digest != "" && f.Digest != p.digest {
		f.Close()
		return message.Because(seal.ErrDamaged, "%s: of another table than the files beside it", p.path)
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
	return f.ReadInto(nil, group, columns...)
}

// ReadInto is Read into the memory of a table of the same columns that nobody uses any more: of strings, which may be
// kept, into the memory for their list.
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

// EachString visits the values of a column of strings in a group, with their rows in it, and copies
// none: a value is not to be kept.
func (f *File) EachString(group int, column string, visit func(row int, value []byte) error) error {
	return f.use(group, func(file *columnar.Groups, at int) error { return file.EachText(at, column, visit) })
}

// use opens the file of a group, if it is not open, and reads of it; at is the group's place there.
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

// read reads a column of a group. Numbers that are null are NaN.
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
