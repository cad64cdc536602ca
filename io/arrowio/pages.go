package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/schema"
)

// ErrPage is the error for a page whose content does not match its description.
var ErrPage = errors.New("a page has fewer values than its header says, or more than its column")

// A Pager reads column chunks, page by page, into memory that it reuses.
type Pager struct {
	reader file.PageReader
	memory pageMemory
}

// NewPager returns a Pager that allocates with mem.
func NewPager(mem memory.Allocator) *Pager { return &Pager{memory: pageMemory{Allocator: mem}} }

// Chunk begins to read a column chunk that has the given number of values. The previous chunk must no longer be in use.
func (p *Pager) Chunk(column *schema.Column, data []byte, values int64, c compress.Compression) (*Pages, error) {
	chunk := &window{rest: data}
	switch column.PhysicalType() {
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray:
		p.memory.next(false)
	default:
		p.memory.next(true)
	}
	var err error
	if p.reader == nil {
		p.reader, err = file.NewPageReader(chunk, values, c, &p.memory, nil)
	} else {
		p.reader.Reset(chunk, values, c, nil)
		err = p.reader.Err()
	}
	return &Pages{PageReader: p.reader, column: column, chunk: chunk, left: values, mem: &p.memory}, err
}

// Release releases the Pager's memory.
func (p *Pager) Release() {
	p.memory.next(true)
	p.memory.drop()
}

// Pages passes the pages of one column chunk to Arrow's column reader. It works around two faults of this reader in
// Arrow v15. The reader loops for ever on a page with fewer values than the page claims, and it cannot decode
// BYTE_STREAM_SPLIT.
type Pages struct {
	file.PageReader
	column *schema.Column
	chunk  *window
	left   int64 // number of values that were not read yet
	mem    *pageMemory
	page   file.Page
	err    error
}

// Release releases the memory of the last page. Call it when you stop before the last page.
func (p *Pages) Release() {
	if page := p.PageReader.Page(); page != nil {
		page.Release()
	}
}

// Next reads and checks the next page.
func (p *Pages) Next() bool {
	p.page = nil
	if p.err != nil || !p.PageReader.Next() {
		return false
	}
	p.page = p.PageReader.Page()
	if _, ok := p.page.(*file.DictionaryPage); ok {
		p.mem.keep() // a dictionary stays in use after Arrow has released it
	}
	levels, ok := p.levels(p.page)
	if !ok || p.chunk.short {
		p.err = ErrPage
	} else if parquet.Encoding(p.page.Encoding()) == byteStreamSplit {
		p.page, p.err = joinStreams(p.page, levels, p.column)
	}
	return p.err == nil
}

// Page returns the page read by Next.
func (p *Pages) Page() file.Page { return p.page }

// Err returns why Next stopped, or nil at the end of the chunk.
func (p *Pages) Err() error {
	if p.err != nil {
		return p.err
	}
	return p.PageReader.Err()
}

// levels returns the length in bytes of a data page's levels. ok is false if the page has fewer values than it claims.
func (p *Pages) levels(page file.Page) (length int, ok bool) {
	n, data := int64(page.NumValues()), page.Data()
	maxRep, maxDef := p.column.MaxRepetitionLevel(), p.column.MaxDefinitionLevel()
	switch page := page.(type) {
	case *file.DataPageV1:
		for _, l := range []struct {
			max      int16
			encoding parquet.Encoding
		}{{maxRep, page.RepetitionLevelEncoding()}, {maxDef, page.DefinitionLevelEncoding()}} {
			if l.max == 0 {
				continue
			}
			if l.encoding != parquet.Encodings.RLE || len(data) < length+4 {
				return 0, false
			}
			start := length + 4
			size := int64(binary.LittleEndian.Uint32(data[length:]))
			if size > int64(len(data)-start) || !covers(data[start:start+int(size)], l.max, n) {
				return 0, false
			}
			length = start + int(size)
		}
	case *file.DataPageV2:
		reps, defs := int64(page.RepetitionLevelByteLen()), int64(page.DefinitionLevelByteLen())
		if reps+defs > int64(len(data)) {
			return 0, false
		}
		if maxRep > 0 && !covers(data[:reps], maxRep, n) || maxDef > 0 && !covers(data[reps:reps+defs], maxDef, n) {
			return 0, false
		}
		length = int(reps + defs)
	default:
		return 0, true
	}
	p.left -= n
	if n < 0 || p.left < 0 {
		return 0, false
	}
	return length, maxDef > 0 || deltaCovers(data[length:], parquet.Encoding(page.Encoding()), n)
}

const byteStreamSplit parquet.Encoding = 9 // from the Parquet format; Arrow v15 has no name for it

