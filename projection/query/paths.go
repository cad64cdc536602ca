package query

import "math"

// paths are shortest paths from some nodes, as far as they have been looked for. Its memory is that of the nodes
// reached.
type paths struct {
	dist   map[int32]float64
	by     map[int32]int32 // the edge that reaches a node
	done   map[int32]bool
	queue  frontier
	closed func(u int32) bool // nodes that no path goes through; nil for none
}

type reached struct {
	dist float64
	node int32
}

// A frontier is a heap by distance, then node.
type frontier []reached

func (f frontier) before(i, j int) bool {
	return f[i].dist < f[j].dist || f[i].dist == f[j].dist && f[i].node < f[j].node
}

func (f *frontier) push(x reached) {
	*f = append(*f, x)
	h := *f
	for i := len(h) - 1; i > 0 && h.before(i, (i-1)/2); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

func (f *frontier) pop() reached {
	h := *f
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*f = h
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < last && h.before(c+1, c) {
			c++
		}
		if c >= last || !h.before(c, i) {
			return top
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
}

func newPaths(closed func(u int32) bool) *paths {
	return &paths{dist: map[int32]float64{}, by: map[int32]int32{}, done: map[int32]bool{}, closed: closed}
}

// reach takes a path to node u, if it is shorter than those before.
func (p *paths) reach(u, edge int32, dist float64) {
	old, ok := p.dist[u]
	if ok && old <= dist || p.closed != nil && p.closed(u) {
		return
	}
	p.dist[u], p.by[u] = dist, edge
	delete(p.done, u)
	p.queue.push(reached{dist, u})
}

// next returns the next node by distance, −1 and +Inf if there is none.
func (p *paths) next() (u int32, dist float64) {
	for len(p.queue) > 0 {
		x := p.queue.pop()
		if p.done[x.node] || x.dist > p.dist[x.node] {
			continue
		}
		p.done[x.node] = true
		return x.node, x.dist
	}
	return -1, math.Inf(1)
}
