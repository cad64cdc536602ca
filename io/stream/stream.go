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
	"time"

	"graphda/io/arrowio"
	"graphda/io/columnar"
	"graphda/io/dataframe"
)

// Samples reads samples one by one. It is not safe for concurrent use.
type Samples struct {
	options Options
	source  source
}

// A source is a stream in one of the formats.
type source interface {
	// next reads the next sample into x and returns its label, or io.EOF. Errors need not name the path.
	next(x []float64) (label string, err error)
	row() dataframe.Row // row of the last sample
}

// New begins to read a stream. It waits for the first bytes and the names of the columns. An empty stream is an error.
func New(in io.Reader, o Options) (*Samples, error) {
	b := bufio.NewReaderSize(in, 1<<18)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	s := &Samples{options: o}
	switch {
	case len(head) == 0:
		err = fmt.Errorf("is empty, want samples")
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")),
		len(head) == 4 && (head[0] == 0) != (head[1] == 0) && head[0] == 0 == (head[2] == 0):
		err = fmt.Errorf("is text in UTF-16, want UTF-8; convert it with iconv -f UTF-16 -t UTF-8")
	case string(head) == "PAR1":
		err = fmt.Errorf("is a Parquet file, want CSV, NDJSON or an Arrow stream")
	case string(head) == "ARRO":
		err = fmt.Errorf("is an Arrow file, want CSV, NDJSON or an Arrow stream")
	case arrowio.IsIPCStream(head) && len(head) == 4:
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

// Next reads the next sample's features into x and returns its label. At the end of the stream it returns io.EOF, or an
// *Unfinished if the last sample is incomplete. After an error x is invalid.
func (s *Samples) Next(x []float64) (label string, err error) {
	label, err = s.source.next(x)
	if err != nil && err != io.EOF {
		err = s.located(err)
	}
	return label, err
}

// BadLabel returns an error about the label of the last sample.
func (s *Samples) BadLabel(format string, args ...any) error {
	return &dataframe.Error{Path: s.options.Path, Row: s.source.row(), Column: s.options.Label,
		Err: fmt.Errorf(format, args...)}
}

// located adds the stream's name to an error about its content.
func (s *Samples) located(err error) error {
	switch e := err.(type) {
	case *dataframe.Error:
		e.Path = s.options.Path
		return e
	case *Unfinished:
		e.Path = s.options.Path
		return e
	case *readError:
		return e.err
	}
	return &dataframe.Error{Path: s.options.Path, Err: err}
}

// Follow returns a reader that waits for more at the end of a growing file. It fails if the context ends, or if the
// file shrinks, is removed or replaced.
func Follow(ctx context.Context, f *os.File) io.Reader { return &follower{ctx: ctx, file: f} }

// look is the time between two looks at the file.
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
			return 0, fmt.Errorf("%s: became shorter while it was read", f.file.Name())
		}
		there, gone := os.Stat(f.file.Name())
		if errors.Is(gone, fs.ErrNotExist) || err == nil && gone == nil && !os.SameFile(info, there) {
			return 0, fmt.Errorf("%s: was renamed, removed or replaced while learn followed it", f.file.Name())
		}
		select {
		case <-f.ctx.Done():
			return 0, f.ctx.Err()
		case <-time.After(look):
		}
	}
}
