package tables

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
)

var nan = math.NaN()

// A chunk is a column of one group of rows. Its values are taken straight from the pages: by way of Arrow's
// arrays, reading takes more than twice the time.
type chunk struct {
	file.ColumnChunkReader
	*scratch
	rows int
}

// read reads the values of the chunk.
func (c *Column) read(from *chunk) (err error) {
	switch r := from.ColumnChunkReader.(type) {
	case *file.ByteArrayColumnChunkReader:
		var values []parquet.ByteArray
		if values, err = from.strings(); err == nil {
			c.Strings = copyStrings(c.Strings, values)
		}
	case *file.Int64ColumnChunkReader:
		c.Ints = slices.Grow(c.Ints[:0], from.rows)[:from.rows]
		err = readPresent(r, c.Ints, from.scratch)
	case *file.Float64ColumnChunkReader:
		c.Floats = slices.Grow(c.Floats[:0], from.rows)[:from.rows]
		err = readFloats(r, c.Floats, from.scratch)
	default:
		err = fmt.Errorf("%v, want strings, int64 or float64", from.Type())
	}
	if err != nil {
		return fmt.Errorf("column %q: %w", c.Name, err)
	}
	return nil
}

// strings reads strings, which lie in the memory of the pages.
func (c *chunk) strings() ([]parquet.ByteArray, error) {
	r, ok := c.ColumnChunkReader.(*file.ByteArrayColumnChunkReader)
	if !ok {
		return nil, fmt.Errorf("%v, want strings", c.Type())
	}
	c.texts = slices.Grow(c.texts[:0], c.rows)[:c.rows]
	return c.texts, readPresent(r, c.texts, c.scratch)
}

// A batchReader reads the values of a column in one group of rows, and the levels that tell which are null.
type batchReader[T any] interface {
	ReadBatch(n int64, values []T, definition, repetition []int16) (rows int64, present int, err error)
	Err() error
}

// readBatches reads the rows of a chunk, of which those that are not null have their values at the
// beginning. It returns how many these are.
func readBatches[T any](r batchReader[T], values []T, s *scratch) (present int, err error) {
	s.levels = slices.Grow(s.levels[:0], len(values))[:len(values)]
	for rows := 0; rows < len(values); {
		n, read, err := r.ReadBatch(int64(len(values)-rows), values[present:], s.levels[rows:], nil)
		if err == nil && n == 0 {
			if err = r.Err(); err == nil {
				err = fmt.Errorf("%d rows, want %d", rows, len(values))
			}
		}
		if err != nil {
			return 0, err
		}
		rows += int(n)
		present += read
	}
	return present, nil
}

// readPresent is readBatches for a column without nulls.
func readPresent[T any](r batchReader[T], values []T, s *scratch) error {
	present, err := readBatches(r, values, s)
	if err == nil && present < len(values) {
		err = fmt.Errorf("%d of %d values are null", len(values)-present, len(values))
	}
	return err
}

// readFloats reads numbers, of which those that are null are NaN.
func readFloats(r batchReader[float64], values []float64, s *scratch) error {
	present, err := readBatches(r, values, s)
	if err != nil || present == len(values) {
		return err
	}
	for i := len(values) - 1; i >= 0; i-- {
		if s.levels[i] == 0 {
			values[i] = nan
		} else {
			present--
			values[i] = values[present]
		}
	}
	return nil
}

// copyStrings copies values out of the pages, into one string for all that differ from the value before them;
// a value equal to that, as in columns of names, shares its copy. The list of them may be in the given memory.
func copyStrings(all []string, values []parquet.ByteArray) []string {
	isRepeat := func(i int) bool { return i > 0 && bytes.Equal(values[i], values[i-1]) }
	size := 0
	for i, v := range values {
		if !isRepeat(i) {
			size += len(v)
		}
	}
	var text strings.Builder
	text.Grow(size)
	for i, v := range values {
		if !isRepeat(i) {
			text.Write(v)
		}
	}
	all = slices.Grow(all[:0], len(values))[:len(values)]
	rest := text.String()
	for i, v := range values {
		if isRepeat(i) {
			all[i] = all[i-1]
		} else {
			all[i], rest = rest[:len(v)], rest[len(v):]
		}
	}
	return all
}

// A scratch is the memory for reading one chunk after the other. New memory for each would take longer to get
// than the reading.
type scratch struct {
	in     *bufio.Reader
	pages  file.PageReader
	memory pageMemory
	texts  []parquet.ByteArray
	levels []int16
}

// pagesOf begins to read the pages of a column in one group of rows. The memory of the pages read before is
// used again.
func (s *scratch) pagesOf(in io.ReaderAt, meta *metadata.ColumnChunkMetaData) (_ file.PageReader, err error) {
	start := meta.DataPageOffset()
	if meta.HasDictionaryPage() {
		start = min(start, meta.DictionaryPageOffset())
	}
	section := io.NewSectionReader(in, start, meta.TotalCompressedSize())
	s.memory.reset()
	if s.pages != nil {
		s.in.Reset(section)
		s.pages.Reset(s.in, meta.NumValues(), meta.Compression(), nil)
		return s.pages, s.pages.Err()
	}
	s.in = bufio.NewReaderSize(section, 1<<16) // more than the header of a page
	s.pages, err = file.NewPageReader(s.in, meta.NumValues(), meta.Compression(), &s.memory, nil)
	return s.pages, err
}

// A pageMemory is an allocator for pages, of which none is used again before reset: Arrow gives back the
// memory of some while it still reads there.
type pageMemory struct{ used, free [][]byte }

func (m *pageMemory) Allocate(size int) []byte {
	const least = 1 << 12
	for i, b := range m.free {
		if cap(b) >= size {
			last := len(m.free) - 1
			m.free[i] = m.free[last]
			m.free = m.free[:last]
			m.used = append(m.used, b)
			return b[:size]
		}
	}
	b := make([]byte, max(size, least))
	m.used = append(m.used, b)
	return b[:size]
}

func (m *pageMemory) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	larger := m.Allocate(size)
	copy(larger, b)
	return larger
}

func (m *pageMemory) Free([]byte) {}

func (m *pageMemory) reset() {
	m.free = append(m.free, m.used...)
	m.used = m.used[:0]
}

var _ memory.Allocator = (*pageMemory)(nil)
