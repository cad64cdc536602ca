package pcst

import (
	"math"
	"math/bits"
	"slices"
)

// A calendar is a queue of (time, edge) events: a ring of buckets of equal width that cover a fixed span of time. The
// events of the open bucket are sorted, and later events of this bucket are in a binary heap.
//
// The time of an event is the key of its edge. If the key has moved to another bucket, the calendar ignores the event
// (it is void).
type calendar struct {
	shift    uint     // a bucket is 1<<shift units of time wide
	edgeBits uint     // number of low bits of a word that hold the edge
	ring     []block  // bucket b is at index b mod len(ring)
	used     []uint64 // one bit for each bucket of the ring: whether it has events
	full     []block  // full blocks of all buckets; full[0] is not used
	free     int32    // index in full of the first free block, or 0
	open     int64    // number of the open bucket
	base     int64    // time at which the open bucket begins
	sorted   []uint64 // events of the open bucket in order, followed by the constant never
	spare    []uint64 // scratch memory for sorting
	at       int      // index of the next event in sorted
	late     []uint64 // heap of later events of the open bucket, followed by the constant never
}

// A block is one cache line of events. In a full block, link is the index of the bucket's next full block. In the ring,
// the low 4 bits of link are the number of events, and the high bits are the index of the bucket's first full block.
type block struct {
	edges [15]int32
	link  uint32
}

// An event of the open bucket is a word, with the time since base in the high bits and the edge in the low bits. So
// words compare like pairs (time, edge). The constant never is later than every event.
const never = math.MaxUint64

// newCalendar returns a calendar for m edges. Events may be up to 1<<logHorizon units of time ahead.
func newCalendar(m int, logHorizon uint) calendar {
	n := 64 // c.used needs at least one word
	for n < m/32 {
		n *= 2
	}
	c := calendar{edgeBits: uint(bits.Len(uint(m)))}
	// Half of the ring spans the horizon, so that the last bucket in use never reaches the first.
	if span := uint(bits.Len(uint(n))) - 2; logHorizon > span {
		c.shift = logHorizon - span
	}
	c.ring = make([]block, n)
	c.used = make([]uint64, n/64)
	c.full = make([]block, 1)
	c.late = append(c.late, never)
	return c
}

func (c *calendar) reset() {
	for w, word := range c.used {
		for ; word != 0; word &= word - 1 {
			c.ring[w<<6+bits.TrailingZeros64(word)].link = 0
		}
	}
	clear(c.used)
	c.full = c.full[:1]
	c.free = 0
	c.open = -1
	c.late = append(c.late[:0], never)
}

// word returns the word of edge e at time t. The time must be in the open bucket.
func (c *calendar) word(t int64, e int32) uint64 {
	return uint64(t-c.base)<<c.edgeBits | uint64(uint32(e))
}

// put queues an event of edge e at time t, which is the edge's key and not before the open bucket.
func (c *calendar) put(t int64, e int32) {
	b := t >> c.shift
	if b == c.open {
		c.putLate(c.word(t, e))
		return
	}
	i := uint(b) & uint(len(c.ring)-1)
	p := &c.ring[i]
	fill := p.link & 15
	p.edges[fill] = e
	p.link++
	c.used[i>>6] |= 1 << (i & 63)
	if fill == 14 {
		c.spill(p)
	}
}

// spill moves the events of p, a block of the ring, to a block in c.full.
func (c *calendar) spill(p *block) {
	k := c.free
	if k == 0 {
		k = int32(len(c.full))
		c.full = append(c.full, block{})
	} else {
		c.free = int32(c.full[k].link)
	}
	c.full[k].edges = p.edges
	c.full[k].link = p.link >> 4
	p.link = uint32(k) << 4
}

// next returns the next bucket with events, or −1.
func (c *calendar) next() int64 {
	mask := int64(len(c.ring) - 1)
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

// advance opens bucket b and copies its events, unsorted, to c.sorted. No earlier bucket may have events.
func (c *calendar) advance(b int64, edges []edge) {
	c.open, c.base = b, b<<c.shift
	c.at = 0
	c.sorted = c.sorted[:0]
	i := uint(b) & uint(len(c.ring)-1)
	p := &c.ring[i]
	if p.link == 0 {
		return
	}
	c.used[i>>6] &^= 1 << (i & 63)
	first := uint32(0)
	for k := p.link >> 4; k != 0; { // the last filled block is first
		k, c.full[k].link, first = c.full[k].link, first, k
	}
	for k := first; k != 0; {
		x := &c.full[k]
		c.take(x.edges[:], edges)
		k, x.link, c.free = x.link, uint32(c.free), int32(k)
	}
	c.take(p.edges[:p.link&15], edges)
	p.link = 0
}

// take appends the block's events to c.sorted, except void events.
func (c *calendar) take(block []int32, edges []edge) {
	k := len(c.sorted)
	out := slices.Grow(c.sorted, len(block))[:k+len(block)]
	for _, e := range block {
		t := edges[e].key
		out[k] = c.word(t, e)
		d := t>>c.shift ^ c.open // 0 if the event is in the open bucket
		k += int((d-1)>>63) & 1
	}
	c.sorted = out[:k]
}

func (c *calendar) sort() {
	const smallest = 12 // calling part for fewer events is slower
	if len(c.sorted) > smallest {
		c.part()
	}
	x := c.sorted
	moves := 8 * len(x) // insertion sort mostly needs few moves
	for i := 1; i < len(x) && moves > 0; i++ {
		w := x[i]
		j := i
		for j > 0 && x[j-1] > w {
			x[j] = x[j-1]
			j--
		}
		x[j] = w
		moves -= i - j
	}
	if moves <= 0 {
		slices.Sort(x)
	}
	c.sorted = append(x, never)
}

// part sorts the events of the open bucket by the highest bits of their times.
func (c *calendar) part() {
	const logParts = 6
	var end [1 << logParts]int32
	x := c.sorted
	shift := c.edgeBits + max(c.shift, logParts) - logParts
	for _, w := range x {
		end[w>>shift&(1<<logParts-1)]++
	}
	sum := int32(0)
	for i, n := range end {
		end[i] = sum
		sum += n
	}
	out := slices.Grow(c.spare[:0], len(x)+1)[:len(x)]
	for _, w := range x {
		p := &end[w>>shift&(1<<logParts-1)]
		out[*p] = w
		*p++
	}
	c.sorted, c.spare = out, x
}

func (c *calendar) putLate(w uint64) {
	h := append(c.late, never)
	i := len(h) - 2 // index of the hole in the heap; the last element stays the constant never
	for i > 0 && h[(i-1)/2] > w {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = w
	c.late = h
}

func (c *calendar) popLate() {
	n := len(c.late) - 2
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
