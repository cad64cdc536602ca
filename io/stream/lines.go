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

// The role of a feature's column is the feature's index. The role of the label's column is the number of features.
// ignored is the role of all other columns.
const ignored = -1

const longestLine = 1 << 26

// Options say what to read from a stream.
type Options struct {
	Path     string   // name in errors
	Features []string // columns of features, all different, in the order of x in Samples.Next
	Label    string   // column of labels
}

// roles returns the role of each column. Each wanted column must occur exactly once.
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
			return nil, &dataframe.Error{Column: name, Err: fmt.Errorf("occurs twice in the stream; rename or remove one of " +
				"the two columns")}
		}
		roles[i], found[name] = role, true
	}
	return roles, o.lack(func(name string) bool { return found[name] }, names)
}

func (o *Options) places() map[string]int {
	places := make(map[string]int, len(o.Features)+1)
	for j, name := range o.Features {
		places[name] = j
	}
	places[o.Label] = len(o.Features)
	return places
}

// lack returns an error if a wanted column is missing. The error lists the names that exist.
func (o *Options) lack(found func(name string) bool, names []string) error {
	if !found(o.Label) {
		return fmt.Errorf("has no label column %q; %w", o.Label, &dataframe.NoColumn{Name: o.Label, Columns: names})
	}
	if slices.ContainsFunc(o.Features, func(name string) bool { return !found(name) }) {
		missing := slices.DeleteFunc(slices.Clone(o.Features), found)
		return fmt.Errorf("has no columns for %s of %s: %s; its columns are "+
			"%s", message.Number(len(missing)), message.Count(len(o.Features), "feature"),
			dataframe.Some(missing), dataframe.Some(names))
	}
	return nil
}

// A lineReader reads lines of any length.
type lineReader struct {
	in   *bufio.Reader
	long []byte
	n    int  // number of lines read
	torn bool // whether the last line has no line end
}

// next returns the next nonblank line, without its line end, or io.EOF. The line is valid until the next call.
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

// An Unfinished is the error for a stream that ends within a line, perhaps within a value.
type Unfinished struct {
	Path string
	Line int // line where the sample begins
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("%s ends inside line %d; this line will be learned after its line end is written", e.Path, e.Line)
}

func (l *lineReader) row() dataframe.Row { return dataframe.Line(l.n) }

// bad returns an error about a column in the last line.
func (l *lineReader) bad(column, format string, args ...any) error {
	return &dataframe.Error{Row: l.row(), Column: column, Err: fmt.Errorf(format, args...)}
}

// A readError is an error of the underlying reader, not of the content.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
