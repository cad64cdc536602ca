package fewprize

import (
	"math"
	"math/bits"
)

// A queue has the events: a node whose next arc is due, or an arc, written as its complement, whose
// ends may meet. Those of the open bucket are in the heap with their times; the buckets of the ring
// and the bag behind it have no times.
type queue struct {
	shift uint                  // a bucket is 1<<shift units wide
	first int64                 // the first bucket of the ring's window, behind which the bag begins
	open  int64                 // the open bucket
	end   int64                 // the time at which it ends
	ring  [ringSize][]int32     // by bucket less first
	used  [ringSize / 64]uint64 // a bit per bucket of the ring: it has events
	bag   []int32
	due   []int32   // of the bucket being opened
	free  [][]int32 // room of buckets that have been opened, for others: no bucket keeps that of its largest solve
	heap  Events
}

const ringSize = 2048

// Places of a node in the queue other than a bucket.
const (
	nowhere = -1
	inBag   = -2
	taken   = -3 // the growth is over, and the node is in the forest
)

// An Event is something due at a time. Of one time that of the least key comes first.
type Event struct {
	Time int64
	Key  int32 // here an edge, or −1
	What int32
}

func (e Event) before(o Event) bool {
	return e.Time < o.Time || e.Time == o.Time && e.Key < o.Key
}

// Events are a heap, the first on top.
type Events []Event

// reset empties the queue and makes 1,024 buckets of the span.
func (q *queue) reset(span int64) {
	for w, word := range q.used {
		for ; word != 0; word &= word - 1 {
			i := w<<6 + bits.TrailingZeros64(word)
			q.free = append(q.free, q.ring[i][:0])
			q.ring[i] = nil
		}
	}
	clear(q.used[:])
	q.bag, q.heap = q.bag[:0], q.heap[:0]
	q.shift = uint(max(0, bits.Len64(uint64(span))-11))
	q.first, q.open, q.end = 0, -1, 0
}

// put queues something for a time that does not lie before the open bucket, and returns its place.
func (q *queue) put(what int32, time int64, key int32) int32 {
	b := time >> q.shift
	switch {
	case b == q.open:
		q.heap.Push(Event{time, key, what})
	case b-q.first < ringSize:
		i := b - q.first
		if last := len(q.free) - 1; q.ring[i] == nil && last >= 0 {
			q.ring[i], q.free = q.free[last], q.free[:last]
		}
		q.ring[i] = append(q.ring[i], what)
		q.used[i>>6] |= 1 << (i & 63)
	default:
		q.bag = append(q.bag, what)
		return inBag
	}
	return place(b)
}

func place(bucket int64) int32 { return int32(bucket & math.MaxInt32) }

// next opens the next bucket of the ring that has events, which are then due, and reports whether
// there is one. The heap must be empty.
func (q *queue) next() bool {
	for i := q.open + 1 - q.first; i < ringSize; i = i&^63 + 64 {
		if word := q.used[i>>6] >> (i & 63); word != 0 {
			i += int64(bits.TrailingZeros64(word))
			q.openBucket(q.first + i)
			q.used[i>>6] &^= 1 << (i & 63)
			q.free = append(q.free, q.due[:0])
			q.due, q.ring[i] = q.ring[i], nil
			return true
		}
	}
	return false
}

func (q *queue) openBucket(b int64) {
	q.open, q.end = b, (b+1)<<q.shift
}

// Push adds an event.
func (q *Events) Push(e Event) {
	h := append(*q, e)
	i := len(h) - 1
	for i > 0 && e.before(h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = e
	*q = h
}

// Pop removes the first event and returns it. There must be one.
func (q *Events) Pop() Event {
	h := *q
	first, n := h[0], len(h)-1
	e := h[n]
	h = h[:n]
	i := 0
	for 2*i+1 < n {
		j := 2*i + 1
		if j+1 < n && h[j+1].before(h[j]) {
			j++
		}
		if !h[j].before(e) {
			break
		}
		h[i] = h[j]
		i = j
	}
	if n > 0 {
		h[i] = e
	}
	*q = h
	return first
}
