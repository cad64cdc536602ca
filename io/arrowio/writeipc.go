package arrowio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// WriteIPC writes a file with one record, in batches of at most batch rows. If batch is 0, the file has a single batch.
// WriteIPC adds the schema to the options.
func WriteIPC(w io.Writer, rec arrow.Record, batch int64, options ...ipc.Option) error {
	out := &positioned{buf: bufio.NewWriterSize(w, 1<<16)}
	f, err := ipc.NewFileWriter(out, append(options, ipc.WithSchema(rec.Schema()))...)
	if err != nil {
		return err
	}
	if batch == 0 {
		err = f.Write(rec)
	}
	for at := int64(0); at < rec.NumRows() && batch > 0; at += batch {
		slice := rec.NewSlice(at, min(at+batch, rec.NumRows()))
		defer slice.Release()
		if err := f.Write(slice); err != nil {
			return err
		}
		if at == 0 {
			defer releaseDictionaries(slice)
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return out.buf.Flush()
}

// releaseDictionaries releases the dictionaries of the first record that a FileWriter wrote, because the FileWriter
// never does.
func releaseDictionaries(rec arrow.Record) {
	for _, c := range rec.Columns() {
		if d, ok := c.(*array.Dictionary); ok {
			d.Dictionary().Release()
		}
	}
}

// positioned counts the written bytes, because a FileWriter calls Seek to learn its position.
type positioned struct {
	buf *bufio.Writer
	at  int64
}

func (w *positioned) Write(p []byte) (int, error) {
	n, err := w.buf.Write(p)
	w.at += int64(n)
	return n, err
}

func (w *positioned) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.ErrUnsupported
	}
	return w.at, nil
}

const (
	headSize = 8     // length of the magic and its padding
	tailSize = 4 + 6 // 4 bytes for the footer's length, and 6 for the magic
)

// EndMark is the mark at the end of a stream.
var EndMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}

// IsIPCStream reports whether data begins like a stream.
func IsIPCStream(data []byte) bool { return bytes.HasPrefix(data, EndMark[:min(4, len(data))]) }

// IsIPCFile reports whether data begins and ends like an Arrow IPC file.
func IsIPCFile(data []byte) bool {
	return len(data) >= headSize+tailSize && bytes.HasPrefix(data, ipc.Magic) && bytes.HasSuffix(data, ipc.Magic)
}

// SplitIPC returns the stream and the footer of a file. If data is only the end of a file, the stream is invalid.
func SplitIPC(data []byte) (stream, footer []byte, err error) {
	if len(data) < headSize+tailSize || !bytes.HasSuffix(data, ipc.Magic) {
		return nil, nil, errors.New("not an Arrow file")
	}
	end := len(data) - tailSize
	size := int64(binary.LittleEndian.Uint32(data[end:]))
	if size > int64(end-headSize) {
		return nil, nil, errors.New("its footer is longer than the file")
	}
	return data[headSize : end-int(size)], data[end-int(size) : end], nil
}
