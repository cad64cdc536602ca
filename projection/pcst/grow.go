package pcst

import (
	"math"

	"graphda/graph"
)

func (s *Solver) grow() {
	q := &s.queue
	for {
		b := q.next()
		if s.front.time < math.MaxInt64 {
			if f := s.front.time >> q.shift; b < 0 || f < b {
				b = f
			}
		}
		if b < 0 {
			return
		}
		q.advance(b, s.edges)
		q.sorted = q.sorted[:s.filter(q.sorted)]
		if len(s.nodes) >= touchFrom {
			s.touch(q.sorted)
		}
		q.sort()
		s.front.word = s.frontWord()
		if s.bucket() {
			return
		}
	}
}

// check panics if the solver's state at an event is wrong. Tests with the tag invariants set it.
var check = func(*Solver, int64) {}

// bucket processes the open bucket's events, and tells whether the growth has ended.
func (s *Solver) bucket() (done bool) {
	q := &s.queue
	mask := uint64(1)<<q.edgeBits - 1
	edges, nodes, clusters := s.edges, s.nodes, s.clusters
	root := int32(s.opt.Root)
	for {
		w := min(q.sorted[q.at], q.late[0], s.front.word)
		if w == never {
			return false
		}
		e := int32(w & mask)
		t := q.base + int64(w>>q.edgeBits)
		if t >= s.stop.guard && s.settled(t) {
			return true
		}
		if invariants {
			check(s, t)
		}
		if w == q.sorted[q.at] {
			q.at++
		} else if w == q.late[0] {
			q.popLate()
		} else if s.front.pos == len(s.front.batch) {
			s.loadBatch(t)
			s.reach(t)
			s.setFront()
			continue
		} else {
			s.front.pos++
			s.setFront()
		}

		ed := &edges[e]
		x, y := &nodes[ed.ends[0]], &nodes[ed.ends[1]]
		a, b := x.label, y.label
		ca, cb := &clusters[a], &clusters[b]
		r := ed.cost - (min(t, ca.dies) - ca.off - x.w) - (min(t, cb.dies) - cb.off - y.w)
		liveA, liveB := (t-ca.dies)>>63, (t-cb.dies)>>63 // −1 if active
		both := liveA & liveB                            // −1 if both are active, so that r = 1 counts as filled
		open := (liveA | liveB) & (-int64(a^b) >> 63)    // −1 if the clusters differ and at least one is active
		if open&((r+both-1)>>63) != 0 {
			switch {
			case liveB == 0 && cb.size == 1 && b != root:
				s.joinNode(e, a, b, t)
			case liveA == 0 && ca.size == 1 && a != root:
				s.joinNode(e, b, a, t)
			default:
				s.join(e, a, b, t)
				if s.limiter.over {
					return true
				}
			}
			continue
		}
		if a != b && (^liveA&int64(1-ca.size)|^liveB&int64(1-cb.size)) < 0 {
			s.sleepBoth(e, ca, cb, t)
		}
		if open != 0 {
			ed.key = t + r>>uint(both&1)
			q.put(ed.key, e)
		}
	}
}

// filter removes idle edges from unsorted events of the open bucket.
func (s *Solver) filter(events []uint64) (kept int) {
	mask := uint64(1)<<s.queue.edgeBits - 1
	for _, w := range events {
		ed := &s.edges[w&mask]
		a, b := s.nodes[ed.ends[0]].label, s.nodes[ed.ends[1]].label
		events[kept] = w
		kept += 1 - idle(a, b, &s.clusters[a], &s.clusters[b], s.queue.base)
	}
	return kept
}

// idle returns 1 for an edge inside a cluster or between two single nodes that are dead at time t, and otherwise 0. An
// idle edge needs no event, because the solver examines a dead node's edges when a cluster absorbs the node. t must not
// lie in the future, because an active node may merge before it dies.
func idle(a, b int32, ca, cb *cluster, t int64) int {
	dead := (ca.dies - t - 1) & (cb.dies - t - 1)
	single := int64((ca.size - 2) & (cb.size - 2))
	inside := int64(a^b) - 1
	return int(uint64(dead&single|inside) >> 63)
}

const (
	touchFrom = 1 << 17 // smallest number of nodes for touch; smaller graphs fit in caches
	touchPart = 64      // number of events per round of touch
	touchArcs = 8       // largest number of arcs that touch reads per node
)

// touch loads the data of dead single nodes into the processor's caches before events wake the nodes. It reads one kind
// of data after another, so that many reads run at once.
func (s *Solver) touch(events []uint64) {
	mask := uint64(1)<<s.queue.edgeBits - 1
	for len(events) > 0 {
		part := events[:min(len(events), touchPart)]
		events = events[len(part):]
		var room [2*touchPart + 1]int32
		k := 0
		for _, w := range part {
			for _, u := range s.edges[w&mask].ends {
				c := &s.clusters[s.nodes[u].label]
				room[k] = u
				k += int(uint64((c.dies-s.queue.base-1)&int64(c.size-2)) >> 63)
			}
		}
		s.touchNodes(room[:k])
	}
}

func (s *Solver) touchNodes(nodes []int32) {
	var sum int64
	for _, u := range nodes {
		sum += int64(s.arcs.of(u)[0].Edge)
	}
	for _, u := range nodes {
		for _, arc := range s.nearArcs(u) {
			sum += s.edges[arc.Edge].cost + int64(s.nodes[arc.Node].label)
		}
	}
	for _, u := range nodes {
		for _, arc := range s.nearArcs(u) {
			sum += s.clusters[s.nodes[arc.Node].label].dies
		}
	}
	s.touched += sum
}

func (s *Solver) nearArcs(u int32) []graph.Arc {
	arcs := s.arcs.of(u)
	return arcs[:min(len(arcs), touchArcs)]
}
