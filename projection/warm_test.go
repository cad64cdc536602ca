package projection

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"graphda/graph"
	"graphda/projection/pcst"
)

// TestWarm searches for vectors that change a little each time, like a learner's.
func TestWarm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	g := graph.Grid(12, 12)
	for _, window := range []Window{TailWindow(20, 0.1), TailWindow(5, 0.1), HeadWindow(144, 0.1)} {
		search, solver := NewSearch(g), pcst.NewSolver(g)
		w := make([]float64, 144)
		var warm Warm
		var got, want Result
		warmSolves, paperSolves, same := 0, 0, 0
		const rounds = 200
		for round := range rounds {
			for i := range w {
				w[i] += r.NormFloat64() / float64(1+round)
			}
			must(t, search.Project(&got, w, window, Options{Clusters: 1, MaxIter: 20, Warm: &warm}))
			must(t, search.Project(&want, w, window, Options{Clusters: 1, MaxIter: 20}))
			checkWarm(t, solver, w, window, &got)
			warmSolves += got.Solves
			paperSolves += want.Solves
			if slices.Equal(got.Nodes, want.Nodes) {
				same++
			}
		}
		t.Logf("%v: %d solves, paper %d; %d of %d forests the same", window, warmSolves, paperSolves, same, rounds)
		if 3*warmSolves > paperSolves && paperSolves > 5*rounds {
			t.Errorf("%v: %d solves, the paper's search needs %d", window, warmSolves, paperSolves)
		}
	}
}

// checkWarm checks that the result is the forest of its scale. If the search missed its window, the forest's size
// must jump past the window there.
func checkWarm(t *testing.T, solver *pcst.Solver, w []float64, window Window, got *Result) {
	t.Helper()
	prizes := squared(w)
	var f pcst.Forest
	options := pcst.Options{Clusters: 1, Root: -1, Pruning: pcst.GWPruning}
	must(t, solver.Solve(&f, prizes, got.Scale, options))
	if !slices.Equal(f.Nodes, got.Nodes) {
		t.Errorf("%v: %d nodes, the forest of its scale has %d", window, len(got.Nodes), len(f.Nodes))
	}
	if (got.Status == Bracketed) != window.Contains(len(got.Nodes)) {
		t.Errorf("%v: %d nodes and status %v", window, len(got.Nodes), got.Status)
	}
	if got.Status == Exhausted && len(got.Nodes) < window.Low {
		must(t, solver.Solve(&f, prizes, got.Scale*(1-1.01*exactPace.tolerance), options))
		if len(f.Nodes) <= window.High {
			t.Errorf("%v: %d nodes at scale %v, and %d a tolerance below", window, len(got.Nodes), got.Scale, len(f.Nodes))
		}
	}
}

// TestWarmOfTheSameVector searches again for multiples of a vector. One solve must find the window again; a jump
// past the window takes two solves and four halvings.
func TestWarmOfTheSameVector(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	search := NewSearch(graph.Grid(12, 12))
	ended := map[Status]int{}
	for range 200 {
		w := randomVector(r, 144, false)
		var warm Warm
		var first, again Result
		options := Options{Clusters: 1, MaxIter: 20, Warm: &warm}
		must(t, search.Project(&first, w, TailWindow(20, 0.1), options))
		factor := math.Exp(r.NormFloat64())
		must(t, search.Project(&again, scaled(w, factor), TailWindow(20, 0.1), options))
		most := map[Status]int{Bracketed: 1, Exhausted: 6}[first.Status]
		if again.Solves > most || again.Status != first.Status {
			t.Errorf("%v, then %v after %d solves, want the same after at most %d", first.Status, again.Status, again.Solves, most)
		}
		if moved := again.Scale/first.Scale/(factor*factor) - 1; math.Abs(moved) > exactPace.tolerance {
			t.Errorf("the scale moved by %v, more than the tolerance", moved)
		}
		ended[first.Status]++
	}
	if ended[Bracketed] < 20 || ended[Exhausted] < 20 {
		t.Errorf("ended %v, want both kinds", ended)
	}
}

// TestWarmFollowsTheSum changes only the largest prize, which hardly moves the window's scale. A search that
// started relative to the largest prize would have to look far away.
func TestWarmFollowsTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 10))
	search := NewSearch(graph.Grid(12, 12))
	w := randomVector(r, 144, false)
	var warm Warm
	var got Result
	solves := 0
	const rounds = 20
	for round := range rounds {
		w[70] = 4 + 3*float64(round%2) // a prize of 16 or 49, of some 200 in all
		must(t, search.Project(&got, w, HeadWindow(144, 0.1), Options{Clusters: 1, MaxIter: 20, Warm: &warm}))
		solves += got.Solves
	}
	if solves > 2*rounds {
		t.Errorf("%d solves in %d searches, want at most 2 a search", solves, rounds)
	}
}

