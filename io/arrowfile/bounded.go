package arrowfile

import (
	"errors"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Bounded returns an allocator that panics where a damaged length in a file of that many bytes
// would make Go end the process for lack of memory.
func Bounded(mem memory.Allocator, size int) memory.Allocator {
	return &bounded{mem: mem, left: 64*int64(size) + 1<<30}
}

type bounded struct {
	mem  memory.Allocator
	left int64
}

var errMemory = errors.New("it asks for more memory than a file of its size can need")

func (b *bounded) take(n int) {
	if n < 0 || int64(n) > b.left {
		panic(errMemory)
	}
	b.left -= int64(n)
}

func (b *bounded) Allocate(size int) []byte {
	b.take(size)
	return b.mem.Allocate(size)
}

func (b *bounded) Reallocate(size int, old []byte) []byte {
	b.left += int64(len(old))
	b.take(size)
	return b.mem.Reallocate(size, old)
}

func (b *bounded) Free(old []byte) {
	b.left += int64(len(old))
	b.mem.Free(old)
}

var _ memory.Allocator = (*bounded)(nil)
