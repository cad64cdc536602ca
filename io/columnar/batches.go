package columnar

import (
	"cmp"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"graphda/io/arrowfile"
)

// Batches reads an Arrow IPC stream as it comes. Not safe for concurrent use.
type Batches struct {
	path   string
	reader *ipc.Reader
	record arrow.Record // the batch that is cut up; nil if the next is to be read
	from   int64        // its rows that were given out
}

// mostCompressed bounds what compressed batches may grow to.
const mostCompressed = 1 << 20

// mostRows is how many rows of a batch are given out at once.
const mostRows = 512

// NewBatches begins to read a stream: it waits for its schema. The path is for errors.
func NewBatches(path string, in io.Reader) (*Batches, error) {
	b := &Batches{path: path}
	err := reading(func() (err error) {
		mem := arrowfile.Bounded(memory.DefaultAllocator, mostCompressed)
		b.reader, err = ipc.NewReaderFromMessageReader(arrowfile.Incoming(in), ipc.WithAllocator(mem))
		return err
	})
	if err != nil {
		return nil, Locate(damaged("%w", err), path, "")
	}
	return b, nil
}

// Next returns the next rows as a file of their own, which is valid until the next call; io.EOF says that
// there are none.
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
		b.reader.Retain() // which the file releases
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
