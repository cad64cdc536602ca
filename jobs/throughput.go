package jobs

import (
	"math"
	"slices"
	"time"
)

// A Throughput is how fast a run goes on, by what has become of it between two looks, and when it will be
// done if it goes on like that.
type Throughput struct {
	Since      time.Time `json:"since"`      // of the first look
	Cells      float64   `json:"per_minute"` // that came to an end
	Processors float64   `json:"processors"` // CPU seconds of such cells a second

	// When all is done, and within which range, if the next cells come as those did: n random
	// events are 2·√n of them off in 5 of 100 cases. They are zero where too few have come, Latest where it may be
	// any time.
	Earliest time.Time `json:"earliest,omitzero"`
	Finish   time.Time `json:"finish,omitzero"`
	Latest   time.Time `json:"latest,omitzero"`
}

// A Watch is looks at a run.
type Watch struct{ looks []lookAt }

type lookAt struct {
	at   time.Time
	done int
	used float64
}

// How far back a watch looks, and how many cells must have come to tell when all are done.
const (
	watchWindow  = 30 * time.Minute
	watchAtLeast = 5
)

// Look enters a look, and fills in the status's throughput if there was one before.
func (w *Watch) Look(s *Status, now time.Time) {
	done := s.Total.Done + s.Total.Failed
	if n := len(w.looks); n > 0 && (done < w.looks[n-1].done || !now.After(w.looks[n-1].at)) {
		w.looks = nil // results were lost, or failed cells are tried again: what was before says nothing
	}
	w.looks = append(w.looks, lookAt{now, done, s.Used})
	if len(w.looks) == 1 {
		return
	}
	// The last look before the window stays, so that it is never shorter than asked for.
	for len(w.looks) > 2 && now.Sub(w.looks[1].at) >= watchWindow {
		w.looks = slices.Delete(w.looks, 0, 1)
	}
	first := w.looks[0]
	took := now.Sub(first.at).Seconds()
	n := done - first.done
	t := &Throughput{Since: first.at, Cells: 60 * float64(n) / took, Processors: max(0, s.Used-first.used) / took}
	if n >= watchAtLeast && t.Processors > 0 && s.Undone() > 0 {
		in := func(rate float64) time.Time {
			return now.Add(time.Duration(s.Left / rate * float64(time.Second))).Round(time.Second)
		}
		off := 2 / math.Sqrt(float64(n))
		t.Earliest, t.Finish = in(t.Processors*(1+off)), in(t.Processors)
		if off < 1 {
			t.Latest = in(t.Processors * (1 - off))
		}
	}
	s.Throughput = t
}
