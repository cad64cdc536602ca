package sealtest

import (
	"os"
	"runtime"
	"syscall"
)

// Tests write thousands of files, and what is sealed is synced, for which a disk takes its time: what imports this
// package has its temporary files in memory, where there is a file system for it with room for them.
func init() {
	const dir, room = "/dev/shm", 2 << 30
	var free syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(dir, &free) == nil && free.Bavail*uint64(free.Bsize) >= room {
		os.Setenv("TMPDIR", dir)
	}
}

// Allocated returns how many bytes of memory f takes, garbage included.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
