package columnar

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowio"
)

type ipcFile struct {
	reader  *ipc.Reader
	records []arrow.Record
}

func openIPC(data []byte, mem memory.Allocator) (*File, error) {
	stream, err := messagesOf(data)
	if err != nil {
		return nil, err
	}
	r, err := ipc.NewReaderFromMessageReader(stream, ipc.WithAllocator(mem))
	if err != nil {
		return nil, damaged("%w", err)
	}
	f := &ipcFile{reader: r}
	t := &File{source: f, Metadata: map[string]string{}}
	if err := f.load(t, len(data)); err != nil {
		f.release()
		return nil, err
	}
	return t, nil
}

func messagesOf(data []byte) (ipc.MessageReader, error) {
	switch {
	case len(data) >= 4 && arrowio.IsIPCStream(data):
		return arrowio.IPCStream(data), nil
	case bytes.HasPrefix(data, []byte("FEA1")):
		return nil, errors.New("is a Feather file of version 1, want version 2, which is Arrow IPC")
	case !arrowio.IsIPCFile(data):
		return nil, errors.New("is not an Arrow IPC file, or is cut off: " +
			"it does not begin and end with ARROW1, nor begin as a stream")
	}
	stream, footer, err := arrowio.SplitIPC(data)
	if err != nil {
		return nil, damaged("%w", err)
	}
	m, err := arrowio.IPCFile(stream, footer)
	if err != nil {
		return nil, damaged("%w", err)
	}
	return m, nil
}

func (f *ipcFile) load(t *File, size int) error {
	f.describe(t)
	for f.reader.Next() {
		rec := f.reader.Record()
		rec.Retain()
		f.records = append(f.records, rec)
		if err := CheckCount("rows", int64(t.Rows)+rec.NumRows(), size); err != nil {
			return err
		}
		if err := f.measure(t); err != nil {
			return err
		}
	}
	if err := f.reader.Err(); err != nil && !errors.Is(err, io.EOF) {
		return damaged("%w", err)
	}
	return nil
}

func (f *ipcFile) measure(t *File) error {
	rec := f.records[len(f.records)-1]
	for i, c := range rec.Columns() {
		if int64(c.Len()) != rec.NumRows() {
			return damaged("column %d has %d rows, want %d", i, c.Len(), rec.NumRows())
		}
	}
	t.Rows += int(rec.NumRows())
	return nil
}

func (f *ipcFile) describe(t *File) {
	s := f.reader.Schema()
	for i, k := range s.Metadata().Keys() {
		t.Metadata[k] = s.Metadata().Values()[i]
	}
	for i, field := range s.Fields() {
		c := Column{Name: field.Name, at: i, Type: field.Type.String()}
		typ := field.Type
		if l, ok := typ.(arrow.ListLikeType); ok {
			c.List, typ = true, l.Elem()
		}
		c.Kind, c.tick = arrowKind(typ)
		t.Columns = append(t.Columns, c)
	}
}

// arrowKind returns the kind of a type. For times it also returns their unit.
func arrowKind(t arrow.DataType) (kind Kind, tick time.Duration) {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return arrowKind(t.ValueType)
	case *arrow.Date32Type:
		return Time, 24 * time.Hour
	case *arrow.Date64Type:
		return Time, time.Millisecond
	case *arrow.TimestampType:
		return Time, t.Unit.Multiplier()
	}
	switch id := t.ID(); {
	case arrow.IsInteger(id):
		return Integer, 0
	case arrow.IsFloating(id), arrow.IsDecimal(id), id == arrow.NULL:
		return Number, 0
	case id == arrow.BOOL:
		return Boolean, 0
	case id == arrow.STRING, id == arrow.LARGE_STRING, id == arrow.STRING_VIEW, id == arrow.BINARY,
		id == arrow.LARGE_BINARY, id == arrow.BINARY_VIEW:
		return Text, 0
	}
	return Other, 0
}

func (f *ipcFile) floats(c *Column, visit func(int, []float64) error) error {
	return walk(f, c, arrowFloats, visit)
}

func (f *ipcFile) ints(c *Column, visit func(int, []int64) error) error {
	return walk(f, c, arrowInts, visit)
}

func (f *ipcFile) texts(c *Column, visit func(int, []string) error) error {
	var last string
	return walk(f, c, func(dst []string, values arrow.Array, from int) (int, error) {
		return arrowTexts(dst, values, from, &last)
	}, visit)
}

