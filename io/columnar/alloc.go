package columnar

import (
	"slices"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// pageMemory is an allocator for the pages of one column chunk after the other: without it, reading a file makes
// as much garbage as the file is long. What is given back may be used again at once if reuse is set, else when
// the next chunk begins: values that point into pages, as strings do, forbid it before.
type pageMemory struct {
	memory.Allocator
	reuse      bool
	used, free [][]byte
}

func (m *pageMemory) Allocate(size int) []byte {
	i := slices.IndexFunc(m.free, func(b []byte) bool { return len(b) >= size })
	if i < 0 {
		m.drop()
		m.free, i = append(m.free, m.Allocator.Allocate((size|0xffff)+1)), 0 // pages are of about one size
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

// next begins a chunk: nothing of the one before is in use any more.
func (m *pageMemory) next(reuse bool) {
	m.reuse, m.free, m.used = reuse, append(m.free, m.used...), m.used[:0]
}

// keep keeps what was given back until the next chunk.
func (m *pageMemory) keep() { m.used, m.free = append(m.used, m.free...), m.free[:0] }

// drop gives back the memory that is not in use.
func (m *pageMemory) drop() {
	for _, b := range m.free {
		m.Allocator.Free(b)
	}
	m.free = m.free[:0]
}

var _ memory.Allocator = (*pageMemory)(nil)
