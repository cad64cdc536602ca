package columnar

import "github.com/apache/arrow/go/v15/arrow/memory"

// pageMemory is an allocator for the pages of a column chunk, which are there one after
// the other: without it, reading a file makes as much garbage as the file is long. While
// reuse is set, a page gets the memory of the one before. Values that point into pages, as
// strings do, forbid it. A dictionary, which Arrow decodes little by little, is to be dropped.
type pageMemory struct {
	memory.Allocator
	reuse bool
	held  []byte // of a page or, unless used, for the next
	used  bool
}

func (m *pageMemory) Allocate(size int) []byte {
	if m.used || !m.reuse {
		return m.Allocator.Allocate(size)
	}
	if n := len(m.held); size > n || size < n/2 || n == 0 {
		m.drop()
		m.held = m.Allocator.Allocate(size)
	}
	m.used = size > 0
	return m.held[:size]
}

func (m *pageMemory) Reallocate(size int, old []byte) []byte {
	if !m.holds(old) {
		return m.Allocator.Reallocate(size, old)
	}
	b := m.Allocator.Allocate(size)
	copy(b, old)
	m.Free(old)
	return b
}

func (m *pageMemory) Free(b []byte) {
	if m.holds(b) {
		m.used = false
	} else {
		m.Allocator.Free(b)
	}
}

func (m *pageMemory) holds(b []byte) bool {
	return m.used && len(b) > 0 && &b[0] == &m.held[0]
}

// drop gives back the memory that is kept for the next page.
func (m *pageMemory) drop() {
	if !m.used && m.held != nil {
		m.Allocator.Free(m.held)
		m.held = nil
	}
}

var _ memory.Allocator = (*pageMemory)(nil)
