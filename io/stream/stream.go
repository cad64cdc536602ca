package stream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"graphda/io/arrowfile"
	"graphda/io/columnar"
	"graphda/io/plain"
	"graphda/io/tabular"
)

// Options say what is read of a stream.
type Options struct {
	Path     string   // what the stream is called in errors
	Features []string // columns, which differ, in the order of a sample's values
	Label    string   // column
}

// Samples reads samples one by one. Not safe for concurrent use.
type Samples struct {
	options Options
	source  source
}

// A source is a stream of some kind.
type source interface {
	// next reads the next sample's values into x and returns its label; io.EOF says that there is none. An
	// error may lack its path.
	next(x []float64) (label string, err error)
	row() tabular.Row // of the sample that was read last
}

// New begins to read a stream; it waits for what tells its kind, and for the names of its columns. An empty
// stream is an error.
func New(in io.Reader, o Options) (*Samples, error) {
	b := bufio.NewReaderSize(in, 1<<18)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	s := &Samples{options: o}
	switch {
	case len(head) == 0:
		err = fmt.Errorf("has nothing in it, want samples")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")),
		len(head) == 4 && (head[0] == 0) != (head[1] == 0) && head[0] == 0 == (head[2] == 0):
		err = fmt.Errorf("is text in UTF-16, want UTF-8: iconv -f UTF-16 -t UTF-8")
	case string(head) == "PAR1":
		err = fmt.Errorf("is a Parquet file, want CSV, NDJSON or an Arrow stream")
	case string(head) == "ARRO":
		err = fmt.Errorf("is an Arrow file, want CSV, NDJSON or an Arrow stream")
	case arrowfile.IsStream(head) && len(head) == 4:
		of := &batches{options: o}
		of.in, err = columnar.NewBatches(o.Path, b)
		s.source = of
	case bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")):
		s.source = &objects{lineReader: lineReader{in: b}, options: o, places: o.places(),
			seen: make([]int, len(o.Features)+1)}
		err = nil
	default:
		s.source, err = newFields(b, o)
	}
	if err != nil {
		return nil, s.located(err)
	}
	return s, nil
}

// Next reads the next sample's values into x, which has a place for each feature, and returns its label;
// io.EOF says that there are no more, an *Unfinished that the last one is not whole. After an error x is of no use.
func (s *Samples) Next(x []float64) (label string, err error) {
	label, err = s.source.next(x)
	if err != nil && err != io.EOF {
		err = s.located(err)
	}
	return label, err
}

// BadLabel returns an Error about the label of the sample that was read last.
func (s *Samples) BadLabel(format string, args ...any) error {
	return &tabular.Error{Path: s.options.Path, Row: s.source.row(), Column: s.options.Label,
		Err: fmt.Errorf(format, args...)}
}

// located puts the stream's name into an error that is about its content.
func (s *Samples) located(err error) error {
	switch e := err.(type) {
	case *tabular.Error:
		e.Path = s.options.Path
		return e
	case *Unfinished:
		e.Path = s.options.Path
		return e
	case *readError:
		return e.err
	}
	return &tabular.Error{Path: s.options.Path, Err: err}
}

// A readError is one of the reader below, and about no content.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }

// ignored is the role of a column that is neither a feature nor the label. A feature's role is its index, and that of
// the label their number.
const ignored = -1

// roles returns what each column is. All that is wanted must be there, and once.
func (o *Options) roles(names []string) ([]int, error) {
	places := o.places()
	roles, found := make([]int, len(names)), make(map[string]bool, len(places))
	for i, name := range names {
		role, wanted := places[name]
		if !wanted {
			roles[i] = ignored
			continue
		}
		if found[name] {
			return nil, &tabular.Error{Column: name, Err: fmt.Errorf("stands twice in the stream")}
		}
		roles[i], found[name] = role, true
	}
	return roles, o.lack(func(name string) bool { return found[name] }, names)
}

