package pcst

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
)

// TestLimits checks that Size is exact up to the limit, and above it whenever the forest is above. Many growths
// must end early, or the test would show nothing.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	early := 0
	for i := range rounds(20000) {
		in := newInstance(r, 60)
		in.opt.Pruning = GWPruning
		s := NewSolver(in.g)
		want := must1(s.Size(in.prizes, in.scale, in.opt, Limits{}))
		mergings := len(s.trees.log)
		high := 1 + r.IntN(len(in.prizes))
		got := must1(s.Size(in.prizes, in.scale, in.opt, Limits{Nodes: high}))
		if got != want && (got <= high || want <= high) {
			t.Fatalf("instance %d, %+v: size %d with limit %d, want %d", i, in.opt, got, high, want)
		}
		if len(s.trees.log) < mergings {
			early++
			var f Forest
			if s.Extract(&f); len(f.Nodes)+len(f.Edges) > 0 {
				t.Fatalf("instance %d: Extract gave %v of a growth that ended early", i, f)
			}
		}
	}
	t.Logf("%d growths ended early", early)
	if early < rounds(20000)/50 {
		t.Errorf("%d growths ended early, want more", early)
	}
}

// TestKeep checks that kept trees give the forest that their own solve would have given, whatever is solved in between.
func TestKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for i := range rounds(500) {
		in := newInstance(r, 60)
		in.opt.Pruning = GWPruning
		s := NewSolver(in.g)
		var kept [3]Trees
		var want [3]Forest
		for range 4 {
			for k := range kept {
				prizes := draw(r, r.IntN(len(laws)), len(in.prizes))
				must(t, s.Solve(&want[k], prizes, in.scale, in.opt))
				s.Keep(&kept[k])
				var f Forest
				if s.Extract(&f); len(f.Nodes)+len(f.Edges) > 0 {
					t.Fatalf("instance %d: Extract gave %v after Keep", i, f)
				}
			}
			for k := range kept {
				var got Forest
				if s.ExtractKept(&got, &kept[k]); !got.equal(&want[k]) {
					t.Fatalf("instance %d, trees %d: %v, want %v", i, k, got, want[k])
				}
			}
		}
	}
}

// TestLife checks that no cluster lives longer, in units of prize, than the forest's prizes minus half its cost. A
// limit at this bound must not end a growth. A limit below the longest life must end some, or the test would show
// nothing.
func TestLife(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	early := 0
	for i := range rounds(20000) {
		in := newInstance(r, 60)
		in.opt = Options{Clusters: 1 + r.IntN(3), Root: -1, Pruning: GWPruning}
		s := NewSolver(in.g)
		var f Forest
		must(t, s.Solve(&f, in.prizes, in.scale, in.opt))
		if s.free || s.wide {
			continue
		}
		cost, prizes := 0.0, 0.0
		for _, e := range f.Edges {
			cost += in.scale * in.g.Costs()[e]
		}
		for _, u := range f.Nodes {
			prizes += in.prizes[u]
		}
		last := int64(0)
		for c := range s.clusters {
			last = max(last, s.clusters[c].dies)
		}
		life := math.Ldexp(s.rate.prize(last), 32)
		if cost/2 > (prizes-life)*(1+1e-9)+1e-9 {
			t.Fatalf("instance %d, %+v: a forest of prizes %v costs %v, but a cluster lived to %v", i, in.opt, prizes, cost, life)
		}
		// Its own bound must not end a growth; a limit below the longest life must.
		for _, limit := range []float64{prizes - cost/2 + 1e-9*(1+prizes), 0.9 * life} {
			got := must1(s.Size(in.prizes, in.scale, in.opt, Limits{Life: limit}))
			switch {
			case got == 0 && limit > life:
				t.Fatalf("instance %d: ended for a life of %v, but no cluster lives longer than %v", i, limit, life)
			case got == 0:
				early++
			case got != len(f.Nodes):
				t.Fatalf("instance %d: %d nodes, want %d", i, got, len(f.Nodes))
			}
		}
	}
	t.Logf("%d growths ended early", early)
	if early < rounds(20000)/50 {
		t.Errorf("%d growths ended early, want more", early)
	}
}

// TestRunIsReadAsChunks checks that loadRun, which reads all edges of the least cost at once and queues some,
// joins the same clusters in the same order as reading edges chunk by chunk, also with ties.
func TestRunIsReadAsChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for trial := range 3000 {
		g := graph.Grid(1+r.IntN(20), 2+r.IntN(20))
		if trial%2 == 1 { // most edges, but not all, have the least cost
			costs := make([]float64, g.NumEdges())
			for e := range costs {
				costs[e] = 1 + float64(r.IntN(4)/3*r.IntN(3))
			}
			g = must1(graph.New(g.NumNodes(), g.Edges(), costs))
		}
		run, chunks := NewSolver(g), NewSolver(g)
		chunks.front.run = 0
		for range 3 {
			prizes := tiedPrizes(r, g.NumNodes())
			opt := Options{Clusters: 1 + r.IntN(3), Root: -1, Pruning: GWPruning}
			if r.IntN(4) == 0 {
				opt.Clusters, opt.Root = 0, r.IntN(g.NumNodes())
			}
			scale := []float64{1, 0.5, 0.7, 2}[r.IntN(4)]
			var a, b Forest
			must(t, run.Solve(&a, prizes, scale, opt))
			must(t, chunks.Solve(&b, prizes, scale, opt))
			if !slices.Equal(run.trees.log, chunks.trees.log) || !slices.Equal(a.Nodes, b.Nodes) || !slices.Equal(a.Edges, b.Edges) {
				t.Fatalf("trial %d, %d nodes, scale %v, %+v: %d mergings and forest %v, by chunks %d and %v",
					trial, g.NumNodes(), scale, opt, len(run.trees.log), a, len(chunks.trees.log), b)
			}
		}
	}
}

// tiedPrizes returns prizes. A random part is 0; the others are all multiples of 1/4 or all squares of normal numbers.
func tiedPrizes(r *rand.Rand, n int) []float64 {
	prizes := make([]float64, n)
	zeros, tied := r.Float64(), r.IntN(2) == 0
	for u := range prizes {
		x := r.NormFloat64()
		switch {
		case r.Float64() < zeros:
		case tied:
			prizes[u] = float64(r.IntN(12)) / 4
		default:
			prizes[u] = x * x
		}
	}
	return prizes
}
