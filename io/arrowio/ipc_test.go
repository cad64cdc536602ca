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

// A length that is damaged to be huge is refused before memory is taken.
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
