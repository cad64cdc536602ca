package columnar

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"

	"graphda/io/arrowio"
)

const batchLength = 16384 // number of values that are decoded at a time

type batchReader[P any] interface {
	HasNext() bool
	Err() error
	ReadBatch(n int64, values []P, def, rep []int16) (levels int64, present int, err error)
}

// scan decodes a column in all row groups and visits its rows. convert turns stored values of type P
// into values of type T.
func scan[P, T any](f *parquetFile, c *Column, convert converter[P, T], visit func(int, []T) error) error {
	l := &f.leaves[c.at]
	a := &assembler[T]{leaf: l, list: c.List, maxDef: l.MaxDefinitionLevel(), visit: visit, null: c.null}
	a.blank, a.gaps = c.blank.(T)
	n := batchLength
	if !c.List {
		n = max(1, min(n, int(f.reader.NumRows())))
	}
	i := slices.IndexFunc(f.scratch, func(s any) bool {
		b, ok := s.(*batch[P, T])
		return ok && len(b.values) >= n
	})
	if i < 0 {
		b := &batch[P, T]{values: make([]P, n), def: make([]int16, n), rep: make([]int16, n)}
		var same bool
		if b.converted, same = any(b.values).([]T); !same {
			b.converted = make([]T, n)
		}
		i, f.scratch = len(f.scratch), append(f.scratch, b)
	}
	b := f.scratch[i].(*batch[P, T])
	a.all = b.spread
	defer func() { b.spread = a.all }()
	for g := f.from; g < f.to; g++ {
		if err := scanChunk(f, g, b, a, convert); err != nil {
			return err
		}
	}
	return nil
}

func scanChunk[P, T any](f *parquetFile, group int, b *batch[P, T], a *assembler[T], convert converter[P, T]) error {
	pages, err := f.pages(group, a.leaf)
	if err != nil {
		return err
	}
	defer pages.Release()
	r, ok := file.NewColumnReader(a.leaf.Column, pages, f.mem, f.reader.BufferPool()).(batchReader[P])
	if !ok {
		return damaged("its type differs from the type in the schema")
	}
	for r.HasNext() {
		levels, present, err := r.ReadBatch(int64(len(b.values)), b.values, b.def, b.rep)
		if err != nil {
			return damaged("%w", err)
		}
		if levels == 0 {
			return errPage
		}
		def, rep := b.def[:levels], b.rep[:levels]
		if convert != nil {
			if bad, err := convert(b.converted[:present], b.values[:present]); err != nil {
				return a.refuse(bad, def, rep, err)
			}
		}
		if err := a.add(def, rep, b.converted[:present]); err != nil {
			return err
		}
	}
	if err := r.Err(); err != nil {
		return damaged("%w", err)
	}
	return a.flush()
}

// pages returns the pages of one column chunk without copying it.
func (f *parquetFile) pages(group int, l *leaf) (*arrowio.Pages, error) {
	meta, err := f.reader.RowGroup(group).MetaData().ColumnChunk(l.index)
	if err != nil {
		return nil, damaged("%w", err)
	}
	if meta.CryptoMetadata() != nil {
		return nil, damaged("it is encrypted")
	}
	if _, err := compress.GetCodec(meta.Compression()); err != nil {
		return nil, fmt.Errorf("is compressed with %s, which cannot be read; write it again with snappy, gzip, zstd or "+
			"brotli",
			meta.Compression())
	}
	start := meta.DataPageOffset()
	if d := meta.DictionaryPageOffset(); meta.HasDictionaryPage() && d > 0 && d < start {
		start = d
	}
	n := meta.TotalCompressedSize()
	if start < 0 || start > f.size || n < 0 || n > f.size-start {
		return nil, damaged("its pages lie outside the file")
	}
	chunk := f.data
	if chunk != nil {
		chunk = chunk[start : start+n]
	} else {
		f.chunk = slices.Grow(f.chunk[:0], int(n))[:n]
		if _, err := f.content.ReadAt(f.chunk, start); err != nil {
			return nil, err
		}
		chunk = f.chunk
	}
	pages, err := f.pager.Chunk(l.Column, chunk, meta.NumValues(), meta.Compression())
	if err != nil {
		return nil, damaged("%w", err)
	}
	return pages, nil
}

