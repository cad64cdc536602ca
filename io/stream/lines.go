package stream

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"graphda/io/dataframe"
	"graphda/io/message"
)

// ignored is the role of a column that is neither a feature nor the label. A feature's role is its index, and that of
// the label their number.
const ignored = -1

const longestLine = 1 << 26

// Options say what is read of a stream.
type Options struct {
	Path     string   // what the stream is called in errors
	Features []string // columns, which differ, in the order of a sample's values
	Label    string   // column
}

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
			return nil, &dataframe.Error{Column: name, Err: fmt.Errorf("stands twice in the stream")}
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
		return fmt.Errorf("has no label %q; %w", o.Label, &dataframe.NoColumn{Name: o.Label, Columns: names})
	}
	if slices.ContainsFunc(o.Features, func(name string) bool { return !found(name) }) {
		missing := slices.DeleteFunc(slices.Clone(o.Features), found)
		return fmt.Errorf("lacks %d of %s: %s; its columns are %s", len(missing), message.Count(len(o.Features), "feature"),
			dataframe.Some(missing), dataframe.Some(names))
	}
	return nil
}

// A lineReader reads lines of any length.
type lineReader struct {
	in   *bufio.Reader
	long []byte
	n    int  // lines read
	torn bool // the last of them has no end
}

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
				return nil, &dataframe.Error{Row: dataframe.Line(l.n + 1), Err: fmt.Errorf("is longer than %d bytes", longestLine)}
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

func (l *lineReader) row() dataframe.Row { return dataframe.Line(l.n) }

// bad is an Error about a column of the line that was read last.
func (l *lineReader) bad(column, format string, args ...any) error {
	return &dataframe.Error{Row: l.row(), Column: column, Err: fmt.Errorf(format, args...)}
}

// A readError is one of the reader below, and about no content.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
