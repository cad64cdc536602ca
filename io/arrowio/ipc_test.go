package arrowio

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestBounded checks that a damaged, huge length is refused before memory is allocated.
func TestBounded(t *testing.T) {
	checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
	b := &bounded{mem: checked, left: 1000}
	buf := b.Allocate(600)
	buf = b.Reallocate(900, buf)
	for _, n := range []int{101, math.MaxInt, -1} {
		if !panics(func() { b.Allocate(n) }) {
			t.Errorf("%d bytes were given where 100 are left", n)
		}
	}
	b.Free(buf)
	b.Free(b.Allocate(1000))
	checked.AssertSize(t, 0)
}

func TestPosition(t *testing.T) {
	var b bytes.Buffer
	w := &positioned{buf: bufio.NewWriter(&b)}
	for i := range 5 {
		if pos, err := w.Seek(0, io.SeekCurrent); err != nil || pos != int64(3*i) {
			t.Errorf("position %d, %v, want %d", pos, err, 3*i)
		}
		if _, err := w.Write([]byte("abc")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Seek(1, io.SeekStart); err == nil {
		t.Error("the writer went back")
	}
}

// TestPageMemory checks that pages in use never share memory: neither pages used at once, nor pages of a chunk
// without reuse. All memory must be released.
func TestPageMemory(t *testing.T) {
	checked := memory.NewCheckedAllocator(memory.NewGoAllocator())
	m := &pageMemory{Allocator: checked}
	for _, reuse := range []bool{true, false} {
		m.next(reuse)
		first := m.Allocate(1000)
		second := m.Allocate(70_000)
		if &first[0] == &second[0] {
			t.Error("two pages share memory")
		}
		m.Free(first)
		if third := m.Allocate(900); (&third[0] == &first[0]) != reuse {
			t.Errorf("reuse %v: a page got the memory of the one before, or not", reuse)
		}
		second[0] = 7
		second = m.Reallocate(200_000, second)
		if second[0] != 7 || len(second) != 200_000 {
			t.Error("a page lost its content when it grew")
		}
		m.Free(m.Allocate(0))
		m.Free(second)
		m.keep() // as for a dictionary, which is read after its release
		if last := m.Allocate(100_000); &last[0] == &second[0] {
			t.Error("memory that is kept is used")
		}
	}
	m.next(true)
	m.drop()
	checked.AssertSize(t, 0)
}
