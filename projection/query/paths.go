package query

import (
	"container/heap"
	"math"
)

// paths are shortest paths from some nodes, as far as they have been looked for. Its memory is that of the nodes
// reached.
type paths struct {
	dist   map[int32]float64
	by     map[int32]int32 // the edge that reaches a node
	done   map[int32]bool
	order  []int32 // nodes done, by distance
	queue  frontier
	closed func(u int32) bool // nodes that no path goes through; nil for none
}

type reached struct {
	dist float64
	node int32
}

// A frontier is a heap by distance, then node.
type frontier []reached

func (f frontier) Len() int      { return len(f) }
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f frontier) Less(i, j int) bool {
	return f[i].dist < f[j].dist || f[i].dist == f[j].dist && f[i].node < f[j].node
}
func (f *frontier) Push(x any) { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	old := *f
	x := old[len(old)-1]
	*f = old[:len(old)-1]
	return x
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
	heap.Push(&p.queue, reached{dist, u})
}

// next returns the next node by distance, −1 and +Inf if there is none.
func (p *paths) next() (u int32, dist float64) {
	for len(p.queue) > 0 {
		x := heap.Pop(&p.queue).(reached)
		if p.done[x.node] || x.dist > p.dist[x.node] {
			continue
		}
		p.done[x.node] = true
		p.order = append(p.order, x.node)
		return x.node, x.dist
	}
	return -1, math.Inf(1)
}
