package pcst

import (
	"math"
	"math/bits"
	"slices"
)

// A calendar is a queue of (time, edge) events whose times lie at most a horizon ahead:
// a ring of buckets of equal width. The open bucket's events are sorted, those put into
// it while it is open wait in a binary heap.
//
// The time of an event is its edge's key. Events whose edge has got a key in another
// bucket are void.
type calendar struct {
	shift    uint     // a bucket is 1<<shift units of time wide
	edgeBits uint     // low bits of a word that hold the edge
	heads    []int32  // the ring: the last entry of bucket b at b mod len(heads), 0 for none
	used     []uint64 // a bit per bucket of the ring: it has entries
	entries  []entry  // entries[0] is unused
	count    int      // of entries in use
	open     int64    // the open bucket
	base     int64    // the time at which it starts
	sorted   []uint64 // its events, and a never as the last
	at       int      // the next of sorted
	late     []uint64 // its events put late; the first is the least, never if there are none
}

// An entry is an event in a bucket's chain.
type entry struct{ edge, next int32 }

// Events of the open bucket are words: the time since base, shifted left over the edge,
// so that words compare as (time, edge).
const never = math.MaxUint64

// newCalendar returns a calendar for edges 0 to m−1 and events up to 1<<logHorizon ahead.
func newCalendar(m int, logHorizon uint) calendar {
	n := 64 // a word of used
	for n < m {
		n *= 2
	}
	c := calendar{edgeBits: uint(bits.Len(uint(m)))}
	// Half the ring spans the horizon, so that the last bucket never meets the first.
	if span := uint(bits.Len(uint(n))) - 2; logHorizon > span {
		c.shift = logHorizon - span
	}
	c.heads = make([]int32, n)
	c.used = make([]uint64, n/64)
	c.entries = make([]entry, m+2)
	c.late = append(c.late, never)
	return c
}

func (c *calendar) reset() {
	clear(c.heads)
	clear(c.used)
	c.count = 1
	c.open = -1
}

// word returns the event of edge e at time t in the open bucket.
func (c *calendar) word(t int64, e int32) uint64 {
	return uint64(t-c.base)<<c.edgeBits | uint64(uint32(e))
}

// put queues edge e for time t, which must be its key and not lie before the open
// bucket, if sure is 1, and does nothing if it is 0.
func (c *calendar) put(t int64, e int32, sure int) {
	b := t >> c.shift
	if b == c.open {
		if sure != 0 {
			c.putLate(c.word(t, e))
		}
		return
	}
	i := int(b) & (len(c.heads) - 1)
	k := c.count
	if k == len(c.entries) {
		c.grow()
	}
	head := &c.heads[i]
	c.entries[k] = entry{edge: e, next: *head}
	*head += (int32(k) - *head) * int32(sure)
	c.used[i>>6] |= uint64(sure) << (i & 63)
	c.count = k + sure
}

func (c *calendar) grow() {
	c.entries = slices.Grow(c.entries, 1)
	c.entries = c.entries[:cap(c.entries)]
}

// next returns the first bucket after the open one that has entries, or −1.
func (c *calendar) next() int64 {
	mask := int64(len(c.heads) - 1)
	from := (c.open + 1) & mask
	w := from >> 6
	word := c.used[w] &^ (1<<(from&63) - 1)
	for range len(c.used) + 1 {
		if word != 0 {
			i := w<<6 + int64(bits.TrailingZeros64(word))
			return c.open + 1 + (i-from)&mask
		}
		w = (w + 1) & (mask >> 6)
		word = c.used[w]
	}
	return -1
}

// advance opens bucket b, before which no events are left.
func (c *calendar) advance(b int64, edges []edge) {
	c.open, c.base = b, b<<c.shift
	i := int(b) & (len(c.heads) - 1)
	c.used[i>>6] &^= 1 << (i & 63)
	k := c.heads[i]
	c.heads[i] = 0
	c.at = 0
	c.sorted = c.sorted[:0]
	for k != 0 {
		x := c.entries[k]
		k = x.next
		if t := edges[x.edge].key; t>>c.shift == b {
			c.sorted = append(c.sorted, c.word(t, x.edge))
		}
	}
	sortWords(c.sorted)
	c.sorted = append(c.sorted, never)
}

// sortWords sorts few words fast.
func sortWords(x []uint64) {
	if len(x) > 16 {
		slices.Reverse(x) // many edges due at one time came in order
		slices.Sort(x)
		return
	}
	for i := 1; i < len(x); i++ {
		w := x[i]
		j := i
		for j > 0 && x[j-1] > w {
			x[j] = x[j-1]
			j--
		}
		x[j] = w
	}
}

// putLate adds an event to the open bucket.
func (c *calendar) putLate(w uint64) {
	h := append(c.late, never)
	i := len(h) - 2 // the hole; the last place stays never
	for i > 0 && h[(i-1)/2] > w {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = w
	c.late = h
}

// popLate removes the first of the late events.
func (c *calendar) popLate() {
	n := len(c.late) - 2 // events left
	h := c.late[:n+1]
	x := h[n]
	h[n] = never
	i := 0
	for 2*i+1 < n {
		j := 2*i + 1
		if h[j+1] < h[j] { // h[n] is never
			j++
		}
		if h[j] >= x {
			break
		}
		h[i] = h[j]
		i = j
	}
	if n > 0 {
		h[i] = x
	}
	c.late = h
}
