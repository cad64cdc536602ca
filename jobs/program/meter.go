package program

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A meter measures a process with its children.
type meter struct {
	limit int64 // bytes of memory
	begin time.Time
	full  context.Context // ends, and tells why, once the memory exceeds the limit
	fill  context.CancelCauseFunc

	mu  sync.Mutex
	cpu float64 // seconds so far
}

// watch measures ten times a second, until the process is closed.
func (m *meter) watch(p *Process) {
	for p.Alive() {
		m.measure(p)
		time.Sleep(100 * time.Millisecond)
	}
}

// measure returns the CPU time so far. Where nothing can be measured, that is the time.
func (m *meter) measure(p *Process) (cpuSeconds float64) {
	cpu, memory, ok := measure(p.cmd.Process.Pid)
	if !ok {
		cpu = time.Since(m.begin).Seconds()
	}
	if memory > m.limit {
		m.fill(fmt.Errorf("out of memory: took %d MiB, and the experiment gives it %d MiB", memory>>20, m.limit>>20))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cpu = max(m.cpu, cpu)
	return m.cpu
}