// TestWarmDoesNotAllocate measures allocations after the first rounds, also with Cut and Kept.
func TestWarmDoesNotAllocate(t *testing.T) {
	for _, opt := range []Options{
		{Clusters: 1, MaxIter: 20, Warm: new(Warm)},
		{Clusters: 1, MaxIter: 20, Warm: new(Warm), Cut: 1.5},
		{Clusters: 1, MaxIter: 20, Warm: new(Warm), Kept: &Kept{Least: 0.98}},
	} {
		r := rand.New(rand.NewPCG(1, 8))
		search := NewSearch(graph.Grid(20, 20))
		w := make([]float64, 400)
		var got Result
		round := func() {
			for i := range w {
				w[i] += r.NormFloat64()
			}
			must(t, search.Project(&got, w, TailWindow(30, 0.1), opt))
		}
		for range 50 {
			round()
		}
		if n := testing.AllocsPerRun(50, round); n != 0 {
			t.Errorf("%+v: %v allocations a search, want 0", opt, n)
		}
	}
}

// TestKeptAgainstAllSupports projects small vectors that change a little each time, and compares reused supports
// with the best support of at most as many entries.
func TestKeptAgainstAllSupports(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	statuses := map[Status]int{}
	for range 60 {
		n := 4 + r.IntN(8)
		g := randomGraph(t, r, n, func(r *rand.Rand) float64 { return 0.5 + r.Float64() })
		search, w := NewSearch(g), make([]float64, n)
		kept := Kept{Least: 0.8 + 0.19*r.Float64()}
		opt := Options{Clusters: 1, MaxIter: 20, Kept: &kept}
		var got Result
		found := 0.0 // the share when the support was found
		for range 30 {
			for i := range w {
				w[i] += r.NormFloat64() * 0.1
			}
			before := slices.Clone(got.Nodes)
			must(t, search.Project(&got, w, HeadWindow(n, 0.1), opt))
			statuses[got.Status]++
			if got.Status == Certified {
				if got.Solves != 0 || !slices.Equal(got.Nodes, before) || got.Share < kept.Least*found {
					t.Fatalf("kept %+v after %v, of share %v", got, before, found)
				}
			} else {
				found = got.Share
			}
			if best, own := largestShare(w, got.Nodes); !(own >= got.Share*best*(1-1e-12)) || got.Share <= 0 {
				t.Fatalf("nodes %v of %v have %v, want %v of %v", got.Nodes, w, own, got.Share, best)
			}
		}
	}
	t.Log(statuses)
	if all := statuses[Bracketed] + statuses[Exhausted]; statuses[Certified] < 300 || all < 300 {
		t.Errorf("searches ended %v, want many of both kinds", statuses)
	}
}

// largestShare tries all sets of as many entries as support has, and returns their largest sum of squares and the
// support's own.
func largestShare(w []float64, support []int32) (best, own float64) {
	for set := range 1 << len(w) {
		if bits.OnesCount(uint(set)) > len(support) {
			continue
		}
		total := 0.0
		for i, x := range w {
			if set>>i&1 != 0 {
				total += x * x
			}
		}
		best = max(best, total)
	}
	for _, i := range support {
		own += w[i] * w[i]
	}
	return best, own
}

// TestKeptScales reuses a support for multiples of a vector.
func TestKeptScales(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 15))
	g := graph.Grid(12, 12)
	search, w := NewSearch(g), randomVector(r, 144, false)
	opt := Options{Clusters: 1, MaxIter: 20, Kept: &Kept{Least: 0.999}}
	var first, again Result
	must(t, search.Project(&first, w, HeadWindow(144, 0.1), opt))
	for _, factor := range []float64{1, -3, 1e-9, 1e12} {
		must(t, search.Project(&again, scaled(w, factor), HeadWindow(144, 0.1), opt))
		if again.Status != Certified || !slices.Equal(again.Nodes, first.Nodes) {
			t.Errorf("times %v: %v %v, want the kept %v", factor, again.Status, again.Nodes, first.Nodes)
		}
	}
	slices.Reverse(w)
	must(t, search.Project(&again, w, HeadWindow(144, 0.1), opt))
	if again.Status == Certified {
		t.Error("the support of another vector is kept")
	}
}
