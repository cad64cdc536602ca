package running

import "time"

// A pace tells how long cells take here beside what was expected of them.
type pace struct {
	tried    bool    // a batch was begun
	expected float64 // seconds of the cells that have ended
	taken    float64
}

// caution multiplies what a batch is expected to take before it is begun near a deadline.
const caution = 1.5

// timeFor tells whether a batch is expected to end before the deadline, and if not, that
// the session has run out of time. An attempt's first batch is always begun: else a cell
// that was expected to be too long would never be tried.
func (s *session) timeFor(batch []*cellRun) bool {
	if s.Deadline.IsZero() {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.pace.tried {
		s.pace.tried = true
		return true
	}
	seconds := 0.0
	for _, c := range batch {
		seconds += c.planned.Seconds
	}
	seconds *= caution
	if s.pace.expected > 0 {
		seconds *= s.pace.taken / s.pace.expected
	}
	if time.Now().Add(time.Duration(seconds * float64(time.Second))).Before(s.Deadline) {
		return true
	}
	s.outOfTime = true
	return false
}

// ran enters how long a batch took.
func (s *session) ran(batch []*cellRun, taken time.Duration, err error) {
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcome.Computed += len(batch)
	for _, c := range batch {
		s.pace.expected += c.planned.Seconds
	}
	s.pace.taken += taken.Seconds()
}
