package jobs

import (
	"testing"
	"time"
)

// A run of 1000 cells of 6 CPU seconds each, of which one ends every second: six processors are at work.
func TestThroughput(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(seconds int) (*Status, time.Time) {
		s := &Status{Used: 6 * float64(seconds), Left: 6 * float64(1000-seconds)}
		s.Total = StatusCount{Cells: 1000, Done: seconds, Missing: 1000 - seconds}
		return s, begin.Add(time.Duration(seconds) * time.Second)
	}
	var w Watch
	look := func(seconds int) *Throughput {
		s, now := at(seconds)
		w.Look(s, now)
		return s.Throughput
	}
	if got := look(0); got != nil {
		t.Errorf("%+v after one look", got)
	}
	if got := look(4); got.Cells != 60 || got.Processors != 6 || !got.Finish.IsZero() {
		t.Errorf("%+v, want no end: four cells tell nothing", got)
	}
	got := look(100) // 2/√100 = 0.2
	if end := begin.Add(1000 * time.Second); !got.Finish.Equal(end) || !got.Earliest.Equal(begin.Add(850*time.Second)) ||
		!got.Latest.Equal(begin.Add(1225*time.Second)) {
		t.Errorf("%+v, want the end at %v", got, end)
	}
	// What was more than half an hour ago does not count, but for one look.
	w = Watch{}
	s, _ := at(0)
	w.Look(s, begin.Add(-10*time.Hour))
	look(0)
	look(1)
	s, now := at(500)
	w.Look(s, now.Add(watchWindow))
	if s.Throughput.Since != begin.Add(time.Second) {
		t.Errorf("since %v, want the second look", s.Throughput.Since)
	}
	// Fewer cells than before: the watch begins anew.
	if got := look(499); got != nil || len(w.looks) != 1 {
		t.Errorf("%+v", got)
	}
	s, now = at(1000)
	if w.Look(s, now); !s.Throughput.Finish.IsZero() {
		t.Errorf("an end of what is done: %+v", s.Throughput)
	}
}

func TestThroughputOfFewCells(t *testing.T) {
	var w Watch
	for i, left := range []float64{100, 80} {
		s := &Status{Used: 100 - left, Left: left, Total: StatusCount{Cells: 20, Done: 5 * i, Missing: 20 - 5*i}}
		w.Look(s, time.Unix(int64(100*i), 0))
		if i > 0 && (s.Throughput.Latest.IsZero() || !s.Throughput.Latest.After(s.Throughput.Finish)) {
			t.Errorf("%+v", s.Throughput)
		}
	}
}
