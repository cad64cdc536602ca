package graph

import "unsafe"

// large is the smallest size in bytes for which MakeLarge asks for huge pages: four pages of 2 MiB.
const large = 8 << 20

// MakeLarge returns a slice of n zeros. If the slice is large, MakeLarge asks the kernel for huge pages. On a virtual
// machine the first use of a page costs one to ten microseconds. Huge pages make reading a graph of 5·10⁶ edges three
// times as fast.
func MakeLarge[T any](n int) []T {
	s := make([]T, n)
	if size := n * int(unsafe.Sizeof(*new(T))); size >= large {
		askForHugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size))
	}
	return s
}
