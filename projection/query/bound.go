package query

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"graphda/projection/fewprize"
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
	nodes := slices.Sorted(maps.Keys(in.worth))
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
	turn := slices.Sorted(maps.Keys(rest))
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
	a.queue.Events, a.done = a.queue.Events[:0], a.done[:0]
	a.reach(a.number(t), 0)
	charge = rest
	for len(a.queue.Events) > 0 {
		place, dist := a.queue.pop()
		if dist > a.nodes[place].dist {
			continue
		}
		if dist >= step {
			charge = min(rest, max(step, dist/8))
			break
		}
		if place == 0 || len(a.done) == chargedNodes {
			charge, ends = dist, true
			break
		}
		a.done = append(a.done, place)
		if a.nodes[place].arcs == nil {
			a.nodes[place].arcs = a.arcsInto(a.nodes[place].node)
		}
		for _, arc := range a.nodes[place].arcs {
			a.reach(arc.from, dist+arc.left)
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
		a.queue.push(place, dist)
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

// A frontier has nodes, or their places, by distance, then number. The bits of distances are in the order of these.
type frontier struct{ fewprize.Events }

func (f *frontier) push(u int32, dist float64) {
	f.Push(fewprize.Event{Time: int64(math.Float64bits(dist)), Key: u})
}

func (f *frontier) pop() (u int32, dist float64) {
	x := f.Pop()
	return x.Key, math.Float64frombits(uint64(x.Time))
}
