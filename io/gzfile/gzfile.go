package gzfile

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"graphda/io/regular"
)

// A Reader reads a file's content, uncompressed. Its errors name the file.
type Reader struct {
	path   string
	file   io.Closer // nil if the Reader was made by NewReader
	in     io.Reader
	gzip   bool
	offset int64 // in the uncompressed content
}

// Open opens the file at path. An error about a file that is not there wraps
// fs.ErrNotExist.
func Open(path string) (*Reader, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(path, f)
	if err != nil {
		f.Close()
		return nil, err
	}
	r.file = f
	return r, nil
}

// newReader reads what in has to give. The path is for errors.
func newReader(path string, in io.Reader) (*Reader, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	r := &Reader{path: path, in: b}
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, r.locate(err)
	}
	if string(magic) != "\x1f\x8b" {
		return r, nil
	}
	r.gzip = true
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, r.locate(err)
	}
	r.in = z
	return r, nil
}

// Read reads the next bytes of the content. A compressed file ends with io.EOF only if it
// is whole and its checksum is right.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.offset += int64(n)
	return n, r.locate(err)
}

// Close closes the file.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}

// locate names the file, and the place in a compressed one where it is damaged.
func (r *Reader) locate(err error) error {
	var named *fs.PathError
	switch {
	case err == nil || err == io.EOF || errors.As(err, &named):
		return err
	case !r.gzip:
		return fmt.Errorf("%s: %w", r.path, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the gzip file is cut off after %d bytes of content: %w", r.path, r.offset, err)
	default:
		return fmt.Errorf("%s: the gzip file is damaged after %d bytes of content: %w", r.path, r.offset, err)
	}
}
