package running

import (
	"sync"
	"time"
)

// A pace tells how long cells take here beside what was expected of them.
type pace struct {
	mu        sync.Mutex
	tried     bool    // a batch was begun
	expected  float64 // seconds of the cells that have ended
	taken     float64
	cells     int // that have ended
	outOfTime bool
}

// caution multiplies what a batch is expected to take before it is begun near a deadline.
const caution = 1.5

// timeFor tells whether cells of so many seconds are expected to end before the deadline, and if not, notes
// that there is no more time. An attempt's first batch is always begun: else a cell
// that was expected to be too long would never be tried.
func (p *pace) timeFor(seconds float64, deadline time.Time) bool {
	if deadline.IsZero() {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tried {
		p.tried = true
		return true
	}
	seconds *= caution
	if p.expected > 0 {
		seconds *= p.taken / p.expected
	}
	if time.Now().Add(time.Duration(seconds * float64(time.Second))).Before(deadline) {
		return true
	}
	p.outOfTime = true
	return false
}

// ran enters how long cells took of which so many seconds were expected.
func (p *pace) ran(cells int, expected float64, taken time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cells += cells
	p.expected += expected
	p.taken += taken.Seconds()
}