// joinStreams converts a page from BYTE_STREAM_SPLIT to PLAIN encoding. BYTE_STREAM_SPLIT stores all first bytes
// of the values, then all second bytes, and so on.
func joinStreams(page file.Page, levels int, column *schema.Column) (file.Page, error) {
	width := column.TypeLength()
	switch column.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Float:
		width = 4
	case parquet.Types.Int64, parquet.Types.Double:
		width = 8
	}
	data := page.Data()
	if width < 1 || (len(data)-levels)%width != 0 {
		return nil, ErrPage
	}
	plain := bytes.Clone(data)
	n := (len(data) - levels) / width
	for k := range width {
		stream := data[levels+k*n:][:n]
		for i, b := range stream {
			plain[levels+i*width+k] = b
		}
	}
	buf := memory.NewBufferBytes(plain)
	switch page := page.(type) {
	case *file.DataPageV1:
		return file.NewDataPageV1(buf, page.NumValues(), parquet.Encodings.Plain, page.DefinitionLevelEncoding(),
			page.RepetitionLevelEncoding(), page.UncompressedSize()), nil
	case *file.DataPageV2:
		return file.NewDataPageV2(buf, page.NumValues(), page.NumNulls(), page.NumRows(), parquet.Encodings.Plain,
			page.DefinitionLevelByteLen(), page.RepetitionLevelByteLen(), page.UncompressedSize(), false), nil
	}
	return nil, ErrPage
}

// covers reports whether runs, run-length encoded or bit-packed, hold at least n levels.
func covers(runs []byte, maxLevel int16, n int64) bool {
	width := int64(bits.Len16(uint16(maxLevel)))
	for n > 0 {
		head, size := binary.Uvarint(runs)
		if size <= 0 || head>>1 > 1<<40 {
			return false
		}
		runs = runs[size:]
		count, length := int64(head>>1), (width+7)/8
		if head&1 == 1 { // the run is bit-packed, in groups of 8
			length = count * width
			count *= 8
		}
		if length > int64(len(runs)) || count == 0 {
			return false
		}
		runs = runs[length:]
		n -= count
	}
	return true
}

// deltaCovers reports whether data holds at least n delta-encoded values. The header's third number counts the values.
func deltaCovers(data []byte, encoding parquet.Encoding, n int64) bool {
	switch encoding {
	case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaByteArray, parquet.Encodings.DeltaLengthByteArray:
	default:
		return true
	}
	var count uint64
	for range 3 {
		v, size := binary.Uvarint(data)
		if size <= 0 {
			return false
		}
		count, data = v, data[size:]
	}
	return count >= uint64(n)
}

// A window is the part of the file that Arrow's page reader may read. The page reader does not notice a page that is
// cut off; window.short does.
type window struct {
	rest  []byte
	short bool
}

func (w *window) Peek(n int) ([]byte, error) {
	if n > len(w.rest) {
		return w.rest, io.EOF
	}
	return w.rest[:n], nil
}

func (w *window) Discard(n int) (int, error) {
	if n > len(w.rest) {
		n = len(w.rest)
		w.rest = nil
		return n, io.EOF
	}
	w.rest = w.rest[n:]
	return n, nil
}

func (w *window) Read(p []byte) (int, error) {
	n := copy(p, w.rest)
	if n < len(p) {
		w.short = true
		if n == 0 {
			return 0, io.EOF
		}
	}
	w.rest = w.rest[n:]
	return n, nil
}

var (
	_ parquet.BufferedReader = (*window)(nil)
	_ file.PageReader        = (*Pages)(nil)
)

// pageMemory is an allocator for the pages of column chunks that are read one after the other. It reuses memory, which
// would otherwise become garbage of the file's size. If reuse is set, released memory is reused at once. Otherwise
// strings may point into pages, so released memory is reused only for the next chunk.
type pageMemory struct {
	memory.Allocator
	reuse      bool
	used, free [][]byte
}

func (m *pageMemory) Allocate(size int) []byte {
	i := slices.IndexFunc(m.free, func(b []byte) bool { return len(b) >= size })
	if i < 0 {
		m.drop()
		m.free, i = append(m.free, m.Allocator.Allocate((size|0xffff)+1)), 0 // the next page may be a bit larger
	}
	b := m.free[i]
	m.free, m.used = slices.Delete(m.free, i, i+1), append(m.used, b)
	return b[:size]
}

func (m *pageMemory) Reallocate(size int, old []byte) []byte {
	b := m.Allocate(size)
	copy(b, old)
	m.Free(old)
	return b
}

func (m *pageMemory) Free(b []byte) {
	i := slices.IndexFunc(m.used, func(u []byte) bool { return cap(b) > 0 && &u[0] == &b[:1][0] })
	if i >= 0 && m.reuse {
		m.free, m.used = append(m.free, m.used[i]), slices.Delete(m.used, i, i+1)
	}
}

// next begins a chunk. The previous chunk must no longer be in use.
func (m *pageMemory) next(reuse bool) {
	m.reuse, m.free, m.used = reuse, append(m.free, m.used...), m.used[:0]
}

// keep retains released memory until the next chunk.
func (m *pageMemory) keep() { m.used, m.free = append(m.used, m.free...), m.free[:0] }

func (m *pageMemory) drop() {
	for _, b := range m.free {
		m.Allocator.Free(b)
	}
	m.free = m.free[:0]
}

var _ memory.Allocator = (*pageMemory)(nil)
