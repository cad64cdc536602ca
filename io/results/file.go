package results

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/seal"
)

// Keys of the metadata in the schema of a file, which IPC files repeat in the footer.
const (
	formatKey = "graphda.format" // formatVersion
	kindKey   = "graphda.kind"   // what the file is
	infoKey   = "graphda.shard"  // a shard's info, see info.go
)

// formatVersion changes when files can no longer be read by what was written for the
// last version. A new column is no such change.
const formatVersion = "1"

// The kinds of files.
const (
	kindPart   = "part"
	kindShard  = "shard"
	kindTable  = "table"
	kindModels = "models"
)

// allocator is Arrow's memory; tests count what was not released.
var allocator memory.Allocator = memory.DefaultAllocator

// describe adds the metadata of a kind of file to a schema; more is keys and values.
func describe(schema *arrow.Schema, kind string, more ...string) *arrow.Schema {
	keys, values := []string{formatKey, kindKey}, []string{formatVersion, kind}
	for i := 0; i+1 < len(more); i += 2 {
		keys, values = append(keys, more[i]), append(values, more[i+1])
	}
	md := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(schema.Fields(), &md)
}

// expect refuses a file of another version or of none of these kinds.
func expect(schema *arrow.Schema, kinds ...string) error {
	if v, _ := schema.Metadata().GetValue(formatKey); v != formatVersion {
		return fmt.Errorf("format %q, want %q", v, formatVersion)
	}
	got, _ := schema.Metadata().GetValue(kindKey)
	for _, k := range kinds {
		if got == k {
			return nil
		}
	}
	return fmt.Errorf("a file of kind %q, want %q", got, kinds)
}

// The frame of an IPC file: magic and padding, a stream without its end mark, the
// footer, its length (4 bytes) and the magic again.
const (
	headSize = 8
	tailSize = 4 + 6
)

// splitFile returns the stream and the footer of an IPC file or of a file's end; of an
// end that holds no more than the footer the stream is not to be used.
func splitFile(data []byte) (stream, footer []byte, err error) {
	if len(data) < headSize+tailSize || !bytes.HasSuffix(data, ipc.Magic) {
		return nil, nil, errors.New("not an Arrow file")
	}
	end := len(data) - tailSize
	size := int64(binary.LittleEndian.Uint32(data[end:]))
	if size > int64(end-headSize) {
		return nil, nil, errors.New("the footer is longer than the file")
	}
	return data[headSize : end-int(size)], data[end-int(size) : end], nil
}

// readFile gives the records of a sealed IPC file of one of the kinds to use, one at a
// time, and returns the schema.
//
// It reads the stream inside the file: the library's FileReader never releases its
// dictionaries.
func readFile(path string, use func(arrow.Record) error, kinds ...string) (*arrow.Schema, error) {
	f, err := seal.ReadSealed(path)
	if err != nil {
		return nil, err
	}
	stream, _, err := splitFile(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	schema, err := readStream(stream, use, kinds...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return schema, nil
}

// readStream gives the records of an IPC stream to use. The bytes must have been
// verified: damaged ones read as other values, or make the library allocate without
// bound. A panic, which takes a verified file of another program, is an error.
func readStream(data []byte, use func(arrow.Record) error, kinds ...string) (schema *arrow.Schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("unreadable Arrow data: %v", p)
		}
	}()
	r, err := ipc.NewReaderFromMessageReader(&messages{data: data}, ipc.WithAllocator(allocator))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	if err := expect(r.Schema(), kinds...); err != nil {
		return nil, err
	}
	for r.Next() {
		if err := use(r.Record()); err != nil {
			return nil, err
		}
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return r.Schema(), nil
}

// messages splits a stream in memory into its messages. The library's own reader would
// allocate whatever length a message claims.
type messages struct{ data []byte }

var _ ipc.MessageReader = (*messages)(nil)

func (m *messages) Message() (*ipc.Message, error) {
	const frame = 8 // a continuation mark and the length of the metadata, 4 bytes each
	if len(m.data) == 0 || bytes.Equal(m.data, endMark) {
		return nil, io.EOF
	}
	if len(m.data) < frame || !bytes.HasPrefix(m.data, endMark[:4]) {
		return nil, errors.New("no Arrow message where one should begin")
	}
	meta, err := m.take(frame, int64(binary.LittleEndian.Uint32(m.data[4:])))
	if err != nil {
		return nil, err
	}
	body, err := m.take(0, ipc.NewMessage(meta, memory.NewBufferBytes(nil)).BodyLen())
	if err != nil {
		return nil, err
	}
	return ipc.NewMessage(meta, body), nil
}

// take cuts off the next n bytes of the stream after skipping some.
func (m *messages) take(skip int, n int64) (*memory.Buffer, error) {
	rest := m.data[skip:]
	if n < 0 || n > int64(len(rest)) {
		return nil, fmt.Errorf("an Arrow message claims %d bytes of %d", n, len(rest))
	}
	m.data = rest[n:]
	return memory.NewBufferBytes(rest[:n]), nil
}

func (m *messages) Retain()  {}
func (m *messages) Release() {}

// writeFile writes an IPC file of one record in batches of at most batch rows. It
// fits seal.Write, which calls it once.
func writeFile(w io.Writer, rec arrow.Record, batch int64) error {
	out := &offsetWriter{buf: bufio.NewWriterSize(w, 1<<16)}
	f, err := ipc.NewFileWriter(out, ipc.WithSchema(rec.Schema()), ipc.WithZstd(), ipc.WithAllocator(allocator))
	if err != nil {
		return err
	}
	for at := int64(0); at < rec.NumRows(); at += batch {
		slice := rec.NewSlice(at, min(at+batch, rec.NumRows()))
		defer slice.Release()
		if err := f.Write(slice); err != nil {
			return err
		}
		if at == 0 {
			defer releaseDictionaries(slice)
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	return out.buf.Flush()
}

// releaseDictionaries gives up what a FileWriter holds of the first record that it
// wrote: unlike the stream Writer, it retains the dictionaries and never releases them.
func releaseDictionaries(rec arrow.Record) {
	for _, c := range rec.Columns() {
		if d, ok := c.(*array.Dictionary); ok {
			d.Dictionary().Release()
		}
	}
}

// An offsetWriter tells the FileWriter where it is, the only seek that it makes.
type offsetWriter struct {
	buf *bufio.Writer
	at  int64
}

func (w *offsetWriter) Write(p []byte) (int, error) {
	n, err := w.buf.Write(p)
	w.at += int64(n)
	return n, err
}

func (w *offsetWriter) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("results: seeking in a file that is written from start to end")
	}
	return w.at, nil
}