var errPage = damaged("%w", arrowio.ErrPage)

// A batch is memory for decoding values of a column. Columns of the same types share a batch.
type batch[P, T any] struct {
	values    []P
	converted []T // the values, converted to T; same as `values` if P is T
	def, rep  []int16
	spread    []T // memory for assembler.all
}

// An assembler builds the rows of a column from batches. A batch has values and levels. The levels say where lists
// begin and where nulls are (Dremel's levels; see the Parquet format).
type assembler[T any] struct {
	leaf   *leaf
	list   bool
	maxDef int16
	row    int // row of the open list, or of the next value if no list is open
	open   bool
	buf    []T
	visit  func(row int, values []T) error
	null   func(row int) // Column.null
	gaps   bool          // set if the value of a null is blank
	blank  T
	all    []T // memory for the result of the method spread
}

func (a *assembler[T]) add(def, rep []int16, values []T) error {
	if a.list {
		return a.addLists(def, rep, values)
	}
	if a.maxDef > 0 && len(values) != len(def) {
		var err error
		if values, err = a.spread(def, values); err != nil {
			return err
		}
	}
	if len(values) != len(def) {
		return errPage
	}
	row := a.row
	a.row += len(values)
	return a.visit(row, values)
}

// spread returns the values, with a.blank in the place of each null.
func (a *assembler[T]) spread(def []int16, values []T) ([]T, error) {
	a.all = slices.Grow(a.all[:0], len(def))[:len(def)]
	next := 0
	for i, d := range def {
		switch {
		case d == a.maxDef && next == len(values): // the page has fewer values than it claims
			return nil, errPage
		case d == a.maxDef:
			a.all[i] = values[next]
			next++
			continue
		case a.null != nil:
			a.null(a.row + i)
		case !a.gaps:
			return nil, AtRow(a.row+i, "is null")
		}
		a.all[i] = a.blank
	}
	return a.all, nil
}

func (a *assembler[T]) addLists(def, rep []int16, values []T) error {
	for i := 0; i < len(rep); {
		if rep[i] == 0 {
			if err := a.flush(); err != nil {
				return err
			}
			a.open = true
		} else if !a.open {
			return damaged("a row group begins inside a row")
		}
		end := i + 1
		for end < len(rep) && rep[end] != 0 {
			end++
		}
		for k := i; k < end; k++ {
			if def[k] == a.maxDef {
				continue
			}
			if def[k] == a.leaf.slotDef-1 && rep[k] == 0 && end == k+1 { // an empty list
				end = k
				break
			}
			if def[k] < a.leaf.slotDef-1 {
				return AtRow(a.row, "is null")
			}
			return AtRow(a.row, "element %d is null", len(a.buf)+k-i)
		}
		if len(values) < end-i {
			return errPage
		}
		n := end - i
		if rep[i] == 0 && end < len(rep) {
			a.open = false
			a.row++
			if err := a.visit(a.row-1, values[:n]); err != nil {
				return err
			}
		} else {
			a.buf = append(a.buf, values[:n]...)
		}
		values = values[n:]
		i = max(end, i+1)
	}
	if len(values) > 0 {
		return damaged("a page has more values than its header says")
	}
	return nil
}

func (a *assembler[T]) flush() error {
	if !a.open {
		return nil
	}
	a.open = false
	row, elements := a.row, a.buf
	a.row++
	a.buf = a.buf[:0]
	return a.visit(row, elements)
}

// refuse adds to err the row of a bad value. bad is the value's index among the batch's values that are not null.
func (a *assembler[T]) refuse(bad int, def, rep []int16, err error) error {
	if a.maxDef == 0 {
		return AtRow(a.row+bad, "%w", err)
	}
	row, present := a.row, 0
	for i, d := range def {
		if i > 0 && (!a.list || rep[i] == 0) || i == 0 && a.open && rep[0] == 0 {
			row++
		}
		if d == a.maxDef {
			if present == bad {
				return AtRow(row, "%w", err)
			}
			present++
		}
	}
	return AtRow(row, "%w", err)
}
