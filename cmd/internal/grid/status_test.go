package grid

import (
	"strings"
	"testing"
	"time"

	"graphda/jobs/run"
)

// status --watch explains why tasks wait.
func TestPrintWaiting(t *testing.T) {
	s := &run.Status{Queue: &run.QueueStatus{Waiting: []run.Waiting{
		{Reason: "Priority", Means: "jobs with a higher priority come first", Tasks: 3}, {Reason: "Resources", Means: "no nodes are free at the moment", Tasks: 1},
		{Reason: "New", Tasks: 2},
	}}}
	var b strings.Builder
	printWaiting(&b, s)
	const want = "3 tasks wait: jobs with a higher priority come first (Priority)\n1 task waits: no nodes are free at the moment (Resources)\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// status --watch slows down by itself. Within an hour it looks a few times instead of 120 times.
func TestWatchSlowsDown(t *testing.T) {
	looks, pause := 1, firstPause
	for clock := pause; clock < time.Hour; clock += pause {
		looks++
		pause = nextPause(pause)
	}
	if looks != 19 || pause != mostPause {
		t.Errorf("%d looks within an hour, then every %v", looks, pause)
	}
}
