package program

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"graphda/io/safefile"
)

// attributes give the child a process group of its own. The kernel kills it when the thread that has started it ends,
// be it by kill -9 of this process.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// KernelKills returns how many processes of this machine the kernel has killed since its start, for memory was short.
func KernelKills() int {
	text, _ := safefile.ReadFile("/proc/vmstat") // empty where it cannot be read
	_, rest, _ := bytes.Cut(text, []byte("\noom_kill "))
	number, _, _ := bytes.Cut(rest, []byte("\n"))
	kills, _ := strconv.Atoi(string(number)) // none of a kernel that does not count
	return kills
}

// measure measures a process and its children: seconds of CPU time, bytes of memory without mapped files.
func measure(pid int) (cpu float64, memory int64, ok bool) {
	stat, err := safefile.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // behind the name
	f := strings.Fields(string(rest))
	if err != nil || len(f) < 15 {
		return 0, 0, false
	}
	var clock unix.Timespec
	_ = unix.ClockGettime(int32(^pid)<<3|2, &clock) // that of the process
	user, _ := strconv.Atoi(f[13])                  // of its children that have ended, in hundredths of a second
	system, _ := strconv.Atoi(f[14])
	status, _ := safefile.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // empty if it has ended just now
	_, rest, _ = bytes.Cut(status, []byte("\nRssAnon:"))
	kib, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	held, _ := strconv.ParseInt(string(kib), 10, 64)
	cpu, memory = float64(clock.Nano())/1e9+float64(user+system)/100, held<<10
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range threads {
		children, _ := safefile.ReadFile(path)
		for _, word := range strings.Fields(string(children)) {
			child, _ := strconv.Atoi(word)
			seconds, bytes, _ := measure(child)
			cpu, memory = cpu+seconds, memory+bytes
		}
	}
	return cpu, memory, true
}
