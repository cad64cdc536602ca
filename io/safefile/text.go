package safefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// NewLines returns a reader of in that turns each carriage return into a new line.
func NewLines(in io.Reader) io.Reader { return &newLines{in} }

type newLines struct{ in io.Reader }

func (r *newLines) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// NewUTF16Reader returns a reader that converts UTF-16 to UTF-8.
func NewUTF16Reader(in io.Reader, order binary.ByteOrder) io.Reader {
	return &utf16Reader{in: in, order: order}
}

type utf16Reader struct {
	in    io.Reader
	order binary.ByteOrder
	out   []byte // decoded bytes, not yet read
	high  rune   // first half of a surrogate pair, or 0
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	for len(r.out) == 0 {
		var unit [2]byte
		if _, err := io.ReadFull(r.in, unit[:]); err != nil {
			return 0, err
		}
		c := rune(r.order.Uint16(unit[:]))
		switch high := r.high; {
		case high != 0:
			r.high = 0
			r.out = utf8.AppendRune(r.out[:0], utf16.DecodeRune(high, c))
		case 0xd800 <= c && c < 0xdc00:
			r.high = c
		default:
			r.out = utf8.AppendRune(r.out[:0], c)
		}
	}
	n := copy(p, r.out)
	r.out = r.out[n:]
	return n, nil
}

// foreign lists the first bytes of files that are not text.
var foreign = []struct{ magic, what string }{
	{"PK\x03\x04", "is an Excel workbook or another zip archive; save the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "is an Excel workbook; save the sheet as CSV"},
	{"PAR1", "is a Parquet file; give it a name that ends with .parquet"},
	{"ARROW1", "is an Arrow file; give it a name that ends with .arrow"},
	{"\x93NUMPY", "is a NumPy array; give it a name that ends with .npy"},
	{"\x89HDF", "is an HDF5 file, perhaps .h5ad; write its table as Parquet or CSV"},
	{"BZh", "is compressed with bzip2; unpack it, or use gzip"},
	{"\xfd7zXZ", "is compressed with xz; unpack it, or use gzip"},
	{"\x28\xb5\x2f\xfd", "is compressed with zstd; unpack it, or use gzip"},
	{"%PDF", "is a PDF file, want a table"},
	{"%%MatrixMarket", "is a Matrix Market file, perhaps of 10x; write its table, with names, as Parquet or CSV"},
	{"RDX", "is a file of R; write its table with write.csv"},
	{"X\n\x00\x00", "is a file of R; write its table with write.csv"},
	{"!Series_", "is a series matrix of GEO; delete the lines that begin with !, and add --transpose"},
	{"SIMPLE  =", "is a FITS file, want a table"},
}

// NotText returns an error if head, the beginning of a file, is not text. The error guesses what the file is.
func NotText(head []byte) error {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return errors.New(f.what)
		}
	}
	start := strings.ToLower(string(bytes.TrimSpace(head)))
	switch {
	case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<html"):
		return errors.New("is a web page, perhaps an error message that was downloaded; want a table")
	case strings.HasPrefix(start, "version https://git-lfs"):
		return errors.New("is only a pointer to a file that Git LFS has not downloaded; type git lfs pull")
	case bytes.IndexByte(head, 0) >= 0:
		return errors.New("is not a text file: it has bytes with the value 0")
	}
	return nil
}

// NewSqueezer returns a reader of in that reduces white space within a line to one space, and drops white space at the
// ends of a line. Text between quotation marks stays unchanged.
func NewSqueezer(in *bufio.Reader) io.Reader { return &squeezer{in: in, begins: true} }

type squeezer struct {
	in      *bufio.Reader
	quoted  bool
	begins  bool // whether the next byte begins a line
	pending bool // whether a space must be returned before the next byte
	held    byte // byte to return after the space, or 0
}

func (s *squeezer) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if s.held != 0 {
			p[n], s.held = s.held, 0
			n++
			continue
		}
		c, err := s.in.ReadByte()
		if err != nil {
			if n > 0 {
				err = nil
			}
			return n, err
		}
		switch {
		case !s.quoted && (c == ' ' || c == '\t' || c == '\r'):
			s.pending = true
			continue
		case c == '\n' && !s.quoted:
			s.begins, s.pending = true, false
			p[n] = c
			n++
			continue
		case c == '"':
			s.quoted = !s.quoted
		}
		if s.pending && !s.begins {
			p[n], s.held = ' ', c
		} else {
			p[n] = c
		}
		s.pending, s.begins = false, false
		n++
	}
	return n, nil
}
