package graph

import "syscall"

func askForHugePages(b []byte) {
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // a kernel without huge pages refuses, which does no harm
}
