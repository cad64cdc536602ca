package main

import (
	"testing"
	"time"
)

// A watch slows down by itself: within an hour it looks a few times, and not 120 times.
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
