package main

import (
	"strings"
	"testing"
	"time"

	"graphda/jobs"
)

// A watch tells the pace, when all is done and in what range, and why tasks wait.
func TestPrintThroughput(t *testing.T) {
	at := func(minutes int) time.Time { return time.Date(2026, 3, 2, 10, minutes, 0, 0, time.UTC) }
	s := &jobs.Status{Queue: &jobs.QueueStatus{Waiting: []jobs.Waiting{
		{Reason: "Priority", Means: "others are before them", Tasks: 3}, {Reason: "Resources", Means: "until nodes are free", Tasks: 1},
		{Reason: "New", Tasks: 2},
	}}}
	const waits = "3 tasks wait: others are before them (Priority)\n1 task waits: until nodes are free (Resources)\n"
	for _, test := range []struct {
		t    *jobs.Throughput
		want string
	}{
		{nil, ""},
		{&jobs.Throughput{Since: at(0), Cells: 2.5, Processors: 4}, "since 10:00:00: 2.5 cells a minute, 4 processors at work\n" + waits},
		{&jobs.Throughput{Since: at(0), Finish: at(30), Earliest: at(20)},
			"since 10:00:00: 0 cells a minute, 0 processors at work; done about Mon 2 Mar 10:30, not before Mon 2 Mar 10:20\n" + waits},
		{&jobs.Throughput{Since: at(0), Finish: at(30), Earliest: at(20), Latest: at(50)}, "since 10:00:00: 0 cells a minute, " +
			"0 processors at work; done about Mon 2 Mar 10:30, between Mon 2 Mar 10:20 and Mon 2 Mar 10:50\n" + waits},
	} {
		var b strings.Builder
		s.Throughput = test.t
		printThroughput(&b, s)
		if b.String() != test.want {
			t.Errorf("%q, want %q", b.String(), test.want)
		}
	}
}
