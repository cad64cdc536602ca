package learners_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"graphda/graph"
	"graphda/jobs/reports/figurekinds"
	"graphda/learners"
)

// BenchmarkGrowth measures the paper's two merits (section 4): "The time cost of each iteration is nearly-linear time", and
// "it only has O(p + |E|) memory cost". Grids whose sides double, and ten samples, of which those of class +1 have a mean of
// 0.3 on a path of 26 nodes. The time is CPU time, the least of the rounds, which a busy machine disturbs least.
func BenchmarkGrowth(b *testing.B) {
	for _, search := range []float64{0, 2} { // paper, lazy
		for _, side := range []int{33, 66, 132, 264} {
			if testing.Short() && side > 66 {
				continue
			}
			b.Run(fmt.Sprintf("search=%v/nodes=%d", search, side*side), func(b *testing.B) {
				before := heap()
				pr := &learners.Problem{P: side * side, Graph: graph.Grid(side, side)}
				ws := learners.NewWorkspace(pr)
				d := pathData(rand.New(rand.NewPCG(9, 1)), pr.P, side, 10)
				samples := heap()
				least, kept, solves := math.Inf(1), int64(0), 0
				for b.Loop() {
					l := newLearner(b, ws, "graphda", "logistic", map[string]float64{"gamma": 100, "s": 26, "search": search})
					from := cpuTime(b)
					for k, x := range d.x {
						must(b, l.Learn(x, d.y[k]))
					}
					least = min(least, float64((cpuTime(b)-from).Microseconds())/float64(len(d.x)))
					solves = l.Searches().Solves
					kept = max(kept, heap()-samples)
				}
				all := float64(kept + samples - before - int64(8*len(d.x)*pr.P))
				b.ReportMetric(least, "cpu-µs/sample")
				b.ReportMetric(float64(solves)/float64(len(d.x)), "solves/sample")
				b.ReportMetric(all/float64(pr.P+pr.Graph.NumEdges()), "B/(p+m)")
			})
		}
	}
}

// cpuTime is what the process has used so far.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// pathData draws samples of p normal features, those of class +1 with a mean of 0.3 on 26 nodes of a row of the grid.
func pathData(r *rand.Rand, p, side, n int) *data {
	d := &data{}
	for k := range n {
		y, x := float64(1-k%2*2), make([]float64, p)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for u := range 26 {
			x[side/2*side+u] += 0.3 * max(y, 0)
		}
		d.x, d.y = append(d.x, x), append(d.y, y)
	}
	return d
}

// BenchmarkRegretBound measures what the paper cites for convex constraints, R(T) ≤ 2DL√T (section 4, of Xiao 2010; the paper
// leaves it open for supports of a graph): GraphDA's regret on 400 samples of the 33 × 33 grid against the best model on the
// true support of norm at most D, and the bound with that D and the largest gradient as L. γ is L/D, for which the bound is.
func BenchmarkRegretBound(b *testing.B) {
	const side, samples, draws = 33, 400, 20
	pr := &learners.Problem{P: side * side, Graph: graph.Grid(side, side)}
	truth := make([]int32, 26)
	for u := range truth {
		truth[u] = int32(side/2*side + u)
	}
	for _, norm := range []float64{0.5, 1, 2} {
		b.Run(fmt.Sprintf("D=%v", norm), func(b *testing.B) {
			var lag, worst, gradient, share float64
			for b.Loop() {
				lag, worst, gradient, share = 0, math.Inf(-1), 0, 0
				for draw := range uint64(draws) {
					d := pathData(rand.New(rand.NewPCG(10, draw)), pr.P, side, samples)
					largest := 0.0
					for _, x := range d.x { // |∂ℓ/∂z| < 1
						square := 1.0
						for _, v := range x {
							square += v * v
						}
						largest = max(largest, math.Sqrt(square))
					}
					l := newLearner(b, learners.NewWorkspace(pr), "graphda", "logistic", map[string]float64{"gamma": largest / norm, "s": 26, "search": 2})
					for k, x := range d.x {
						must(b, l.Learn(x, d.y[k]))
					}
					best := figurekinds.NewComparator(learners.Logistic{}, func(i int) []float64 { return d.x[i] }, d.y, truth)
					least, _ := best.Least(samples, norm)
					r := l.Account().Loss - least
					lag += r / draws
					gradient += largest / draws
					worst = max(worst, r)
					share += r / (2 * norm * largest * math.Sqrt(samples)) / draws
				}
			}
			b.ReportMetric(lag, "regret")
			b.ReportMetric(worst, "worst")
			b.ReportMetric(2*norm*gradient*math.Sqrt(samples), "bound")
			b.ReportMetric(share, "share")
		})
	}
}

// lattice returns a side × side grid whose nodes have 20 neighbours, that is about ten
// edges a node, with costs in [½, 1½).
func lattice(b *testing.B, side int) *graph.Graph {
	r := rand.New(rand.NewPCG(8, 1))
	near := [][2]int{{0, 1}, {0, 2}, {1, -2}, {1, -1}, {1, 0}, {1, 1}, {1, 2}, {2, -1}, {2, 0}, {2, 1}}
	edges := make([]graph.Edge, 0, len(near)*side*side)
	for row := range side {
		for col := range side {
			for _, d := range near {
				if v, w := row+d[0], col+d[1]; v < side && 0 <= w && w < side {
					edges = append(edges, graph.Edge{U: int32(row*side + col), V: int32(v*side + w)})
				}
			}
		}
	}
	costs := make([]float64, len(edges))
	for e := range costs {
		costs[e] = 0.5 + r.Float64()
	}
	return must1(graph.New(side*side, edges, costs))
}

// BenchmarkScale builds a solver and runs one round of GraphDA, which is a head and a
// tail projection, on graphs of ten thousand and of a million nodes. The memory is what
// graph, solver and learner keep.
func BenchmarkScale(b *testing.B) {
	for _, side := range []int{100, 1000} {
		if testing.Short() && side > 100 {
			continue
		}
		b.Run(fmt.Sprintf("nodes=%d", side*side), func(b *testing.B) {
			before := heap()
			g := lattice(b, side)
			n, m := g.NumNodes(), float64(g.NumEdges())
			ws := learners.NewWorkspace(&learners.Problem{P: n, Graph: g})
			r := rand.New(rand.NewPCG(8, 2))
			x := make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			var l *learners.Learner
			round := func() {
				l = newLearner(b, ws, "graphda", "logistic", map[string]float64{"gamma": 100, "s": float64(n / 40)})
				must(b, l.Learn(x, 1))
			}
			round()
			kept := heap() - before
			solves, rounds := 0, 0
			for b.Loop() {
				round()
				solves += l.Searches().Solves
				rounds++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(solves)/m, "ns/edge/solve")
			b.ReportMetric(float64(solves)/float64(rounds), "solves")
			b.ReportMetric(float64(kept)/m, "B/edge")
		})
	}
}

// heap returns the bytes that are in use after a collection.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
