package query

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// An ascent finds a bound by dual ascent (Wong, Mathematical Programming 28, 1984). Every node with a prize sends one
// unit of flow towards the root, or its prize is lost. For a set of nodes without the root, the arcs that enter it can
// be charged what is left of their costs, and what is charged adds up to a bound. Nodes are raised by steps, in turn:
// the next charge of a node is along all arcs that are nearer to it than the step.
type ascent struct {
	*instance
	place map[int32]int32 // by node, of those that have been reached
	nodes []nearNode
	queue frontier // by place
	done  []int32  // places, by distance
	round int32
}

// A nearNode is a node that has been reached.
type nearNode struct {
	node  int32
	round int32 // in which it was last reached
	dist  float64
	arcs  []nearArc // into it; nil before they are needed
}

// A nearArc comes from the node of a place.
type nearArc struct {
	from int32
	left float64 // of its cost
}

// A charge may look at this many nodes. Where it ends early the bound is lower, and holds.
const chargedNodes = 1 << 15

// mostLooked is how many nodes the ascents of a bound may look at in all: on a graph of 10⁶ some half a minute. Where
// they end early the bound is lower, and holds.
const mostLooked = 1 << 23

// ended tells whether no more is to be looked at.
func (in *instance) ended(ctx context.Context) bool {
	return in.looked > mostLooked || ctx.Err() != nil
}

// bound returns what costs and lost prizes of an answer without limits add up to at least. Either the dearest node is
// in the answer, or its prize is lost and the second is in it, and so on: the least of these cases. The instance then
// is without these nodes.
func (in *instance) bound(ctx context.Context) float64 {
	if len(in.Must) > 0 {
		return in.lost + in.ascend(ctx, slices.Min(in.Must))
	}
	nodes := sortedKeys(in.worth)
	slices.SortStableFunc(nodes, func(a, b int32) int { return cmp.Compare(in.worth[b], in.worth[a]) })
	least, lost, all := math.Inf(1), 0.0, 0.0
	for _, u := range nodes {
		all += in.worth[u]
	}
	for _, u := range nodes {
		if lost >= least || in.ended(ctx) {
			break
		}
		least = min(least, lost+in.ascend(ctx, u))
		lost += in.worth[u]
		in.without[u] = true
	}
	if in.ended(ctx) {
		least = min(least, lost) // the cases not looked at lose at least these
	}
	return in.lost + min(least, all)
}

// ascend returns a bound for the answers that have the root.
func (in *instance) ascend(ctx context.Context, root int32) float64 {
	a := &ascent{instance: in, place: map[int32]int32{}}
	a.number(root) // is place 0
	bound := in.pays(root)
	rest := map[int32]float64{}
	for u, p := range in.worth {
		if !in.without[u] {
			rest[u] = p
		}
	}
	for u := range in.must {
		rest[u] = math.Inf(1)
	}
	delete(rest, root)
	turn := sortedKeys(rest)
	step := in.mean() / 3
	if step == 0 { // edges cost nothing
		step = math.Inf(1)
		for _, p := range in.Prizes {
			if p < 0 {
				step = min(step, -p/3)
			}
		}
	}
	for len(turn) > 0 && !in.ended(ctx) {
		waiting := turn[:0]
		for _, u := range turn {
			got, ends := a.raise(u, min(step, rest[u]), rest[u])
			bound += got
			if rest[u] -= got; !ends && rest[u] > 0 {
				waiting = append(waiting, u)
			}
		}
		turn = waiting
	}
	return bound
}

// raise charges the arcs around a node up to a distance, and returns how far it came and whether it can be raised no
// further. Up to rest it goes farther at once where nothing is near, so that the number of steps does not grow with
// prizes and costs: an eighth of the way to the next node, or all of it if there is none.
func (a *ascent) raise(t int32, step, rest float64) (charge float64, ends bool) {
	a.round++
	a.queue, a.done = a.queue[:0], a.done[:0]
	a.reach(a.number(t), 0)
	charge = rest
	for len(a.queue) > 0 {
		x := a.queue.pop()
		if x.dist > a.nodes[x.node].dist {
			continue
		}
		if x.dist >= step {
			charge = min(rest, max(step, x.dist/8))
			break
		}
		if x.node == 0 || len(a.done) == chargedNodes {
			charge, ends = x.dist, true
			break
		}
		a.done = append(a.done, x.node)
		if a.nodes[x.node].arcs == nil {
			a.nodes[x.node].arcs = a.arcsInto(a.nodes[x.node].node)
		}
		for _, arc := range a.nodes[x.node].arcs {
			a.reach(arc.from, x.dist+arc.left)
		}
	}
	a.looked += len(a.done)
	for _, place := range a.done {
		x := &a.nodes[place]
		for i := range x.arcs {
			far := charge
			if y := &a.nodes[x.arcs[i].from]; y.round == a.round {
				far = min(far, y.dist)
			}
			x.arcs[i].left -= max(0, min(far-x.dist, x.arcs[i].left))
		}
	}
	return charge, ends
}

func (a *ascent) reach(place int32, dist float64) {
	x := &a.nodes[place]
	if x.round != a.round || dist < x.dist {
		x.round, x.dist = a.round, dist
		a.queue.push(reached{dist, place})
	}
}

// number returns the place of a node.
func (a *ascent) number(u int32) int32 {
	i, ok := a.place[u]
	if !ok {
		i = int32(len(a.nodes))
		a.place[u] = i
		a.nodes = append(a.nodes, nearNode{node: u})
	}
	return i
}

func (a *ascent) arcsInto(u int32) []nearArc {
	into := make([]nearArc, 0, a.g.Degree(u))
	for _, arc := range a.g.Arcs(u) {
		if !a.without[arc.Node] {
			into = append(into, nearArc{a.number(arc.Node), a.cost(arc.Edge) + a.pays(u)})
		}
	}
	return into
}

// A reached is what a frontier holds: a node, or its place, and how far it is.
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
