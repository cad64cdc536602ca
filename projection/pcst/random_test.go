package pcst

import (
	"math"
	"math/rand/v2"

	"graphda/graph"
)

type instance struct {
	g      *graph.Graph
	prizes []float64
	scale  float64
	opt    Options // one to four trees, or, in a quarter of the instances, a root
	tied   bool    // costs or prizes are equal on purpose
}

// costs returns the scaled costs of the edges.
func (in *instance) costs() []float64 {
	costs := make([]float64, in.g.NumEdges())
	for e, c := range in.g.Costs() {
		costs[e] = in.scale * c
	}
	return costs
}

// A builder collects edges and skips self-loops and duplicates.
type builder struct {
	n     int
	edges []graph.Edge
	seen  map[graph.Edge]bool
}

func newBuilder(n int) *builder { return &builder{n: n, seen: map[graph.Edge]bool{}} }

func (b *builder) add(u, v int) {
	e := graph.Edge{U: int32(min(u, v)), V: int32(max(u, v))}
	if u != v && !b.seen[e] {
		b.seen[e] = true
		b.edges = append(b.edges, e)
	}
}

// shapes generate random graphs of different kinds, each with about n nodes.
var shapes = []func(r *rand.Rand, n int) *builder{
	func(r *rand.Rand, n int) *builder { // uniform edges, often disconnected
		b := newBuilder(n)
		for range r.IntN(3*n + 1) {
			b.add(r.IntN(n), r.IntN(n))
		}
		return b
	},
	func(r *rand.Rand, n int) *builder { // grid
		w := 1 + r.IntN(8)
		g := graph.Grid(w, 1+n/w)
		b := newBuilder(g.NumNodes())
		b.edges = g.Edges()
		return b
	},
	func(r *rand.Rand, n int) *builder { // tree, or a forest of up to four
		b := newBuilder(n)
		for u := 1 + r.IntN(4); u < n; u++ {
			b.add(u, r.IntN(u))
		}
		return b
	},
	func(r *rand.Rand, n int) *builder { return geometric(r, n, 6) },
	func(r *rand.Rand, n int) *builder { return scaleFree(r, n, 2) },
	func(r *rand.Rand, n int) *builder { return scaleFree(r, n, 10+r.IntN(11)) }, // dense, with hubs
}

// geometric joins neighbouring points of the unit square; the mean degree is about degree.
func geometric(r *rand.Rand, n int, degree float64) *builder {
	b := newBuilder(n)
	side := max(1, int(math.Sqrt(float64(n)/degree*math.Pi)))
	cells := make([][]int, side*side)
	x, y := make([]float64, n), make([]float64, n)
	for u := range n { // numbered column by column, like a user's sorted table
		x[u], y[u] = (float64(u)+r.Float64())/float64(n), r.Float64()
		c := int(x[u]*float64(side))*side + int(y[u]*float64(side))
		cells[c] = append(cells[c], u)
	}
	for u := range n {
		cx, cy := int(x[u]*float64(side)), int(y[u]*float64(side))
		for i := max(0, cx-1); i <= min(side-1, cx+1); i++ {
			for j := max(0, cy-1); j <= min(side-1, cy+1); j++ {
				for _, v := range cells[i*side+j] {
					if v < u && math.Hypot(x[u]-x[v], y[u]-y[v]) < 1/float64(side) {
						b.add(u, v)
					}
				}
			}
		}
	}
	return b
}

// scaleFree adds nodes one by one. Each gets k edges to nodes drawn in proportion to their degrees.
func scaleFree(r *rand.Rand, n, k int) *builder {
	b := newBuilder(n)
	for u := 1; u < n; u++ {
		for range k {
			v := r.IntN(u)
			if len(b.edges) > 0 && r.IntN(8) > 0 {
				if e := b.edges[r.IntN(len(b.edges))]; int(e.U) < u {
					v = int(e.U)
				}
			}
			b.add(u, v)
		}
	}
	return b
}

// laws are the distributions of costs and prizes. The first five have no ties except at 0.
var laws = []func(r *rand.Rand) float64{
	func(r *rand.Rand) float64 { x := r.NormFloat64(); return x * x },
	func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) },
	func(r *rand.Rand) float64 { return 0.4 + 0.9*r.Float64() },
	func(r *rand.Rand) float64 { return r.Float64() * float64(r.IntN(2)) },
	func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) * float64(r.IntN(4)/3) },
	func(r *rand.Rand) float64 { return float64(r.IntN(4)) },
	func(*rand.Rand) float64 { return 1 },
}

const untied = 5

// draw returns n numbers drawn from the given law. Law 0 gives squares of normal numbers.
func draw(r *rand.Rand, law, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = laws[law](r)
	}
	return x
}

// newInstance draws an instance with at most size nodes.
func newInstance(r *rand.Rand, size int) instance {
	b := shapes[r.IntN(len(shapes))](r, 1+r.IntN(size))
	costLaw, prizeLaw := r.IntN(len(laws)), r.IntN(len(laws))
	in := instance{
		g:      must1(graph.New(b.n, b.edges, draw(r, costLaw, len(b.edges)))),
		prizes: draw(r, prizeLaw, b.n),
		scale:  math.Exp(r.NormFloat64()),
		opt:    Options{Clusters: 1 + r.IntN(4), Root: -1, Pruning: Prunings[r.IntN(4)]},
		tied:   costLaw >= untied-2 || prizeLaw >= untied, // several costs of 0 tie at time 0
	}
	if r.IntN(4) == 0 {
		in.opt.Clusters, in.opt.Root = 0, r.IntN(b.n)
	}
	return in
}
