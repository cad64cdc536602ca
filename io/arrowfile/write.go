package arrowfile

import (
	"bufio"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
)

// Write writes a file of one record, in batches of at most batch rows; 0 stands for one batch,
// also of no rows. The options are the library's, but for the schema.
func Write(w io.Writer, rec arrow.Record, batch int64, options ...ipc.Option) error {
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

// releaseDictionaries gives up what a FileWriter holds of the first record that it
// wrote: unlike the stream Writer, it retains the dictionaries and never releases them.
func releaseDictionaries(rec arrow.Record) {
	for _, c := range rec.Columns() {
		if d, ok := c.(*array.Dictionary); ok {
			d.Dictionary().Release()
		}
	}
}

// positioned tells the FileWriter where it is, the only seek that it makes.
type positioned struct {
	buf *bufio.Writer
	at  int64
}

func (w *positioned) Write(p []byte) (int, error) {
	n, err := w.buf.Write(p)
	w.at += int64(n)
	return n, err
}

// Seek tells the position, which is the end of what was written. It goes nowhere else.
func (w *positioned) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.ErrUnsupported
	}
	return w.at, nil
}
