package dataframe

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"graphda/io/message"
	"graphda/io/safefile"
)

// A Source is the content of a file in some format. It is not safe for concurrent use.
type Source interface {
	Columns() []string
	Next() error // moves to the next row; io.EOF at the end
	Row() Row

	// Text returns the value of column i, counted from 0, in the current row, without white space at its ends. Number
	// returns the value as a finite number. Its error does not name the place in the file.
	Text(i int) string
	Number(i int) (float64, error)

	io.Closer
}

// A Placed is a Source that knows where in the file each value of the current row is.
type Placed interface {
	Place(i int) (row Row, column string)
}

// A Format is a file format.
type Format struct {
	Extensions []string // file name extensions, such as .csv
	Open       func(path string, o Options) (Source, error)
}

// formats lists the formats of this package. Register adds formats of other packages.
var formats = []Format{
	text,
	gct,
	gmt,
	sif,
	graphML,
	edgeList,
}

// Register adds a format. Call it in the init function of the format's own package.
func Register(f Format) { formats = append(formats, f) }

// ErrFormat is the error for a file name without a known extension.
var ErrFormat = errors.New("is of an unknown kind")

// open opens a file. The extension of its name decides the format. For a missing file, the error wraps fs.ErrNotExist.
func open(path string, o Options) (Source, error) {
	if o.In != nil {
		return openText(path, o)
	}
	var known []string
	name := strings.ToLower(path)
	for _, f := range formats {
		if slices.ContainsFunc(f.Extensions, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return f.Open(path, o)
		}
		for _, e := range f.Extensions {
			if !strings.HasSuffix(e, ".gz") {
				known = append(known, e)
			}
		}
	}
	f, err := safefile.OpenUnpacked(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := safefile.NewText(path, f); err != nil {
		return nil, &Error{Path: path, Err: message.Because(ErrFormat, "%w", err)}
	}
	return nil, &Error{Path: path, Err: fmt.Errorf("%w; want a name that ends with %s or %s", ErrFormat,
		strings.Join(known[:len(known)-1], ", "), known[len(known)-1])}
}
