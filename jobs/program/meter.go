package program

import (
	"fmt"
	"sync"
	"time"
)

// A meter measures a process with its children.
type meter struct {
	limit int64 // bytes of memory
	begin time.Time
	full  chan struct{} // closed once the memory exceeds the limit

	mu   sync.Mutex
	cpu  float64 // seconds so far
	most int64   // bytes of memory that were held at one time
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.most <= m.limit && memory > m.limit {
		close(m.full)
	}
	m.cpu, m.most = max(m.cpu, cpu), max(m.most, memory)
	return m.cpu
}

// exceeded returns an error if the memory has exceeded the limit.
func (m *meter) exceeded() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.most <= m.limit {
		return nil
	}
	return fmt.Errorf("out of memory: took %d MiB, and the experiment gives it %d MiB", m.most>>20, m.limit>>20)
}
