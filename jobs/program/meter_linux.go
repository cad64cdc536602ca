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

// attributes gives the child a separate process group. The kernel kills the child when the thread that started it ends.
// So the child does not survive a kill -9 of this process.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// KernelKills returns how many processes the kernel has killed for lack of memory since the machine started.
func KernelKills() int {
	text, _ := safefile.ReadFile("/proc/vmstat") // empty if the file cannot be read
	_, rest, _ := bytes.Cut(text, []byte("\noom_kill "))
	number, _, _ := bytes.Cut(rest, []byte("\n"))
	kills, _ := strconv.Atoi(string(number)) // 0 if the kernel does not count kills
	return kills
}

// measure returns the CPU seconds and the bytes of memory of a process and its children. Mapped files do not count.
func measure(pid int) (cpu float64, memory int64, ok bool) {
	stat, err := safefile.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // the fields after the command's name
	f := strings.Fields(string(rest))
	if err != nil || len(f) < 15 {
		return 0, 0, false
	}
	var clock unix.Timespec
	_ = unix.ClockGettime(int32(^pid)<<3|2, &clock) // CPU time of the process itself
	user, _ := strconv.Atoi(f[13])                  // CPU time of its ended children, in hundredths of a second
	system, _ := strconv.Atoi(f[14])
	status, _ := safefile.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // empty if the process has just ended
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
