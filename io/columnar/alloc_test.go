package columnar

import (
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Two pages that are there at once, or one after the other without reuse, never share
// memory, and all of it is given back.
func TestPageMemory(t *testing.T) {
	checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
	m := &pageMemory{Allocator: checked, reuse: true}
	first := m.Allocate(1000)
	second := m.Allocate(1000)
	if &first[0] == &second[0] {
		t.Error("two pages share memory")
	}
	m.Free(second)
	m.Free(first)
	third := m.Allocate(900)
	if &third[0] != &first[0] {
		t.Error("a page did not get the memory of the one before")
	}
	third[0] = 7
	third = m.Reallocate(2000, third)
	if third[0] != 7 || len(third) != 2000 {
		t.Error("a page lost its content when it grew")
	}
	m.Free(third)
	m.Free(m.Allocate(100))
	m.Free(m.Allocate(5000))
	m.reuse = false
	m.drop()
	a := m.Allocate(5000)
	m.Free(a)
	b := m.Allocate(5000)
	m.Free(b)
	if m.held != nil {
		t.Error("memory is kept without reuse")
	}
	checked.AssertSize(t, 0)
}