// places returns the roles of what is wanted by name.
func (o *Options) places() map[string]int {
	places := make(map[string]int, len(o.Features)+1)
	for j, name := range o.Features {
		places[name] = j
	}
	places[o.Label] = len(o.Features)
	return places
}

// lack is an error if something is not found among names.
func (o *Options) lack(found func(name string) bool, names []string) error {
	if !found(o.Label) {
		return fmt.Errorf("has no label %q; its columns are %s", o.Label, tabular.Some(names))
	}
	if slices.ContainsFunc(o.Features, func(name string) bool { return !found(name) }) {
		missing := slices.DeleteFunc(slices.Clone(o.Features), found)
		return fmt.Errorf("lacks %d of %s: %s; its columns are %s", len(missing), plain.Count(len(o.Features), "feature"),
			tabular.Some(missing), tabular.Some(names))
	}
	return nil
}

// canonical returns a label as it is called whatever the kind of stream: 1 and 1.0 are one.
func canonical(text string) string {
	text = strings.Clone(strings.TrimSpace(text))
	if x, err := tabular.Number(text); err == nil {
		return tabular.FormatNumber(x)
	}
	return text
}

// A lineReader reads lines of any length.
type lineReader struct {
	in   *bufio.Reader
	long []byte
	n    int  // lines read
	torn bool // the last of them has no end
}

const longestLine = 1 << 26

// next returns the next line that is not blank, without its end, valid until the next call; io.EOF says that there is
// none.
func (l *lineReader) next() (line []byte, err error) {
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = l.line()
	}
	return line, err
}

// line returns the next line, blank or not.
func (l *lineReader) line() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			if l.long = append(l.long, part...); len(l.long) > longestLine {
				return nil, &tabular.Error{Row: tabular.Line(l.n + 1), Err: fmt.Errorf("is longer than %d bytes", longestLine)}
			}
			continue
		}
		line := part
		if len(l.long) > 0 {
			l.long = append(l.long, part...)
			line = l.long
		}
		if err != nil && (err != io.EOF || len(line) == 0) {
			if err != io.EOF {
				err = &readError{err}
			}
			return nil, err
		}
		l.n++
		l.torn = err == io.EOF
		return bytes.TrimRight(line, "\r\n"), nil
	}
}

// An Unfinished is the end of a stream within a line: what stands there may be the beginning of a value.
type Unfinished struct {
	Path string
	Line int // where the sample begins
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("%s ends inside line %d; it is learned when its line end comes", e.Path, e.Line)
}

func (l *lineReader) row() tabular.Row { return tabular.Line(l.n) }

// bad is an Error about a column of the line that was read last.
func (l *lineReader) bad(column, format string, args ...any) error {
	return &tabular.Error{Row: l.row(), Column: column, Err: fmt.Errorf(format, args...)}
}

// Follow reads a file that is still growing: at its end it waits for more. It ends with the error of the
// context, and with an error if the file becomes shorter, or its name is that of another one or of none.
func Follow(ctx context.Context, f *os.File) io.Reader { return &follower{ctx: ctx, file: f} }

// look is how often a follower looks for more.
const look = 100 * time.Millisecond

type follower struct {
	ctx  context.Context
	file *os.File
	at   int64
}

func (f *follower) Read(p []byte) (int, error) {
	for {
		n, err := f.file.Read(p)
		f.at += int64(n)
		if n > 0 || err != io.EOF {
			return n, err
		}
		info, err := f.file.Stat()
		if err == nil && info.Size() < f.at {
			return 0, fmt.Errorf("%s: has become shorter while it was read", f.file.Name())
		}
		there, gone := os.Stat(f.file.Name())
		if errors.Is(gone, fs.ErrNotExist) || err == nil && gone == nil && !os.SameFile(info, there) {
			return 0, fmt.Errorf("%s: was renamed, removed or replaced while it was followed", f.file.Name())
		}
		select {
		case <-f.ctx.Done():
			return 0, f.ctx.Err()
		case <-time.After(look):
		}
	}
}