func (f *ipcFile) release() {
	for _, r := range f.records {
		r.Release()
	}
	f.records = nil
	f.reader.Release()
}

var _ source = (*ipcFile)(nil)

// walk visits the rows of a column in all record batches. get fills dst with an array's values, beginning at index
// from. It returns the index of the first value that it cannot convert, and the reason.
func walk[T any](f *ipcFile, c *Column, get func(dst []T, values arrow.Array, from int) (int, error),
	visit func(int, []T) error) error {
	row := 0
	var buf []T
	for _, rec := range f.records {
		values := rec.Column(c.at)
		err := eachNull(values, 0, values.Len(), func(i int) error {
			if c.null == nil || c.List {
				return AtRow(row+i, "is null")
			}
			c.null(row + i)
			return nil
		})
		if err != nil {
			return err
		}
		if !c.List {
			for from := 0; from < values.Len(); from += batchLength {
				buf = resize(buf, min(batchLength, values.Len()-from))
				if bad, err := get(buf, values, from); err != nil {
					return AtRow(row+from+bad, "%w", err)
				}
				if err := visit(row+from, buf); err != nil {
					return err
				}
			}
			row += values.Len()
			continue
		}
		lists, ok := values.(array.ListLike)
		if !ok {
			return damaged("it is not a list")
		}
		elements := lists.ListValues()
		for i := range lists.Len() {
			start, end := lists.ValueOffsets(i)
			if start < 0 || end < start || end > int64(elements.Len()) {
				return damaged("row %d has elements %d to %d, but the list has only %d", row, start, end, elements.Len())
			}
			err := eachNull(elements, int(start), int(end), func(k int) error {
				return AtRow(row, "element %d is null", k-int(start))
			})
			if err != nil {
				return err
			}
			buf = resize(buf, int(end-start))
			if _, err := get(buf, elements, int(start)); err != nil {
				return AtRow(row, "%w", err)
			}
			if err := visit(row, buf); err != nil {
				return err
			}
			row++
		}
	}
	return nil
}

func eachNull(values arrow.Array, from, to int, use func(int) error) error {
	if d, ok := values.(*array.Dictionary); values.NullN() == 0 && !(ok && d.Dictionary().NullN() > 0) {
		return nil
	}
	for i := from; i < to; i++ {
		if isNull(values, i) {
			if err := use(i); err != nil {
				return err
			}
		}
	}
	return nil
}

func resize[T any](buf []T, n int) []T {
	if cap(buf) < n {
		return make([]T, n)
	}
	return buf[:n]
}

// Batches reads an Arrow IPC stream while it arrives. It is not safe for concurrent use.
type Batches struct {
	path   string
	reader *ipc.Reader
	record arrow.Record // the current batch; nil before the next batch is read
	from   int64        // number of rows of record that were returned
}

// mostCompressed limits the uncompressed size of a compressed batch, in bytes.
const mostCompressed = 1 << 20

// mostRows is the largest number of rows that Next returns at once.
const mostRows = 512

// NewBatches begins to read a stream and waits for its schema. The path is only for errors.
func NewBatches(path string, in io.Reader) (*Batches, error) {
	b := &Batches{path: path}
	err := reading(func() (err error) {
		mem := ipc.WithAllocator(arrowio.Bounded(mostCompressed))
		b.reader, err = ipc.NewReaderFromMessageReader(arrowio.IPCIncoming(in), mem)
		return err
	})
	if err != nil {
		return nil, Locate(damaged("%w", err), path, "")
	}
	return b, nil
}

// Next returns the next rows as a File, which is valid until the next call. At the end of the stream it returns io.EOF.
func (b *Batches) Next() (*File, error) {
	f := &ipcFile{reader: b.reader}
	t := &File{Path: b.path, source: f, Metadata: map[string]string{}}
	err := reading(func() error {
		for b.record == nil || b.from >= b.record.NumRows() {
			if !b.reader.Next() {
				return cmp.Or(b.reader.Err(), io.EOF)
			}
			b.record, b.from = b.reader.Record(), 0
		}
		part := b.record.NewSlice(b.from, min(b.from+mostRows, b.record.NumRows()))
		b.from += part.NumRows()
		f.records = []arrow.Record{part}
		b.reader.Retain() // because releasing the file releases the reader
		f.describe(t)
		return f.measure(t)
	})
	switch err {
	case nil:
		return t, nil
	case io.EOF:
		return nil, err
	}
	return nil, Locate(damaged("%w", err), b.path, "")
}
