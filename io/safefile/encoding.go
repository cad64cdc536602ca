package safefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// NewText converts text to UTF-8 and drops a byte order mark. Text is UTF-16 if it begins with the byte order mark of
// UTF-16, or if every other byte is zero. Content that is not text is an error. The path appears in errors about lines.
func NewText(path string, in io.Reader) (*bufio.Reader, error) {
	const size = 1 << 16
	b := bufio.NewReaderSize(in, size)
	limited := func(in io.Reader) *bufio.Reader {
		return bufio.NewReaderSize(&lineLimit{path: path, in: in, line: 1}, size)
	}
	const mark = "\ufeff" // a byte order mark, which would become part of the first field
	head, _ := b.Peek(512)
	switch {
	case strings.HasPrefix(string(head), mark):
		b.Discard(len(mark)) // cannot fail, because Peek has read these bytes
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		b.Discard(2)
		return limited(NewUTF16Reader(b, binary.LittleEndian)), nil
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		b.Discard(2)
		return limited(NewUTF16Reader(b, binary.BigEndian)), nil
	case len(head) >= 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return limited(NewUTF16Reader(b, binary.LittleEndian)), nil
	case len(head) >= 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return limited(NewUTF16Reader(b, binary.BigEndian)), nil
	}
	err := NotText(head)
	if all, _ := b.Peek(size); err == nil && bytes.IndexByte(all, '\r') >= 0 && bytes.IndexByte(all, '\n') < 0 {
		return limited(NewLines(b)), nil // line ends as on old Macs
	}
	return limited(b), err
}

// A line of text, such as all genes of one sample, may have MaxLine bytes, and maxFields fields beyond its first
// maxFields bytes. An empty field takes a hundred times as much memory as its comma.
const (
	MaxLine   = 64 << 20
	maxFields = 8 << 20
)

// A lineLimit reads text and refuses a line that is too long.
type lineLimit struct {
	path   string
	in     io.Reader
	line   int
	length int
	fields int // number of fields after the line's first maxFields bytes
	err    error
}

func (l *lineLimit) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	n, err := l.in.Read(p)
	if end := bytes.LastIndexByte(p[:n], '\n'); end >= 0 {
		l.line, l.length, l.fields = l.line+bytes.Count(p[:n], []byte{'\n'}), n-end-1, 0
		return n, err
	}
	if l.length += n; l.length > maxFields {
		for _, separator := range []byte("\t;,| ") {
			l.fields += bytes.Count(p[:n], []byte{separator})
		}
	}
	if l.length > MaxLine || l.fields > maxFields {
		l.err = fmt.Errorf("%s: line %d: is longer than 64 MiB, or has more than 8 million fields; perhaps a line end is "+
			"missing", l.path, l.line)
		return 0, l.err
	}
	return n, err
}
