package safefile

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// An Unpacked reads the content of a file, uncompressed. Its errors name the file.
type Unpacked struct {
	path   string
	file   io.Closer
	in     io.Reader
	packed *counter // counts the compressed bytes
	gzip   bool
	any    bool  // whether the content may have any size
	offset int64 // position in the uncompressed content
}

// A small compressed file must not exhaust the memory. So the content may have at most maxBytes. Beyond the first MiB,
// it may have at most maxRatio times as many bytes as were read from the compressed file.
const (
	maxRatio = 100
	maxBytes = 256e6
	spared   = 1 << 20
)

type counter struct {
	in io.Reader
	n  int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// OpenUnpacked opens the file at path, compressed or not. Compressed content may be at most maxRatio times as large as
// the file, and at most maxBytes.
func OpenUnpacked(path string) (*Unpacked, error) { return openUnpacked(path, false) }

// OpenUnpackedAny is like OpenUnpacked, but the content may have any size.
func OpenUnpackedAny(path string) (*Unpacked, error) { return openUnpacked(path, true) }

func openUnpacked(path string, any bool) (r *Unpacked, err error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	packed := &counter{in: f}
	b := bufio.NewReaderSize(packed, 1<<16)
	r = &Unpacked{path: path, file: f, in: b, packed: packed, any: any}
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

// Read reads the next bytes of the content. For a compressed file, io.EOF means that the file is complete and its
// checksum is right.
func (r *Unpacked) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.offset += int64(n)
	most := ""
	switch {
	case !r.gzip || r.any:
	case r.offset > maxBytes:
		most = fmt.Sprintf("%d MB", int(maxBytes/1e6))
	case r.offset > spared+maxRatio*r.packed.n:
		most = fmt.Sprintf("%d times its size", maxRatio)
	}
	if most != "" {
		return 0, fmt.Errorf("%s: the gzip file unpacks to more than %s; if that is right, unpack it with gunzip, or add "+
			"--force (import, inspect and predict)", r.path, most)
	}
	return n, r.locate(err)
}

// Close closes the file.
func (r *Unpacked) Close() error { return r.file.Close() }

// locate adds to err the file's name and, in a compressed file, the place of the damage.
func (r *Unpacked) locate(err error) error {
	var named *fs.PathError
	switch {
	case err == nil || err == io.EOF || errors.As(err, &named):
		return err
	case !r.gzip:
		return fmt.Errorf("%s: %w", r.path, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the gzip file is cut off after %d bytes of content: %w", r.path, r.offset, err)
	case errors.Is(err, gzip.ErrHeader) && r.offset > 0:
		return fmt.Errorf("%s: the gzip file has other bytes after its end, perhaps zeros; unpack it with gzip -dc", r.path)
	default:
		return fmt.Errorf("%s: the gzip file is damaged after %d bytes of content: %w", r.path, r.offset, err)
	}
}
