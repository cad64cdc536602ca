// Package pcsttest draws random problems and holds golden cases for tests of the prize-collecting Steiner forest
// solver.
package pcsttest

import (
	"math"
	"math/rand/v2"

	"graphda/graph"
)

// An Instance is a random problem on a graph.
type Instance struct {
	Graph    *graph.Graph
	Prizes   []float64 // by node
	Scale    float64
	Clusters int  // trees, 1 to 4; 0 with a root
	Root     int  // −1 for none; in a quarter of the instances there is one
	Pruning  int  // 0 to 3
	Tied     bool // costs or prizes are equal on purpose
}

// A Builder collects edges and skips self-loops and duplicates.
type Builder struct {
	n     int
	Edges []graph.Edge
	seen  map[graph.Edge]bool
}

func newBuilder(n int) *Builder { return &Builder{n: n, seen: map[graph.Edge]bool{}} }

func (b *Builder) add(u, v int) {
	e := graph.Edge{U: int32(min(u, v)), V: int32(max(u, v))}
	if u != v && !b.seen[e] {
		b.seen[e] = true
		b.Edges = append(b.Edges, e)
	}
}

// shapes are the random graphs' kinds, each on about n nodes.
var shapes = []func(r *rand.Rand, n int) *Builder{
	func(r *rand.Rand, n int) *Builder { // uniform edges, often disconnected
		b := newBuilder(n)
		for range r.IntN(3*n + 1) {
			b.add(r.IntN(n), r.IntN(n))
		}
		return b
	},
	func(r *rand.Rand, n int) *Builder { // grid
		w := 1 + r.IntN(8)
		g := graph.Grid(w, 1+n/w)
		b := newBuilder(g.NumNodes())
		b.Edges = g.Edges()
		return b
	},
	func(r *rand.Rand, n int) *Builder { // tree, or a forest of up to four
		b := newBuilder(n)
		for u := 1 + r.IntN(4); u < n; u++ {
			b.add(u, r.IntN(u))
		}
		return b
	},
	func(r *rand.Rand, n int) *Builder { return Geometric(r, n, 6) },
	func(r *rand.Rand, n int) *Builder { return ScaleFree(r, n, 2) },
	func(r *rand.Rand, n int) *Builder { return ScaleFree(r, n, 10+r.IntN(11)) }, // dense, with hubs
}

// Geometric joins points of the unit square that are near, degree others on average.
func Geometric(r *rand.Rand, n int, degree float64) *Builder {
	b := newBuilder(n)
	side := max(1, int(math.Sqrt(float64(n)/degree*math.Pi)))
	cells := make([][]int, side*side)
	x, y := make([]float64, n), make([]float64, n)
	for u := range n { // numbered in columns, as a user's sorted table might be
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

// ScaleFree adds nodes one by one, each with k edges to nodes drawn by their degrees.
func ScaleFree(r *rand.Rand, n, k int) *Builder {
	b := newBuilder(n)
	for u := 1; u < n; u++ {
		for range k {
			v := r.IntN(u)
			if len(b.Edges) > 0 && r.IntN(8) > 0 {
				if e := b.Edges[r.IntN(len(b.Edges))]; int(e.U) < u {
					v = int(e.U)
				}
			}
			b.add(u, v)
		}
	}
	return b
}

// laws are the distributions of costs and prizes; the first five have no ties but at 0.
var laws = []func(r *rand.Rand) float64{
	func(r *rand.Rand) float64 { x := r.NormFloat64(); return x * x },
	func(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) },
	func(r *rand.Rand) float64 { return 0.4 + 0.9*r.Float64() },
	func(r *rand.Rand) float64 { return r.Float64() * float64(r.IntN(2)) },
	func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) * float64(r.IntN(4)/3) },
	func(r *rand.Rand) float64 { return float64(r.IntN(4)) },
	func(*rand.Rand) float64 { return 1 },
}

// Laws is the number of laws that costs and prizes are drawn by.
const Laws = 7

const untied = 5

// Draw returns n numbers by a law, 0 ≤ law < Laws; those of law 0 are squares of normal numbers.
func Draw(r *rand.Rand, law, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = laws[law](r)
	}
	return x
}

// New draws an instance of at most size nodes.
func New(r *rand.Rand, size int) Instance {
	b := shapes[r.IntN(len(shapes))](r, 1+r.IntN(size))
	costLaw, prizeLaw := r.IntN(len(laws)), r.IntN(len(laws))
	g, err := graph.New(b.n, b.Edges, Draw(r, costLaw, len(b.Edges)))
	if err != nil {
		panic(err)
	}
	in := Instance{
		Graph:    g,
		Prizes:   Draw(r, prizeLaw, b.n),
		Scale:    math.Exp(r.NormFloat64()),
		Clusters: 1 + r.IntN(4),
		Root:     -1,
		Tied:     costLaw >= untied-2 || prizeLaw >= untied, // several costs of 0 are tied at time 0
	}
	in.Pruning = r.IntN(4)
	if r.IntN(4) == 0 {
		in.Clusters, in.Root = 0, r.IntN(b.n)
	}
	return in
}
