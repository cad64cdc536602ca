package graph

import "syscall"

func askForHugePages(b []byte) {
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // an error does no harm: the kernel has no huge pages
}
