package graph

import "unsafe"

// large is the smallest size in bytes for which MakeLarge asks for huge pages.
const large = 8 << 20

// MakeLarge returns a slice of n zeros, in huge pages if it is large and the kernel has them. Reading a graph of 5·10⁶
// edges is three times as fast this way.
func MakeLarge[T any](n int) []T {
	s := make([]T, n)
	if size := n * int(unsafe.Sizeof(*new(T))); size >= large {
		askForHugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size))
	}
	return s
}
