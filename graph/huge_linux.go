package graph

import "syscall"

func askForHugePages(b []byte) {
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // an error only means that the kernel has no huge pages
}
